import Glibc
import Realtime

/// Wakes the control thread when MIDI has come in: the audio thread may only post to a semaphore, so a thread
/// of its own waits there and rings.
final class MIDIBell {
    private let doorbell = Doorbell()
    private let worker: Worker

    init() {
        worker = Worker("jmix-midi", every: 60_000) { [doorbell] in doorbell.ring() }
    }

    /// What the audio thread signals.
    var arrival: WakeUp { worker.wakeUp }

    var descriptor: pollfd { doorbell.pollDescriptor }

    /// To be called before looking at what has come.
    func answer() { doorbell.answer() }
}
