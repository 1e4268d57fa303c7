import JSON

/// What sets a strip's gain by how loud it is: a compressor, a gate or a limiter.
public protocol LevelProcessor: Equatable, Sendable {
    /// As it is unless told.
    init()
    /// Off, it is kept and changes nothing.
    var isOn: Bool { get set }
    /// Fields of the file that this version does not know, kept for the next save.
    var unknown: JSONObject { get set }
    /// Its numbers, in the order in which they are written.
    static var parameters: [Parameter<Self>] { get }
}

extension LevelProcessor {
    /// Where one of its numbers lies, by its name.
    static func range(of name: String) -> ClosedRange<Double> {
        parameters.first { $0.name == name }?.range ?? 0...0
    }
}

/// One that may go by how loud another strip is.
public protocol Dynamics: LevelProcessor {
    /// The strip whose level it goes by, as it is before that strip's automation and fader; nil: its own.
    var key: StripID? { get set }
}

/// A number of a processor: what it is called in files, addresses and the shell, and where it lies.
public struct Parameter<Processor: LevelProcessor>: Sendable {
    /// In the file, in its address, and behind `--` in the shell.
    public let name: String
    /// In dB, of a ratio, or in milliseconds; the end of a range that is marked so stands for what has no
    /// end.
    public let range: ClosedRange<Double>
    /// What is said of it in help.
    public let summary: String
    let place: Place

    /// Where it lies in its processor.
    enum Place: Sendable {
        case number(WritableKeyPath<Processor, Double> & Sendable)
        case time(WritableKeyPath<Processor, MediaTime> & Sendable)
    }

    init(
        _ name: String, _ path: WritableKeyPath<Processor, Double> & Sendable, in range: ClosedRange<Double>,
        _ summary: String
    ) {
        (self.name, place, self.range, self.summary) = (name, .number(path), range, summary)
    }

    /// - Parameter range: in milliseconds.
    init(
        _ name: String, _ path: WritableKeyPath<Processor, MediaTime> & Sendable,
        in range: ClosedRange<Double>, _ summary: String
    ) {
        (self.name, place, self.range, self.summary) = (name, .time(path), range, summary)
    }

    /// Whether it is a time: in milliseconds.
    public var isTime: Bool { if case .time = place { true } else { false } }

    /// Whether it stands where it would without being told, beside the first of its processor's numbers.
    func isStandard(_ processor: Processor) -> Bool {
        var plain = Processor()
        guard let first = Processor.parameters.first else { return false }
        first.set(first.value(of: processor), of: &plain)
        return value(of: processor) == value(of: plain)
    }

    /// What it stands at.
    public func value(of processor: Processor) -> Double {
        switch place {
        case .number(let path): processor[keyPath: path]
        case .time(let path): processor[keyPath: path].seconds * 1000
        }
    }

    /// A value in its range; a time is kept to the microsecond.
    public func set(_ value: Double, of processor: inout Processor) {
        switch place {
        case .number(let path): processor[keyPath: path] = value
        case .time(let path): processor[keyPath: path] = MediaTime(milliseconds: value)
        }
    }
}

extension MediaTime {
    /// To the microsecond.
    init(milliseconds: Double) {
        let microseconds = Int64((milliseconds * 1000).rounded())
        self =
            microseconds % 1000 == 0
            ? MediaTime(value: microseconds / 1000, timescale: 1000)
            : MediaTime(value: microseconds, timescale: 1_000_000)
    }
}

