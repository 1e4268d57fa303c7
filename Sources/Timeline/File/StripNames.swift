import JSON
import Speakers

/// Which strip of a session has which name, as its file speaks of them. When a file is read it is known
/// before the strips are: ids are given in the order in which they stand there.
struct StripNames {
    /// Of strips of one name the first.
    private(set) var ids: [String: StripID] = [:]
    private(set) var names: [StripID: String] = [:]
    private var orders: [StripKind: [StripID]] = [:]
    private var kinds: [StripID: StripKind] = [:]

    init(_ session: Session) {
        for (place, strip) in zip(session.places, session.strips) { add(strip.id, strip.name, place.kind) }
    }

    /// Those that a file is about to bring.
    init(_ root: JSONObject) {
        add(.master, "master", .master)
        var last = 0
        for (field, kind, limit) in [
            ("tracks", StripKind.track, Session.maximumTracks), ("buses", .bus, Session.maximumBuses),
            ("dcas", .dca, Session.maximumDCAs),
        ] {
            let objects = (root[field]?.arrayValue ?? []).compactMap(\.objectValue)
            for (index, object) in objects.prefix(limit).enumerated() {
                last += 1
                let name = object["name"]?.stringValue
                add(
                    StripID(rawValue: last),
                    name.flatMap { StripName.problem($0) == nil ? $0 : nil }
                        ?? Self.standard(kind.rawValue, index + 1), kind)
            }
        }
    }

    private mutating func add(_ id: StripID, _ name: String, _ kind: StripKind) {
        if ids[name] == nil { ids[name] = id }
        names[id] = name
        orders[kind, default: []].append(id)
        kinds[id] = kind
    }

    /// What a strip is called that has no name in the file.
    static func standard(_ kind: String, _ number: Int) -> String { "\(kind)\(number)" }

    func kind(_ id: StripID) -> StripKind { kinds[id] ?? .track }
    /// Those of a kind, in the order of their numbers.
    func order(_ kind: StripKind) -> [StripID] { orders[kind] ?? [] }

    /// What the ports are called that play what is monitored.
    private var monitor: String { StripName.ofMonitor(besides: names.values) }

    /// What a link's port is called, as "voice_1".
    func port(of link: PortLink) -> String? {
        if link.strip == .midi { return MIDIMap.portName(pair: link.side - 1, isInput: link.isInput) }
        let name = link.strip == .monitor ? monitor : names[link.strip]
        return name.map { StripName.port($0, isInput: link.isInput, side: link.side) }
    }

    /// Whose port has that name.
    func end(ofPort port: String) -> PortLink.End? {
        if let end = MIDIMap.end(ofPort: port) { return end }
        guard let (name, side) = Self.split(port) else { return nil }
        if let strip = strip(ofPorts: name, [.track, .bus, .master]) { return (strip, side, false) }
        if name == monitor { return (.monitor, side, false) }
        guard name.hasSuffix(StripName.inputSuffix) else { return nil }
        let track = name.dropLast(StripName.inputSuffix.count)
        return strip(ofPorts: track, [.track]).map { ($0, side, true) }
    }

    /// The two parts of a port's name, as "voice" and 1 of "voice_1".
    private static func split(_ port: String) -> (name: Substring, side: Int)? {
        guard let mark = port.lastIndex(of: "_"), let side = Int(port[port.index(after: mark)...]),
            (1...SpeakerLayout.maximumChannels).contains(side), port.hasSuffix("_\(side)")
        else { return nil }
        return (port[..<mark], side)
    }

    private func strip(ofPorts name: Substring, _ kinds: Set<StripKind>) -> StripID? {
        names.first { StripName.ofPorts($0.value) == name && kinds.contains(kind($0.key)) }?.key
    }

    /// Notes a name that an earlier strip has.
    func check(_ name: String, _ id: StripID, _ reader: inout FieldReader) {
        guard let other = ids[name], other != id, let kind = kinds[other],
            let index = order(kind).firstIndex(of: other)
        else { return }
        reader.fault(
            "name", "\"\(name)\" is also the name of \(kind == .dca ? "DCA" : kind.rawValue) \(index + 1)")
    }
}
