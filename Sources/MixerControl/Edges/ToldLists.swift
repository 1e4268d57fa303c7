import Console
import OSC
import Realtime
import Remote
import Timeline

/// What is listed for subscribers: read anew where the session has changed, and not with every value that is
/// told, for lists may be long. The control thread.
struct ToldLists {
    private var messages: [OSCMessage] = []
    /// Which state of the session, and for whom, they have been read.
    private var changeCount = -1
    private var patterns: Set<String> = []
    private var readAt: UInt64 = 0

    /// At least so long lies between two times that they are read for the same subscribers.
    private static let interval: UInt64 = 250_000_000

    /// The lists that somebody has subscribed to by their names.
    mutating func present(_ console: Console, for subscriptions: [Subscription]) -> [OSCMessage] {
        let asking = subscriptions.filter(\.namesLast)
        let asked = Set(asking.map(\.pattern))
        let now = monotonicNanoseconds()
        let isOld = changeCount != console.changeCount && now >= readAt + Self.interval
        if asked == patterns, !isOld { return messages }
        (patterns, changeCount, readAt) = (asked, console.changeCount, now)
        if asking.isEmpty { messages = [] } else { read(console, asking) }
        return messages
    }

    private mutating func read(_ console: Console, _ asking: [Subscription]) {
        messages = console.listed { place in
            asking.contains { $0.isAbout(place.address) }
        } addresses: { address in
            asking.contains { $0.matches(address) }
        }.map(\.message)
    }
}
