import OSC
import Timeline

/// What is lowered while something else is heard.
extension CommandEntry {
    static let ducks: [CommandEntry] = [
        CommandEntry(
            addresses: [StripKind.track, .bus].map { duck("\($0.root)/duck") } + [
                .action(
                    "/duck", "TARGET UNDER V ... · TARGET hand V ...", "a duck of TARGET, as /track/N/duck"
                ) {
                    _, arguments throws(CommandError) in
                    try arguments.duck(try arguments.strip())
                }
            ]
        ) {
            $0.duckArguments.map { [OSCMessage("/duck", $0)] }
        } title: { command, names in
            switch command {
            case .duck(let track, let under, _, _, _): "duck \(names.name(track)) under \(names.name(under))"
            case .duckByHand(let track, _, _, _): "duck \(names.name(track)) by hand"
            case .duckBySignal(let track, let under, _, _):
                "duck \(names.name(track)) under \(names.name(under)) by signal"
            default: nil
            }
        }
        .verb(.duck),
        .of(.at("/ducks", .value(Answer.ducks), "all ducks: JSON, as in the session file"), .ducks)
            .verb(.timeline, "ducks", "list the ducks", example: "ducks"),
    ]

    private static func duck(_ path: String) -> Address {
        .value(
            path,
            """
            switch · UNDER V [ATTACK [RELEASE]] · UNDER V signal [threshold f] [attack DURATION] \
            [hold DURATION] [release DURATION] [lookahead DURATION] · hand V [ATTACK [RELEASE]]
            """,
            answers: "i",
            """
            UNDER V: lowers the strip to V while UNDER has a clip, within attack and back within release \
            (500 ms each unless told). signal: while the level of UNDER is above threshold (-40 dB; attack \
            10 ms, hold 300 ms, release 500 ms; lookahead 0, at most 1 s; at most 16 a strip). hand: while \
            its switch is 1; without a duck by hand 1 is refused, and 0 does nothing. V 1 removes the duck
            """
        ) { subject, arguments throws(CommandError) in
            if arguments.isEmpty { return .ask(subject.strip, .duck) }
            if arguments.count == 1 {
                return .set(subject.strip, .duck, try arguments.value(.flag, of: "duck"))
            }
            return try arguments.duck(subject.strip)
        }
    }
}

extension Command {
    /// Behind `/duck`.
    fileprivate var duckArguments: [OSCArgument]? {
        switch self {
        case .duck(let track, let under, let volume, let attack, let release):
            [.string(track.text), .string(under.text), number(volume)] + Self.times(attack, release)
        case .duckByHand(let track, let volume, let attack, let release):
            [.string(track.text), .string("hand"), number(volume)] + Self.times(attack, release)
        case .duckBySignal(let track, let under, let volume, let words):
            [.string(track.text), .string(under.text), number(volume)] + words.arguments
        default: nil
        }
    }

    /// The release stands after the attack, so it brings the attack along.
    private static func times(_ attack: TimeSpec?, _ release: TimeSpec?) -> [OSCArgument] {
        [attack ?? release.map { _ in .time(Duck.defaultTime) }, release].compactMap { $0.map(argument) }
    }
}

extension Arguments {
    fileprivate mutating func duck(_ track: StripReference) throws(CommandError) -> Command {
        if takes("hand") {
            return .duckByHand(
                track, to: try volume(), attack: isEmpty ? nil : try time(),
                release: isEmpty ? nil : try time())
        }
        let (under, volume) = (try strip(), try volume())
        if takes("signal") {
            return .duckBySignal(track, under: under, to: volume, try SignalDuckWords(&self))
        }
        return .duck(
            track, under: under, to: volume, attack: isEmpty ? nil : try time(),
            release: isEmpty ? nil : try time())
    }
}
