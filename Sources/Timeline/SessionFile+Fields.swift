import Files
import JSON
import Speakers

/// The session's file, part by part: what a field is called, read as and written as is said here and nowhere
/// else.
extension SessionFile {
    static func table(_ names: StripNames, version: Int = 1) -> FieldTable<Session> {
        FieldTable(
            fields: heads(version) + stripLists(names) + desk(names) + timelineLists(names) + rest(names),
            unknown: \.unknown)
    }

    /// What the file and its times go by.
    private static func heads(_ version: Int) -> [Field<Session>] {
        [
            // Looked at before all else, by `read`.
            Field(name: "jmix") { _, _ in
            } write: { _ in
                .number(version)
            },
            Field(name: "sampleRate") { reader, session in
                let rates =
                    Double(Session.sampleRates.lowerBound)...Double(Session.sampleRates.upperBound)
                let rate = reader.number("sampleRate", in: rates, default: Double(session.sampleRate))
                if rate == rate.rounded() {
                    session.sampleRate = Int32(rate)
                } else {
                    reader.fault("sampleRate", "\(rate) is not a whole number of frames a second")
                }
                reader.sampleRate = session.sampleRate
            } write: {
                .number($0.sampleRate)
            },
        ]
    }

    /// Tracks, buses and DCAs.
    private static func stripLists(_ names: StripNames) -> [Field<Session>] {
        [
            .list("tracks", of: "track", { $0.tracks }, limit: Session.maximumTracks) {
                Track(name: StripNames.standard("track", $0.tracks.count + 1))
            } table: {
                tracks(names)
            } take: { reader, session, track, _ in
                var track = track
                track.clips.sort { $0.at < $1.at }
                names.check(track.name, session.append(track), &reader)
            },
            .list("buses", of: "bus", { $0.buses }, isOptional: true, limit: Session.maximumBuses) {
                Strip(name: StripNames.standard("bus", $0.buses.count + 1))
            } table: {
                buses(names)
            } take: { reader, session, bus, _ in
                let id = session.addBus(named: bus.name)
                session.buses[session.buses.count - 1] = bus
                session.buses[session.buses.count - 1].id = id
                if ["none", "ports"].contains(bus.name) {
                    reader.fault("name", "\"\(bus.name)\" says where a strip goes, and cannot name a bus")
                }
                names.check(bus.name, id, &reader)
            },
            .list("dcas", of: "DCA", { $0.dcas }, isOptional: true, limit: Session.maximumDCAs) {
                DCA(name: StripNames.standard("dca", $0.dcas.count + 1))
            } table: {
                dcas(names)
            } take: { reader, session, dca, _ in
                let id = session.addDCA(named: dca.name)
                session.dcas[session.dcas.count - 1] = dca
                session.dcas[session.dcas.count - 1].strip.id = id
                names.check(dca.name, id, &reader)
            },
        ]
    }

    /// What belongs to the desk as a whole.
    private static func desk(_ names: StripNames) -> [Field<Session>] {
        [
            .list(
                "muteGroups", of: "mute group", { $0.muteGroups }, isOptional: true,
                limit: MuteGroup.maximum, unique: { $0.name }
            ) { _ in
                MuteGroup(name: "")
            } table: {
                muteGroups(names)
            } take: { _, session, group, isWhole in
                if isWhole { session.muteGroups.append(group) }
            },
            .choice("soloMode", \.soloMode, omitted: .inPlace), .choice("directOuts", \.directOuts),
            .object("monitor", \.monitoring, omitted: Monitoring(), table: monitoring(names)),
            Field(name: "desks") { reader, session in
                for (dialect, value) in reader.object("desks")?.fields ?? [] {
                    if let memory = value.objectValue {
                        session.deskMemory[dialect] = memory
                    } else {
                        reader.fault("desks", "\(dialect) is \(value.kind), where an object belongs")
                    }
                }
            } write: { session in
                var desks = JSONObject()
                for (dialect, memory) in session.deskMemory.sorted(by: { $0.key < $1.key }) {
                    desks[dialect] = .object(memory)
                }
                return desks.fields.isEmpty ? nil : .object(desks)
            },
            .object("midi", \.midi, omitted: MIDIMap(), table: midi(names)),
        ]
    }

