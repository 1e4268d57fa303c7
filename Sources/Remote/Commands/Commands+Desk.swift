import OSC
import Speakers
import Timeline

/// Buses, DCAs, sends, and what several strips have in common.
extension CommandEntry {
    static let desk: [CommandEntry] = buses + sends + muteGroups + dcas

    private static let buses: [CommandEntry] = [
        .of(
            .at(
                "/bus/add", .action(Answer.added(.bus)),
                "a new bus, of 1, 2, 6, 8 or 12 channels, 2 unless told; answers its number"),
            fields(.name, .channels), title: { "add bus \($1.0)" }
        ) {
            .addBus($0.0, $0.1)
        } take: {
            if case .addBus(let name, let layout) = $0 { (name, layout) } else { nil }
        }
        .verb(.bus),
        .of(.at("/buses", .value(Answer.buses), "all buses: JSON, as jmixctl --json prints it"), .buses)
            .verb(.desk, "buses", "list the buses", example: "buses"),
        remove(.bus, "removes a bus and the sends to it; what went out through it goes to the master"),
        .of(
            .at(
                "/solomode", .value(Answer.soloMode),
                """
                in-place: solo silences the other strips; afl, pfl: the mix stays, and the ports monitor_1 \
                and monitor_2 play the strips on solo, after the fader (afl) or before it (pfl)
                """), .soloMode, title: { "solo mode \($1?.rawValue ?? "")" }
        ) {
            .soloMode($0)
        } take: {
            if case .soloMode(let mode) = $0 { .some(mode) } else { nil }
        }
        .verb(
            .faders, "solo-mode",
            """
            what solo does: in place, or the mix stays and what is on solo is played on the ports monitor_1 \
            and _2, behind its fader (afl) or before it (pfl); without a value: print it
            """,
            example: "solo-mode pfl"),
    ]

    private static let sends: [CommandEntry] = [
        send(
            "", .sendSettings,
            """
            sets the send to BUS: its level, pre or post fader, and its matrix; a level makes the send if \
            there is none
            """,
            title: { "send from \($0) to \($1)" }
        ) {
            .send($0.strip, $0.bus, settings: $0.value)
        } take: {
            if case .send(let strip, let bus, let settings) = $0 { (strip, bus, settings) } else { nil }
        }
        .verb(.send),
        .of(.on(.track, .bus, name: "sends", .value(Answer.sends), "its sends: JSON"), .nothing) { strip, _ in
            .sends(strip)
        } take: {
            if case .sends(let strip) = $0 { (strip, ()) } else { nil }
        }
        .verb(.desk, "sends", "list a strip's sends", example: "sends voice"),
        send(
            "/remove", .nothing, "takes the send to BUS away", title: { "remove send from \($0) to \($1)" }
        ) {
            .removeSend($0.strip, $0.bus)
        } take: {
            if case .removeSend(let strip, let bus) = $0 { (strip, bus, ()) } else { nil }
        },
    ]

    /// What a command of a send says: whose it is, where it goes, and what follows.
    private typealias OfSend<Value> = (strip: StripReference, bus: Selector, value: Value)

    /// A command about a send.
    private static func send<Value>(
        _ name: String, _ field: Field<Value>, _ summary: String,
        title: @escaping @Sendable (_ strip: String, _ bus: String) -> String,
        make: @escaping @Sendable (OfSend<Value>) -> Command,
        take: @escaping @Sendable (Command) -> OfSend<Value>?
    ) -> CommandEntry {
        CommandEntry(
            addresses: [StripKind.track, .bus].map { kind in
                .action("\(kind.root)/send/BUS\(name)", field.osc, summary) {
                    subject, arguments throws(CommandError) in
                    make((subject.strip, subject.bus, try field.read(&arguments)))
                }
            }
        ) {
            take($0).map { [$0.strip.message("send/\($0.bus.text)\(name)", field.write($0.value))] }
        } title: { command, names in
            take(command).map { title(names.name($0.strip), $0.bus.text) }
        }
    }

