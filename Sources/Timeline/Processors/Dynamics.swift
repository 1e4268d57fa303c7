import JSON

/// One that may go by how loud another strip is.
public protocol Dynamics: LevelProcessor {
    /// The strip whose level it goes by, as it is before that strip's automation and fader; nil: its own.
    var key: StripID? { get set }
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
