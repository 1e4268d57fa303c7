import Files
import JSON

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
            .list(ListForm("tracks", of: "track", limit: Session.maximumTracks) { $0.tracks }) {
                Track(name: StripNames.standard("track", $0.tracks.count + 1))
            } table: {
                tracks(names)
            } take: { reader, session, track, _ in
                var track = track
                track.clips.sort { $0.at < $1.at }
                names.check(track.name, session.append(track), &reader)
            },
            busList(names),
            dcaList(names),
        ]
    }

    private static func busList(_ names: StripNames) -> Field<Session> {
        .list(ListForm("buses", of: "bus", isOptional: true, limit: Session.maximumBuses) { $0.buses }) {
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
        }
    }

    private static func dcaList(_ names: StripNames) -> Field<Session> {
        .list(ListForm("dcas", of: "DCA", isOptional: true, limit: Session.maximumDCAs) { $0.dcas }) {
            DCA(name: StripNames.standard("dca", $0.dcas.count + 1))
        } table: {
            dcas(names)
        } take: { reader, session, dca, _ in
            let id = session.addDCA(named: dca.name)
            session.dcas[session.dcas.count - 1] = dca
            session.dcas[session.dcas.count - 1].strip.id = id
            names.check(dca.name, id, &reader)
        }
    }

    /// What belongs to the desk as a whole.
    private static func desk(_ names: StripNames) -> [Field<Session>] {
        [
            muteGroupList(names),
            .choice("soloMode", \.chosenSoloMode), .choice("directOuts", \.directOuts),
            .object("monitor", \.monitoring, omitted: Monitoring(), table: monitoring(names)),
            desks,
            .object("midi", \.midi, omitted: MIDIMap(), table: midi(names)),
        ]
    }

    private static func muteGroupList(_ names: StripNames) -> Field<Session> {
        .list(
            ListForm(
                "muteGroups", of: "mute group", isOptional: true, limit: MuteGroup.maximum,
                unique: { $0.name }
            ) { $0.muteGroups }
        ) { _ in
            MuteGroup(name: "")
        } table: {
            muteGroups(names)
        } take: { _, session, group, isWhole in
            if isWhole { session.muteGroups.append(group) }
        }
    }

    private static var desks: Field<Session> {
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
        }
    }

    private static func duckList(_ names: StripNames) -> Field<Session> {
        .list(ListForm("ducks", of: "duck", isOptional: true) { $0.ducks }) { _ in
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
                    reader.fault("under", "a duck names the track it lowers and the one it goes under")
                }
                return
            }
            checkKeys(of: duck, names, &reader)
            session.ducks.append(duck)
        }
    }

    /// What a duck goes under: no strip itself, clips only of tracks, a signal of one strip alone.
    private static func checkKeys(of duck: Duck, _ names: StripNames, _ reader: inout FieldReader) {
        if duck.keys.contains(duck.track) { reader.fault("under", "a track cannot duck under itself") }
        if duck.trigger == .clips, duck.keys.contains(where: { names.kind($0) != .track }) {
            reader.fault("under", "a bus has no clips: a duck under it goes by \"signal\"")
        }
        if duck.trigger == .signal, !duck.others.isEmpty {
            reader.fault("under", "a duck by \"signal\" goes under one strip: a bus that all of them go to")
        }
    }

    /// Ducks, scenes and markers.
    private static func timelineLists(_ names: StripNames) -> [Field<Session>] {
        [
            duckList(names),
            sceneList(names),
            .list(
                ListForm(
                    "markers", of: "marker", isOptional: true, limit: Marker.maximum, unique: { $0.name }
                ) { $0.markers }
            ) { _ in
                Marker(name: "", at: .zero)
            } table: {
                markers
            } take: { _, session, marker, isWhole in
                if isWhole { session.setMarker(marker) }
            },
        ]
    }

    private static func sceneList(_ names: StripNames) -> Field<Session> {
        .list(ListForm("scenes", of: "scene", isOptional: true, unique: { $0.name }) { $0.scenes }) { _ in
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
        }
    }

    private static let video = Field<Session>(name: "video") { reader, session in
        guard let object = reader.object("video") else { return }
        var (fields, video) = (
            FieldReader(object, place: "video", sampleRate: reader.sampleRate), Video(file: "")
        )
        if videos.read(&fields, into: &video) { session.video = video }
        reader.absorb(fields)
    } write: {
        $0.video.map(videos.json)
    }

    private static func connectionList(_ names: StripNames) -> Field<Session> {
        .list(
            ListForm("connections", of: "connection", isOptional: true, limit: PortLink.maximum) {
                $0.connections
            }
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
        }
    }

    /// The video, what is patched, and the master.
    private static func rest(_ names: StripNames) -> [Field<Session>] {
        [
            video, connectionList(names),
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

    static func connections(_ names: StripNames) -> FieldTable<PortLink> {
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
            Field(name: "file", required: "a video names a file", schema: .text) { reader, video in
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
            Field(name: "name", required: "a marker has a name", schema: .text) { reader, marker in
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
}
