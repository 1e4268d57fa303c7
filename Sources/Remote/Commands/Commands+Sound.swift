import OSC
import Timeline

/// What a strip's sound goes through.
extension CommandEntry {
    static let sound: [CommandEntry] = [equaliser] + DynamicsKind.allCases.map(dynamics)

    private static let equaliser: CommandEntry = .of(
        .on(
            .track, .bus, .master, name: "eq", .value(Answer.equaliser),
            """
            its equaliser: JSON, as in the session file; clear removes it; WORD is hp, 2/gain and the like, \
            each with its value: one step to undo
            """), .equaliser,
        title: { names, said in
            "\(said.value == .clear ? "clear eq" : "eq") of \(names.name(said.strip))"
        }
    ) { strip, change in
        change.map { .equalise(strip, $0) } ?? .askEqualiser(strip)
    } take: {
        switch $0 {
        case .askEqualiser(let strip): (strip, nil)
        case .equalise(let strip, let change): (strip, change)
        default: nil
        }
    }
    .verb(.equaliser)

    private static func dynamics(_ kind: DynamicsKind) -> CommandEntry {
        let first = DynamicsControl(kind, .parameter(kind.positions[0]))
        return .of(
            .on(
                .track, .bus, .master, name: kind.rawValue, .value(Answer.dynamics(kind)),
                """
                its \(kind.name): JSON, as in the session file; \
                \(kind == .limit ? "a number is its level; " : "")on and off switch it, clear removes it; \
                WORD is \(first.word), \
                release and the like, each with its value: one step to undo
                """), .dynamics(kind),
            title: { names, said in
                "\(said.value == .clear ? "clear " : "")\(kind.rawValue) of \(names.name(said.strip))"
            }
        ) { strip, change in
            change.map { .setDynamics(strip, kind, $0) } ?? .askDynamics(strip, kind)
        } take: {
            switch $0 {
            case .askDynamics(let strip, kind): (strip, nil)
            case .setDynamics(let strip, kind, let change): (strip, change)
            default: nil
            }
        }
        .verb(.dynamics(kind))
    }
}

extension Field<EqualiserChange?> {
    /// Words, each with its value; nothing asks.
    fileprivate static let equaliser = Field("clear · WORD VALUE ...") {
        (arguments: inout Arguments) throws(CommandError) in
        if arguments.isEmpty { return nil }
        var settings: [EqualiserSetting] = []
        while !arguments.isEmpty {
            let word = try arguments.text("what of the equaliser is meant")
            if word == "clear", settings.isEmpty, arguments.isEmpty { return .clear }
            guard let control = EqualiserControl.all.first(where: { $0.path == word }) else {
                throw CommandError(
                    """
                    an equaliser has no "\(word)": \
                    \(EqualiserControl.all.map(\.path).joined(separator: ", "))
                    """
                )
            }
            settings.append(EqualiserSetting(control, try arguments.value(control.kind, of: word)))
        }
        return .set(settings)
    } write: {
        switch $0 {
        case nil: []
        case .clear: [.string("clear")]
        case .set(let settings):
            settings.flatMap { [.string($0.control.path)] + $0.value.exactArguments }
        }
    }
    .asking(isNothing)
}

extension Field<DynamicsChange?> {
    /// The same of a gate, a compressor or a limiter.
    fileprivate static func dynamics(_ kind: DynamicsKind) -> Field {
        Field(
            kind == .limit ? "f · off · clear · WORD VALUE ..." : "clear · WORD VALUE ..."
        ) {
            (arguments: inout Arguments) throws(CommandError) in
            arguments.isEmpty ? nil : try arguments.dynamics(kind)
        } write: {
            switch $0 {
            case nil: []
            case .clear: [.string("clear")]
            case .set(let settings):
                settings.flatMap { [.string($0.control.word)] + $0.value.exactArguments }
            }
        }
        .asking(isNothing)
    }
}

extension Arguments {
    fileprivate mutating func dynamics(_ kind: DynamicsKind) throws(CommandError) -> DynamicsChange {
        var settings = try kind == .limit && isNumber ? limit() : []
        while !isEmpty {
            let word = try text("what of the \(kind.name) is meant")
            if word == "clear", settings.isEmpty, isEmpty { return .clear }
            if ["on", "off"].contains(word), isEmpty {
                settings.append(DynamicsPart(DynamicsControl(kind, .on), .flag(word == "on")))
                continue
            }
            guard let control = DynamicsControl.all(kind).first(where: { $0.word == word }) else {
                throw CommandError(
                    """
                    a \(kind.name) has no "\(word)": \
                    \(DynamicsControl.all(kind).map(\.word).joined(separator: ", "))
                    """
                )
            }
            settings.append(DynamicsPart(control, try value(control.controlKind, of: word)))
        }
        return .set(settings)
    }

    /// A limiter is switched on by its ceiling alone.
    private mutating func limit() throws(CommandError) -> [DynamicsPart] {
        let ceiling = DynamicsControl(.limit, .parameter(DynamicsKind.limit.positions[0]))
        return [
            DynamicsPart(ceiling, try value(ceiling.controlKind, of: ceiling.word)),
            DynamicsPart(DynamicsControl(.limit, .on), .flag(true)),
        ]
    }
}

extension Answer {
    /// nil: there is none.
    public static let equaliser = AnswerKind("eq", .document) { (equaliser: Equaliser?) in
        guard let equaliser else { return ["no equaliser"] }
        return [equaliser.isOn.word] + equaliser.passLines + equaliser.bandLines
    }
}

extension Equaliser {
    /// A line for each part of it that does something.
    fileprivate var passLines: [String] {
        [("high pass", highPass), ("low pass", lowPass)].compactMap { name, pass in
            pass.map { "\(name)  \($0.frequency.short) Hz  \($0.slope.rawValue) dB/octave" }
        }
    }

    fileprivate var bandLines: [String] {
        bands.enumerated().filter { $0.element.gain != 0 }.map { index, band in
            """
            band \(index + 1)  \(band.type.rawValue)  \(band.frequency.short) Hz  \(band.gain.short) \
            dB\(band.quality.map { "  q \($0.short)" } ?? "")
            """
        }
    }
}
