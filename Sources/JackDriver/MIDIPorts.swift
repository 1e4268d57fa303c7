import CJack
import CRealtime
import Realtime
import Synchronization
import Timeline

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
        table = LockedMemory.holding(MIDITable(arrival))
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
            table.pointee.received.release()
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
