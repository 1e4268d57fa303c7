import JSON
import Speakers
import Timeline

/// A session in the making from another program's file: a session document, which is read, and judged, as any
/// is.
struct Draft {
    /// What is not in the lists below; its buses and DCAs keep their names.
    var document: JSONObject = [:] {
        didSet {
            for list in ["buses", "dcas"] {
                for strip in document[list]?.arrayValue ?? [] {
                    if let name = strip["name"]?.stringValue { names.take(StripName.ofPorts(name)) }
                }
            }
        }
    }
    private(set) var tracks: [JSONObject] = []
    private(set) var buses: [JSONObject] = []
    /// Files that were written for it.
    var files: [String] = []
    /// The folders that were made for them.
    var folders: [String] = []
    private var markers: [JSONObject] = []
    /// Markers beyond those that a session has.
    private var surplus = 0
    private var names = FreeNames()
    private var markerNames = FreeNames()
    /// What strips of the document are called that an editor has named otherwise.
    private var renames: [String: String] = [:]

    /// Adds a track, under that name or one near it.
    /// - Returns: its index in `tracks`.
    mutating func addTrack(_ name: String, _ fields: JSONObject = [:]) -> Int {
        tracks.append(named(name, "track", fields))
        return tracks.count - 1
    }

    /// The same for a bus.
    mutating func addBus(_ name: String, _ fields: JSONObject = [:]) -> Int {
        buses.append(named(name, "bus", fields))
        return buses.count - 1
    }

    mutating func set(_ fields: JSONObject, ofTrack index: Int) { tracks[index].merge(fields) }
    mutating func set(_ fields: JSONObject, ofBus index: Int) { buses[index].merge(fields) }

    private mutating func named(_ name: String, _ kind: String, _ fields: JSONObject) -> JSONObject {
        // A name that the session's own file gave stays, even if no new strip may have it.
        if fields["name"]?.stringValue == name, StripName.problem(name) == nil,
            names.take(StripName.ofPorts(name))
        {
            return fields
        }
        let free = names.free(Self.allowed(name, kind), as: StripName.ofPorts)
        var object: JSONObject = ["name": .string(free)]
        object.merge(fields.without(["name"]))
        // What was kept speaks of it by the name that it had.
        if let before = fields["name"]?.stringValue, before != free { renames[before] = free }
        return object
    }

    /// One near it that a strip of that kind may have.
    private static func allowed(_ name: String, _ kind: String) -> String {
        var plain = String(
            StripName.withoutPattern(name).map { $0 == "/" ? "-" : $0.isNewline || $0 == "\t" ? " " : $0 })
        while plain.utf8.count > StripName.maximumLength - 8 { plain.removeLast() }
        if StripName.problem(ofNew: plain) != nil {
            plain = plain.isEmpty ? kind : "\(kind) \(String(plain.map { $0 == ":" ? "-" : $0 }))"
        }
        return StripName.problem(ofNew: plain) == nil ? plain : kind
    }

    /// A part of the document with the new names wherever strips are spoken of.
    private func renamed(_ value: JSONValue, at key: String = "") -> JSONValue {
        switch value {
        case .string(let name) where ["track", "under", "members"].contains(key):
            .string(renames[name] ?? name)
        case .string(let port) where key == "port": .string(renamed(port: port))
        case .array(let items): .array(items.map { renamed($0, at: key) })
        case .object(let object):
            .object(object.fields.reduce(into: JSONObject()) { $0[$1.key] = renamed($1.value, at: $1.key) })
        default: value
        }
    }

    /// The port of a connection, as a_1, or a_in_1 of what a track hears.
    private func renamed(port: String) -> String {
        for (before, after) in renames {
            for suffix in ["", StripName.inputSuffix] {
                let name = StripName.ofPorts(before) + suffix
                for side in 1...SpeakerLayout.maximumChannels where port == "\(name)_\(side)" {
                    return "\(StripName.ofPorts(after))\(suffix)_\(side)"
                }
            }
        }
        return port
    }

    /// - Parameter fields: what else a session's own file says of it.
    mutating func addMarker(_ name: String, at time: MediaTime, _ fields: JSONObject = [:]) {
        guard markers.count < Marker.maximum else {
            surplus += 1
            return
        }
        var marker: JSONObject = ["name": .string(freeName(ofMarker: name)), "at": .string(time.description)]
        marker.merge(fields.without(["name", "at"]))
        markers.append(marker)
    }

    private mutating func freeName(ofMarker name: String) -> String {
        if Marker.problem(name) == nil, markerNames.take(name) { return name }
        let name = String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 }.prefix(60))
        let base = Marker.problem(name) == nil ? name : "marker\(name.isEmpty ? "" : " \(name)")"
        return markerNames.free(base)
    }

    /// The document, and every fault of it.
    func read(_ losses: Losses) -> Session {
        var whole = renames.isEmpty ? document : renamed(.object(document)).objectValue!
        for (field, objects) in [("tracks", tracks), ("buses", buses), ("markers", markers)] {
            // What stands in the document comes first.
            let all = (whole[field]?.arrayValue ?? []) + objects.map(JSONValue.object)
            whole[field] = all.isEmpty && field != "tracks" ? nil : .array(all)
        }
        whole["jmix"] = .number(SessionFile.version)
        let reading = SessionFile.read(.object(whole))
        for problem in reading.problems { losses.say("\(problem)") }
        if surplus > 0 {
            losses.say("a session has at most \(Marker.maximum) markers: \(surplus) more are left out")
        }
        return reading.session ?? Session()
    }
}
