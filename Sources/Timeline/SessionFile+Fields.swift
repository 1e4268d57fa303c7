import JSON

/// The session's file, part by part: what a field is called, read as and written as is said here and nowhere else.
extension SessionFile {
    static let table = FieldTable<Session>(fields: [
        // Looked at before all else, by `read`.
        Field(name: "jmix") { _, _ in } write: { _ in .number(version) },
        Field(name: "sampleRate") { reader, session in
            let rates = Double(Session.sampleRates.lowerBound)...Double(Session.sampleRates.upperBound)
            let rate = reader.number("sampleRate", in: rates, default: Double(session.sampleRate))
            if rate == rate.rounded() { session.sampleRate = Int32(rate) } else { reader.fault("sampleRate", "\(rate) is not a whole number of frames a second") }
            reader.sampleRate = session.sampleRate
        } write: { .number($0.sampleRate) },
        .list("tracks", of: "track", { $0.tracks }, limit: Session.maximumTracks, unique: { $0.name }) {
            Track(name: "track\($0.tracks.count + 1)")
        } table: { _ in tracks } take: { _, session, track, _ in
            var track = track
            track.clips.sort { $0.at < $1.at }
            session.append(track)
        },
        .list("ducks", of: "duck", { $0.ducks }, isOptional: true) { _ in Duck(track: .none, under: .none, to: 1) } table: {
            ducks(TrackNames($0))
        } take: { reader, session, duck, isWhole in
            guard isWhole else { return }
            if duck.track == duck.under { reader.fault("under", "a track cannot duck under itself") }
            session.ducks.append(duck)
        },
        .list("scenes", of: "scene", { $0.scenes }, isOptional: true, unique: { $0.name }) { _ in Scene(name: "") } table: {
            scenes(TrackNames($0))
        } take: { _, session, scene, isWhole in
            if isWhole { session.scenes.append(scene) }
        },
        .list("markers", of: "marker", { $0.markers }, isOptional: true, limit: Marker.maximum, unique: { $0.name }) { _ in Marker(name: "", at: .zero) } table: { _ in
            markers
        } take: { _, session, marker, isWhole in
            if isWhole { session.setMarker(marker) }
        },
        .part("master", \.master, FieldTable(fields: [.volume("fader", \.fader), .flag("mute", \.mute, omitted: false)], unknown: \.unknown)),
    ], unknown: \.unknown)

    private static let markers = FieldTable<Marker>(fields: [
        Field(name: "name", required: "a marker has a name") { reader, marker in
            guard let name = reader.text("name") else { return }
            if let problem = Marker.problem(name) { reader.fault("name", problem) } else { marker.name = name }
        } write: { .string($0.name) },
        .time("at", \.at),
    ], unknown: \.unknown)

    private static let tracks = FieldTable<Track>(fields: [
        Field(name: "name") { reader, track in
            guard let name = reader.text("name") else { return }
            if let problem = TrackName.problem(name) { reader.fault("name", problem) } else { track.name = name }
        } write: { .string($0.name) },
        .volume("fader", \.fader), .number("pan", \.pan, in: -1...1), .flag("mute", \.mute), .flag("solo", \.solo),
        .time("fadeIn", \.fadeIn, omitted: .zero), .time("fadeOut", \.fadeOut, omitted: .zero),
        .list("clips", of: "clip", { $0.clips }) { _ in Clip(file: "") } table: { _ in clips } take: { _, track, clip, _ in
            // Also one without a file, so that the others keep their numbers.
            track.clips.append(clip)
        },
        Field(name: "automation") { reader, track in
            readEvents(&reader, into: &track.automation)
        } write: { $0.automation.events.isEmpty ? nil : json($0.automation) },
    ], unknown: \.unknown)

    static let clips = FieldTable<Clip>(fields: [
        Field(name: "file", required: "a clip names a file") { reader, clip in
            guard let file = reader.text("file") else { return }
            if file.isEmpty || file.utf8.contains(0) { reader.fault("file", "it is not the name of a file") } else { clip.file = file }
        } write: { .string($0.file) },
        .time("at", \.at), .time("from", \.from, omitted: .zero),
        Field(name: "duration") { reader, clip in
            clip.duration = reader.time("duration")
            if clip.duration == .zero { reader.fault("duration", "a clip lasts longer than 0") }
        } write: { $0.duration.map { .time($0) } },
        Field(name: "channels") { reader, clip in
            let value = reader.object["channels"]!
            let numbers = value.arrayValue?.compactMap(\.intValue) ?? []
            if numbers.count == 2, value.arrayValue?.count == 2, numbers.allSatisfy({ (1...1024).contains($0) }) {
                clip.channels = ChannelPair(left: numbers[0], right: numbers[1])
            } else {
                reader.fault("channels", "it is \(value.compactText), where two channels counted from 1 belong, as [1, 2]")
            }
        } write: { $0.channels.map { .array([.number($0.left), .number($0.right)]) } },
        Field(name: "gain") { $1.gain = $0.volume("gain", default: 1) } write: { $0.gain == 1 ? nil : .number($0.gain) },
        .time("fadeIn", \.fadeIn.duration, omitted: .zero), .fadeCurve("fadeInCurve", \.fadeIn.curve, omitted: .linear),
        .time("fadeOut", \.fadeOut.duration, omitted: .zero), .fadeCurve("fadeOutCurve", \.fadeOut.curve, omitted: .linear),
        .time("crossfade", \.crossfade.duration, omitted: .zero), .fadeCurve("crossfadeCurve", \.crossfade.curve, omitted: .equalpower),
    ], unknown: \.unknown)

