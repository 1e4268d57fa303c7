import OSC
import Realtime
import Remote
import Timeline

/// Who wants to be told of changes, and telling them. The control thread.
struct Subscriptions {
    private struct Entry {
        let peer: OSCPeer
        var subscription: Subscription
        var endsAt: UInt64
        var dueAt: UInt64 = 0
    }

    private var entries: [Entry] = []
    private var board = ValueBoard()
    /// Of which strips anybody wants to know anything, as far as that has been looked up, for these patterns.
    private var wanted: [StripPlace: Bool] = [:]
    private var asked: Set<String> = []

    /// A bound for what controllers may make the mixer hold, in all and each.
    private static let maximum = 1024
    private static let maximumEach = 256
    /// The meters of 64 tracks fit into one such datagram.
    private static let bundleBytes = 8192

    /// Begins a subscription, or renews it: then what its owner knows stays known.
    mutating func add(_ peer: OSCPeer, _ pattern: String, rate: Int?) throws(CommandError) {
        let end = monotonicNanoseconds() + UInt64(Subscription.leaseSeconds) * 1_000_000_000
        if let index = entries.firstIndex(where: {
            $0.peer == peer && $0.subscription.pattern == pattern && $0.subscription.askedRate == rate
        }) {
            entries[index].endsAt = end
            return
        }
        let subscription = try Subscription(pattern: pattern, rate: rate)
        entries.removeAll { $0.peer == peer && $0.subscription.pattern == pattern }
        guard entries.count < Self.maximum else {
            throw CommandError("\(Self.maximum) subscriptions are running already")
        }
        guard entries.count(where: { $0.peer == peer }) < Self.maximumEach else {
            throw CommandError("\(Self.maximumEach) of your subscriptions are running already")
        }
        entries.append(Entry(peer: peer, subscription: subscription, endsAt: end))
    }

    mutating func remove(_ peer: OSCPeer, _ pattern: String?) {
        entries.removeAll { $0.peer == peer && (pattern == nil || $0.subscription.pattern == pattern) }
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Those who have any.
    var peers: Set<OSCPeer> { Set(entries.map(\.peer)) }

    /// Notes that `peer` has set these values itself.
    mutating func noteOwn(_ values: [OSCMessage], of peer: OSCPeer) {
        for index in entries.indices where entries[index].peer == peer {
            for value in values { entries[index].subscription.knows(value) }
        }
    }

    func has(_ peer: OSCPeer) -> Bool { entries.contains { $0.peer == peer } }

    /// When someone is to be told next, in nanoseconds of the monotonic clock.
    var dueAt: UInt64? { entries.map(\.dueAt).min() }

    /// Whether anybody has subscribed to anything of a strip: looked up once, for there may be thousands.
    private mutating func isWanted(_ place: StripPlace) -> Bool {
        if let known = wanted[place] { return known }
        let isWanted = entries.contains { $0.subscription.isAbout(place.address) }
        wanted[place] = isWanted
        return isWanted
    }

    /// Tells everyone whose time it is what is news to them; forgets those who are gone.
    /// - Parameter values: makes the values of the strips that are wanted.
    mutating func tell(
        _ lines: OSCLines, _ values: (_ isWanted: (StripPlace) -> Bool) -> [OSCMessage]
    ) {
        let now = monotonicNanoseconds()
        entries.removeAll { $0.endsAt < now || !lines.isThere($0.peer) }
        guard entries.contains(where: { $0.dueAt <= now }) else { return }
        let patterns = Set(entries.map(\.subscription.pattern))
        if patterns != asked { (asked, wanted) = (patterns, [:]) }
        let next = values { isWanted($0) }
        board.update(next)
        tellWhoIsDue(lines, now)
    }

    /// Most know the same, so that what is news to one is news to many: packed once.
    private mutating func tellWhoIsDue(_ lines: OSCLines, _ now: UInt64) {
        var packed: [[Int]: [[UInt8]]] = [:]
        for index in entries.indices where entries[index].dueAt <= now {
            // All of one rate have their time together.
            let interval = 1_000_000_000 / UInt64(entries[index].subscription.rate)
            entries[index].dueAt = (now / interval + 1) * interval
            // Who is behind with fetching is told later, and then how things are by then.
            guard lines.isReady(entries[index].peer) else { continue }
            let news = entries[index].subscription.news(on: &board)
            if news.isEmpty { continue }
            let bundles =
                packed[news] ?? OSCPacket.bundles(news.map { board.packet($0) }, limit: Self.bundleBytes)
            packed[news] = bundles
            for bundle in bundles { lines.send(packet: bundle, to: entries[index].peer) }
        }
    }
}
