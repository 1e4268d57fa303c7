import CJack
import CRealtime
import Realtime
import Synchronization
import Timeline

/// The MIDI ports as the process callback sees them, and what is on its way through them. Lives as long as
/// the client.
struct MIDITable: ~Copyable {
    /// One pair of ports; nil where there is none.
    struct Pair: ~Copyable {
        let input = Atomic<OpaquePointer?>(nil)
        let output = Atomic<OpaquePointer?>(nil)
        /// How often something has been connected to each of them.
        let inputConnects = Atomic<Int>(0)
        let outputConnects = Atomic<Int>(0)
    }

    private let pairs: UnsafeMutablePointer<Pair>
    /// So many pairs at the most.
    private let count = 1 + MIDIMap.maximumUnits
    let received = MIDIQueue()
    let sent = MIDIQueue()
    let arrival: WakeUp
    /// Grows with each period.
    let periods = Atomic<Int>(0)

    init(_ arrival: WakeUp) {
        self.arrival = arrival
        pairs = LockedMemory.allocate(Pair.self, count)
        for pair in 0..<count { (pairs + pair).initialize(to: Pair()) }
    }

    deinit {
        pairs.deinitialize(count: count)
        LockedMemory.free(pairs, count)
        received.destroy()
        sent.destroy()
    }

    /// The ports of a pair from now on. Control thread.
    func set(_ pair: Int, _ input: OpaquePointer?, _ output: OpaquePointer?) {
        pairs[pair].input.store(input, ordering: .releasing)
        pairs[pair].output.store(output, ordering: .releasing)
    }

    /// Something has been connected to a port. Any thread but the audio thread.
    /// - Returns: whether it is one of these.
    func noteConnect(_ port: OpaquePointer) -> Bool {
        for pair in 0..<count {
            if pairs[pair].input.load(ordering: .acquiring) == port {
                pairs[pair].inputConnects.add(1, ordering: .relaxed)
                return true
            }
            if pairs[pair].output.load(ordering: .acquiring) == port {
                pairs[pair].outputConnects.add(1, ordering: .relaxed)
                return true
            }
        }
        return false
    }

    /// How often something has been connected to a pair's ports.
    func connects(_ pair: Int) -> MIDIConnects {
        guard (0..<count).contains(pair) else { return MIDIConnects() }
        return MIDIConnects(
            input: pairs[pair].inputConnects.load(ordering: .relaxed),
            output: pairs[pair].outputConnects.load(ordering: .relaxed))
    }

    @_noLocks
    private func output(_ pair: Int) -> OpaquePointer? { pairs[pair].output.load(ordering: .acquiring) }

    /// All that was sent has been given out. Control thread.
    var isClear: Bool { sent.isEmpty }

    /// Takes in what has come for this period, and gives out what is to be sent, as much as there is room
    /// for. Audio thread only; wait-free, and bounded by the size of JACK's buffers and of the queues.
    @_noLocks
    func exchange(_ frames: UInt32) {
        var hasArrived = false
        for pair in 0..<count {
            if let port = pairs[pair].input.load(ordering: .acquiring),
                let buffer = rt_midi_buffer(port, frames), receive(pair, buffer)
            {
                hasArrived = true
            }
            if let port = output(pair), let buffer = rt_midi_buffer(port, frames) { rt_midi_clear(buffer) }
        }
        if hasArrived { arrival.signal() }
        while let next = sent.next() {
            if let port = output(next.pair), let buffer = rt_midi_buffer(port, frames),
                rt_midi_write(buffer, next.bytes, UInt32(next.count)) != 0
            {
                // The buffer is full: the rest goes with the next period.
                break
            }
            sent.release()
        }
        periods.store(periods.load(ordering: .relaxed) &+ 1, ordering: .releasing)
    }

    /// - Returns: whether anything has come.
    @_noLocks
    private func receive(_ pair: Int, _ buffer: UnsafeMutableRawPointer) -> Bool {
        let count = rt_midi_count(buffer)
        for index in 0..<count {
            var bytes: UnsafePointer<UInt8>?
            let size = rt_midi_event(buffer, index, &bytes)
            // What there is no room for, or is longer than surfaces send, is left out.
            if let bytes { _ = received.put(pair: pair, bytes, Int(size)) }
        }
        return count > 0
    }
}
