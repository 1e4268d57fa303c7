import JSON
import OSC
import Timeline

/// What plays, and where.
extension CommandEntry {
    static let transport: [CommandEntry] = [
        button(.at("/transport/play", .action(), "rolls from where it stands"), .play)
            .verb(.transport, "play", "roll from where it stands", example: "play").live(),
        .of(
            .at(
                "/transport/stop", .action(),
                """
                stops, with a fade of 5 ms; \
                DURATION, as a string: fades to silence first, faders as before
                """),
            .fadeOrPressed
        ) {
            $0.isPressed ? .stop(over: $0.over) : .nothing
        } take: {
            if case .stop(let time) = $0 { (true, time) } else { nil }
        }
        .verb(
            .transport, "stop",
            "stop playing; with DURATION: fade to silence first, faders as before", example: "stop 3s"
        )
        .live().overtaking(),
        .of(
            .at(
                "/silenced", .value(Answer.silenced),
                """
                1 while a panic, or a stop with a DURATION, keeps the mix silent; 0 makes the mix audible \
                again, 1 starts a panic
                """),
            asked(.onOff)
        ) {
            .silenced($0)
        } take: {
            if case .silenced(let flag) = $0 { .some(flag) } else { nil }
        }
        .verb(.silenced).live(),
        .of(
            .at(
                "/panic", .action(),
                """
                silences the mix in half a second, or in DURATION (a string or an h), and stops it, whatever \
                is held or pending; it stays silent until play, stop or /silenced 0; the faders do not move
                """), .fadeOrPressed
        ) {
            $0.isPressed ? .panic(over: $0.over) : .nothing
        } take: {
            if case .panic(let time) = $0 { (true, time) } else { nil }
        }
        .verb(.panic).live().overtaking(),
        .of(
            .at("/transport/locate", .action(), "goes to a time, to a marker or the end, or by +5s or -5s"),
            .place
        ) {
            .locate($0)
        } take: {
            if case .locate(let place) = $0 { place } else { nil }
        }
        .verb(
            .transport, "locate",
            """
            go to a time or a marker; or by +5s or -5s from where it stands, or to end, where the last clip \
            ends
            """,
            example: "locate 1:30"
        )
        .live(),
        .of(
            .at(
                "/transport/loop", .value(Answer.loop),
                """
                two times: loops this range; 1 or on: loops the session; 0 or off: no loop; answers from and \
                to in seconds, or F without a loop
                """), .loop
        ) {
            $0
        } take: {
            switch $0 {
            case .loop, .loopOn, .loopOff, .askLoop: $0
            default: nil
            }
        }
        .verb(
            .transport, "loop",
            "play a stretch round and round; on: all of the session; without a value: print it",
            example: "loop 4s 8s"
        )
        .live(),
        .of(
            .at("/transport/stopatend", .value(Answer.stopsAtEnd), "stops where the last clip ends"),
            asked(.onOff)
        ) {
            .stopAtEnd($0)
        } take: {
            if case .stopAtEnd(let flag) = $0 { .some(flag) } else { nil }
        }
        .verb(
            .transport, "stop-at-end", "stop where the last clip ends; without a value: print it",
            example: "stop-at-end on"
        )
        .live(),
        position.verb(
            Verb(.transport, "position", "where the playhead stands", example: "position") {
                _ throws(CommandError) in .position
            }
        ).live(),
        .of(.at("/transport/state", .value(Answer.state), "rolling or stopped"), .state).live(),
        .of(verb: .wait),
    ]

    /// Who asks where it is asks whether it rolls too; waiting for a place is asking where it is.
    private static let position = CommandEntry(
        addresses: [
            AddressEntry.at(
                "/transport/position", .value(Answer.position), "frame at the session's rate, seconds"
            ).address("") { _, _ throws(CommandError) in .position }
        ], asks: { $0 == .position }
    ) {
        switch $0 {
        case .position: [OSCMessage("/transport/position"), OSCMessage("/transport/state")]
        case .waitUntil: [OSCMessage("/transport/position")]
        default: nil
        }
    }
}

