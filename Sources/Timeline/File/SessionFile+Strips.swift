import JSON
import Speakers

/// Tracks, buses, DCAs and their parts in the session's file.
extension SessionFile {
    /// What every strip but the master begins with.
    static let named: [Field<Strip>] = [
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
            channels, .output("output", \.output, names), automixing, sendList(names),
        ]
    }

    private static var channels: Field<Strip> {
        Field(name: "channels") { reader, strip in
            if let layout = reader.layout("channels") { strip.layout = layout }
        } write: {
            $0.layout == .stereo ? nil : .number($0.layout.channels)
        }
    }

    private static func sendList(_ names: StripNames) -> Field<Strip> {
        .list(ListForm("sends", of: "send", isOptional: true, limit: Session.maximumSends) { $0.sends }) {
            _ in
            Send(to: .none)
        } table: {
            sends(names)
        } take: { reader, strip, send, isWhole in
            guard isWhole else { return }
            if strip.send(to: send.bus) != nil {
                return reader.fault("to", "there is a send to \"\(names.names[send.bus] ?? "")\" already")
            }
            strip.sends.append(send)
        }
    }

    private static func sends(_ names: StripNames) -> FieldTable<Send> {
        FieldTable(
            fields: [
                .strip("to", \.bus, names, kinds: [.bus], required: "a send says to which bus it goes"),
                .volume("volume", \.volume), .number("pan", \.pan, in: -1...1),
                .flag("mute", \.mute), .flag("pre", \.isPre), .flag("talkback", \.isTalkback, omitted: false),
                matrix,
                .automation("automation", \.automation),
                .lanes([.pan, .mute]) {
                    $0[automation: $1]
                } _: {
                    $0[automation: $1] = $2
                },
                .write(\.writing), .writes(\.writing, [.pan, .mute]),
            ], unknown: \.unknown)
    }

    private static var matrix: Field<Send> {
        Field(name: "matrix") {
            $1.matrix = $0.matrix("matrix")
        } write: {
            $0.matrix.map { .array($0.gains.map { .array($0.map { .number($0) }) }) }
        }
    }

    static func tracks(_ names: StripNames) -> FieldTable<Track> {
        FieldTable(
            fields: channel(names).map { $0.of(\.strip) } + [
                .time("fadeIn", \.fadeIn, omitted: .zero), .time("fadeOut", \.fadeOut, omitted: .zero),
                clipList,
                Field<Strip>.automation("automation", \.automation).of(\.strip),
                Field<Strip>.lanes.of(\.strip),
                Field<Strip>.writing[0].of(\.strip), Field<Strip>.writing[1].of(\.strip),
                input,
                .choice("monitor", \.monitor, omitted: .auto),
                arm,
            ], unknown: \.strip.unknown)
    }

    private static var clipList: Field<Track> {
        .list(ListForm("clips", of: "clip") { $0.clips }) { _ in
            Clip(file: "")
        } table: {
            clips
        } take: { _, track, clip, _ in
            // Also one without a file, so that the others keep their numbers.
            track.clips.append(clip)
        }
    }

    private static let input = Field<Track>(name: "input") { reader, track in
        guard let object = reader.object("input") else { return }
        var (fields, input) = (
            FieldReader(object, place: reader.place(of: "input"), sampleRate: reader.sampleRate), Input()
        )
        inputs.read(&fields, into: &input)
        reader.absorb(fields)
        track.input = input
    } write: {
        $0.input.map(inputs.json)
    }

    private static let arm = Field<Track>(name: "arm") { reader, track in
        track.isArmed = reader.flag("arm", default: false)
        if track.isArmed, track.input == nil {
            reader.fault("arm", "a track without an input has nothing to record")
            track.isArmed = false
        }
    } write: {
        $0.isArmed ? .bool(true) : nil
    }

    static let inputs = FieldTable<Input>(
        fields: [
            Field(name: "channels", schema: SpeakerLayout.schema) { reader, input in
                if let layout = reader.layout("channels") { input.channels = layout.channels }
            } write: {
                .number($0.channels)
            },
            Field(name: "connect", schema: .list(of: .text)) { reader, input in
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

    static func buses(_ names: StripNames) -> FieldTable<Strip> {
        FieldTable(
            fields: channel(names) + [automix, .automation("automation", \.automation), .lanes]
                + Field<Strip>.writing,
            unknown: \.unknown)
    }

    static func dcas(_ names: StripNames) -> FieldTable<DCA> {
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
}