    private static let muteGroups: [CommandEntry] = [
        .of(
            .at(
                "/mutegroups", .value(Answer.muteGroups),
                "buttons that silence several strips at once: JSON"),
            .muteGroups
        )
        .verb(.muteGroup),
        .of(
            .at("/mutegroup", .action(), "silences the strips of a mute group, or lets them be heard again"),
            fields(.name, .onOff), title: { "mute group \($1.0) \($1.1 ? "on" : "off")" }
        ) {
            .muteGroup($0.0, .turn($0.1))
        } take: {
            if case .muteGroup(let name, .turn(let flag)) = $0 { (name, flag) } else { nil }
        },
        .of(
            .at(
                "/mutegroup/members", .action(),
                """
                sets the members of a mute group, and makes the group if there is none; T or F also switches \
                it on or off
                """),
            fields(.name, .members), title: { "mute group \($1.0)" }
        ) {
            .muteGroup($0.0, .members($0.1.strips, isOn: $0.1.isOn))
        } take: {
            if case .muteGroup(let name, .members(let strips, let isOn)) = $0 {
                (name, (strips, isOn))
            } else {
                nil
            }
        },
        .of(
            .at("/mutegroup/remove", .action(), "takes a mute group away"), .name,
            title: { "remove mute group \($1)" }
        ) {
            .muteGroup($0, .remove)
        } take: {
            if case .muteGroup(let name, .remove) = $0 { name } else { nil }
        },
    ]

    private static let dcas: [CommandEntry] = [
        .of(
            .at(
                "/dca/add", .action(Answer.added(.dca)),
                "a new DCA, with strips that hang on it; answers its number"),
            fields(.name, .strips), title: { "add DCA \($1.0)" }
        ) {
            .addDCA($0.0, $0.1)
        } take: {
            if case .addDCA(let name, let members) = $0 { (name, members) } else { nil }
        }
        .verb(.dca),
        .of(.at("/dcas", .value(Answer.dcas), "all DCAs: JSON, as jmixctl --json prints it"), .dcas)
            .verb(.faders, "dcas", "list the DCAs, and what hangs on them", example: "dcas"),
        assign(
            "assign", "to", true,
            "hangs strips on a DCA, which multiplies their faders, and mutes them with its own mute"),
        assign("unassign", "from", false, "takes strips off a DCA"),
        remove(.dca, "removes a DCA"),
    ]

    private static func assign(
        _ word: String, _ preposition: String, _ isMember: Bool, _ summary: String
    ) -> CommandEntry {
        .of(
            .on(.dca, name: word, .action(), summary), .someStrips,
            title: { names, said in
                let members = said.value.map(names.name).joined(separator: ", ")
                return "\(word) \(members) \(preposition) \(names.name(said.strip))"
            }
        ) {
            .assign($0, $1, isMember)
        } take: {
            if case .assign(let dca, let strips, isMember) = $0 { (dca, strips) } else { nil }
        }
    }
}

extension Field<(strips: [StripReference], isOn: Bool?)> {
    /// Strips, and behind them whether their group is on.
    fileprivate static let members = Field("STRIP ... [T · F]") {
        (arguments: inout Arguments) throws(CommandError) in
        let isOn = arguments.takeLastSwitch()
        return (try arguments.strips(), isOn)
    } write: {
        $0.strips.map { .string($0.text) } + ($0.isOn.map { [.bool($0)] } ?? [])
    }
}

extension Field<SpeakerLayout> {
    fileprivate static let channels = Field("[CHANNELS]") {
        (arguments: inout Arguments) throws(CommandError) in
        arguments.isEmpty ? .stereo : try arguments.layout()
    } write: {
        $0 == .stereo ? [] : [.int32(Int32($0.channels))]
    }
}

extension Field<SoloMode?> {
    fileprivate static let soloMode = Field.word(
        "in-place · afl · pfl", "in-place, afl or pfl", Words.soloMode)
}

extension Field<[SendSetting]> {
    fileprivate static let sendSettings = Field("[V] [pre · post] [matrix MATRIX]") {
        (arguments: inout Arguments) throws(CommandError) in
        try arguments.sendSettings()
    } write: { settings in
        settings.flatMap(\.arguments)
    }
}

extension Answer {
    /// A new strip.
    public static func added(_ place: StripPlace) -> Answer { added(place.kind)(place.number) }

    /// The number of a new strip of that kind.
    public static func added(_ kind: StripKind) -> AnswerKind<Int> {
        AnswerKind("/\(kind.rawValue)/add", key: "number", .number)
    }

    public static let soloMode = AnswerKind("/solomode", key: "soloMode", AnswerCoding<SoloMode>.word)
}
