import JSON

extension SessionFile {
    /// The session as the text of its file. What `read` read comes back, unknown fields included; fields at their defaults are left out.
    /// - Parameter previous: the text that it takes the place of: the order of keys that a person chose there is kept.
    public static func text(_ session: Session, like previous: String? = nil) -> String {
        json(session).ordered(like: previous.flatMap { try? JSONValue(parsing: $0) }).prettyText() + "\n"
    }

    /// The session as the JSON of its file.
    public static func json(_ session: Session) -> JSONValue {
        var root: JSONObject = ["jmix": .number(version), "sampleRate": .number(session.sampleRate)]
        root["tracks"] = .array(session.tracks.map(json))
        if !session.ducks.isEmpty { root["ducks"] = .array(session.ducks.map { json($0, in: session) }) }
        if !session.scenes.isEmpty { root["scenes"] = .array(session.scenes.map { json($0, in: session) }) }
        var master: JSONObject = ["fader": .number(session.master.fader)]
        if session.master.mute { master["mute"] = .bool(true) }
        master.merge(session.master.unknown)
        root["master"] = .object(master)
        root.merge(session.unknown)
        return .object(root)
    }

    /// The automation of a track as in the session file.
    public static func json(_ automation: VolumeAutomation) -> JSONValue { .array(automation.events.map(json)) }

    private static func json(_ track: Track) -> JSONValue {
        var object: JSONObject = ["name": .string(track.name), "fader": .number(track.fader), "pan": .number(track.pan)]
        object["mute"] = .bool(track.mute)
        object["solo"] = .bool(track.solo)
        if track.fadeIn != .zero { object["fadeIn"] = json(track.fadeIn) }
        if track.fadeOut != .zero { object["fadeOut"] = json(track.fadeOut) }
        object["clips"] = .array(track.clips.map(json))
        if !track.automation.events.isEmpty { object["automation"] = json(track.automation) }
        object.merge(track.unknown)
        return .object(object)
    }

    /// A clip as it stands in the file.
    public static func json(_ clip: Clip) -> JSONValue {
        var object: JSONObject = ["file": .string(clip.file), "at": json(clip.at)]
        if clip.from != .zero { object["from"] = json(clip.from) }
        if let duration = clip.duration { object["duration"] = json(duration) }
        if let channels = clip.channels { object["channels"] = .array([.number(channels.left), .number(channels.right)]) }
        object.merge(clip.unknown)
        return .object(object)
    }

    private static func json(_ event: VolumeAutomation.Event) -> JSONValue {
        var object: JSONObject
        switch event.kind {
        case .point(let volume, let time): object = ["volume": .number(volume), "at": json(time)]
        case .ramp(let first, let last, let range, let curve):
            object = ["ramp": .array([.number(first), .number(last)])]
            object["from"] = json(range.start)
            object["to"] = json(range.end)
            if curve != .linear { object["curve"] = .string(curve.rawValue) }
        }
        object.merge(event.unknown)
        return .object(object)
    }

    private static func json(_ duck: Duck, in session: Session) -> JSONValue {
        func name(_ id: TrackID) -> JSONValue { .string(session.index(of: id).map { session.tracks[$0].name } ?? "") }
        var object: JSONObject = ["track": name(duck.track), "under": name(duck.under), "to": .number(duck.to)]
        object["attack"] = json(duck.attack)
        object["release"] = json(duck.release)
        object.merge(duck.unknown)
        return .object(object)
    }

    private static func json(_ time: MediaTime) -> JSONValue { .string(time.description) }
}
