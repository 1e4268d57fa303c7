import JSON

/// Where all faders, pans and mutes stood, under a name.
public struct Scene: Equatable, Sendable {
    /// Where a track stands in it.
    public struct Strip: Equatable, Sendable {
        /// The live level, linear, 0 to 4.
        public var fader: Double
        /// Balance, -1 to 1.
        public var pan: Double
        /// Whether it is silenced.
        public var mute: Bool
        /// Fields of the file that this version does not know, kept for the next save.
        public var unknown = JSONObject()
    }

    /// What it is recalled by.
    public var name: String
    /// Tracks that came later are not in it.
    public internal(set) var strips: [TrackID: Strip] = [:]
    /// The master's level, linear, 0 to 4.
    public internal(set) var masterFader = 1.0
    /// Whether the master is silenced.
    public internal(set) var masterMute = false
    /// Fields of the file that this version does not know, kept for the next save: of the scene, and of its master.
    public var unknown = JSONObject()
    var masterUnknown = JSONObject()

    /// More scenes than an evening has; a bound for what a remote control may make the mixer hold.
    public static let maximum = 200

    init(name: String) { self.name = name }
}

extension Session {
    /// Notes where everything stands under `name`, in place of what was noted there.
    public mutating func storeScene(_ name: String) {
        var scene = Scene(name: name)
        for track in tracks { scene.strips[track.id] = Scene.Strip(fader: track.fader, pan: track.pan, mute: track.mute) }
        (scene.masterFader, scene.masterMute) = (master.fader, master.mute)
        if let index = scenes.firstIndex(where: { $0.name == name }) {
            (scene.unknown, scene.masterUnknown) = (scenes[index].unknown, scenes[index].masterUnknown)
            scenes[index] = scene
        } else {
            scenes.append(scene)
        }
    }

    /// Sets everything to where it stood; tracks that the scene does not know stay.
    public mutating func recall(_ scene: Scene) {
        for index in tracks.indices {
            guard let strip = scene.strips[tracks[index].id] else { continue }
            (tracks[index].fader, tracks[index].pan, tracks[index].mute) = (strip.fader, strip.pan, strip.mute)
        }
        (master.fader, master.mute) = (scene.masterFader, scene.masterMute)
    }
}

// MARK: - The file

extension SessionFile {
    static func json(_ scene: Scene, in session: Session) -> JSONValue {
        var object: JSONObject = ["name": .string(scene.name)]
        object["tracks"] = .array(session.tracks.compactMap { track in
            guard let strip = scene.strips[track.id] else { return nil }
            var object: JSONObject = ["track": .string(track.name), "fader": .number(strip.fader), "pan": .number(strip.pan)]
            object["mute"] = .bool(strip.mute)
            object.merge(strip.unknown)
            return .object(object)
        })
        var master: JSONObject = ["fader": .number(scene.masterFader), "mute": .bool(scene.masterMute)]
        master.merge(scene.masterUnknown)
        object["master"] = .object(master)
        object.merge(scene.unknown)
        return .object(object)
    }

    static func readScene(_ fields: inout FieldReader, in session: Session) -> Scene? {
        guard fields.object["name"] != nil else {
            fields.fault("name", "the field is missing: a scene has a name")
            return nil
        }
        guard let name = fields.text("name") else { return nil }
        if name.isEmpty { fields.fault("name", "a scene's name must not be empty") }
        var scene = Scene(name: name)
        for (place, object) in fields.objects("tracks", named: "track") {
            var strip = FieldReader(object, place: place, sampleRate: fields.sampleRate)
            let track = strip.text("track").flatMap { name in session.tracks.first { $0.name == name } }
            if let track, scene.strips[track.id] != nil {
                strip.fault("track", "\"\(object["track"]?.stringValue ?? "")\" is in the scene already")
            } else if let track {
                scene.strips[track.id] = Scene.Strip(
                    fader: strip.volume("fader", default: 1), pan: strip.number("pan", in: -1...1, default: 0), mute: strip.flag("mute", default: false),
                    unknown: object.without(["track", "fader", "pan", "mute"]))
            } else {
                strip.fault("track", "there is no track \"\(object["track"]?.stringValue ?? "")\"")
            }
            fields.absorb(strip)
        }
        if let object = fields.object["master"]?.objectValue {
            var master = FieldReader(object, place: fields.place + " master", sampleRate: fields.sampleRate)
            scene.masterFader = master.volume("fader", default: 1)
            scene.masterMute = master.flag("mute", default: false)
            scene.masterUnknown = object.without(["fader", "mute"])
            fields.absorb(master)
        }
        scene.unknown = fields.object.without(["name", "tracks", "master"])
        return scene
    }
}