    private static func ducks(_ names: TrackNames) -> FieldTable<Duck> {
        let reason = "a duck names the track it lowers and the one it goes under"
        return FieldTable(fields: [
            .track("track", \.track, names, required: reason), .track("under", \.under, names, required: reason),
            .volume("to", \.to, required: "a duck says how low it goes"), .time("attack", \.attack), .time("release", \.release),
        ], unknown: \.unknown)
    }

    private static func scenes(_ names: TrackNames) -> FieldTable<Scene> {
        FieldTable(fields: [
            Field(name: "name", required: "a scene has a name") { reader, scene in
                guard let name = reader.text("name") else { return }
                if name.isEmpty { reader.fault("name", "a scene's name must not be empty") } else { scene.name = name }
            } write: { .string($0.name) },
            .list("tracks", of: "track", { scene in names.order.compactMap { id in scene.strips[id].map { SceneEntry(track: id, strip: $0) } } }) { _ in
                SceneEntry(track: .none, strip: Scene.Strip(fader: 1, pan: 0, mute: false))
            } table: { _ in
                sceneEntries(names)
            } take: { reader, scene, entry, isWhole in
                guard isWhole else { return }
                if scene.strips[entry.track] != nil { return reader.fault("track", "\"\(names.names[entry.track] ?? "")\" is in the scene already") }
                scene.strips[entry.track] = entry.strip
            },
            .part("master", \.master, FieldTable(fields: [.volume("fader", \.fader), .flag("mute", \.mute)], unknown: \.unknown)),
        ], unknown: \.unknown)
    }

    /// A track's line in a scene.
    private struct SceneEntry {
        var track: TrackID
        var strip: Scene.Strip
    }

    private static func sceneEntries(_ names: TrackNames) -> FieldTable<SceneEntry> {
        FieldTable(fields: [
            .track("track", \.track, names, required: "a scene says of which track it speaks"), .volume("fader", \.strip.fader),
            .number("pan", \.strip.pan, in: -1...1), .flag("mute", \.strip.mute),
        ], unknown: \.strip.unknown)
    }

    // MARK: - Automation

    private struct Point {
        var volume = 1.0
        var at = MediaTime.zero
        var unknown = JSONObject()
    }

    private struct Ramp {
        var volumes = (first: 1.0, last: 1.0)
        var from = MediaTime.zero
        var to = MediaTime.zero
        var curve = Curve.linear
        var unknown = JSONObject()
    }

    private static let points = FieldTable<Point>(fields: [.volume("volume", \.volume), .time("at", \.at)], unknown: \.unknown)

    private static let ramps = FieldTable<Ramp>(fields: [
        Field(name: "ramp") { reader, ramp in
            guard let pair = reader.object["ramp"]?.arrayValue, pair.count == 2 else {
                return reader.fault("ramp", "it is \(reader.object["ramp"]!.compactText), where two volumes belong, as [0.5, 0.8]")
            }
            if let first = reader.volume(pair[0], "ramp") { ramp.volumes.first = first }
            if let last = reader.volume(pair[1], "ramp") { ramp.volumes.last = last }
        } write: { .array([.number($0.volumes.first), .number($0.volumes.last)]) },
        .time("from", \.from), .time("to", \.to, required: "a ramp ends somewhere"),
        .curve("curve", \.curve, omitted: .linear),
    ], unknown: \.unknown)

    /// A marker as it is written.
    public static func json(_ marker: Marker) -> JSONValue { markers.json(marker) }

    static func json(_ event: VolumeAutomation.Event) -> JSONValue {
        switch event.kind {
        case .point(let volume, let time): points.json(Point(volume: volume, at: time, unknown: event.unknown))
        case .ramp(let first, let last, let range, let curve):
            ramps.json(Ramp(volumes: (first, last), from: range.start, to: range.end, curve: curve, unknown: event.unknown))
        }
    }