extension Field<(isPressed: Bool, over: TimeSpec?)> {
    /// A button, or the time that something takes.
    fileprivate static let fadeOrPressed = Field("[switch · DURATION]", "[DURATION]") {
        (arguments: inout Arguments) throws(CommandError) in
        if let time = try arguments.writtenTime() { return (true, time) }
        return (try arguments.isPressed(), nil)
    } parse: { (words: inout Words) throws(CommandError) in
        (true, words.isEmpty ? nil : try words.time())
    } write: {
        $0.over.map { [written($0)] } ?? []
    }
}

extension Field<Command> {
    /// Two times, a switch, or nothing.
    fileprivate static let loop = Field(
        "TIME TIME · switch · on · off", "[T0 T1 | on | off]"
    ) {
        (arguments: inout Arguments) throws(CommandError) in
        if arguments.isEmpty { return .askLoop }
        // Alone, 0 and 1 are a switch; before another time they are one.
        if arguments.count == 1 {
            let start = arguments
            if let flag = try? arguments.flag() { return flag ? .loopOn : .loopOff }
            arguments = start
            if let text = try? arguments.text("on or off"), text == "on" || text == "off" {
                return text == "on" ? .loopOn : .loopOff
            }
            arguments = start
        }
        return .loop(from: try arguments.time(), to: try arguments.time())
    } parse: { (words: inout Words) throws(CommandError) in
        if words.isEmpty { return .askLoop }
        if words.first == "on" || words.first == "off" { return try words.onOff() ? .loopOn : .loopOff }
        return .loop(from: try words.time(), to: try words.time())
    } write: {
        switch $0 {
        case .loop(let start, let end): [argument(start), argument(end)]
        case .loopOn: [.bool(true)]
        case .loopOff: [.bool(false)]
        default: []
        }
    }
    .asking { $0 == .askLoop }
}

extension Answer {
    public static let state = AnswerKind("/transport/state", key: "state", AnswerCoding<TransportWord>.word)
    public static let position = AnswerKind("/transport/position", key: "position", .position)

    /// In seconds; nil: no loop.
    public static let loop = AnswerKind("/transport/loop", key: "loop", .loop)

    public static let stopsAtEnd = AnswerKind("/transport/stopatend", key: "stopAtEnd", .flag)
    /// A panic holds.
    public static let silenced = AnswerKind("/silenced", .flag)
}

/// Where it plays.
public struct TransportPosition: Equatable, Sendable {
    /// At the session's rate.
    public let frame: Int64
    public let seconds: Double

    public init(frame: Int64, seconds: Double) { (self.frame, self.seconds) = (frame, seconds) }
}

extension AnswerCoding<TransportPosition> {
    fileprivate static let position = AnswerCoding("hd", .integer) {
        [.int64($0.frame), .double($0.seconds)]
    } read: { arguments in
        guard arguments.count == 2, case .int64(let frame) = arguments[0], let seconds = arguments[1].double,
            seconds.isFinite
        else { return nil }
        return TransportPosition(frame: frame, seconds: seconds)
    } values: {
        [.number(Int($0.frame)), .number($0.seconds)]
    }
}

extension AnswerCoding<ClosedRange<Double>?> {
    /// From and to in seconds, or a switch that is off.
    fileprivate static let loop = AnswerCoding(
        "dd", .any(of: [.one(of: [false]), .list(of: .number, count: 2...2)])
    ) { range in
        range.map { [.double($0.lowerBound), .double($0.upperBound)] } ?? [.bool(false)]
    } read: { arguments in
        if arguments == [.bool(false)] { return .some(nil) }
        return ClosedRange(arguments[...]).map { .some($0) }
    } values: {
        $0.map { [.number($0.lowerBound), .number($0.upperBound)] } ?? [PlainValue(text: "off", json: false)]
    }
}
