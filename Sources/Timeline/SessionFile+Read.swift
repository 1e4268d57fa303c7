import JSON

/// The session as JSON text and back.
public enum SessionFile {
    /// The version of the format that this program writes, and the newest it reads.
    public static let version = 1

    /// What a file held: a session if it could be read at all, and every fault found on the way.
    public struct Reading: Sendable {
        /// What could be read; nil if the text is no session at all.
        public let session: Session?
        /// What is wrong, each with its place.
        public let problems: [SessionProblem]

        /// A session, and what was wrong with its text.
        public init(session: Session?, problems: [SessionProblem]) {
            self.session = session
            self.problems = problems
        }
    }

    /// Reads a session. Where a field is at fault the default stands in, so that all faults are found at once.
    public static func read(_ text: String) -> Reading {
        do throws(JSONSyntaxError) {
            return read(try JSONValue(parsing: text))
        } catch {
            return Reading(session: nil, problems: [SessionProblem(place: "", message: "\(error)")])
        }
    }

    static func read(_ document: JSONValue) -> Reading {
        guard let root = document.objectValue else {
            return refused("", "it is \(document.kind), where a session { \"jmix\": 1, ... } belongs")
        }
        guard let version = root["jmix"] else { return refused("jmix", "the field is missing: a session says \"jmix\": 1") }
        guard let number = version.intValue, number > 0 else { return refused("jmix", "it is \(version.compactText), where a version such as 1 belongs") }
        guard number <= Self.version else {
            return refused("jmix", "the file is of version \(number), newer than this program reads (\(Self.version)): use a newer jmix; the file is left as it is")
        }

        var session = Session()
        var reader = FieldReader(root, place: "", sampleRate: session.sampleRate)
        let rates = Double(Session.sampleRates.lowerBound)...Double(Session.sampleRates.upperBound)
        let rate = reader.number("sampleRate", in: rates, default: 48000)
        if rate == rate.rounded() { session.sampleRate = Int32(rate) } else { reader.fault("sampleRate", "\(rate) is not a whole number of frames a second") }
        session.unknown = root.without(["jmix", "sampleRate", "tracks", "ducks", "scenes", "master"])

        var problems: [SessionProblem] = []
        var names: [String: Int] = [:]
        let tracks = reader.objects("tracks", named: "track")
        if tracks.count > Session.maximumTracks { reader.fault("tracks", "a session has at most \(Session.maximumTracks) tracks, not \(tracks.count)") }
        for (index, (place, object)) in tracks.prefix(Session.maximumTracks).enumerated() {
            var fields = FieldReader(object, place: place, sampleRate: session.sampleRate)
            let track = readTrack(&fields, index: index)
            if let other = names.updateValue(index, forKey: track.name) {
                fields.fault("name", "\"\(track.name)\" is also the name of track \(other + 1)")
            }
            session.append(track)
            problems += fields.problems
        }
        for (place, object) in reader.objects("ducks", named: "duck") {
            var fields = FieldReader(object, place: place, sampleRate: session.sampleRate)
            if let duck = readDuck(&fields, in: session) { session.ducks.append(duck) }
            problems += fields.problems
        }
        for (place, object) in reader.objects("scenes", named: "scene") {
            var fields = FieldReader(object, place: place, sampleRate: session.sampleRate)
            if let scene = readScene(&fields, in: session) {
                if let other = session.scenes.firstIndex(where: { $0.name == scene.name }) { fields.fault("name", "\"\(scene.name)\" is also the name of scene \(other + 1)") }
                session.scenes.append(scene)
            }
            problems += fields.problems
        }
        if let value = root["master"] {
            if let object = value.objectValue {
                var fields = FieldReader(object, place: "master", sampleRate: session.sampleRate)
                session.master.fader = fields.volume("fader", default: 1)
                session.master.mute = fields.flag("mute", default: false)
                session.master.unknown = object.without(["fader", "mute"])
                problems += fields.problems
            } else {
                reader.fault("master", "it is \(value.kind), where an object belongs")
            }
        }
        return Reading(session: session, problems: reader.problems + problems)
    }

    private static func refused(_ place: String, _ message: String) -> Reading {
        Reading(session: nil, problems: [SessionProblem(place: place, message: message)])
    }

    private static func readTrack(_ fields: inout FieldReader, index: Int) -> Track {
        var track = Track(name: "track\(index + 1)")
        if let name = fields.text("name") {
            if let problem = TrackName.problem(name) { fields.fault("name", problem) } else { track.name = name }
        }
        track.fader = fields.volume("fader", default: 1)
        track.pan = fields.number("pan", in: -1...1, default: 0)
        track.mute = fields.flag("mute", default: false)
        track.solo = fields.flag("solo", default: false)
        track.fadeIn = fields.time("fadeIn") ?? .zero
        track.fadeOut = fields.time("fadeOut") ?? .zero
        for (place, object) in fields.objects("clips", named: "clip") {
            var clipFields = FieldReader(object, place: place, sampleRate: fields.sampleRate)
            if let clip = readClip(&clipFields) { track.clips.append(clip) }
            fields.absorb(clipFields)
        }
        track.clips.sort { $0.at < $1.at }
        for (place, object) in fields.objects("automation", named: "automation") {
            var eventFields = FieldReader(object, place: place, sampleRate: fields.sampleRate)
            readEvent(&eventFields, into: &track.automation)
            fields.absorb(eventFields)
        }
        track.unknown = fields.object.without(
            ["name", "fader", "pan", "mute", "solo", "fadeIn", "fadeOut", "clips", "automation"])
        return track
    }

