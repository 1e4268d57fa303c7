import CJack
import Engine
import Realtime
import Synchronization
import Timeline

/// The ports of single strips as the process callback sees them: flat and immutable but for the buffers, which are each call's own.
struct PortTable {
    let number: Int
    let outPorts: UnsafeMutablePointer<PortPair>
    let outs: UnsafeMutablePointer<DirectOut>
    let outCount: Int
    let inPorts: UnsafeMutablePointer<PortPair>
    let ins: UnsafeMutablePointer<DirectIn>
    let inCount: Int

    /// The buffers that strips play into in this period. Audio thread only; wait-free.
    @_noLocks
    func openedOuts(_ frames: UInt32) -> DirectOuts {
        for i in 0..<outCount {
            outs[i].left = rt_port_buffer(outPorts[i].left, frames)
            outs[i].right = nil
            if let right = outPorts[i].right { outs[i].right = rt_port_buffer(right, frames) }
        }
        return DirectOuts(outs, count: outCount)
    }

    /// What has come in for this period, of the mixer's own outputs what they played in the last one: to be asked before anything is played. Audio thread only; wait-free.
    @_noLocks
    func openedIns(_ frames: UInt32) -> DirectIns {
        for i in 0..<inCount {
            ins[i].left = rt_port_buffer(inPorts[i].left, frames)
            // What is mono is heard on both sides.
            ins[i].right = ins[i].left
            if let right = inPorts[i].right { ins[i].right = rt_port_buffer(right, frames) }
        }
        return DirectIns(ins, count: inCount)
    }
}

struct PortPair {
    let left: OpaquePointer
    /// nil where there is but one.
    var right: OpaquePointer?
}

/// A strip that wants ports of its own.
public struct DirectStrip: Equatable {
    public let id: StripID
    public let name: String
    public let use: Use

    public enum Use: Equatable, Sendable {
        /// Two ports that play it, `NAME_1` and `NAME_2`.
        case out(DirectOuts.Tap)
        /// One port that it hears, `NAME_in_1`, or two.
        case input(channels: Int)
    }

    /// Which of a strip's ports.
    public struct Side: Hashable, Sendable {
        public let id: StripID
        public let isInput: Bool

        public init(_ id: StripID, isInput: Bool) { (self.id, self.isInput) = (id, isInput) }
    }

    public init(id: StripID, name: String, _ use: Use) { (self.id, self.name, self.use) = (id, name, use) }

    var isInput: Bool { if case .input = use { true } else { false } }
    var side: Side { Side(id, isInput: isInput) }
    var channels: Int { if case .input(let channels) = use { channels } else { 2 } }

    /// What its ports are called; a colon would part a client's name from a port's.
    func portName(_ channel: Int) -> String { StripName.port(name, isInput: isInput, side: channel) }
}

/// The ports of strips that want some: made, renamed and removed as the strips are. Control thread.
///
/// The callback reads a table of them that is never changed, only replaced. A port is removed when the callback has used a newer table.
final class DirectPorts {
    private struct Entry {
        var pair: PortPair
        var strip: StripHandle
        /// One of the same track that was removed and has come back as another: it hears on until it is not heard any more.
        var before: StripHandle?
        var name: String
        var channels: Int { pair.right == nil ? 1 : 2 }
    }

    private let client: OpaquePointer
    private let notes: UnsafeMutablePointer<ServerNotes>
    private let metadata: PortMetadata
    private var entries: [DirectStrip.Side: Entry] = [:]
    private var strips: [DirectStrip] = []
    private var number = 0
    /// Whose strips they are: those of another document have ports of their own, also where they are called alike.
    private var document = 0
    /// Tables that the callback may still use, with what they need, and the ports to remove with them.
    private var retiring: [(table: UnsafeMutablePointer<PortTable>, strips: [StripHandle], leaving: [OpaquePointer])] = []
    private var current: (table: UnsafeMutablePointer<PortTable>, strips: [StripHandle])?
    /// Strips for which the server gave no ports: it has no more, or the name is still that of a port about to be removed.
    private var withoutPorts = 0
    /// What has new ports since somebody asked.
    var fresh: Set<DirectStrip.Side> = []
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

    var ports: [OpaquePointer] { strips.flatMap { ports($0.side) } }

    /// The ports of one strip that it plays into, or hears.
    func ports(_ side: DirectStrip.Side) -> [OpaquePointer] { entries[side].map { [$0.pair.left] + ($0.pair.right.map { [$0] } ?? []) } ?? [] }

    /// The strips that are heard by ports of their own.
    var outputs: [StripID] { strips.filter { !$0.isInput }.map(\.id) }