    /// Ducks, scenes and markers.
    private static func timelineLists(_ names: StripNames) -> [Field<Session>] {
        [
            .list("ducks", of: "duck", { $0.ducks }, isOptional: true) { _ in
                Duck(track: .none, under: .none, to: 1)
            } table: {
                ducks(names)
            } take: { reader, session, duck, isWhole in
                guard isWhole else { return }
                if duck.trigger == .hand {
                    session.ducks.append(duck)
                    session.ducks[session.ducks.count - 1].under = duck.track
                    return
                }
                guard duck.under != .none else {
                    // One that is named, and is not there, has been.
                    if reader.object["under"] == nil {
                        reader.fault(
                            "under", "a duck names the track it lowers and the one it goes under")
                    }
                    return
                }
                if duck.keys.contains(duck.track) {
                    reader.fault("under", "a track cannot duck under itself")
                }
                if duck.trigger == .clips, duck.keys.contains(where: { names.kind($0) != .track }) {
                    reader.fault("under", "a bus has no clips: a duck under it goes by \"signal\"")
                }
                if duck.trigger == .signal, !duck.others.isEmpty {
                    reader.fault(
                        "under", "a duck by \"signal\" goes under one strip: a bus that all of them go to")
                }
                session.ducks.append(duck)
            },
            .list("scenes", of: "scene", { $0.scenes }, isOptional: true, unique: { $0.name }) { _ in
                Scene(name: "")
            } table: {
                scenes(names)
            } take: { reader, session, scene, isWhole in
                let isWired = scene.strips.values.contains { $0.wiring != nil }
                if isWired, reader.object["wiring"] != .bool(true) {
                    reader.fault(
                        "wiring",
                        "a scene that says how a strip is wired says so of all by \"wiring\": true")
                }
                if isWhole { session.scenes.append(scene) }
            },
            .list(
                "markers", of: "marker", { $0.markers }, isOptional: true, limit: Marker.maximum,
                unique: { $0.name }
            ) { _ in
                Marker(name: "", at: .zero)
            } table: {
                markers
            } take: { _, session, marker, isWhole in
                if isWhole { session.setMarker(marker) }
            },
        ]
    }

    /// The video, what is patched, and the master.
    private static func rest(_ names: StripNames) -> [Field<Session>] {
        [
            Field(name: "video") { reader, session in
                guard let object = reader.object("video") else { return }
                var (fields, video) = (
                    FieldReader(object, place: "video", sampleRate: reader.sampleRate), Video(file: "")
                )
                if videos.read(&fields, into: &video) { session.video = video }
                reader.absorb(fields)
            } write: {
                $0.video.map(videos.json)
            },
            .list(
                "connections", of: "connection", { $0.connections }, isOptional: true,
                limit: PortLink.maximum
            ) { _ in
                PortLink(strip: .none, side: 1, other: "")
            } table: {
                connections(names)
            } take: { reader, session, link, isWhole in
                if !isWhole { return }
                if session.hasPort(link) {
                    _ = session.addConnection(link)
                } else {
                    reader.fault("port", "its strip has fewer channels")
                }
            },
            .part(
                "master", \.master,
                FieldTable(
                    fields: [
                        .volume("fader", \.fader), .number("pan", \.pan, in: -1...1, omitted: 0),
                        .flag("mute", \.mute, omitted: false), .volume("trim", \.trim, omitted: 1),
                        .flag("polarity", \.polarity, omitted: false),
                    ] + processors(names) + [.automation("automation", \.automation), .lanes]
                        + Field<Strip>.writing,
                    unknown: \.unknown)),
        ]
    }

    private static func connections(_ names: StripNames) -> FieldTable<PortLink> {
        FieldTable(
            fields: [
                Field(name: "port", required: "a connection says of which port it is, as voice_1") {
                    reader, link in
                    guard let text = reader.text("port") else { return }
                    if let end = names.end(ofPort: text) {
                        (link.strip, link.side, link.isInput) = end
                    } else {
                        reader.fault("port", "no strip has a port \"\(text)\"")
                    }
                } write: { link in
                    names.port(of: link).map { .string($0) }
                },
                Field(name: "to", required: "a connection says what it leads to, as system:playback_1") {
                    reader, link in
                    guard let text = reader.text("to") else { return }
                    if text.isEmpty {
                        reader.fault("to", "it is not the name of a port")
                    } else {
                        link.other = text
                    }
                } write: {
                    .string($0.other)
                },
            ], unknown: \.unknown)
    }

    static let videos = FieldTable<Video>(
        fields: [
            Field(name: "file", required: "a video names a file") { reader, video in
                guard let file = reader.text("file") else { return }
                if file.isEmpty || file.utf8.contains(0) {
                    reader.fault("file", "it is not the name of a file")
                } else {
                    video.file = FilePath(file)
                }
            } write: {
                .string($0.file.text)
            },
            .time("at", \.at, omitted: .zero), .time("from", \.from, omitted: .zero),
        ], unknown: \.unknown)

    static let markers = FieldTable<Marker>(
        fields: [
            Field(name: "name", required: "a marker has a name") { reader, marker in
                guard let name = reader.text("name") else { return }
                if let problem = Marker.problem(name) {
                    reader.fault("name", problem)
                } else {
                    marker.name = name
                }
            } write: {
                .string($0.name)
            },
            .time("at", \.at),
        ], unknown: \.unknown)

