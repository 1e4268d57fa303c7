import CJack
import Engine
import Realtime
import Speakers
import Synchronization
import Timeline

/// The ports of strips that want some: made, renamed and removed as the strips are. Control thread.
///
/// The callback reads a table of them that is never changed, only replaced. A port is removed when the
/// callback has used a newer table.
final class DirectPorts {
    private struct Entry {
        /// One for each channel.
        var ports: [OpaquePointer]
        var strip: StripHandle
        /// One of the same track that was removed and has come back as another: it hears on until it is not
        /// heard any more.
        var before: StripHandle?
        var name: String
        var use: DirectStrip.Use
        /// How many of the ports are one side's: as many as it has channels, or where there are fewer, those
        /// of the widest layout that has ports.
        func width(of handle: StripHandle) -> Int {
            if use == .stereo { return min(2, ports.count) }
            let most = min(handle.channels, handle === strip ? use.channels : ports.count, ports.count)
            return SpeakerLayout.allCases.last { $0.channels <= most }?.channels ?? 1
        }
        /// Those that hear by it, or are heard: the one that goes first.
        var handles: [StripHandle] { (before.map { [$0] } ?? []) + [strip] }
    }

    private let client: OpaquePointer
    private let notes: UnsafeMutablePointer<ServerNotes>
    private let metadata: PortMetadata
    private var entries: [DirectStrip.Side: Entry] = [:]
    /// What nobody wants any more: it plays on as long as it is crossed over from. What was another
    /// document's has no side that could be asked for again.
    private var departing: [(side: DirectStrip.Side?, entry: Entry, silentSince: Int64?)] = []
    private var strips: [DirectStrip] = []
    private var number = 0
    /// Whose strips they are: those of another document have ports of their own, also where they are called
    /// alike.
    private var document = 0
    /// Tables that the callback may still use, with what they need, and the ports to remove with them.
    private var retiring:
        [(table: UnsafeMutablePointer<PortTable>, strips: [StripHandle], leaving: [OpaquePointer])] = []
    private var current: (table: UnsafeMutablePointer<PortTable>, strips: [StripHandle])?
    /// Strips for which the server gave no ports: it has no more, or the name is still that of a port about
    /// to be removed.
    private var withoutPorts = 0
    /// What has new ports since somebody asked.
    var fresh: Set<DirectStrip.Side> = []
    private var portsLeaving: Bool { retiring.contains { !$0.leaving.isEmpty } }
    /// Strips for which the server had no more ports.
    var refused: Int { portsLeaving || !departing.isEmpty ? 0 : withoutPorts }
    /// Inputs that nobody wants any more are still heard, so what plays into them is to stay connected.
    var hasDepartingInputs: Bool { departing.contains { $0.entry.use.tap == nil } }

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
    func ports(_ side: DirectStrip.Side) -> [OpaquePointer] { entries[side]?.ports ?? [] }

    /// The strips that are heard by ports of their own.
    var outputs: [StripID] { strips.filter { !$0.isInput }.map(\.id) }

    /// Makes the ports be those of `next`.
    /// - Parameter document: the document that they are strips of.
    /// - Returns: whether there are others now.
    func follow(_ next: [DirectStrip], of document: Int, _ engine: PlaybackEngine) -> Bool {
        let wereLeaving = portsLeaving
        removeRetired()
        // A strip that went and came back between two looks has another strip, and found its ports' names
        // taken while the old ones were about to go.
        let mayHavePorts = withoutPorts > 0 && wereLeaving && !portsLeaving
        let isNamed = next.allSatisfy { entries[$0.side]?.name ?? $0.name == $0.name }
        let isSame =
            next == strips && document == self.document && isNamed
            && entries.allSatisfy { $1.strip === engine.stripHandle($0.id) }
        let hasArrived = engine.hasArrived
        let isOver = hasArrived && entries.values.contains { $0.before != nil } || noteSilence(engine)
        if isSame, !mayHavePorts, !isOver { return false }
        furnish(next, of: document, hasArrived, engine)
        return true
    }

    /// Gives ports to strips, and takes them from those that are silent by now.
    private func furnish(
        _ next: [DirectStrip], of document: Int, _ hasArrived: Bool, _ engine: PlaybackEngine
    ) {
        depart(all: document != self.document, but: Set(next.map(\.side)))
        self.document = document
        withoutPorts = 0
        var leaving: [OpaquePointer] = []
        for strip in next { give(strip, hasArrived, engine, &leaving) }
        leaving += departing.filter { isSilent($0.silentSince, engine) }.flatMap(\.entry.ports)
        departing.removeAll { isSilent($0.silentSince, engine) }
        strips = next
        describe()
        publish(leaving: leaving)
    }

    /// Notes since when what departs is not heard any more.
    /// - Returns: whether any of it may go.
    private func noteSilence(_ engine: PlaybackEngine) -> Bool {
        for index in departing.indices {
            if !engine.hasArrived {
                departing[index].silentSince = nil
            } else if departing[index].silentSince == nil {
                departing[index].silentSince = engine.clock
            }
        }
        return departing.contains { isSilent($0.silentSince, engine) }
    }

    /// A port goes once it has given a whole period of silence: whoever is connected to it hears the last one
    /// until it is gone.
    private func isSilent(_ since: Int64?, _ engine: PlaybackEngine) -> Bool {
        guard let since else { return false }
        return engine.clock < since || engine.clock >= since + 2 * Int64(engine.period)
    }

