import OSC

/// The values that subscribers are told of, and how often each has changed: what is compared once serves all
/// subscribers.
public struct ValueBoard {
    /// In the order in which they are told.
    public private(set) var messages: [OSCMessage] = []
    public private(set) var addresses: [String] = []
    /// Grows whenever the value at the same index changes.
    public private(set) var versions: [Int] = []
    /// Grows whenever the addresses change.
    public private(set) var generation = 0
    private var lastVersion = 0
    private var packets: [[UInt8]] = []
    private var indices: [String: [Int]] = [:]

    public init() {}

    /// Takes the values as they are now.
    public mutating func update(_ next: [OSCMessage]) {
        let isAlike = next.count == messages.count && zip(next, addresses).allSatisfy { $0.address == $1 }
        if !isAlike { readdress(next) }
        for index in next.indices where !isAlike || next[index].arguments != messages[index].arguments {
            if isAlike || versions[index] == 0 { versions[index] = newVersion() }
            packets[index] = []
        }
        messages = next
    }

    /// Other addresses: a value that is still there and the same keeps its version.
    private mutating func readdress(_ next: [OSCMessage]) {
        var before: [String: (version: Int, arguments: [OSCArgument])] = [:]
        for (index, message) in messages.enumerated() {
            before[message.address] = (versions[index], message.arguments)
        }
        addresses = next.map(\.address)
        versions = next.map { message in
            guard let old = before[message.address], old.arguments == message.arguments else { return 0 }
            return old.version
        }
        packets = Array(repeating: [], count: next.count)
        indices = [:]
        generation += 1
    }

    private mutating func newVersion() -> Int {
        lastVersion += 1
        return lastVersion
    }

    /// The value at `index` as a packet: coded once for all who are told.
    public mutating func packet(_ index: Int) -> [UInt8] {
        if packets[index].isEmpty { packets[index] = messages[index].packet }
        return packets[index]
    }

    /// The indices of the addresses that a subscription is for: looked up once for all subscriptions of one
    /// pattern.
    mutating func indices(for pattern: String, matching matches: (String) -> Bool) -> [Int] {
        if let found = indices[pattern] { return found }
        let found = addresses.indices.filter { matches(addresses[$0]) }
        indices[pattern] = found
        return found
    }
}