    /// What every strip but the master begins with.
    private static let named: [Field<Strip>] = [
        Field(name: "name") { reader, strip in
            guard let name = reader.text("name") else { return }
            if let problem = StripName.problem(name) {
                reader.fault("name", problem)
            } else {
                strip.name = name
            }
        } write: {
            .string($0.name)
        },
        .volume("fader", \.fader),
    ]

    /// What tracks and buses have.
    private static func channel(_ names: StripNames) -> [Field<Strip>] {
        named + [
            .number("pan", \.pan, in: -1...1), .flag("mute", \.mute), .flag("solo", \.solo),
            .volume("trim", \.trim, omitted: 1),
            .flag("polarity", \.polarity, omitted: false), .flag("soloSafe", \.soloSafe, omitted: false),
            .choice("muteMode", \.muteMode, omitted: .main),
        ] + processors(names) + [
            Field(name: "channels") { reader, strip in
                if let layout = reader.layout("channels") { strip.layout = layout }
            } write: {
                $0.layout == .stereo ? nil : .number($0.layout.channels)
            },
            .output("output", \.output, names),
            automixing,
            .list("sends", of: "send", { $0.sends }, isOptional: true, limit: Session.maximumSends) { _ in
                Send(to: .none)
            } table: {
                sends(names)
            } take: { reader, strip, send, isWhole in
                guard isWhole else { return }
                if strip.send(to: send.bus) != nil {
                    return reader.fault("to", "there is a send to \"\(names.names[send.bus] ?? "")\" already")
                }
                strip.sends.append(send)
            },
        ]
    }

    private static func sends(_ names: StripNames) -> FieldTable<Send> {
        FieldTable(
            fields: [
                .strip("to", \.bus, names, kinds: [.bus], required: "a send says to which bus it goes"),
                .volume("volume", \.volume), .number("pan", \.pan, in: -1...1),
                .flag("mute", \.mute), .flag("pre", \.isPre), .flag("talkback", \.isTalkback, omitted: false),
                Field(name: "matrix") {
                    $1.matrix = $0.matrix("matrix")
                } write: {
                    $0.matrix.map { .array($0.gains.map { .array($0.map { .number($0) }) }) }
                },
                .automation("automation", \.automation),
                .lanes([.pan, .mute]) {
                    $0[automation: $1]
                } _: {
                    $0[automation: $1] = $2
                },
                .write(\.writing), .writes(\.writing, [.pan, .mute]),
            ], unknown: \.unknown)
    }

    private static func tracks(_ names: StripNames) -> FieldTable<Track> {
        FieldTable(
            fields: channel(names).map { $0.of(\.strip) } + [
                .time("fadeIn", \.fadeIn, omitted: .zero), .time("fadeOut", \.fadeOut, omitted: .zero),
                .list("clips", of: "clip", { $0.clips }) { _ in
                    Clip(file: "")
                } table: {
                    clips
                } take: { _, track, clip, _ in
                    // Also one without a file, so that the others keep their numbers.
                    track.clips.append(clip)
                },
                Field<Strip>.automation("automation", \.automation).of(\.strip),
                Field<Strip>.lanes.of(\.strip),
                Field<Strip>.writing[0].of(\.strip), Field<Strip>.writing[1].of(\.strip),
                Field(name: "input") { reader, track in
                    guard let object = reader.object("input") else { return }
                    var (fields, input) = (
                        FieldReader(object, place: reader.place(of: "input"), sampleRate: reader.sampleRate),
                        Input()
                    )
                    inputs.read(&fields, into: &input)
                    reader.absorb(fields)
                    track.input = input
                } write: {
                    $0.input.map(inputs.json)
                },
                .choice("monitor", \.monitor, omitted: .auto),
                Field(name: "arm") { reader, track in
                    track.isArmed = reader.flag("arm", default: false)
                    if track.isArmed, track.input == nil {
                        reader.fault("arm", "a track without an input has nothing to record")
                        track.isArmed = false
                    }
                } write: {
                    $0.isArmed ? .bool(true) : nil
                },
            ], unknown: \.strip.unknown)
    }

    static let inputs = FieldTable<Input>(
        fields: [
            Field(name: "channels") { reader, input in
                if let layout = reader.layout("channels") { input.channels = layout.channels }
            } write: {
                .number($0.channels)
            },
            Field(name: "connect") { reader, input in
                let ports = reader.list("connect") ?? []
                if ports.count > input.channels {
                    reader.fault(
                        "connect",
                        """
                        there are \(ports.count) ports for \(input.channels) \
                        channel\(input.channels == 1 ? "" : "s")
                        """
                    )
                }
                input.connect = ports.prefix(input.channels).enumerated().map { index, value in
                    if let text = value.stringValue { return text }
                    reader.fault(
                        "connect \(index + 1)", "it is \(value.kind), where the name of a port belongs")
                    return ""
                }
            } write: {
                $0.connect.isEmpty ? nil : .array($0.connect.map { .string($0) })
            },
        ], unknown: \.unknown)