    private static func readClip(_ fields: inout FieldReader) -> Clip? {
        guard fields.object["file"] != nil else {
            fields.fault("file", "the field is missing: a clip names a file")
            return nil
        }
        guard let file = fields.text("file") else { return nil }
        if file.isEmpty || file.utf8.contains(0) { fields.fault("file", "it is not the name of a file") }
        var clip = Clip(file: file)
        clip.at = fields.time("at") ?? .zero
        clip.from = fields.time("from") ?? .zero
        clip.duration = fields.time("duration")
        if clip.duration == .zero { fields.fault("duration", "a clip lasts longer than 0") }
        if let value = fields.object["channels"] {
            let numbers = value.arrayValue?.compactMap(\.intValue) ?? []
            if numbers.count == 2, value.arrayValue?.count == 2, numbers.allSatisfy({ (1...1024).contains($0) }) {
                clip.channels = ChannelPair(left: numbers[0], right: numbers[1])
            } else {
                fields.fault("channels", "it is \(value.compactText), where two channels counted from 1 belong, as [1, 2]")
            }
        }
        clip.unknown = fields.object.without(["file", "at", "from", "duration", "channels"])
        return clip
    }

    private static func readEvent(_ fields: inout FieldReader, into automation: inout VolumeAutomation) {
        do throws(AutomationError) {
            if fields.object["ramp"] != nil { try readRamp(&fields, into: &automation) } else { try readPoint(&fields, into: &automation) }
        } catch {
            fields.fault("", error.message(place: fields.place))
        }
    }

    private static func readPoint(_ fields: inout FieldReader, into automation: inout VolumeAutomation) throws(AutomationError) {
        guard let value = fields.object["volume"] else {
            return fields.fault("", "it has neither a \"volume\" (with \"at\") nor a \"ramp\" (with \"from\" and \"to\")")
        }
        guard let volume = fields.volume(value, "volume") else { return }
        let unknown = fields.object.without(["volume", "at"])
        guard fields.object["at"] != nil else { return try automation.setVolume(volume, at: .zero, unknown: unknown) }
        if let at = fields.time("at") { try automation.setVolume(volume, at: at, unknown: unknown) }
    }

    private static func readRamp(_ fields: inout FieldReader, into automation: inout VolumeAutomation) throws(AutomationError) {
        guard let pair = fields.object["ramp"]?.arrayValue, pair.count == 2 else {
            return fields.fault("ramp", "it is \(fields.object["ramp"]!.compactText), where two volumes belong, as [0.5, 0.8]")
        }
        let (first, last) = (fields.volume(pair[0], "ramp"), fields.volume(pair[1], "ramp"))
        let start = fields.object["from"] == nil ? MediaTime.zero : fields.time("from")
        if fields.object["to"] == nil { fields.fault("to", "the field is missing: a ramp ends somewhere") }
        let end = fields.time("to")
        var curve = Curve.linear
        if let name = fields.text("curve") {
            guard let known = Curve(rawValue: name) else { return fields.fault("curve", Curve.unknown(name)) }
            curve = known
        }
        guard let first, let last, let start, let end else { return }
        try automation.setVolumeRamp(from: first, to: last, over: TimeRange(start: start, end: end), curve: curve,
                                     unknown: fields.object.without(["ramp", "from", "to", "curve"]))
    }

    private static func readDuck(_ fields: inout FieldReader, in session: Session) -> Duck? {
        func track(_ field: String) -> TrackID? {
            guard fields.object[field] != nil else {
                fields.fault(field, "the field is missing: a duck names the track it lowers and the one it goes under")
                return nil
            }
            guard let name = fields.text(field) else { return nil }
            guard let track = session.tracks.first(where: { $0.name == name }) else {
                fields.fault(field, "there is no track \"\(name)\"")
                return nil
            }
            return track.id
        }
        let (target, under) = (track("track"), track("under"))
        if fields.object["to"] == nil { fields.fault("to", "the field is missing: a duck says how low it goes") }
        let to = fields.volume("to", default: 1)
        guard let target, let under else { return nil }
        if target == under { fields.fault("under", "a track cannot duck under itself") }
        var duck = Duck(track: target, under: under, to: to)
        duck.attack = fields.time("attack") ?? Duck.defaultTime
        duck.release = fields.time("release") ?? Duck.defaultTime
        duck.unknown = fields.object.without(["track", "under", "to", "attack", "release"])
        return duck
    }
}

extension Curve {
    /// What to say of a curve's name that is none.
    public static func unknown(_ name: String) -> String {
        "there is no curve \"\(name)\": \(allCases.map(\.rawValue).joined(separator: ", "))"
    }
}
