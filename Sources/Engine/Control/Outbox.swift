/// The way of orders to the audio thread: says for which moment they are, and in which order they were given. Control thread.
final class Outbox {
    private let mixer: Mixer
    /// When what is being asked takes effect, on the mixer's clock; nil for at once.
    private(set) var moment: Int64?
    /// The queue was full: the audio thread has not been told everything.
    private(set) var isBehind = false
    private var sent: Int64 = 0

    init(_ mixer: Mixer) { self.mixer = mixer }

    /// An order for the moment that is being asked for.
    func send(_ order: MixerOrder) { _ = send(order, at: moment) }

    /// - Returns: false if there was no room.
    func send(_ order: MixerOrder, at clock: Int64?) -> Bool {
        sent += 1
        if mixer.send(NumberedOrder(order, number: sent, at: clock)) { return true }
        isBehind = true
        return false
    }

    /// What `body` sends is taken at one frame, and takes effect at `clock`.
    func together<Result>(at clock: Int64?, _ body: () -> Result) -> Result {
        let before = moment
        moment = clock
        defer { moment = before }
        return mixer.sendTogether(body)
    }

    /// Whether everything has to be said again, and can be: the audio thread stood still and has now taken all that found room.
    func takeBehind() -> Bool {
        guard isBehind, mixer.hasTakenAll else { return false }
        isBehind = false
        return true
    }
}