    private static func buses(_ names: StripNames) -> FieldTable<Strip> {
        FieldTable(
            fields: channel(names) + [automix, .automation("automation", \.automation), .lanes]
                + Field<Strip>.writing,
            unknown: \.unknown)
    }

    private static func dcas(_ names: StripNames) -> FieldTable<DCA> {
        let own: [Field<Strip>] =
            named + [
                .flag("mute", \.mute), .flag("solo", \.solo, omitted: false),
                .choice("muteMode", \.muteMode, omitted: .main),
                .automation("automation", \.automation),
                .lanes([.mute]) {
                    $0[automation: $1]
                } _: {
                    $0[automation: $1] = $2
                },
                .write(\.writing), .writes(\.writing, [.mute]),
            ]
        return FieldTable(
            fields: own.map { $0.of(\.strip) } + [
                members("members", \.members, names, kinds: [.track, .bus, .master])
            ], unknown: \.strip.unknown)
    }

    static let clips = FieldTable<Clip>(
        fields: [
            Field(name: "file", required: "a clip names a file") { reader, clip in
                guard let file = reader.text("file") else { return }
                if file.isEmpty || file.utf8.contains(0) {
                    reader.fault("file", "it is not the name of a file")
                } else {
                    clip.file = FilePath(file)
                }
            } write: {
                .string($0.file.text)
            },
            .time("at", \.at), .time("from", \.from, omitted: .zero),
            Field(name: "duration") { reader, clip in
                clip.duration = reader.time("duration")
                if clip.duration == .zero { reader.fault("duration", "a clip lasts longer than 0") }
            } write: {
                $0.duration.map { .time($0) }
            },
            Field(name: "channels") { reader, clip in
                let value = reader.object["channels"]!
                let numbers = value.arrayValue?.compactMap(\.intValue) ?? []
                if numbers.count == 2, value.arrayValue?.count == 2,
                    numbers.allSatisfy({ (1...1024).contains($0) })
                {
                    clip.channels = ChannelPair(left: numbers[0], right: numbers[1])
                } else {
                    reader.fault(
                        "channels",
                        "it is \(value.compactText), where two channels counted from 1 belong, as [1, 2]")
                }
            } write: {
                $0.channels.map { .array([.number($0.left), .number($0.right)]) }
            },
            Field(name: "stream") { reader, clip in
                let number = reader.number("stream", in: 1...64, default: 1)
                if number == number.rounded() {
                    clip.stream = Int(number)
                } else {
                    reader.fault("stream", "\(number) is not the number of a sound, which counts from 1")
                }
            } write: {
                $0.stream == 1 ? nil : .number($0.stream)
            },
            .number("speed", \.speed, in: Clip.speeds, omitted: 1),
            .number("pitch", \.pitch, in: Clip.pitches, omitted: 0),
            Field(name: "tape") { reader, clip in
                clip.isTape = reader.flag("tape", default: false)
                if clip.isTape, clip.pitch != 0 {
                    reader.fault("pitch", "a tape's pitch goes with its speed: it has no other")
                }
            } write: {
                $0.isTape ? .bool(true) : nil
            },
            .flag("reverse", \.isReversed, omitted: false),
            .choice("stretcher", \.stretcher, omitted: .soundtouch),
            Field(name: "gain") {
                $1.gain = $0.volume("gain", default: 1)
            } write: {
                $0.gain == 1 ? nil : .number($0.gain)
            },
            .time("fadeIn", \.fadeIn.duration, omitted: .zero),
            .fadeCurve("fadeInCurve", \.fadeIn.curve, omitted: .linear),
            .time("fadeOut", \.fadeOut.duration, omitted: .zero),
            .fadeCurve("fadeOutCurve", \.fadeOut.curve, omitted: .linear),
            Field(name: "aired") { reader, clip in
                guard let time = reader.time("aired") else { return }
                if time <= Clip.longestAired {
                    clip.aired = time
                } else {
                    reader.fault("aired", "a take is heard at most \(Clip.longestAired) later than it lies")
                }
            } write: {
                $0.aired == .zero ? nil : .string($0.aired.description)
            },
            .time("crossfade", \.crossfade.duration, omitted: .zero),
            .fadeCurve("crossfadeCurve", \.crossfade.curve, omitted: .equalpower),
        ], unknown: \.unknown)

