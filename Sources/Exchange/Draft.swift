import JSON
import Timeline

/// A session in the making from another program's file: a session document, which is read, and judged, as any is.
struct Draft {
    /// What is not in the lists below.
    var document: JSONObject = [:]
    private(set) var tracks: [JSONObject] = []
    private(set) var buses: [JSONObject] = []
    private var markers: [JSONObject] = []
    /// Names that are taken.
    private var names = Session()
    private var markerNames: Set<String> = []

    /// Adds a track, under that name or one near it.
    /// - Returns: its index in `tracks`.
    mutating func addTrack(_ name: String, _ fields: JSONObject = [:]) -> Int {
        tracks.append(named(name, fields))
        return tracks.count - 1
    }

    /// The same for a bus.
    mutating func addBus(_ name: String, _ fields: JSONObject = [:]) -> Int {
        buses.append(named(name, fields))
        return buses.count - 1
    }

    mutating func set(_ fields: JSONObject, ofTrack index: Int) { tracks[index].merge(fields) }
    mutating func set(_ fields: JSONObject, ofBus index: Int) { buses[index].merge(fields) }

    private mutating func named(_ name: String, _ fields: JSONObject) -> JSONObject {
        let plain = String(name.map { $0 == "/" ? "-" : $0 })
        let free = names.freeName(Int(plain) == nil ? plain : "track \(plain)")
        names.append(Track(name: free))
        var object: JSONObject = ["name": .string(free)]
        object.merge(fields.without(["name"]))
        return object
    }

    mutating func addMarker(_ name: String, at time: MediaTime) {
        let name = String(name.filter { !$0.isNewline && $0 != "\t" }.prefix(60))
        let base = Marker.problem(name) == nil ? name : "marker\(name.isEmpty ? "" : " \(name)")"
        var (free, number) = (base, 1)
        while !markerNames.insert(free).inserted {
            number += 1
            free = "\(base)-\(number)"
        }
        markers.append(["name": .string(free), "at": .string(time.description)])
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
        return reading.session ?? Session()
    }
}
