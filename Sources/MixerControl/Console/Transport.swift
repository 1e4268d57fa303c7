import Engine
import JackDriver

/// Who is asked to play, stop and locate. Frames are those of the timeline at the server's rate.
package protocol Transport: AnyObject {
    func play()
    func stop()
    func locate(_ frame: Int64)
    var isRolling: Bool { get }
    /// Whether it can play a stretch round and round.
    var canLoop: Bool { get }
}

extension PlaybackEngine: Transport {
    package var canLoop: Bool { true }
}

/// The transport that all clients of the JACK server share: jmix asks it, and does what it does.
package final class SharedTransport: Transport {
    package init() {}

    private var client: JackClient?
    private var last = ServerTransport(state: .stopped, frame: 0)

    package func play() { client?.startTransport() }
    package func stop() { client?.stopTransport() }
    package func locate(_ frame: Int64) { client?.locateTransport(frame) }
    package var isRolling: Bool { (client?.transport ?? last).state != .stopped }
    package let canLoop = false
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
        client.lead(engine)
    }

    /// What was is over: a server that comes back stands still.
    func forget() { last = ServerTransport(state: .stopped, frame: last.frame) }

    /// The server is gone: what was, is what is to be when it comes back.
    func leave() { client = nil }
}
