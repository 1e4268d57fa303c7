import Realtime

/// What the control thread asks of the audio thread. Copied, owning nothing: what it points to is kept until
/// the audio thread has done with it.
package enum MixerOrder {
    /// To play by from now on. The plan before it is given back when it is not heard any more
    /// (`MixerShared.retiredPlans`).
    case plan(UnsafeMutablePointer<PlanData>)
    /// A player rolls, or fades out and stands.
    case play(player: Int)
    case stop(player: Int)
    /// One of a strip's gains glides.
    case glide(UnsafeMutablePointer<LiveStrip>, StripGain, Movement)
    /// One section of a strip's equaliser glides, over so many frames; nil: to nothing.
    case filter(
        UnsafeMutablePointer<LiveStrip>, UnsafeMutablePointer<ProcessorBank>, section: Int,
        FilterCoefficients?, frames: Int64)
    /// A strip's gate or compressor glides, over so many frames; nil: to nothing.
    case dynamics(
        UnsafeMutablePointer<LiveStrip>, UnsafeMutablePointer<ProcessorBank>, ProcessorBank.Unit,
        DynamicsSetting?, frames: Int64)
    /// A strip's delay crosses over to so many frames.
    case delay(
        UnsafeMutablePointer<LiveStrip>, UnsafeMutablePointer<ProcessorBank>, DelayLines, Int64, frames: Int64
    )
    /// A strip's limiter crosses over to so much; nil: to nothing.
    case limiter(
        UnsafeMutablePointer<LiveStrip>, UnsafeMutablePointer<ProcessorBank>, LimiterRoom, LimiterSetting?,
        frames: Int64)
    /// What a strip makes goes into a ring too, where it is measured; nil: no more.
    case measure(UnsafeMutablePointer<LiveStrip>, SampleRing?)
    /// All ports of single strips glide to silence, or back.
    case hush(Movement)
    /// A strip shows its blocks to another tap, or to none.
    case tap(UnsafeMutablePointer<LiveStrip>, UnsafeMutablePointer<TapCell>?)
    /// What comes in for a strip may go to the disk by this way, while it is armed; nil: nothing does any
    /// more.
    case capture(UnsafeMutablePointer<LiveStrip>, UnsafeMutablePointer<CaptureCursor>?, isArmed: Bool)
    /// Which frames are recorded while a player rolls; nil: none.
    case record(Punch?, player: Int)
    /// When what stands before it is done is to be told, by this number.
    case mark(Int64)
    /// Where the playhead goes is to be told, or no more.
    case followHands(Bool)

    /// The gains of a strip that hands move.
    package enum StripGain { case fader, muteGate, left, right, trim, duck }

    /// Where a gain goes, over how many frames, and how.
    package struct Movement {
        let target: Double
        let frames: Int64
        let curve: GainCurve
        /// Over so much of a way it takes these frames, over less of it less; 0: always these.
        var way = 0.0

        /// How many frames it takes from where the gain is.
        @_noLocks
        func frames(from present: Double) -> Int64 {
            if way <= 0 { return frames }
            let wanted = Double(frames) * min(1, abs(target - present) / way)
            let whole = Int64(wanted)
            return Double(whole) < wanted ? whole + 1 : whole
        }
    }
}

/// The number of what was last asked for at once: what is older, and waited for its frame, does not count any
/// more.
struct Newest {
    private var number: Int64 = 0

    @_noLocks
    init() {}

    /// Whether `order` is still to be obeyed. Audio thread only; wait-free.
    @_noLocks
    mutating func admits(_ order: NumberedOrder) -> Bool {
        if order.number < number { return false }
        if order.at == nil { number = order.number }
        return true
    }
}
