import OSC
import Timeline

/// What a client asks for itself, and JackMiniMix.
extension CommandEntry {
    static let talk: [CommandEntry] = [
        .of(
            .at(
                "/subscribe", .action(),
                """
                sends changes to the sender for 10 s, each value at most HZ times a second (1 to 100; 30 \
                unless told); with HZ meters also come when they have not changed
                """), .subscription
        ) {
            .subscribe(pattern: $0.pattern, rate: $0.rate)
        } take: {
            if case .subscribe(let pattern, let rate) = $0 { (pattern, rate) } else { nil }
        }
        .question.live().overtaking(),
        .of(
            .at(
                "/unsubscribe", .action(),
                "ends the sender's subscription that was made with this same PATTERN, or all that it has"),
            optional(.text("PATTERN", "the pattern"))
        ) {
            .unsubscribe(pattern: $0)
        } take: {
            if case .unsubscribe(let pattern) = $0 { .some(pattern) } else { nil }
        }
        .question.live().overtaking(),
        .of(.at("/clear", .action(), "drops all messages whose time has not come, of every client"), .clear)
            .live(),
        .of(
            .at(
                "/ping", .action(Answer.pong),
                "answers /pong with the same number once all earlier messages of the sender are done"), .ping
        ) {
            .ping($0)
        } take: {
            if case .ping(let number) = $0 { .some(number) } else { nil }
        }
        .question,
        .of(
            .at(
                "/help", .told("ssss"), "an answer for each address: address, arguments, answer, what it is"
            ), optional(.text("ADDRESS", "the address"))
        ) {
            .help($0)
        } take: {
            if case .help(let address) = $0 { .some(address) } else { nil }
        }
        .question,
    ]

    /// The namespace of JackMiniMix, whose clients find a mixer here too. Gains are in dB; -90 and below is
    /// silence.
    static let miniMix: [CommandEntry] = [
        .of(
            .at("/mixer/get_channel_count", .told("i"), "JackMiniMix: answers /mixer/channel_count"),
            .miniMix(.count)
        )
        .question,
        .of(
            .at("/mixer/channel/get_gain", .told("if"), "JackMiniMix: answers /mixer/channel/gain, in dB"),
            .channel
        ) {
            .miniMix(.gain($0, nil))
        } take: {
            if case .miniMix(.gain(let channel, nil)) = $0 { channel } else { nil }
        }
        .question,
        .of(
            .at(
                "/mixer/channel/set_gain", .told("if"),
                "JackMiniMix: a fader in dB, -90 is silence; answers /mixer/channel/gain"),
            fields(.channel, .level)
        ) {
            .miniMix(.gain($0.0, $0.1))
        } take: {
            if case .miniMix(.gain(let channel, let level?)) = $0 { (channel, level) } else { nil }
        },
        .of(
            .at("/mixer/channel/get_label", .told("is"), "JackMiniMix: answers /mixer/channel/label"),
            .channel
        ) {
            .miniMix(.label($0, nil))
        } take: {
            if case .miniMix(.label(let channel, nil)) = $0 { channel } else { nil }
        }
        .question,
        .of(
            .at(
                "/mixer/channel/set_label", .told("is"),
                "JackMiniMix: a track's name; answers /mixer/channel/label"),
            fields(.channel, .text("s", "the label"))
        ) {
            .miniMix(.label($0.0, $0.1))
        } take: {
            if case .miniMix(.label(let channel, let label?)) = $0 { (channel, label) } else { nil }
        },
    ]
}

extension Field<(pattern: String, rate: Int?)> {
    fileprivate static let subscription = Field("[PATTERN [HZ]]") {
        (arguments: inout Arguments) throws(CommandError) in
        let pattern = arguments.isEmpty ? Subscription.everything : try arguments.text("the pattern")
        if arguments.isEmpty { return (pattern, nil) }
        let rate = try arguments.number("the rate")
        guard (1...Double(Subscription.maximumRate)).contains(rate) else {
            throw CommandError(
                "\(rate) is not a rate: it goes from 1 to \(Subscription.maximumRate) times a second")
        }
        return (pattern, Int(rate))
    } write: {
        [.string($0.pattern)] + ($0.rate.map { [.int32(Int32($0))] } ?? [])
    }
}

extension Field<Int32?> {
    fileprivate static let ping = Field("[i]") { (arguments: inout Arguments) throws(CommandError) in
        if arguments.isEmpty { return nil }
        let number = try arguments.number("the number")
        guard let whole = Int32(exactly: number) else {
            throw CommandError("\(number) is no whole number of 32 bits, which /pong could answer with")
        }
        return whole
    } write: { number in
        number.map { [.int32($0)] } ?? []
    }
}

extension Field<Int> {
    /// A track by its number.
    fileprivate static let channel = Field("i") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.channel()
    } write: {
        [.int32(Int32(clamping: $0))]
    }
}

extension Field<Double> {
    /// In dB.
    fileprivate static let level = Field("f") { (arguments: inout Arguments) throws(CommandError) in
        try arguments.level()
    } write: {
        [number($0)]
    }
}

extension Answer {
    /// The mixer's name and its version: "jmix 0.1.0".
    public static let version = AnswerKind("/version", .text)

    /// What else whoever asked should know: the command is done, but not all of it, or more than it says.
    public static let note = AnswerKind("/note", .text)

    public static func notes(_ texts: [String]) -> [Answer] { texts.map { note($0) } }

    /// What all who have subscribed should know.
    public static let notice = AnswerKind(
        "/notice",
        AnswerCoding<Notice>("ss", .list(of: .text)) {
            [.string($0.level), .string($0.text)]
        } read: {
            $0.compactMap(\.text).exactly(2).map { Notice(level: $0[0], text: $0[1]) }
        } values: {
            [.text($0.level), .text($0.text)]
        })

    public static let pong = AnswerKind(
        "/pong",
        AnswerCoding<Int32?>("i", .integer) {
            $0.map { [.int32($0)] } ?? []
        } read: { arguments in
            .some(arguments.first?.double.flatMap { Int32(exactly: $0) })
        } values: {
            $0.map { [.number(Int($0))] } ?? []
        })

    /// A line of the mixer's log.
    public struct Notice: Equatable, Sendable {
        /// warning or error.
        public let level: String
        public let text: String

        public init(level: String, text: String) { (self.level, self.text) = (level, text) }
    }
}
