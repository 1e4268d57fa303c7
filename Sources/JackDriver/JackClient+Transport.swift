import CJack
import Engine

extension JackClient {
    public func startTransport() { jack_transport_start(client) }
    public func stopTransport() { jack_transport_stop(client) }

    /// The transport goes to `frame`, as far as it can count.
    public func locateTransport(_ frame: Int64) { jack_transport_locate(client, UInt32(clamping: frame)) }

    /// The mixer does not follow the transport any more.
    public func leaveTransport() { notes.pointee.follows.store(false, ordering: .relaxed) }

    public var transport: ServerTransport {
        var position = jack_position_t()
        let state: ServerTransport.State =
            switch jack_transport_query(client, &position) {
            case JackTransportRolling, JackTransportLooping: .rolling
            case JackTransportStarting: .starting
            default: .stopped
            }
        return ServerTransport(state: state, frame: Int64(position.frame))
    }

    /// Brings `engine` to where the server's transport stands, so that it can begin there. To be called every
    /// few milliseconds; the audio thread itself starts and stops with the server.
    public func lead(_ engine: PlaybackEngine) {
        guard engine.isStill else { return }
        let transport = transport
        switch transport.state {
        case .stopped, .starting:
            if engine.frame != transport.frame { engine.locate(transport.frame) }
        case .rolling:
            // It was not ready in time (the server waits 2 s), or the server jumped: it meets the server
            // further on.
            let meets = transport.frame...transport.frame + Int64(sampleRate)
            if !meets.contains(engine.frame) { engine.locate(transport.frame + Int64(sampleRate) / 4) }
        }
    }

    /// The mixer's clock at a moment that is so far from now; nil before the first period. JACK's time is its
    /// own: not every version's is the system's monotonic clock.
    /// - Parameter now: the mixer's clock at about this moment.
    public func clock(inMicroseconds delay: Int64, now: Int64) -> Int64? {
        if periodsSoFar == 0 { return nil }
        let moment = UInt64(max(0, Int64(jack_get_time()) + delay))
        return notes.pointee.clock(atServerFrame: jack_time_to_frames(client, moment), now: now)
    }
}