    private static func ducks(_ names: StripNames) -> FieldTable<Duck> {
        let reason = "a duck names the track it lowers and the one it goes under"
        return FieldTable(
            fields: [
                .strip("track", \.track, names, kinds: [.track, .bus], required: reason), under(names),
                .volume("to", \.to, required: "a duck says how low it goes"), bySignal,
                Field(name: "threshold") { reader, duck in
                    // As the gain that it is, in words, or as a number of dB.
                    duck.threshold = reader.decibels(
                        "threshold", in: Duck.thresholds, default: duck.threshold)
                } write: {
                    $0.trigger == .signal ? .string("\(JSONValue.number($0.threshold).compactText)dB") : nil
                },
                .time("attack", \.attack),
                Field(name: "hold") { reader, duck in
                    if let time = reader.time("hold") { duck.hold = time }
                } write: {
                    $0.trigger == .signal ? .string($0.hold.description) : nil
                },
                .time("release", \.release), lookahead,
            ], unknown: \.unknown)
    }

    /// The ducks of a session, as its file has them.
    public static func ducks(of session: Session) -> JSONValue {
        let table = ducks(StripNames(session))
        return .array(session.ducks.map(table.json))
    }

    /// By hand there is none.
    private static func under(_ names: StripNames) -> Field<Duck> {
        let field = Field<Duck>.strip("under", \.under, names, kinds: [.track, .bus], required: nil)
        return Field(name: "under") { reader, duck in
            guard let several = reader.object["under"]?.arrayValue else { return field.read(&reader, &duck) }
            let texts = several.map { $0.stringValue ?? "" }
            let ids = texts.compactMap { names.ids[$0] }
            if let missing = texts.first(where: { names.ids[$0] == nil }) {
                return reader.fault("under", "there is no track \"\(missing)\"")
            }
            guard let first = ids.first, Set(ids).count == ids.count, ids.count <= Duck.maximumKeys else {
                return reader.fault(
                    "under",
                    "a duck goes under one track, or under several, each once, as [\"host\", \"guest\"]")
            }
            (duck.under, duck.others) = (first, Array(ids.dropFirst()))
        } write: { duck in
            if duck.trigger == .hand { return nil }
            if duck.others.isEmpty { return field.write(duck) }
            return .array(duck.keys.map { .string(names.names[$0] ?? "") })
        }
    }

    private static let lookahead = Field<Duck>(name: "lookahead") { reader, duck in
        guard let time = reader.time("lookahead") else { return }
        if time <= Duck.longestLookahead {
            duck.lookahead = time
        } else {
            reader.fault("lookahead", "\(time) is out of range: it goes from 0 to 1 s")
        }
    } write: {
        $0.lookahead == .zero ? nil : .time($0.lookahead)
    }

    private static let bySignal: Field<Duck> = {
        let field = Field<Duck>.choice("by", \.trigger, omitted: .clips)
        return Field(name: "by") { reader, duck in
            field.read(&reader, &duck)
            if duck.trigger == .signal { duck.goBySignal() }
        } write: {
            field.write($0)
        }
    }()

    private static func scenes(_ names: StripNames) -> FieldTable<Scene> {
        FieldTable(
            fields: [
                Field(name: "name", required: "a scene has a name") { reader, scene in
                    guard let name = reader.text("name") else { return }
                    if name.isEmpty {
                        reader.fault("name", "a scene's name must not be empty")
                    } else {
                        scene.name = name
                    }
                } write: {
                    .string($0.name)
                },
                sceneEntries("tracks", .track, names), sceneEntries("buses", .bus, names),
                sceneEntries("dcas", .dca, names),
                Field(name: "master") { reader, scene in
                    guard let object = reader.object("master") else { return }
                    var inner = FieldReader(
                        object,
                        place: [reader.place, "master"].filter { !$0.isEmpty }.joined(separator: " "),
                        sampleRate: reader.sampleRate)
                    var strip = Scene.Strip(fader: 1, pan: 0, mute: false)
                    sceneMaster(names).read(&inner, into: &strip)
                    scene.strips[.master] = strip
                    reader.absorb(inner)
                } write: {
                    $0.strips[.master].map(sceneMaster(names).json)
                },
                .isWired,
            ], unknown: \.unknown)
    }

    private static func sceneMaster(_ names: StripNames) -> FieldTable<Scene.Strip> {
        FieldTable(
            fields: [
                .volume("fader", \.fader), .number("pan", \.pan, in: -1...1, omitted: 0),
                .flag("mute", \.mute), sceneProcessors(\.processors, names),
            ] + Field<Scene.Strip>.wiring(\.wiring, .master, names), unknown: \.unknown)
    }

