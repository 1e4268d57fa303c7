import OSC

/// The values that subscribers are told of, and how often each has changed: what is compared once serves all subscribers.
public struct ValueBoard {
    /// In the order in which they are told.
    public private(set) var messages: [OSCMessage] = []
    public private(set) var addresses: [String] = []
    /// Grows whenever the value at the same place changes.
    public private(set) var versions: [Int] = []
    /// Grows whenever the addresses change.
    public private(set) var generation = 0
    private var lastVersion = 0
    private var packets: [[UInt8]] = []
    private var places: [String: [Int]] = [:]

    public init() {}

    /// Takes the values as they are now.
    public mutating func update(_ next: [OSCMessage]) {
        let isAlike = next.count == messages.count && zip(next, addresses).allSatisfy { $0.address == $1 }
        if !isAlike { readdress(next) }
        for place in next.indices where !isAlike || next[place].arguments != messages[place].arguments {
            if isAlike || versions[place] == 0 { versions[place] = newVersion() }
            packets[place] = []
        }
        messages = next
    }

    /// Other addresses: a value that is still there and the same keeps its version.
    private mutating func readdress(_ next: [OSCMessage]) {
        var before: [String: (version: Int, arguments: [OSCArgument])] = [:]
        for (place, message) in messages.enumerated() { before[message.address] = (versions[place], message.arguments) }
        addresses = next.map(\.address)
        versions = next.map { message in
            guard let old = before[message.address], old.arguments == message.arguments else { return 0 }
            return old.version
        }
        packets = Array(repeating: [], count: next.count)
        places = [:]
        generation += 1
    }

    private mutating func newVersion() -> Int {
        lastVersion += 1
        return lastVersion
    }

    /// The value at `place` as a packet: coded once for all who are told.
    public mutating func packet(_ place: Int) -> [UInt8] {
        if packets[place].isEmpty { packets[place] = messages[place].packet }
        return packets[place]
    }

    /// The places of the addresses that a subscription is for: looked up once for all subscriptions of one pattern.
    mutating func places(for pattern: String, matching matches: (String) -> Bool) -> [Int] {
        if let found = places[pattern] { return found }
        let found = addresses.indices.filter { matches(addresses[$0]) }
        places[pattern] = found
        return found
    }
}
