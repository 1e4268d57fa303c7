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
            sent.take()
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

/// How often something has been connected to a pair of MIDI ports.
public struct MIDIConnects: Equatable, Sendable {
    /// To the input: what plays into the mixer.
    public var input = 0
    /// To the output: what hears the mixer.
    public var output = 0

    /// Never.
    public init() {}

    init(input: Int, output: Int) { (self.input, self.output) = (input, output) }
}

/// A message that has come in by a pair of ports: 0 is `midi_in`, those of a surface's units follow.
public struct MIDIArrival: Equatable, Sendable {
    public let pair: Int
    public let bytes: [UInt8]
}

/// The MIDI ports: `midi_in` and `midi_out`, and a pair for each unit of a surface. Control thread.
final class MIDIPorts {
    private let client: OpaquePointer
    private let metadata: PortMetadata
    let table: UnsafeMutablePointer<MIDITable>
    private var pairs: [(input: OpaquePointer, output: OpaquePointer)] = []
    /// Ports that the callback may still use, up to that period.
    private var leaving: [(port: OpaquePointer, period: Int)] = []

    /// - Parameter arrival: is signalled when something has come.
    init(_ client: OpaquePointer, _ metadata: PortMetadata, _ arrival: WakeUp) {
        (self.client, self.metadata) = (client, metadata)
        table = LockedMemory.allocate(MIDITable.self)
        table.initialize(to: MIDITable(arrival))
    }

    /// After the client has been closed: no callback comes any more.
    deinit {
        table.deinitialize(count: 1)
        LockedMemory.free(table)
    }

    var ports: [OpaquePointer] { pairs.flatMap { [$0.input, $0.output] } }

    /// Makes there be so many units of a surface beside `midi_in` and `midi_out`.
    /// - Returns: whether some are new.
    func follow(units: Int) -> Bool {
        removeLeft()
        while pairs.count > 1 + units {
            let pair = pairs.removeLast()
            table.pointee.set(pairs.count, nil, nil)
            let period = table.pointee.periods.load(ordering: .acquiring)
            leaving += [(pair.input, period), (pair.output, period)]
        }
        var isNew = false
        while pairs.count < 1 + units, let pair = register(pairs.count) {
            table.pointee.set(pairs.count, pair.input, pair.output)
            pairs.append(pair)
            isNew = true
        }
        return isNew
    }

    /// A port goes when the callback has begun and ended without it.
    private func removeLeft() {
        let now = table.pointee.periods.load(ordering: .acquiring)
        for (port, period) in leaving where now >= period + 2 {
            metadata.forget(port)
            jack_port_unregister(client, port)
        }
        leaving.removeAll { now >= $0.period + 2 }
    }

    /// nil where the server has no more ports, or the name is still that of a port about to go.
    private func register(_ pair: Int) -> (input: OpaquePointer, output: OpaquePointer)? {
        func port(isInput: Bool) -> OpaquePointer? {
            jack_port_register(
                client, MIDIMap.portName(pair: pair, isInput: isInput), JACK_DEFAULT_MIDI_TYPE,
                UInt(isInput ? JackPortIsInput.rawValue : JackPortIsOutput.rawValue), 0)
        }
        guard let input = port(isInput: true) else { return nil }
        guard let output = port(isInput: false) else {
            jack_port_unregister(client, input)
            return nil
        }
        let name = pair == 0 ? "MIDI" : pair == 1 ? "Mackie" : "Mackie \(pair)"
        metadata.set(input, "\(name) in", group: name, order: 10_000 + 2 * pair)
        metadata.set(output, "\(name) out", group: name, order: 10_001 + 2 * pair)
        return (input, output)
    }

    /// What has come in since the last call, in its order.
    func receive() -> [MIDIArrival] {
        var arrivals: [MIDIArrival] = []
        while let next = table.pointee.received.next() {
            arrivals.append(
                MIDIArrival(
                    pair: next.pair, bytes: Array(UnsafeBufferPointer(start: next.bytes, count: next.count))))
            table.pointee.received.take()
        }
        return arrivals
    }

    /// - Returns: false if so much is on its way that there is no room for it.
    func send(_ bytes: [UInt8], pair: Int) -> Bool {
        guard pairs.indices.contains(pair) else { return true }
        return bytes.withUnsafeBufferPointer {
            table.pointee.sent.put(pair: pair, $0.baseAddress!, $0.count)
        }
    }

    /// All that was sent has been given out.
    var isClear: Bool { table.pointee.isClear }

    /// What a pair's output is connected to.
    func listeners(pair: Int) -> [String] {
        guard pairs.indices.contains(pair) else { return [] }
        return JackClient.names(jack_port_get_connections(pairs[pair].output))
    }
}
