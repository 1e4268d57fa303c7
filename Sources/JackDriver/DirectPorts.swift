import CJack
import Engine
import Realtime
import Synchronization
import Timeline

/// The ports of single strips as the process callback sees them: flat and immutable but for the buffers, which are each call's own.
struct PortTable {
    let number: Int
    let ports: UnsafeMutablePointer<PortPair>
    let outs: UnsafeMutablePointer<DirectOut>
    let count: Int

    /// The buffers of this period. Audio thread only; wait-free.
    @_noLocks
    func opened(_ frames: UInt32) -> DirectOuts {
        for i in 0..<count {
            outs[i].left = rt_port_buffer(ports[i].left, frames)
            outs[i].right = rt_port_buffer(ports[i].right, frames)
        }
        return DirectOuts(outs, count: count)
    }
}

struct PortPair {
    let left: OpaquePointer
    let right: OpaquePointer
}

/// A strip that wants ports of its own.
public struct DirectStrip: Equatable {
    public let id: StripID
    public let name: String
    public let tap: DirectOuts.Tap

    public init(id: StripID, name: String, tap: DirectOuts.Tap) { (self.id, self.name, self.tap) = (id, name, tap) }
}

/// Two output ports for each strip that wants some, `NAME_1` and `NAME_2`: made, renamed and removed as the strips are. Control thread.
///
/// The callback reads a table of them that is never changed, only replaced. A port is removed when the callback has used a newer table.
final class DirectPorts {
    private struct Entry {
        let pair: PortPair
        var strip: StripHandle
        var name: String
    }

    private let client: OpaquePointer
    private let notes: UnsafeMutablePointer<ServerNotes>
    private let metadata: PortMetadata
    private var entries: [StripID: Entry] = [:]
    private var strips: [DirectStrip] = []
    private var number = 0
    /// Tables that the callback may still use, with what they need, and the ports to remove with them.
    private var retiring: [(table: UnsafeMutablePointer<PortTable>, strips: [StripHandle], leaving: [PortPair])] = []
    private var current: (table: UnsafeMutablePointer<PortTable>, strips: [StripHandle])?
    /// Strips for which the server gave no ports: it has no more, or the name is still that of a port about to be removed.
    private var withoutPorts = 0
    /// Strips whose ports are new since somebody asked.
    var fresh: Set<StripID> = []
    private var portsLeaving: Bool { retiring.contains { !$0.leaving.isEmpty } }
    /// Strips for which the server had no more ports.
    var refused: Int { portsLeaving ? 0 : withoutPorts }

    init(client: OpaquePointer, notes: UnsafeMutablePointer<ServerNotes>, metadata: PortMetadata) {
        self.client = client
        self.notes = notes
        self.metadata = metadata
    }

    /// After the client has been closed: no callback comes any more.
    deinit {
        for old in retiring { Self.free(old.table) }
        if let current { Self.free(current.table) }
    }

    var ports: [OpaquePointer] { strips.compactMap { entries[$0.id] }.flatMap { [$0.pair.left, $0.pair.right] } }

    /// Makes the ports be those of `next`.
    func follow(_ next: [DirectStrip], _ engine: PlaybackEngine) {
        let wereLeaving = portsLeaving
        removeRetired()
        // A strip that went and came back between two looks has another strip, and found its ports' names taken while the old ones were about to go.
        let mayHavePorts = withoutPorts > 0 && wereLeaving && !portsLeaving
        let isNamed = next.allSatisfy { entries[$0.id]?.name ?? $0.name == $0.name }
        let isSame = next == strips && isNamed && entries.allSatisfy { $1.strip === engine.stripHandle($0) }
        if isSame && !mayHavePorts { return }
        let wanted = Set(next.map(\.id))
        var leaving: [PortPair] = []
        for (id, entry) in entries where !wanted.contains(id) {
            leaving.append(entry.pair)
            entries[id] = nil
        }
        withoutPorts = 0
        for track in next {
            if let entry = entries[track.id] {
                if entry.name != track.name { rename(track, entry) }
                if let strip = engine.stripHandle(track.id) { entries[track.id]?.strip = strip }
            } else if let strip = engine.stripHandle(track.id), let pair = register(track.name) {
                entries[track.id] = Entry(pair: pair, strip: strip, name: track.name)
                fresh.insert(track.id)
            } else {
                withoutPorts += 1
            }
        }
        strips = next
        describe()
        publish(leaving: leaving)
    }

    // MARK: - Ports

    private func register(_ name: String) -> PortPair? {
        guard let left = port(Self.portName(name, 1)) else { return nil }
        guard let right = port(Self.portName(name, 2)) else {
            jack_port_unregister(client, left)
            return nil
        }
        return PortPair(left: left, right: right)
    }

    private func port(_ name: String) -> OpaquePointer? {
        jack_port_register(client, name, JACK_DEFAULT_AUDIO_TYPE, UInt(JackPortIsOutput.rawValue), 0)
    }

    /// Renamed ports keep their connections.
    private func rename(_ track: DirectStrip, _ entry: Entry) {
        // Refused while another port has the name, which may be about to go: it is tried again.
        let isDone = jack_port_rename(client, entry.pair.left, Self.portName(track.name, 1)) == 0 && jack_port_rename(client, entry.pair.right, Self.portName(track.name, 2)) == 0
        if isDone { entries[track.id]?.name = track.name }
    }

    /// A colon parts a client's name from a port's.
    private static func portName(_ name: String, _ side: Int) -> String { "\(StripName.ofPorts(name))_\(side)" }

    /// The master's ports come first.
    private func describe() {
        for (place, track) in strips.enumerated() {
            guard let entry = entries[track.id] else { continue }
            metadata.set(entry.pair.left, "\(track.name) left", order: 2 * place + 2)
            metadata.set(entry.pair.right, "\(track.name) right", order: 2 * place + 3)
        }
    }

    // MARK: - Tables

    private func publish(leaving: [PortPair]) {
        let present = strips.compactMap { strip in entries[strip.id].map { (entry: $0, tap: strip.tap) } }
        number += 1
        let ports = LockedMemory.allocate(PortPair.self, present.count)
        let outs = LockedMemory.allocate(DirectOut.self, present.count)
        for (index, (entry, tap)) in present.enumerated() {
            (ports + index).initialize(to: entry.pair)
            (outs + index).initialize(to: DirectOut(entry.strip, tap))
        }
        let table = LockedMemory.allocate(PortTable.self)
        table.initialize(to: PortTable(number: number, ports: ports, outs: outs, count: present.count))
        notes.pointee.ports.store(table, ordering: .releasing)
        if let current { retiring.append((current.table, current.strips, leaving)) }
        current = (table, present.map(\.entry.strip))
    }

    private func removeRetired() {
        let seen = notes.pointee.portsSeen.load(ordering: .acquiring)
        while let oldest = retiring.first, oldest.table.pointee.number < seen {
            for pair in oldest.leaving {
                for port in [pair.left, pair.right] {
                    metadata.forget(port)
                    jack_port_unregister(client, port)
                }
            }
            Self.free(oldest.table)
            retiring.removeFirst()
        }
    }

    private static func free(_ table: UnsafeMutablePointer<PortTable>) {
        LockedMemory.free(table.pointee.ports, table.pointee.count)
        LockedMemory.free(table.pointee.outs, table.pointee.count)
        LockedMemory.free(table)
    }
}