/// Lowers what is louder than a threshold, behind the equaliser.
///
/// With the level L in dB of its loudest channel, or of its key's, threshold T, ratio R and knee W, the gain
/// reduction x is 0 where 2 (L - T) <= -W, (1 - 1/R) (L - T + W/2)^2 / (2 W) in the knee, and (1 - 1/R) (L -
/// T) above it. It goes to y = a y + (1 - a) x with a = exp(-1 / (time rate)), the attack's while x > y, else
/// the release's; and the gain is makeup - y dB. (The static curve and the branching smoother of Giannoulis,
/// Massberg and Reiss, "Digital Dynamic Range Compressor Design", JAES 60(6), 2012.)
public struct Compressor: Dynamics {
    public var isOn = true
    public var key: StripID?
    /// In dB.
    public var threshold = -20.0
    /// By what the excess is divided, 1 to 1000; 1000 stands for what has no end.
    public var ratio = 3.0
    /// In dB: how wide the curve is bent around the threshold.
    public var knee = 6.0
    /// The time constant at which the reduction grows.
    public var attack = MediaTime(value: 10, timescale: 1000)
    /// The time constant at which it goes back.
    public var release = MediaTime(value: 150, timescale: 1000)
    /// What is added, in dB.
    public var makeup = 0.0
    public var unknown = JSONObject()

    /// 3 to 1 above -20 dB.
    public init() {}

    /// The ratio that stands for what has no end.
    public static let endlessRatio = 1000.0

    public static let parameters: [Parameter<Compressor>] = [
        Parameter(
            "threshold", \.threshold, in: -120...24,
            "the level that the compressor lowers what is above, in dB"),
        Parameter(
            "ratio", \.ratio, in: 1...endlessRatio, "what the excess is divided by; 1000 is without end"),
        Parameter(
            "knee", \.knee, in: 0...48, "how wide the compressor's curve is bent about its threshold, in dB"),
        Parameter(
            "attack", \.attack, in: 0...10_000,
            "the time constant of the compressor's way down, in milliseconds"),
        Parameter(
            "release", \.release, in: 0...60_000,
            "the time constant of the compressor's way back, in milliseconds"),
        Parameter("makeup", \.makeup, in: -24...48, "what is added behind the compressor, in dB"),
    ]
}

/// Lowers what is quieter than a threshold, before the equaliser.
///
/// It opens where the level in dB of its loudest channel, or of its key's, is at the threshold or above, and
/// closes where that has been below `close` for longer than `hold`. The gain reduction x is 0 while it is
/// open, else `range`; it goes to y = a y + (1 - a) x with a = exp(-1 / (time rate)), the attack's while x <
/// y, else the release's; and the gain is -y dB. A range of 120 dB is all the way: x is then 144 dB, and from
/// 120 dB on there is silence.
public struct Gate: Dynamics {
    public var isOn = true
    public var key: StripID?
    /// In dB.
    public var threshold = -40.0
    /// So many dB below the threshold it closes.
    public var hysteresis = 6.0
    /// How far it lowers what is below, in dB, 0 to 120; 120 is all the way.
    public var range = 120.0
    /// The time constant at which it opens.
    public var attack = MediaTime(value: 1, timescale: 1000)
    /// How long it stays open.
    public var hold = MediaTime(value: 100, timescale: 1000)
    /// The time constant at which it closes.
    public var release = MediaTime(value: 100, timescale: 1000)
    public var unknown = JSONObject()

    /// All the way below -40 dB.
    public init() {}

    /// The range that stands for all the way.
    public static let endlessRange = 120.0

    /// The level below which it closes, in dB, -168 at the least; another threshold takes it along.
    public var close: Double {
        get { max(Self.lowestClose, threshold - hysteresis) }
        set { hysteresis = threshold - newValue }
    }

    /// In dB: below all thresholds by as much as a gate can have.
    static let lowestClose = -168.0

    /// Why it cannot be so; nil where it can.
    public var problem: String? {
        hysteresis < 0 ? "a gate closes below where it opens, and \(close) dB is above \(threshold)" : nil
    }

    public static let parameters: [Parameter<Gate>] = [
        Parameter("threshold", \.threshold, in: -120...24, "the level at which the gate opens, in dB"),
        Parameter(
            "close", \.close, in: lowestClose...24,
            "the level below which the gate closes, in dB; 6 below its threshold unless told"),
        Parameter(
            "range", \.range, in: 0...endlessRange,
            "how far the gate lowers what is below it, in dB; 120 is all the way"),
        Parameter(
            "attack", \.attack, in: 0...10_000, "the time constant at which the gate opens, in milliseconds"),
        Parameter("hold", \.hold, in: 0...60_000, "how long the gate stays open, in milliseconds"),
        Parameter(
            "release", \.release, in: 0...60_000,
            "the time constant at which the gate closes, in milliseconds"),
    ]
}

