/// The way of orders to the audio thread: says for which moment they are, and in which order they were given.
/// Control thread.
final class Outbox {
    private let mixer: Mixer
    /// When what is being asked takes effect, on the mixer's clock; nil for at once.
    private(set) var moment: Int64?
    /// The queue was full: the audio thread has not been told everything.
    private(set) var isBehind = false
    private var lastNumber: Int64 = 0
    /// The latest frame that anything was asked for.
    private var latest: Int64 = 0

    init(_ mixer: Mixer) { self.mixer = mixer }

    /// An order for the moment that is being asked for.
    @discardableResult
    func send(_ order: MixerOrder) -> Bool { send(order, at: moment) }

    /// - Returns: false if there was no room: then it is to be said again.
    @discardableResult
    func send(_ order: MixerOrder, at clock: Int64?) -> Bool {
        lastNumber += 1
        latest = max(latest, clock ?? 0)
        let isTaken = mixer.send(NumberedOrder(order, number: lastNumber, at: clock))
        if !isTaken { isBehind = true }
        return isTaken
    }

    /// What `body` sends is taken at one frame, and takes effect at `clock`.
    func together<Result>(at clock: Int64?, _ body: () -> Result) -> Result {
        let before = moment
        moment = clock
        defer { moment = before }
        return mixer.sendTogether(body)
    }

    /// Everything is being said again.
    func catchUp() { isBehind = false }

    /// A point in the order of all that is asked of strips.
    struct Mark {
        fileprivate let sent: Int
        fileprivate let at: Int64
    }

    /// After all that has been sent.
    var mark: Mark { Mark(sent: mixer.ordersSent, at: latest) }

    /// Whether all that was asked of strips before has been done.
    func isDone(_ mark: Mark) -> Bool { mixer.ordersTaken >= mark.sent && mixer.stripsDone >= mark.at }

    /// How many orders there is room for.
    var room: Int { Mixer.inboxCapacity - (mixer.ordersSent - mixer.ordersTaken) }
}