    /// What the sound of a strip goes through in a scene, as the strip has it, without whose level it goes
    /// by.
    private static func sceneProcessors<Part>(
        _ path: WritableKeyPath<Part, Processors?> & Sendable, _ names: StripNames
    ) -> Field<Part> {
        let table = FieldTable<Timeline.Strip>(fields: processors(names), unknown: \.unknown)
        return Field(name: "processors") { reader, part in
            guard let object = reader.object("processors") else { return }
            var (fields, strip) = (
                FieldReader(object, place: reader.place(of: "processors"), sampleRate: reader.sampleRate),
                Timeline.Strip(name: "")
            )
            table.read(&fields, into: &strip)
            reader.absorb(fields)
            part[keyPath: path] = strip.processors
        } write: { part in
            guard var processors = part[keyPath: path] else { return nil }
            processors.gate?.key = nil
            processors.compressor?.key = nil
            var strip = Timeline.Strip(name: "")
            strip.processors = processors
            return table.json(strip)
        }
    }

    /// A strip's line in a scene.
    private struct SceneEntry {
        var id: StripID
        var strip: Scene.Strip
    }

    /// Strips of one kind in a scene, in the order of their numbers.
    private static func sceneEntries(_ name: String, _ kind: StripKind, _ names: StripNames) -> Field<Scene> {
        .list(
            name, of: kind.rawValue,
            { scene in
                names.order(kind).compactMap { id in scene.strips[id].map { SceneEntry(id: id, strip: $0) } }
            }, isOptional: kind != .track
        ) { _ in
            SceneEntry(id: .none, strip: Scene.Strip(fader: 1, pan: 0, mute: false))
        } table: {
            let pan: [Field<SceneEntry>] = kind == .dca ? [] : [.number("pan", \.strip.pan, in: -1...1)]
            return FieldTable(
                fields: [
                    .strip(
                        kind.rawValue, \.id, names, kinds: [kind],
                        required: "a scene says of which \(kind.rawValue) it speaks"),
                    .volume("fader", \.strip.fader),
                ] + pan + Field<SceneEntry>.wiring(\.strip.wiring, kind, names) + [
                    .flag("mute", \.strip.mute), sceneProcessors(\.strip.processors, names),
                    .list(
                        "sends", of: "send",
                        { entry in
                            names.order(.bus).compactMap { id in
                                entry.strip.sends[id].map { SceneSend(bus: id, send: $0) }
                            }
                        }, isOptional: true
                    ) { _ in
                        SceneSend(bus: .none, send: Scene.Send(volume: 1, pan: 0, mute: false))
                    } table: {
                        sceneSends(names)
                    } take: { _, entry, send, isWhole in
                        if isWhole { entry.strip.sends[send.bus] = send.send }
                    },
                ], unknown: \.strip.unknown)
        } take: { reader, scene, entry, isWhole in
            guard isWhole else { return }
            if scene.strips[entry.id] != nil {
                return reader.fault(
                    kind.rawValue, "\"\(names.names[entry.id] ?? "")\" is in the scene already")
            }
            scene.strips[entry.id] = entry.strip
        }
    }

    private struct SceneSend {
        var bus: StripID
        var send: Scene.Send
    }

    private static func sceneSends(_ names: StripNames) -> FieldTable<SceneSend> {
        FieldTable(
            fields: [
                .strip("to", \.bus, names, kinds: [.bus], required: "a send says to which bus it goes"),
                .volume("volume", \.send.volume), .number("pan", \.send.pan, in: -1...1),
                .flag("mute", \.send.mute),
            ],
            unknown: \.send.unknown)
    }

    // MARK: - Automation

    private struct Point {
        var value = 1.0
        var at = MediaTime.zero
        var unknown = JSONObject()
    }

    private struct Ramp {
        var values = (first: 1.0, last: 1.0)
        var from = MediaTime.zero
        var to = MediaTime.zero
        var curve = Curve.linear
        var unknown = JSONObject()
    }

    /// What a point of each control says: a volume, a number, or a switch.
    private static let points = Dictionary(
        uniqueKeysWithValues: Automation.Control.allCases.map { ($0, points($0)) })

    private static func points(_ control: Automation.Control) -> FieldTable<Point> {
        let value: Field<Point> =
            switch control {
            case .volume: .volume("volume", \.value)
            case .trim: .volume("value", \.value)
            case .mute:
                Field(name: "value") {
                    $1.value = $0.flag("value", default: true) ? 1 : 0
                } write: {
                    .bool($0.value == 1)
                }
            default: .number("value", \.value, in: control.range)
            }
        return FieldTable(fields: [value, .time("at", \.at)], unknown: \.unknown)
    }

    private static let ramps = Dictionary(
        uniqueKeysWithValues: Automation.Control.allCases.map { ($0, ramps($0)) })