    /// Makes the ports be those of `next`.
    /// - Parameter document: the document that they are strips of.
    /// - Returns: whether there are others now.
    func follow(_ next: [DirectStrip], of document: Int, _ engine: PlaybackEngine) -> Bool {
        let wereLeaving = portsLeaving
        removeRetired()
        // A strip that went and came back between two looks has another strip, and found its ports' names taken while the old ones were about to go.
        let mayHavePorts = withoutPorts > 0 && wereLeaving && !portsLeaving
        let isNamed = next.allSatisfy { entries[$0.side]?.name ?? $0.name == $0.name }
        let isSame = next == strips && document == self.document && isNamed && entries.allSatisfy { $1.strip === engine.stripHandle($0.id) }
        let isOver = engine.hasArrived && entries.values.contains { $0.before != nil }
        if isSame, !mayHavePorts, !isOver { return false }
        let wanted = document == self.document ? Set(next.map(\.side)) : []
        self.document = document
        var leaving: [OpaquePointer] = []
        for side in entries.keys where !wanted.contains(side) {
            leaving += ports(side)
            entries[side] = nil
        }
        withoutPorts = 0
        for strip in next {
            // One that is about to go is still heard as it was.
            guard let handle = engine.stripHandle(strip.id) ?? entries[strip.side]?.strip else {
                withoutPorts += 1
                continue
            }
            if let entry = entries[strip.side] {
                if entry.name != strip.name { rename(strip, entry) }
                if handle !== entry.strip { entries[strip.side]?.before = entry.strip }
                if engine.hasArrived { entries[strip.side]?.before = nil }
                entries[strip.side]?.strip = handle
                setChannels(strip, &leaving)
            } else if let pair = register(strip) {
                entries[strip.side] = Entry(pair: pair, strip: handle, name: strip.name)
                fresh.insert(strip.side)
            } else {
                withoutPorts += 1
            }
        }
        strips = next
        describe()
        publish(leaving: leaving)
        return true
    }

    // MARK: - Ports

    private func register(_ strip: DirectStrip) -> PortPair? {
        guard let left = port(strip, 1) else { return nil }
        if strip.channels == 1 { return PortPair(left: left, right: nil) }
        guard let right = port(strip, 2) else {
            jack_port_unregister(client, left)
            return nil
        }
        return PortPair(left: left, right: right)
    }

    private func port(_ strip: DirectStrip, _ channel: Int) -> OpaquePointer? {
        jack_port_register(client, strip.portName(channel), JACK_DEFAULT_AUDIO_TYPE, UInt(strip.isInput ? JackPortIsInput.rawValue : JackPortIsOutput.rawValue), 0)
    }

    /// The first port stays, with its connections.
    private func setChannels(_ strip: DirectStrip, _ leaving: inout [OpaquePointer]) {
        guard let entry = entries[strip.side], entry.channels != strip.channels else { return }
        if let right = entry.pair.right {
            leaving.append(right)
            entries[strip.side]?.pair.right = nil
        } else if let right = port(strip, 2) {
            entries[strip.side]?.pair.right = right
            fresh.insert(strip.side)
        } else {
            withoutPorts += 1
        }
    }

    /// Renamed ports keep their connections.
    private func rename(_ strip: DirectStrip, _ entry: Entry) {
        // Refused while another port has the name, which may be about to go: it is tried again.
        let isDone = ports(strip.side).enumerated().allSatisfy { jack_port_rename(client, $1, strip.portName($0 + 1)) == 0 }
        if isDone { entries[strip.side]?.name = strip.name }
    }

    /// The master's ports come first.
    private func describe() {
        var order = 2
        for strip in strips {
            for (index, port) in ports(strip.side).enumerated() {
                let side = strip.channels == 1 ? "" : index == 0 ? " left" : " right"
                metadata.set(port, "\(strip.name)\(strip.isInput ? " in" : "")\(side)", group: strip.isInput ? "\(strip.name) in" : strip.name, order: order)
                order += 1
            }
        }
    }

    // MARK: - Tables

    private func publish(leaving: [OpaquePointer]) {
        let present = strips.compactMap { strip in entries[strip.side].map { (entry: $0, use: strip.use) } }
        let inputs = present.filter { if case .input = $0.use { true } else { false } }.flatMap { item in
            [item.entry.before, item.entry.strip].compactMap { $0 }.map { (pair: item.entry.pair, strip: $0) }
        }
        number += 1
        let (inPorts, ins) = (LockedMemory.allocate(PortPair.self, inputs.count), LockedMemory.allocate(DirectIn.self, inputs.count))
        for (index, input) in inputs.enumerated() {
            (inPorts + index).initialize(to: input.pair)
            (ins + index).initialize(to: DirectIn(input.strip))
        }
        let outCount = present.count { if case .out = $0.use { true } else { false } }
        let (outPorts, outs) = (LockedMemory.allocate(PortPair.self, outCount), LockedMemory.allocate(DirectOut.self, outCount))
        var index = 0
        for (entry, use) in present {
            guard case .out(let tap) = use else { continue }
            (outPorts + index).initialize(to: entry.pair)
            (outs + index).initialize(to: DirectOut(entry.strip, tap))
            index += 1
        }
        let table = LockedMemory.allocate(PortTable.self)
        table.initialize(to: PortTable(number: number, outPorts: outPorts, outs: outs, outCount: outCount, inPorts: inPorts, ins: ins, inCount: inputs.count))
        notes.pointee.ports.store(table, ordering: .releasing)
        if let current { retiring.append((current.table, current.strips, leaving)) }
        current = (table, present.flatMap { [$0.entry.strip] + ($0.entry.before.map { [$0] } ?? []) })
    }

    private func removeRetired() {
        let seen = notes.pointee.portsSeen.load(ordering: .acquiring)
        while let oldest = retiring.first, oldest.table.pointee.number < seen {
            for port in oldest.leaving {
                metadata.forget(port)
                jack_port_unregister(client, port)
            }
            Self.free(oldest.table)
            retiring.removeFirst()
        }
    }

    private static func free(_ table: UnsafeMutablePointer<PortTable>) {
        LockedMemory.free(table.pointee.outPorts, table.pointee.outCount)
        LockedMemory.free(table.pointee.outs, table.pointee.outCount)
        LockedMemory.free(table.pointee.inPorts, table.pointee.inCount)
        LockedMemory.free(table.pointee.ins, table.pointee.inCount)
        LockedMemory.free(table)
    }
}