    private static func readEvents(_ reader: inout FieldReader, into automation: inout VolumeAutomation) {
        var events = reader.objects("automation", named: "automation").map { _, place, object in
            readEvent(FieldReader(object, place: place, sampleRate: reader.sampleRate))
        }
        // In order of time, for each goes behind those that are there: a list from back to front would be moved as a whole for each of its events.
        let order = events.indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
        for index in order {
            guard let set = events[index].set else { continue }
            do throws(AutomationError) { try set(&automation) } catch { events[index].reader.fault("", error.message(place: events[index].reader.place)) }
        }
        for event in events { reader.absorb(event.reader) }
    }

    /// An event as it stands in the file, and how it comes onto a timeline; nil where that makes no sense.
    private struct ReadEvent {
        var reader: FieldReader
        var start = MediaTime.zero
        var set: ((inout VolumeAutomation) throws(AutomationError) -> Void)?
    }

    private static func readEvent(_ fields: FieldReader) -> ReadEvent {
        var event = ReadEvent(reader: fields)
        if fields.object["ramp"] != nil {
            var ramp = Ramp()
            let isWhole = ramps.read(&event.reader, into: &ramp)
            guard isWhole, event.reader.problems.isEmpty else { return event }
            event.start = ramp.from
            let range = TimeRange(start: ramp.from, end: ramp.to)
            event.set = { [ramp] automation throws(AutomationError) in
                try automation.setVolumeRamp(from: ramp.volumes.first, to: ramp.volumes.last, over: range, curve: ramp.curve, unknown: ramp.unknown)
            }
        } else if fields.object["volume"] != nil {
            var point = Point()
            points.read(&event.reader, into: &point)
            guard event.reader.problems.isEmpty else { return event }
            event.start = point.at
            event.set = { [point] automation throws(AutomationError) in try automation.setVolume(point.volume, at: point.at, unknown: point.unknown) }
        } else {
            event.reader.fault("", "it has neither a \"volume\" (with \"at\") nor a \"ramp\" (with \"from\" and \"to\")")
        }
        return event
    }
}

extension Field {
    fileprivate static func curve(_ name: String, _ path: Path<Curve>, omitted: Curve) -> Field {
        Field(name: name) { reader, part in
            guard let text = reader.text(name) else { return }
            if let curve = Curve(rawValue: text) { part[keyPath: path] = curve } else { reader.fault(name, Curve.unknown(text)) }
        } write: { $0[keyPath: path] == omitted ? nil : .string($0[keyPath: path].rawValue) }
    }

    /// That of a fade, which begins or ends at silence.
    fileprivate static func fadeCurve(_ name: String, _ path: Path<Curve>, omitted: Curve) -> Field {
        let field = curve(name, path, omitted: omitted)
        return Field(name: name) { reader, part in
            field.read(&reader, &part)
            guard part[keyPath: path] == .exponential else { return }
            reader.fault(name, Curve.noFade)
            part[keyPath: path] = omitted
        } write: { field.write($0) }
    }

    /// A track, by its name.
    fileprivate static func track(_ name: String, _ path: Path<TrackID>, _ names: TrackNames, required: String) -> Field {
        Field(name: name, required: required) { reader, part in
            guard let text = reader.text(name) else { return }
            guard let id = names.ids[text] else { return reader.fault(name, "there is no track \"\(text)\"") }
            part[keyPath: path] = id
        } write: { .string(names.names[$0[keyPath: path]] ?? "") }
    }

    /// An object that another table reads and writes.
    fileprivate static func part<Inner>(_ name: String, _ path: Path<Inner>, _ table: FieldTable<Inner>) -> Field {
        Field(name: name) { reader, part in
            guard let object = reader.object(name) else { return }
            let place = [reader.place, name].filter { !$0.isEmpty }.joined(separator: " ")
            var inner = FieldReader(object, place: place, sampleRate: reader.sampleRate)
            table.read(&inner, into: &part[keyPath: path])
            reader.absorb(inner)
        } write: { table.json($0[keyPath: path]) }
    }
}

/// Which track has which name, in the order of their numbers.
private struct TrackNames {
    let order: [TrackID]
    let ids: [String: TrackID]
    let names: [TrackID: String]

    init(_ session: Session) {
        order = session.tracks.map(\.id)
        ids = Dictionary(session.tracks.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
        names = Dictionary(session.tracks.map { ($0.id, $0.name) }, uniquingKeysWith: { first, _ in first })
    }
}

extension TrackID {
    /// Of no track.
    fileprivate static let none = TrackID(rawValue: 0)
}

extension Curve {
    /// Why a fade of a clip cannot be exponential.
    public static let noFade = "a fade begins or ends at silence, which exponential never reaches: linear, scurve, equalpower"

    /// What to say of a curve's name that is none.
    public static func unknown(_ name: String) -> String {
        "there is no curve \"\(name)\": \(allCases.map(\.rawValue).joined(separator: ", "))"
    }
}
