import JSON
import Timeline

/// A session in the making from another program's file: a session document, which is read, and judged, as any is.
struct Draft {
    /// What is not in the lists below; its buses and DCAs keep their names.
    var document: JSONObject = [:] {
        didSet { for list in ["buses", "dcas"] { for strip in document[list]?.arrayValue ?? [] { if let name = strip["name"]?.stringValue { names.take(name) } } } }
    }
    private(set) var tracks: [JSONObject] = []
    private(set) var buses: [JSONObject] = []
    /// Files that were written for it.
    var files: [String] = []
    private var markers: [JSONObject] = []
    /// Markers beyond those that a session has.
    private var surplus = 0
    private var names = Names()
    private var markerNames = Names()

    /// Names that are taken, and where the search for a free one goes on.
    private struct Names {
        private var taken: Set<String> = []
        private var next: [String: Int] = [:]

        mutating func take(_ name: String) { taken.insert(StripName.ofPorts(name)) }

        mutating func free(_ name: String) -> String {
            if taken.insert(StripName.ofPorts(name)).inserted { return name }
            while true {
                let number = next[name, default: 2]
                next[name] = number + 1
                if taken.insert(StripName.ofPorts("\(name)-\(number)")).inserted { return "\(name)-\(number)" }
            }
        }
    }

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
        var plain = String(StripName.withoutPattern(name).map { $0 == "/" ? "-" : $0.isNewline || $0 == "\t" ? " " : $0 })
        while plain.utf8.count > StripName.maximumLength - 8 { plain.removeLast() }
        if StripName.problem(ofNew: plain) != nil { plain = plain.isEmpty ? kind : "\(kind) \(plain.map { $0 == ":" ? "-" : $0 }.reduce(into: "") { $0.append($1) })" }
        let free = names.free(StripName.problem(ofNew: plain) == nil ? plain : kind)
        var object: JSONObject = ["name": .string(free)]
        object.merge(fields.without(["name"]))
        // What was kept speaks of it by the name that it had.
        if let before = fields["name"]?.stringValue, before != free { document = Self.renamed(.object(document), before, free).objectValue! }
        return object
    }

    /// The document with another name wherever one is spoken of.
    private static func renamed(_ value: JSONValue, _ before: String, _ after: String, at key: String = "") -> JSONValue {
        switch value {
        case .string(before) where ["track", "under", "members"].contains(key): .string(after)
        case .array(let items): .array(items.map { renamed($0, before, after, at: key) })
        case .object(let object): .object(object.fields.reduce(into: JSONObject()) { $0[$1.key] = renamed($1.value, before, after, at: $1.key) })
        default: value
        }
    }

    mutating func addMarker(_ name: String, at time: MediaTime) {
        guard markers.count < Marker.maximum else { return surplus += 1 }
        let name = String(name.map { $0.isNewline || $0 == "\t" ? " " : $0 }.prefix(60))
        let base = Marker.problem(name) == nil ? name : "marker\(name.isEmpty ? "" : " \(name)")"
        markers.append(["name": .string(markerNames.free(base)), "at": .string(time.description)])
    }

    /// The document, and every fault of it.
    func read(_ losses: Losses) -> Session {
        var whole = document
        for (field, objects) in [("tracks", tracks), ("buses", buses), ("markers", markers)] {
            // What stands in the document comes first.
            let all = (whole[field]?.arrayValue ?? []) + objects.map(JSONValue.object)
            whole[field] = all.isEmpty && field != "tracks" ? nil : .array(all)
        }
        whole["jmix"] = .number(SessionFile.version)
        let reading = SessionFile.read(.object(whole))
        for problem in reading.problems { losses.say("\(problem)") }
        if surplus > 0 { losses.say("a session has at most \(Marker.maximum) markers: \(surplus) more are left out") }
        return reading.session ?? Session()
    }
}
