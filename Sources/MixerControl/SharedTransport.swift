import Console
import Engine
import JackDriver
import Realtime

/// The transport that all clients of the JACK server share: jmix asks it, and does what it does.
package final class SharedTransport: Transport {
    package init() {}

    private var client: JackClient?
    private var last = ServerTransport(state: .stopped, frame: 0)

    package func play() {
        stopsUntil = 0
        client?.startTransport()
    }

    package func stop() {
        guard let client else { return }
        client.stopTransport()
        // The server does so with the next period, of which one may be late.
        let periods = 3 * UInt64(client.period) * 1_000_000_000 / UInt64(client.sampleRate)
        stopsUntil = monotonicNanoseconds() + periods
    }

    private var stopsUntil: UInt64 = 0
    package var isStopping: Bool { monotonicNanoseconds() < stopsUntil }
    package func locate(_ frame: Int64) { client?.locateTransport(frame) }
    package var isRolling: Bool { (client?.transport ?? last).state != .stopped }
    /// A locate takes effect two periods later, and waits for all who follow.
    package let shortestLoop: Int64 = 100
    package func setLoop(_ loop: Range<Int64>?) { self.loop = loop }
    private var loop: Range<Int64>?
    /// It has been told to go to the loop's start, and is not there yet.
    private var isTurning = false
    /// The server waits for the mixer to be ready.
    var isAwaited: Bool { last.state == .starting }

    /// Goes on with `client`.
    /// - Parameter engine: stands where playing is to go on, unless the server's transport is already in use.
    func join(_ client: JackClient, returning engine: PlaybackEngine?) {
        self.client = client
        guard let engine, client.transport == ServerTransport(state: .stopped, frame: 0) else { return }
        client.locateTransport(engine.frame)
        if last.state != .stopped, !engine.isFallingSilent { client.startTransport() }
    }

    /// To be called at every turn: the engine goes where the server's transport stands.
    func watch(_ engine: PlaybackEngine) {
        guard let client, !client.isServerGone else { return }
        last = client.transport
        turnRound(client, engine)
        client.lead(engine)
    }

    /// At the end of the loop the server's transport is sent to its start; to within a period or two, for it
    /// goes there when all are ready.
    private func turnRound(_ client: JackClient, _ engine: PlaybackEngine) {
        guard let loop, last.state == .rolling, loop.contains(last.frame), framesLeft(client, loop) <= 0
        else {
            isTurning = false
            return
        }
        if isTurning { return }
        isTurning = true
        client.locateTransport(loop.lowerBound)
        engine.expectLocate(to: loop.lowerBound)
    }

    /// How long until the loop's end is to be looked for, in nanoseconds; nil: it does not come.
    var nanosecondsLeft: UInt64? {
        guard let client, let loop, last.state == .rolling, loop.contains(last.frame), !isTurning else {
            return nil
        }
        return UInt64(max(0, framesLeft(client, loop))) * 1_000_000_000 / UInt64(client.sampleRate)
    }

    /// Until a locate has to be asked for to take effect at the end.
    private func framesLeft(_ client: JackClient, _ loop: Range<Int64>) -> Int64 {
        loop.upperBound - last.frame - 2 * Int64(client.period)
    }

    /// What was is over: a server that comes back stands still.
    package func forget() { last = ServerTransport(state: .stopped, frame: last.frame) }

    /// The server is gone: what was, is what is to be when it comes back.
    func leave() { client = nil }
}