    private static func ramps(_ control: Automation.Control) -> FieldTable<Ramp> {
        FieldTable(
            fields: [
                Field(name: "ramp") { reader, ramp in
                    guard let pair = reader.object["ramp"]?.arrayValue, pair.count == 2 else {
                        return reader.fault(
                            "ramp",
                            """
                            it is \(reader.object["ramp"]!.compactText), where two values belong, as [0.5, \
                            0.8]
                            """
                        )
                    }
                    func value(_ value: JSONValue) -> Double? {
                        control == .volume || control == .trim
                            ? reader.volume(value, "ramp") : reader.number(value, "ramp")
                    }
                    if let first = value(pair[0]) { ramp.values.first = first }
                    if let last = value(pair[1]) { ramp.values.last = last }
                } write: {
                    .array([.number($0.values.first), .number($0.values.last)])
                },
                .time("from", \.from), .time("to", \.to, required: "a ramp ends somewhere"),
                .curve("curve", \.curve, omitted: .linear),
            ], unknown: \.unknown)
    }

    static func json(_ event: Automation.Event, of control: Automation.Control) -> JSONValue {
        switch event.kind {
        case .point(let value, let time):
            points[control]!.json(Point(value: value, at: time, unknown: event.unknown))
        case .ramp(let first, let last, let range, let curve):
            ramps[control]!.json(
                Ramp(
                    values: (first, last), from: range.start, to: range.end, curve: curve,
                    unknown: event.unknown))
        }
    }

    static func readEvents(
        _ reader: inout FieldReader, _ field: String, into automation: inout Automation
    ) {
        let control = automation.control
        var events = reader.objects(field, named: field).map { _, place, object in
            readEvent(FieldReader(object, place: place, sampleRate: reader.sampleRate), of: control)
        }
        // In order of time, for each goes behind those that are there: a list from back to front would be
        // moved as a whole for each of its events.
        let order = events.indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
        for index in order {
            guard let set = events[index].set else { continue }
            do throws(AutomationError) { try set(&automation) } catch {
                events[index].reader.fault("", error.message(place: events[index].reader.place))
            }
        }
        for event in events { reader.absorb(event.reader) }
    }

    private static func pointField(_ control: Automation.Control) -> String {
        control == .volume ? "volume" : "value"
    }

    /// An event as it stands in the file, and how it comes onto a timeline; nil where that makes no sense.
    private struct ReadEvent {
        var reader: FieldReader
        var start = MediaTime.zero
        var set: ((inout Automation) throws(AutomationError) -> Void)?
    }

    private static func readEvent(_ fields: FieldReader, of control: Automation.Control) -> ReadEvent {
        var event = ReadEvent(reader: fields)
        if fields.object["ramp"] != nil {
            var ramp = Ramp()
            let isWhole = ramps[control]!.read(&event.reader, into: &ramp)
            guard isWhole, event.reader.problems.isEmpty else { return event }
            event.start = ramp.from
            let range = TimeRange(start: ramp.from, end: ramp.to)
            event.set = { [ramp] automation throws(AutomationError) in
                try automation.setRamp(
                    from: ramp.values.first, to: ramp.values.last, over: range, curve: ramp.curve,
                    unknown: ramp.unknown)
            }
        } else if fields.object[pointField(control)] != nil {
            var point = Point()
            points[control]!.read(&event.reader, into: &point)
            guard event.reader.problems.isEmpty else { return event }
            event.start = point.at
            event.set = { [point] automation throws(AutomationError) in
                try automation.setValue(point.value, at: point.at, unknown: point.unknown)
            }
        } else {
            event.reader.fault(
                "",
                """
                it has neither a "\(pointField(control))" (with "at") nor a "ramp" (with "from" and "to")
                """
            )
        }
        return event
    }
}

extension Field {
    fileprivate static func curve(_ name: String, _ path: Path<Curve>, omitted: Curve) -> Field {
        Field(name: name) { reader, part in
            guard let text = reader.text(name) else { return }
            if let curve = Curve(rawValue: text) {
                part[keyPath: path] = curve
            } else {
                reader.fault(name, Curve.unknown(text))
            }
        } write: {
            $0[keyPath: path] == omitted ? nil : .string($0[keyPath: path].rawValue)
        }
    }

    /// That of a fade, which begins or ends at silence.
    fileprivate static func fadeCurve(_ name: String, _ path: Path<Curve>, omitted: Curve) -> Field {
        let field = curve(name, path, omitted: omitted)
        return Field(name: name) { reader, part in
            field.read(&reader, &part)
            guard part[keyPath: path] == .exponential else { return }
            reader.fault(name, Curve.noFade)
            part[keyPath: path] = omitted
        } write: {
            field.write($0)
        }
    }

    /// A strip, by its name: a track, or a bus.
    fileprivate static func strip(
        _ name: String, _ path: Path<StripID>, _ names: StripNames, kinds: Set<StripKind>, required: String?
    ) -> Field {
        Field(name: name, required: required) { reader, part in
            guard let text = reader.text(name) else { return }
            guard let id = names.ids[text], kinds.contains(names.kind(id)) else {
                let wanted = StripKind.allCases.filter(kinds.contains).map(\.rawValue).joined(
                    separator: " or ")
                return reader.fault(name, "there is no \(wanted) \"\(text)\"")
            }
            part[keyPath: path] = id
        } write: {
            .string(names.names[$0[keyPath: path]] ?? "")
        }
    }

