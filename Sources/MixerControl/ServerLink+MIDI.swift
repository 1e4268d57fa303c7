import Glibc
import JackDriver

/// MIDI by the client's ports.
extension ServerLink {
    /// To be polled for MIDI that comes in.
    var midiDescriptor: pollfd { midi.descriptor }

    /// The MIDI that has come in since the last call, in its order.
    func receiveMIDI() -> [MIDIArrival] {
        midi.answer()
        return client?.receiveMIDI() ?? []
    }

    /// Sends messages by a pair of MIDI ports.
    func sendMIDI(_ messages: [[UInt8]], pair: Int) {
        for message in messages { client?.sendMIDI(message, pair: pair) }
    }

    /// All MIDI that was sent has been given out: what is sent now is not late.
    var isMIDIClear: Bool { client?.isMIDIClear ?? false }

    /// Nanoseconds till what is sent is given out.
    var untilNextPeriod: UInt64 { client?.untilNextPeriod ?? 0 }

    /// How often something has been connected to a pair of MIDI ports.
    func midiConnects(pair: Int) -> MIDIConnects { client?.midiConnects(pair: pair) ?? MIDIConnects() }

    /// What hears a pair of MIDI ports; nothing without a server.
    func midiListeners(pair: Int) -> [String] {
        client.map { $0.isServerGone ? [] : $0.midiListeners(pair: pair) } ?? []
    }
}