    private func depart(all: Bool, but wanted: Set<DirectStrip.Side>) {
        for (side, entry) in entries where all || !wanted.contains(side) {
            departing.append((side, entry, nil))
            entries[side] = nil
        }
        // Nobody comes back for what another document had.
        if all { departing = departing.map { (nil, $0.entry, $0.silentSince) } }
    }

    /// Makes a strip have its ports: those that it has, or had a moment ago, or new ones.
    private func give(
        _ strip: DirectStrip, _ hasArrived: Bool, _ engine: PlaybackEngine, _ leaving: inout [OpaquePointer]
    ) {
        guard let handle = engine.stripHandle(strip.id) else {
            withoutPorts += 1
            return
        }
        if let index = departing.firstIndex(where: { $0.side == strip.side }) {
            entries[strip.side] = departing.remove(at: index).entry
        }
        guard let entry = entries[strip.side] else {
            return giveNew(strip, handle)
        }
        if entry.name != strip.name { rename(strip, entry) }
        let before = handle === entry.strip ? entry.before : entry.strip
        entries[strip.side]!.before = hasArrived ? nil : before
        (entries[strip.side]!.strip, entries[strip.side]!.use) = (handle, strip.use)
        setChannels(strip, &leaving)
    }

    private func giveNew(_ strip: DirectStrip, _ handle: StripHandle) {
        guard let ports = register(strip) else {
            withoutPorts += 1
            return
        }
        entries[strip.side] = Entry(ports: ports, strip: handle, name: strip.name, use: strip.use)
        fresh.insert(strip.side)
    }

    // MARK: - Ports

    /// - Returns: a port for each channel; nil, and none is made, where the server does not have so many.
    private func register(_ strip: DirectStrip) -> [OpaquePointer]? {
        var ports: [OpaquePointer] = []
        for channel in 1...strip.channels {
            guard let port = port(strip, channel) else {
                for port in ports { jack_port_unregister(client, port) }
                return nil
            }
            ports.append(port)
        }
        return ports
    }

    private func port(_ strip: DirectStrip, _ channel: Int) -> OpaquePointer? {
        jack_port_register(
            client, strip.portName(channel), JACK_DEFAULT_AUDIO_TYPE,
            UInt(strip.isInput ? JackPortIsInput.rawValue : JackPortIsOutput.rawValue), 0)
    }

    /// The first ports stay, with their connections.
    private func setChannels(_ strip: DirectStrip, _ leaving: inout [OpaquePointer]) {
        guard let entry = entries[strip.side], entry.ports.count != strip.channels else { return }
        // One that goes keeps all that it had.
        let kept = entry.before == nil ? strip.channels : max(strip.channels, entry.ports.count)
        leaving += entry.ports.dropFirst(kept)
        var ports = Array(entry.ports.prefix(kept))
        while ports.count < strip.channels, let next = port(strip, ports.count + 1) { ports.append(next) }
        if ports.count > entry.ports.count { fresh.insert(strip.side) }
        if ports.count < strip.channels { withoutPorts += 1 }
        entries[strip.side]!.ports = ports
    }

    /// Renamed ports keep their connections.
    private func rename(_ strip: DirectStrip, _ entry: Entry) {
        // Refused while another port has the name, which may be about to go: it is tried again.
        let isDone = ports(strip.side).enumerated().allSatisfy {
            jack_port_rename(client, $1, strip.portName($0 + 1)) == 0
        }
        if isDone { entries[strip.side]?.name = strip.name }
    }

    /// The master's ports come first.
    private func describe() {
        var order = 2
        for strip in strips {
            for (index, port) in ports(strip.side).enumerated() {
                let speakers = SpeakerLayout(rawValue: strip.channels)?.speakers ?? []
                let side =
                    strip.channels == 1
                    ? "" : " \(index < speakers.count ? speakers[index].name : "\(index + 1)")"
                metadata.set(
                    port, "\(strip.name)\(strip.isInput ? " in" : "")\(side)",
                    group: strip.isInput ? "\(strip.name) in" : strip.name, order: order)
                order += 1
            }
        }
    }

    // MARK: - Tables

    private func publish(leaving: [OpaquePointer]) {
        // What goes comes first: of two that are one strip's the present one counts.
        let all = departing.map(\.entry) + strips.compactMap { entries[$0.side] }
        let inputs = all.flatMap { entry in
            entry.use.tap == nil
                ? entry.handles.map { (entry.ports, DirectIn($0, channels: entry.width(of: $0))) } : []
        }
        let outputs = all.flatMap { entry in
            entry.use.tap.map { tap in
                entry.handles.map { (entry.ports, DirectOut($0, tap, channels: entry.width(of: $0))) }
            } ?? []
        }
        number += 1
        let (inPorts, ins) = Self.lists(inputs)
        let (outPorts, outs) = Self.lists(outputs)
        let table = LockedMemory.allocate(PortTable.self)
        table.initialize(
            to: PortTable(
                number: number, outPorts: outPorts, outs: outs, outCount: outputs.count, inPorts: inPorts,
                ins: ins, inCount: inputs.count))
        notes.pointee.ports.store(table, ordering: .releasing)
        if let current { retiring.append((current.table, current.strips, leaving)) }
        current = (table, all.flatMap(\.handles))
    }

    private static func lists<End>(
        _ pairs: [([OpaquePointer], End)]
    ) -> (UnsafeMutablePointer<PortList>, UnsafeMutablePointer<End>) {
        let (ports, ends) = (
            LockedMemory.allocate(PortList.self, pairs.count), LockedMemory.allocate(End.self, pairs.count)
        )
        for (index, pair) in pairs.enumerated() {
            (ports + index).initialize(to: PortList(pair.0))
            (ends + index).initialize(to: pair.1)
        }
        return (ports, ends)
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
