import OSC
import Speakers
import Timeline

/// Inputs and takes.
extension CommandEntry {
    static let recording: [CommandEntry] = [
        .of(
            .at(
                "/input/add", .action(Answer.addedInput),
                """
                a new track with an input from ports of other programs: one port is mono, heard on both \
                sides, two are stereo, a word sets the channels; answers its number
                """), fields(.name, .inputPorts), title: { "add input \($1.0)" }
        ) {
            .addInput($0.0, $0.1)
        } take: {
            if case .addInput(let name, let ports) = $0 { (name, ports) } else { nil }
        }
        .verb(.input),
        .of(
            .on(
                .track, name: "input", .value(Answer.input),
                """
                the ports that the track hears, connected whenever they are there: JSON, as in the session \
                file; off removes the input
                """),
            .input,
            title: { names, said in
                "\(said.value == .remove ? "remove input" : "input") of \(names.name(said.strip))"
            }
        ) { track, input in
            switch input {
            case .ask: .askInput(track)
            case .remove: .input(track, nil)
            case .hear(let ports): .input(track, ports)
            }
        } take: {
            switch $0 {
            case .askInput(let track): (track, .ask)
            case .input(let track, let ports): (track, ports.map { .hear($0) } ?? .remove)
            default: nil
            }
        },
        .of(
            .at(
                "/record", .value(Answer.record),
                """
                whether armed tracks record while the transport rolls: 1, 0, or 1 between two times or the \
                ends of the loop; answers 1 or 0, then from and to in seconds if there is a range
                """), .record
        ) {
            .record($0)
        } take: {
            if case .record(let recording) = $0 { .some(recording) } else { nil }
        }
        .verb(
            .recording, "record",
            """
            armed tracks record what comes in while the transport rolls: all of it, between the ends of the \
            loop, or between two times; each take becomes a clip; without a value: print it
            """,
            example: "record on"
        )
        .live(),
        .of(
            .at(
                "/recording", .value(Answer.recording),
                "1 while an armed track is being recorded"),
            .recording
        ).live(),
    ]
}

/// What becomes of a track's input.
private enum InputChange: Equatable {
    case ask, remove
    case hear(InputPorts)
}

extension Field<InputPorts> {
    fileprivate static let inputPorts = Field("[PORT ...] [mono · stereo · 5.1 · 7.1 · 7.1.4]") {
        (arguments: inout Arguments) throws(CommandError) in
        try arguments.inputPorts()
    } write: {
        $0.arguments
    }
}

extension Field<InputChange> {
    fileprivate static let input = Field("[PORT ...] [mono · stereo · 5.1 · 7.1 · 7.1.4] · off") {
        (arguments: inout Arguments) throws(CommandError) in
        if arguments.isEmpty { return .ask }
        if arguments.takes("off") { return .remove }
        return .hear(try arguments.inputPorts())
    } write: {
        switch $0 {
        case .ask: []
        case .remove: [.string("off")]
        case .hear(let ports): ports.arguments
        }
    }
    .asking { $0 == .ask }
}

extension Field<Recording?> {
    fileprivate static let record = Field(
        "switch · TIME TIME · loop", "[on | off | loop | T0 T1]"
    ) {
        (arguments: inout Arguments) throws(CommandError) in
        if arguments.isEmpty { return nil }
        if arguments.count > 1 { return .range(try arguments.time(), try arguments.time()) }
        if arguments.takes("loop") { return .loop }
        return try arguments.flag() ? .on : .off
    } parse: { (words: inout Words) throws(CommandError) in
        guard let first = words.first else { return nil }
        if first == "loop" || first == "on" || first == "off" {
            _ = try words.word("on, off or loop")
            return first == "on" ? .on : first == "off" ? .off : .loop
        }
        return .range(try words.time(), try words.time())
    } write: {
        switch $0 {
        case nil: []
        case .off: [.bool(false)]
        case .on: [.bool(true)]
        case .range(let start, let end): [argument(start), argument(end)]
        case .loop: [.string("loop")]
        }
    }
    .asking(isNothing)
}

extension Answer {
    /// nil: none.
    public static let input = AnswerKind("input", .document) { (input: Input?) in
        guard let input else { return ["no input"] }
        let ports = input.connect.filter { !$0.isEmpty }
        let source = ports.isEmpty ? "" : " from \(ports.joined(separator: ", "))"
        return [(SpeakerLayout(rawValue: input.channels)?.name ?? "mono") + source]
    }

    /// The number of a new track with an input.
    public static let addedInput = AnswerKind("/input/add", key: "number", .number)

    /// Whether any track is being recorded.
    public static let recording = AnswerKind("/recording", .flag)

    /// What armed tracks do while the transport rolls.
    public static let record = AnswerKind("/record", of: .record) { [$0.line] }
}
