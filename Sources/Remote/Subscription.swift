import OSC

/// What one controller wants to be told, and what it knows already.
///
/// It knows the values it was sent and those it has set itself; only what differs from that is news to it. So a change is never
/// echoed to its author, what is missed while a value moves quickly is made good by its last, and a new subscriber, who
/// knows nothing, is told everything first.
public struct Subscription {
    /// The pattern over whole addresses, part by part.
    public let pattern: String
    /// At most so many times a second.
    public let rate: Int
    private let parts: [OSCPattern]
    private var known: [String: [OSCArgument]] = [:]

    /// Matches every address, however many parts it has.
    public static let everything = "*"
    public static let standardRate = 30
    public static let maximumRate = 100
    /// How long a subscription lives unless it is renewed.
    public static let leaseSeconds = 10

    /// - Throws: `CommandError` if the pattern's brackets do not close.
    public init(pattern: String, rate: Int) throws(CommandError) {
        self.pattern = pattern
        self.rate = rate
        var parts: [OSCPattern] = []
        for part in pattern == Self.everything ? [] : pattern.split(separator: "/") {
            guard let pattern = OSCPattern(part) else { throw CommandError("\"\(pattern)\" is a pattern whose bracket or brace does not close") }
            parts.append(pattern)
        }
        self.parts = parts
    }

    public func matches(_ address: String) -> Bool {
        if parts.isEmpty { return true }
        let names = address.split(separator: "/")
        return names.count == parts.count && zip(parts, names).allSatisfy { $0.matches($1) }
    }

    /// What the subscriber has set itself: no news to it, unless it turns out otherwise.
    public mutating func knows(_ message: OSCMessage) { known[message.address] = message.arguments }

    /// The values that are news; from now on they are known.
    public mutating func news(in values: [OSCMessage]) -> [OSCMessage] {
        values.filter { message in
            guard matches(message.address), known[message.address] != message.arguments else { return false }
            known[message.address] = message.arguments
            return true
        }
    }
}
