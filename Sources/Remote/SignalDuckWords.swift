import OSC
import Timeline

/// What is asked of a duck by signal beside whom it lowers, under whom and how far; nil: as it is unless
/// told.
public struct SignalDuckWords: Equatable, Sendable {
    /// In dB.
    public var threshold: Double?
    public var attack: TimeSpec?
    public var hold: TimeSpec?
    public var release: TimeSpec?
    public var lookahead: TimeSpec?

    /// None of them is given in the shell.
    static let names = ["--threshold", "--hold", "--lookahead"]

    /// Sets what is asked for.
    /// - Throws: `CommandError` for a look-ahead that is too long.
    public func set(_ duck: inout Duck, atRate sampleRate: Int32) throws(CommandError) {
        duck.goBySignal()
        if let threshold { duck.threshold = threshold }
        if let attack { duck.attack = attack.time(atRate: sampleRate) }
        if let hold { duck.hold = hold.time(atRate: sampleRate) }
        if let release { duck.release = release.time(atRate: sampleRate) }
        guard let ahead = lookahead?.time(atRate: sampleRate) else { return }
        guard ahead <= Duck.longestLookahead else {
            throw CommandError("\(ahead) is too long a look-ahead: it goes from 0 to 1 s")
        }
        duck.lookahead = ahead
    }

    /// A level in dB.
    /// - Throws: `CommandError` for what is none, or out of range.
    static func threshold(_ text: String) throws(CommandError) -> Double {
        guard let level = Volume.decibels(text), Duck.thresholds.contains(level) else {
            throw CommandError(
                """
                "\(text)" is no threshold: it goes from \(Duck.thresholds.lowerBound) to \
                \(Duck.thresholds.upperBound) dB, as -40dB
                """,
                isUsage: true)
        }
        return level
    }

    /// As words, each with its value.
    var arguments: [OSCArgument] {
        var arguments: [OSCArgument] = [.string("signal")]
        if let threshold { arguments += [.string("threshold"), .double(threshold)] }
        for (word, time) in [
            ("attack", attack), ("hold", hold), ("release", release), ("lookahead", lookahead),
        ] { if let time { arguments += [.string(word), argument(time)] } }
        return arguments
    }

    init() {}

    /// What stands behind the word `signal`.
    init(_ arguments: inout Arguments) throws(CommandError) {
        while !arguments.isEmpty {
            switch try arguments.text("threshold, attack, hold, release or lookahead") {
            case "threshold":
                let level = try arguments.number("the threshold in dB")
                threshold = try Self.threshold("\(level)")
            case "attack": attack = try arguments.time()
            case "hold": hold = try arguments.time()
            case "release": release = try arguments.time()
            case "lookahead": lookahead = try arguments.time()
            case let word:
                throw CommandError(
                    "a duck by signal has no \"\(word)\": threshold, attack, hold, release, lookahead")
            }
        }
    }

    /// The options of `duck` in the shell.
    init(_ words: inout Words) throws(CommandError) {
        threshold = try words.text("--threshold").map { text throws(CommandError) in try Self.threshold(text)
        }
        (attack, hold, release) = (
            try words.time("--attack"), try words.time("--hold"), try words.time("--release")
        )
        lookahead = try words.time("--lookahead")
    }
}