/// Keeps what leaves a strip under a level, last of all, with a look-ahead of 1.5 ms: its true peaks, as
/// meters by BS.1770 read them and as an ideal oversampling finds them.
///
/// What leaves the strip is late by that and by what the limiter has to see of it; all that is heard beside
/// it waits for it. Where nothing exceeds the level nothing is changed. The formula stands at `LimiterLine`.
public struct Limiter: LevelProcessor {
    public var isOn = true
    /// In dBTP, -40 to 0.
    public var level = -1.0
    /// The time constant at which its gain goes back.
    public var release = MediaTime(value: 100, timescale: 1000)
    public var unknown = JSONObject()

    /// At -1 dBTP.
    public init() {}

    /// By so many dB it stays below its level: what peaks between frames are taken for may be so much too
    /// low.
    public static let margin = 0.12

    public static let parameters: [Parameter<Limiter>] = [
        Parameter("level", \.level, in: -40...0, "the level that no true peak exceeds, in dBTP"),
        Parameter(
            "release", \.release, in: 1...10_000,
            "the time constant of the limiter's way back, in milliseconds"),
    ]
}

/// All that a strip's sound goes through behind its trim; what is there.
public struct Processors: Equatable, Sendable {
    /// What lowers it where it is quiet; nil: nothing.
    public var gate: Gate?
    /// What it is filtered by; nil: nothing.
    public var equaliser: Equaliser?
    /// What lowers it where it is loud; nil: nothing.
    public var compressor: Compressor?
    /// How much later it is heard, 0 to 2 s.
    public var delay = MediaTime.zero
    /// What keeps its peaks under a level; nil: nothing.
    public var limiter: Limiter?

    /// There is none.
    public var isEmpty: Bool { self == Processors() }
}

extension Strip {
    /// All of them at once.
    public var processors: Processors {
        get {
            Processors(
                gate: gate, equaliser: equaliser, compressor: compressor, delay: delay, limiter: limiter)
        }
        set {
            (gate, equaliser, compressor, delay, limiter) = (
                newValue.gate, newValue.equaliser, newValue.compressor, newValue.delay, newValue.limiter
            )
        }
    }

    /// What lowers it by levels, gate first: those that are there.
    var dynamics: [any Dynamics] { [gate as (any Dynamics)?, compressor].compactMap { $0 } }

    /// Whether something of it remembers what it heard.
    var remembers: Bool {
        equaliser.map { !$0.isFlat || $0.isOn && hasProcessorLanes } ?? false
            || dynamics.contains(where: \.isOn) || delay > .zero || limiter?.isOn == true
    }

    /// For how many seconds what it heard is heard in it, to the last bit of a sample, but for its equaliser;
    /// nil: for ever.
    ///
    /// An open gate stays open for as long as it hears anything between its two levels. What a smoother
    /// remembers is below the last bit of a double after 37 time constants.
    fileprivate var memory: Double? {
        if let gate, gate.isOn { return nil }
        let times = compressor.map { $0.isOn ? max($0.attack, $0.release).seconds : 0 } ?? 0
        // A limiter is back at nothing to do 21 time constants after it had something; twice that, for it has
        // two stages.
        let limited = limiter.map { $0.isOn ? 42 * $0.release.seconds + 0.1 : 0 } ?? 0
        return 37 * times + delay.seconds + limited
    }
}

extension Session {
    /// For how many seconds what was played before is heard at the most, but for equalisers; nil: for ever.
    /// Along the longest way that there could be, by which each strip is passed once.
    public var memory: Double? {
        var seconds = 0.0
        for strip in strips {
            guard let memory = strip.memory else { return nil }
            seconds += memory
        }
        for automix in automixes.map(\.automix) {
            seconds += 37 * max(automix.attack, automix.release).seconds
        }
        for duck in ducks where duck.trigger == .signal {
            seconds += (duck.attack + duck.hold + duck.release + duck.lookahead).seconds
        }
        return seconds
    }
}
