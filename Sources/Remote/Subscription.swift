import OSC
import Timeline

/// What one controller wants to be told, and what it knows already.
///
/// It knows the values it was sent and those it has set itself; only what differs from that is news to it. So
/// a change is never echoed to its author, what is missed while a value moves quickly is made good by its
/// last, and a new subscriber, who knows nothing, is told everything first.
public struct Subscription {
    /// The pattern over whole addresses, part by part.
    public let pattern: String
    /// How often a second it was asked for: then meters come so often, also those that stand; nil: nothing
    /// was said, and they come as they change.
    public let askedRate: Int?
    /// At most so many times a second.
    public var rate: Int { askedRate ?? Self.standardRate }
    private let parts: [OSCPattern]
    /// The addresses that it is for in place of a pattern; nil: the pattern.
    public private(set) var listened: Set<String>?
    private var generation = -1
    /// The indices on the board that it is for, and which version of each it knows.
    private var indices: [Int] = []
    private var known: [Int] = []
    private var addresses: [String] = []
    /// What comes whether it has changed or not.
    private var isRepeated: [Bool] = []
    /// What its owner has set since it was last told.
    private var own: [String: [OSCArgument]] = [:]

    /// Matches every address, however many parts it has.
    public static let everything = "*"
    public static let standardRate = 30
    public static let maximumRate = 100
    /// How long a subscription lives unless it is renewed.
    public static let leaseSeconds = 10

    /// - Throws: `CommandError` if the pattern's brackets do not close.
    public init(pattern: String, rate: Int?) throws(CommandError) {
        self.pattern = pattern
        askedRate = rate
        var parts: [OSCPattern] = []
        for part in pattern == Self.everything ? [] : pattern.split(separator: "/") {
            guard let pattern = OSCPattern(part) else {
                throw CommandError("\"\(pattern)\" is a pattern whose bracket or brace does not close")
            }
            parts.append(pattern)
        }
        self.parts = parts
    }

    /// To single addresses, none of them yet: `listen`.
    public init() { (pattern, askedRate, parts, listened) = ("", nil, [], []) }

    /// One address more.
    public mutating func listen(to address: String) {
        listened?.insert(address)
        generation = -1
    }

    /// One less; what was told of it is known no more.
    public mutating func ignore(_ address: String) {
        listened?.remove(address)
        if let number = addresses.firstIndex(of: address) {
            addresses.remove(at: number)
            known.remove(at: number)
        }
        generation = -1
    }

    public func matches(_ address: String) -> Bool {
        if let listened { return listened.contains(address) }
        if parts.isEmpty { return true }
        let names = address.split(separator: "/")
        return names.count == parts.count && zip(parts, names).allSatisfy { $0.matches($1) }
    }

    /// Whether it can be for anything below an address: what nobody asks for need not be made.
    public func isAbout(_ prefix: String) -> Bool {
        if let listened { return listened.contains { $0.hasPrefix("\(prefix)/") } }
        if parts.isEmpty { return true }
        let names = prefix.split(separator: "/")
        return parts.count > names.count && zip(parts, names).allSatisfy { $0.matches($1) }
    }

    /// What the subscriber has set itself: no news to it, unless it turns out otherwise.
    public mutating func knows(_ message: OSCMessage) { own[message.address] = message.arguments }

    /// The indices of the values that are news; from now on they are known.
    public mutating func news(on board: inout ValueBoard) -> [Int] {
        if generation != board.generation { readdress(&board) }
        var news: [Int] = []
        for (number, index) in indices.enumerated() {
            let isKnown = known[number] == board.versions[index] && !isRepeated[number]
            if isKnown, own.isEmpty { continue }
            let mine = own.isEmpty ? nil : own[board.addresses[index]]
            let isOwn = mine == board.messages[index].arguments
            known[number] = board.versions[index]
            // A value that its owner set and somebody else put back has its old version on the board.
            if mine == nil ? !isKnown : !isOwn { news.append(index) }
        }
        if !own.isEmpty { own = [:] }
        return news
    }

    private mutating func readdress(_ board: inout ValueBoard) {
        let before = Dictionary(uniqueKeysWithValues: zip(addresses, known))
        indices =
            listened == nil
            ? board.indices(for: pattern, matching: matches)
            : board.addresses.indices.filter { matches(board.addresses[$0]) }
        addresses = indices.map { board.addresses[$0] }
        known = addresses.map { before[$0] ?? -1 }
        isRepeated = addresses.map { askedRate != nil && $0.hasSuffix("/\(Control.meter.path)") }
        generation = board.generation
    }
}
