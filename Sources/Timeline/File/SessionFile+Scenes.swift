import JSON

/// Scenes in the session's file.
extension SessionFile {
    static func scenes(_ names: StripNames) -> FieldTable<Scene> {
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
                sceneOfMaster(names),
                .isWired,
            ], unknown: \.unknown)
    }

    private static func sceneOfMaster(_ names: StripNames) -> Field<Scene> {
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
        }
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
            part[keyPath: path] = processors(object, table, &reader)
        } write: { part in
            guard var processors = part[keyPath: path] else { return nil }
            processors.gate?.key = nil
            processors.compressor?.key = nil
            var strip = Timeline.Strip(name: "")
            (strip.processors, strip.unknown) = (processors, processors.unknown)
            return table.json(strip)
        }
    }

    private static func processors(
        _ object: JSONObject, _ table: FieldTable<Timeline.Strip>, _ reader: inout FieldReader
    ) -> Processors {
        var (fields, strip) = (
            FieldReader(object, place: reader.place(of: "processors"), sampleRate: reader.sampleRate),
            Timeline.Strip(name: "")
        )
        table.read(&fields, into: &strip)
        reader.absorb(fields)
        var read = strip.processors
        read.unknown = strip.unknown
        return read
    }

    /// A strip's line in a scene.
    private struct SceneEntry {
        var id: StripID
        var strip: Scene.Strip
    }

    /// Strips of one kind in a scene, in the order of their numbers.
    private static func sceneEntries(_ name: String, _ kind: StripKind, _ names: StripNames) -> Field<Scene> {
        .list(
            ListForm(name, of: kind.rawValue, isOptional: kind != .track) { scene in
                names.order(kind).compactMap { id in scene.strips[id].map { SceneEntry(id: id, strip: $0) } }
            }
        ) { _ in
            SceneEntry(id: .none, strip: Scene.Strip(fader: 1, pan: 0, mute: false))
        } table: {
            sceneEntry(kind, names)
        } take: { reader, scene, entry, isWhole in
            guard isWhole else { return }
            if scene.strips[entry.id] != nil {
                return reader.fault(
                    kind.rawValue, "\"\(names.names[entry.id] ?? "")\" is in the scene already")
            }
            scene.strips[entry.id] = entry.strip
        }
    }

    private static func sceneEntry(_ kind: StripKind, _ names: StripNames) -> FieldTable<SceneEntry> {
        let pan: [Field<SceneEntry>] = kind == .dca ? [] : [.number("pan", \.strip.pan, in: -1...1)]
        return FieldTable(
            fields: [
                .strip(
                    kind.rawValue, \.id, names, kinds: [kind],
                    required: "a scene says of which \(kind.rawValue) it speaks"),
                .volume("fader", \.strip.fader),
            ] + pan + Field<SceneEntry>.wiring(\.strip.wiring, kind, names) + [
                .flag("mute", \.strip.mute), sceneProcessors(\.strip.processors, names),
                sceneSendList(names),
            ], unknown: \.strip.unknown)
    }

    private struct SceneSend {
        var bus: StripID
        var send: Scene.Send
    }

    private static func sceneSendList(_ names: StripNames) -> Field<SceneEntry> {
        .list(
            ListForm("sends", of: "send", isOptional: true) { entry in
                names.order(.bus).compactMap { id in
                    entry.strip.sends[id].map { SceneSend(bus: id, send: $0) }
                }
            }
        ) { _ in
            SceneSend(bus: .none, send: Scene.Send(volume: 1, pan: 0, mute: false))
        } table: {
            sceneSends(names)
        } take: { _, entry, send, isWhole in
            if isWhole { entry.strip.sends[send.bus] = send.send }
        }
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
}
