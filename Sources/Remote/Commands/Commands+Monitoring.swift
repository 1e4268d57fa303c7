import OSC
import Timeline

/// The sound in the control room, and what a bus shares out.
extension CommandEntry {
    static let monitoring: [CommandEntry] =
        [.of(verb: .talkback)] + MonitorControl.allCases.flatMap(ofMonitor) + [soundcheck]
        + automixes

    private static func ofMonitor(_ control: MonitorControl) -> [CommandEntry] {
        let value: CommandEntry = .of(
            .at(control.address, .value(Answer.monitoring(control)), control.summary),
            asked(
                .value(control.kind, control.rawValue)
                    .named(control == .source ? "STRIP · master · solo" : control.kind.arguments)),
            title: { _, value in value.map(control.title) ?? "" }
        ) {
            .monitoring(control, $0)
        } take: {
            if case .monitoring(control, let value) = $0 { .some(value) } else { nil }
        }
        let step: CommandEntry = .of(
            .at("\(control.address)/by", .action(), control.kind.stepSummary),
            .step(control.kind, control.rawValue),
            title: { names, _ in control.title(names.value(of: control)) }
        ) {
            .nudgeMonitor(control, by: $0)
        } take: {
            if case .nudgeMonitor(control, let step) = $0 { step } else { nil }
        }
        // One verb for all of them.
        let first = control == MonitorControl.allCases.first ? value.verb(.monitor) : value
        return control.kind.isMoved ? [step, first] : [first]
    }

    private static let soundcheck: CommandEntry = .of(
        .at(
            "/soundcheck", .value(Answer.soundcheck),
            """
            tracks with an input and takes play their takes instead of the input; refused while something is \
            being recorded
            """),
        asked(.onOff)
    ) {
        .soundcheck($0)
    } take: {
        if case .soundcheck(let flag) = $0 { .some(flag) } else { nil }
    }
    .verb(
        .desk, "soundcheck",
        "hear what inputs have recorded; in place of what comes in now; without a word: whether it is",
        example: "soundcheck on")

    private static let automixes: [CommandEntry] = [
        .of(
            .on(
                .bus, name: "automix", .value(Answer.automix),
                """
                the automix of the bus and its members: JSON; clear removes it; WORD is on, attack or \
                release, each with its value: one step to undo
                """), .automix,
            title: { names, said in
                "\(said.value == .clear ? "clear automix" : "automix") of \(names.name(said.strip))"
            }
        ) { bus, change in
            switch change {
            case .ask: .askAutomix(bus)
            case .clear: .clearAutomix(bus)
            case .set(let settings): .automix(bus, member: nil, settings)
            }
        } take: {
            switch $0 {
            case .askAutomix(let bus): (bus, .ask)
            case .clearAutomix(let bus): (bus, .clear)
            case .automix(let bus, member: nil, let settings): (bus, .set(settings))
            default: nil
            }
        }
        .verb(.automix),
        .of(
            .on(
                .bus, name: "automix/member", .action(),
                """
                how a member takes part in the automix of the bus: WORD is weight, priority or in, each with \
                its value: one step to undo
                """
            ), fields(.strip, .automixSettings(isOfBus: false)),
            title: { "automix of \($0.name($1.value.0)) in \($0.name($1.strip))" }
        ) {
            .automix($0, member: $1.0, $1.1)
        } take: {
            if case .automix(let bus, let member?, let settings) = $0 {
                (bus, (member, settings))
            } else {
                nil
            }
        },
    ]
}

/// What becomes of a bus's automix.
private enum AutomixChange: Equatable {
    case ask, clear
    case set([AutomixSetting])
}

extension Field<AutomixChange> {
    fileprivate static let automix = Field("clear · WORD VALUE ...") {
        (arguments: inout Arguments) throws(CommandError) in
        if arguments.isEmpty { return .ask }
        if arguments.takes("clear") { return .clear }
        return .set(try Field<[AutomixSetting]>.automixSettings(isOfBus: true).read(&arguments))
    } write: {
        switch $0 {
        case .ask: []
        case .clear: [.string("clear")]
        case .set(let settings): Field<[AutomixSetting]>.automixSettings(isOfBus: true).write(settings)
        }
    }
    .asking { $0 == .ask }
}

extension Field<[AutomixSetting]> {
    /// Words, each with its value.
    fileprivate static func automixSettings(isOfBus: Bool) -> Field {
        Field("WORD VALUE ...") { (arguments: inout Arguments) throws(CommandError) in
            var settings: [AutomixSetting] = []
            let known = AutomixControl.allCases.filter { $0.isOfBus == isOfBus && $0 != .gain }
            while !arguments.isEmpty {
                let word = try arguments.text("what of the automix is meant")
                guard let control = known.first(where: { $0.rawValue == word }) else {
                    throw CommandError(
                        "\"\(word)\" is none of \(known.map(\.rawValue).joined(separator: ", "))")
                }
                settings.append(AutomixSetting(control, try arguments.value(control.kind, of: word)))
            }
            return settings
        } write: { settings in
            settings.flatMap { [.string($0.control.rawValue)] + $0.value.exactArguments }
        }
    }
}

extension Answer {
    /// Inputs are replaced by what they have recorded.
    public static let soundcheck = AnswerKind("/soundcheck", .flag)

    /// What a control of the control room is set to.
    public static func monitoring(_ control: MonitorControl) -> AnswerKind<ControlValue> {
        AnswerKind(control.address, key: control.rawValue, .value(control.kind))
    }
}