    /// Points and ramps; left out without any.
    fileprivate static func automation(_ name: String, _ path: Path<Automation>) -> Field {
        Field(name: name) {
            SessionFile.readEvents(&$0, name, into: &$1[keyPath: path])
        } write: {
            $0[keyPath: path].events.isEmpty ? nil : $0[keyPath: path].json
        }
    }

    /// The automation of other controls, by their names; left out without any.
    fileprivate static func lanes(
        _ controls: [Automation.Control], _ get: @escaping @Sendable (Part, Automation.Control) -> Automation,
        _ set: @escaping @Sendable (inout Part, Automation.Control, Automation) -> Void
    ) -> Field {
        Field(name: "lanes") { reader, part in
            guard let object = reader.object("lanes") else { return }
            var inner = FieldReader(object, place: reader.place, sampleRate: reader.sampleRate)
            for control in controls {
                var automation = get(part, control)
                SessionFile.readEvents(&inner, control.rawValue, into: &automation)
                set(&part, control, automation)
            }
            for (name, _) in object.fields where !controls.contains(where: { $0.rawValue == name }) {
                inner.fault(
                    "lanes",
                    """
                    there is no control "\(name)" to automate here: \
                    \(controls.map(\.rawValue).joined(separator: ", "))
                    """
                )
            }
            reader.absorb(inner)
        } write: { part in
            var object = JSONObject()
            for control in controls {
                let automation = get(part, control)
                if !automation.events.isEmpty { object[control.rawValue] = automation.json }
            }
            return object.fields.isEmpty ? nil : .object(object)
        }
    }

    /// An object that another table reads and writes.
    fileprivate static func part<Inner>(
        _ name: String, _ path: Path<Inner>, _ table: FieldTable<Inner>
    ) -> Field {
        Field(name: name) { reader, part in
            guard let object = reader.object(name) else { return }
            let place = [reader.place, name].filter { !$0.isEmpty }.joined(separator: " ")
            var inner = FieldReader(object, place: place, sampleRate: reader.sampleRate)
            table.read(&inner, into: &part[keyPath: path])
            reader.absorb(inner)
        } write: {
            table.json($0[keyPath: path])
        }
    }
}

extension Field<Strip> {
    /// Those of a whole strip.
    fileprivate static var lanes: Field {
        .lanes([.pan, .trim, .mute] + Automation.Control.ofProcessors) {
            $0[automation: $1]
        } _: {
            $0[automation: $1] = $2
        }
    }
}

extension Field<Strip> {
    /// What hands do to the automation of a whole strip.
    fileprivate static var writing: [Field] {
        [
            .write(\.writing),
            .writes(\.writing, [.pan, .trim, .mute] + Automation.Control.ofProcessors),
        ]
    }
}

extension Field {
    /// What hands do to the automation of a volume.
    fileprivate static func write(_ path: Path<WriteModes>) -> Field {
        Field(name: "write") { reader, part in
            guard let text = reader.text("write") else { return }
            part[keyPath: path][.volume] = reader.writeMode(text, "write")
        } write: {
            let mode = $0[keyPath: path][.volume]
            return mode == .read ? nil : .string(mode.rawValue)
        }
    }

    /// The same of other controls.
    fileprivate static func writes(_ path: Path<WriteModes>, _ controls: [Automation.Control]) -> Field {
        Field(name: "writes") { reader, part in
            for (name, value) in reader.object("writes")?.fields ?? [] {
                guard let control = controls.first(where: { $0.rawValue == name }) else {
                    reader.fault("writes", "there is no control \"\(name)\" to write here")
                    continue
                }
                part[keyPath: path][control] = reader.writeMode(value.stringValue ?? value.kind, "writes")
            }
        } write: { part in
            var object = JSONObject()
            for control in controls where part[keyPath: path][control] != .read {
                object[control.rawValue] = .string(part[keyPath: path][control].rawValue)
            }
            return object.fields.isEmpty ? nil : .object(object)
        }
    }
}

extension FieldReader {
    /// `read` for what is no mode, which is a fault.
    fileprivate mutating func writeMode(_ text: String, _ field: String) -> WriteMode {
        choice(text, field) ?? .read
    }
}

extension StripID {
    /// Of no strip.
    fileprivate static let none = StripID(rawValue: -1)
}

extension Curve {
    /// Why a fade of a clip cannot be exponential.
    public static let noFade =
        "a fade begins or ends at silence, which exponential never reaches: linear, scurve, equalpower"

    /// What to say of a curve's name that is none.
    public static func unknown(_ name: String) -> String {
        "there is no curve \"\(name)\": \(allCases.map(\.rawValue).joined(separator: ", "))"
    }
}
