import OSC

/// Who is told what: those who want all changes, and subscriptions, each for ten seconds.
struct DeskLeases {
    /// Wants all changes.
    private struct Remote {
        var endsAt: UInt64
        /// It has asked for what it sets itself too.
        let wantsOwn: Bool
    }

    /// Values or meters, again and again.
    struct Subscription {
        let peer: OSCPeer
        /// What its messages are addressed to.
        let alias: String
        let what: Content
        /// How often, in units of 50 ms.
        let interval: UInt64
        var endsAt: UInt64
        var dueAt: UInt64

        enum Content {
            case meters(Int, channel: Int, group: Int)
            case value(String)
            /// Those of several addresses in one message.
            case values([String])
        }

        /// How many values its messages have.
        var count: Int { if case .values(let addresses) = what { addresses.count } else { 1 } }
    }

    private var remotes: [OSCPeer: Remote] = [:]
    private(set) var subscriptions: [Subscription] = []
    /// Messages that are to be sent.
    private(set) var waiting: [(message: OSCMessage, peer: OSCPeer)] = []

    private static let lease: UInt64 = 10_000_000_000
    static let unit: UInt64 = 50_000_000
    /// A bound for what remotes may make the mixer hold.
    private static let maximum = 64
    private static let maximumSubscriptions = 256
    private static let maximumEach = 16
    /// Values that all are told of together.
    private static let maximumValues = 4096
    /// Messages that are sent in one go: others have their turn between.
    private static let messagesAtOnce = 1024

    var hasRemotes: Bool { !remotes.isEmpty }

    mutating func hold(_ peer: OSCPeer, wantsOwn: Bool, now: UInt64) {
        if remotes[peer] == nil, remotes.count >= Self.maximum,
            let oldest = remotes.min(by: { $0.value.endsAt < $1.value.endsAt })
        {
            remotes[oldest.key] = nil
        }
        remotes[peer] = Remote(endsAt: now + Self.lease, wantsOwn: wantsOwn)
    }

    /// Those of one alias take each other's place.
    mutating func subscribe(
        _ peer: OSCPeer, _ alias: String, _ what: Subscription.Content, factor: Int, now: UInt64
    ) {
        subscriptions.removeAll { $0.peer == peer && $0.alias == alias }
        guard subscriptions.count(where: { $0.peer == peer }) < Self.maximumEach else { return }
        if subscriptions.count >= Self.maximumSubscriptions { forgetOldest() }
        let subscription = Subscription(
            peer: peer, alias: alias, what: what, interval: Self.unit * UInt64(max(1, min(99, factor))),
            endsAt: now + Self.lease, dueAt: now)
        let values = subscriptions.reduce(subscription.count) { $0 + $1.count }
        if values <= Self.maximumValues { subscriptions.append(subscription) }
    }

    /// The one that ends first.
    private mutating func forgetOldest() {
        let oldest = subscriptions.indices.min { subscriptions[$0].endsAt < subscriptions[$1].endsAt }
        if let oldest { subscriptions.remove(at: oldest) }
    }

    /// - Parameter alias: nil: all.
    mutating func renew(_ peer: OSCPeer, _ alias: String?, now: UInt64) {
        for index in subscriptions.indices
        where subscriptions[index].peer == peer && (alias == nil || subscriptions[index].alias == alias) {
            subscriptions[index].endsAt = now + Self.lease
        }
        if alias == nil { remotes[peer]?.endsAt = now + Self.lease }
    }

    mutating func end(_ peer: OSCPeer, _ alias: String?) {
        subscriptions.removeAll { $0.peer == peer && (alias == nil || $0.alias == alias) }
        if alias == nil { remotes[peer] = nil }
    }

    /// Tells all who want changes.
    /// - Parameter echoes: its author too, if that wants it.
    mutating func tell(_ message: OSCMessage, by author: OSCPeer?, echoes: Bool) {
        for (peer, remote) in remotes where peer != author || echoes && remote.wantsOwn {
            waiting.append((message, peer))
        }
    }

    /// Tells one of those who want changes.
    mutating func tell(_ message: OSCMessage, to peer: OSCPeer) {
        if remotes[peer] != nil { waiting.append((message, peer)) }
    }

    /// Forgets who has not renewed.
    mutating func expire(now: UInt64) {
        remotes = remotes.filter { $0.value.endsAt > now }
        subscriptions.removeAll { $0.endsAt <= now }
    }

    /// The subscriptions whose time it is; they are due again after their intervals.
    mutating func takeDue(now: UInt64) -> [Subscription] {
        var due: [Subscription] = []
        for index in subscriptions.indices where subscriptions[index].dueAt <= now {
            due.append(subscriptions[index])
            let interval = subscriptions[index].interval
            // All of one interval have their time together, so that what they are told is computed once.
            subscriptions[index].dueAt = (now / interval + 1) * interval
        }
        return due
    }

    mutating func takeWaiting() -> [(message: OSCMessage, peer: OSCPeer)] {
        let taken = waiting.prefix(Self.messagesAtOnce)
        defer { waiting.removeFirst(taken.count) }
        return Array(taken)
    }

    /// When the next subscription is due; nil: there is none.
    var dueAt: UInt64? { subscriptions.map(\.dueAt).min() }
}
