import Realtime
import Synchronization

/// The live side of a channel strip: what faders do while it plays. The audio thread alone touches it.
///
/// The fields up to the glides lie in two lines of the processor's cache, which are fetched ahead.
package struct LiveStrip {
    /// The gains of its sides while nothing moves: then nothing of the glides has to be fetched.
    private(set) var settled: Settled?
    /// Its trim is, or was, another than 1.
    private(set) var isTrimmed: Bool
    /// Sees the track's blocks on their way.
    private(set) var tap: UnsafeMutablePointer<TapCell>?
    /// Its first fields are those that every block touches.
    var meter: Meter
    /// How many it has; of a send, the bus that it goes to.
    let channels: Int
    /// nil: nobody has ever set one.
    var processors: UnsafeMutablePointer<ProcessorBank>?
    /// Its loudness or its spectrum is measured.
    private(set) var isMeasured = false
    var fader: Glide
    /// 1 where the strip is heard, 0 where mute or another's solo silences it.
    var muteGate: Glide
    var left: Glide
    var right: Glide
    /// What a hand lowers it to for a while.
    var duck: Glide
    /// Below zero its sound is turned upside down.
    var trim: Glide
    /// The slots of its sends that may be open: those that are closed, and stay so, cost nothing.
    var openSends: UInt64 = 0
    /// Those that somebody has moved, and that have not settled since: where they stand is told.
    var movingSends: UInt64 = 0
    /// Of a send: the strip that it leaves, and its slot there as a bit; 0 if it has none.
    private let owner: UnsafeMutablePointer<LiveStrip>?
    let slotBit: UInt64
    let shared: UnsafeMutablePointer<Shared>
    private var newestTap = Newest()
    /// Its direct output, while a call of `render` lasts.
    var out: UnsafeMutablePointer<DirectOut>?
    /// Where it is measured: what it makes goes there too.
    private(set) var measured: SampleRing?
    /// What comes in by its ports, for as long, where that lies as its channels do.
    var input: Channels?
    /// What comes in in the present block, where it had to be copied: without what is no number, or as its
    /// channels lie.
    var ownInput: Channels?
    /// The way of that to the disk, while the strip is armed and as long after that as anything comes in
    /// late.
    private(set) var capture: UnsafeMutablePointer<CaptureCursor>?
    private var newestCapture = Newest()
    /// Of all strips that there ever were.
    let number: Int

    /// The gains of a strip at rest.
    struct Settled {
        let left: Float
        let right: Float
        let middle: Float

        @_noLocks
        init(_ sides: SideGains, _ channels: Int) {
            (left, right) =
                SideGains.hasSides(channels) ? (sides.left.constant, sides.right.constant) : (0, 0)
            middle = SideGains.hasMiddle(channels) ? sides.middle.constant : 0
        }

        @_noLocks
        func areSilent() -> Bool { left == 0 && right == 0 && middle == 0 }
    }

    /// What a strip is among others.
    struct Place {
        /// Of a send the strip that it leaves, and its bit there.
        let owner: UnsafeMutablePointer<LiveStrip>?
        let slotBit: UInt64
        /// Of all strips that there ever were.
        let number: Int
    }

    init(
        _ settings: StripSettings, channels: Int, at place: Place, meter: Meter,
        shared: UnsafeMutablePointer<Shared>
    ) {
        self.channels = channels
        (fader, muteGate) = (Glide(value: settings.fader), Glide(value: settings.isHeard ? 1 : 0))
        (left, right, trim) = (
            Glide(value: settings.left), Glide(value: settings.right), Glide(value: settings.trim)
        )
        duck = Glide(value: settings.duck.level)
        (owner, slotBit, number) = (place.owner, place.slotBit, place.number)
        (self.meter, self.shared) = (meter, shared)
        isTrimmed = settings.trim != 1
    }

    /// The gains of its sides over `count` frames from `clock` on: fader, mute gate, balance, in this order,
    /// one rounding each.
    /// - Parameters:
    ///   - pan: what the timeline says of the gains of left and right, from its first event on in place of
    ///     the balance; nil: nothing.
    @_noLocks
    mutating func gains(
        _ sides: inout SideGains, _ pan: UnsafePointer<Envelope>?, at clock: Int64, _ playhead: Playhead,
        _ count: Int
    ) {
        // Before its first event the timeline says nothing.
        if let pan, case let first = pan[0].end(of: 0),
            playhead.frame + Int64(playhead.rolls ? count : 1) > first
        {
            level(&sides, at: clock, count)
            return balance(
                &sides, by: pan, from: Int(max(0, first - playhead.frame)), at: clock, playhead, count)
        }
        if let settled { return take(settled, &sides, count) }
        level(&sides, at: clock, count)
        if SideGains.hasSides(channels) {
            left.apply(to: &sides.left, from: clock, count: count)
            right.apply(to: &sides.right, from: clock, count: count)
        }
        if hasArrived(at: clock) {
            publishFader(at: clock)
            settled = Settled(sides, channels)
        }
    }

    @_noLocks
    private mutating func take(_ settled: Settled, _ sides: inout SideGains, _ count: Int) {
        if SideGains.hasSides(channels) {
            sides.left.multiply(by: Double(settled.left), from: 0, to: count, of: count)
            sides.right.multiply(by: Double(settled.right), from: 0, to: count, of: count)
        }
        if SideGains.hasMiddle(channels) {
            sides.middle.multiply(by: Double(settled.middle), from: 0, to: count, of: count)
        }
    }

    /// Fader and mute gate.
    @_noLocks
    private mutating func level(_ sides: inout SideGains, at clock: Int64, _ count: Int) {
        if SideGains.hasSides(channels) {
            level(&sides.left, at: clock, count)
            sides.right.copy(sides.left, count)
        }
        if SideGains.hasMiddle(channels) { level(&sides.middle, at: clock, count) }
    }

    @_noLocks
    private mutating func level(_ gain: inout GainBlock, at clock: Int64, _ count: Int) {
        fader.apply(to: &gain, from: clock, count: count)
        muteGate.apply(to: &gain, from: clock, count: count)
        if duck.target != 1 || duck.framesLeft(at: clock) > 0 {
            duck.apply(to: &gain, from: clock, count: count)
        }
    }

    /// The balance of the timeline from the `before`th frame on, and that of the hand till then.
    @_noLocks
    private mutating func balance(
        _ sides: inout SideGains, by pan: UnsafePointer<Envelope>, from before: Int, at clock: Int64,
        _ playhead: Playhead, _ count: Int
    ) {
        if !SideGains.hasSides(channels) { return }
        if before > 0 {
            left.apply(to: &sides.left, from: clock, count: before, of: count)
            right.apply(to: &sides.right, from: clock, count: before, of: count)
        }
        sides.left.multiply(by: pan[0], at: playhead, of: count)
        sides.right.multiply(by: pan[1], at: playhead, of: count)
    }

    @_noLocks
    private mutating func hasArrived(at clock: Int64) -> Bool {
        fader.framesLeft(at: clock) == 0 && muteGate.framesLeft(at: clock) == 0
            && left.framesLeft(at: clock) == 0 && right.framesLeft(at: clock) == 0
            && duck.framesLeft(at: clock) == 0
    }

    /// Silent, and nothing moves it.
    @_noLocks
    mutating func isClosed(at clock: Int64) -> Bool {
        fader.framesLeft(at: clock) == 0 && muteGate.framesLeft(at: clock) == 0
            && (fader.target == 0 || muteGate.target == 0)
    }

    /// Multiplies by the trim, from `clock` on.
    @_noLocks
    mutating func trim(_ gain: inout GainBlock, at clock: Int64, _ count: Int) {
        if !isTrimmed { return }
        trim.apply(to: &gain, from: clock, count: count)
        if trim.target == 1, trim.framesLeft(at: clock) == 0 { isTrimmed = false }
    }

    /// Shows its blocks to another tap, unless what was asked since overrules the order. Audio thread only;
    /// wait-free.
    @_noLocks
    mutating func show(to tap: UnsafeMutablePointer<TapCell>?, _ order: NumberedOrder) {
        if newestTap.admits(order) { self.tap = tap }
    }

    /// What comes in goes to the disk, or does so no more, unless what was asked since overrules the order.
    /// Audio thread only; wait-free.
    @_noLocks
    mutating func record(
        by cursor: UnsafeMutablePointer<CaptureCursor>?, isArmed: Bool, _ order: NumberedOrder,
        at clock: Int64
    ) {
        if !newestCapture.admits(order) { return }
        if let capture, capture != cursor { capture.pointee.finish() }
        capture = cursor
        guard let cursor else { return }
        if isArmed { cursor.pointee.arm(at: clock) } else { cursor.pointee.disarm(at: clock) }
    }

    /// From now on it is measured, or no more. Audio thread only; wait-free.
    @_noLocks
    mutating func measure(in ring: SampleRing?) {
        measured = ring
        isMeasured = ring != nil
    }

    /// Moves one of the gains from `clock` on, unless what was asked since overrules the order. Audio thread
    /// only; wait-free.
    @_noLocks
    mutating func glide(
        _ gain: MixerOrder.StripGain, _ movement: MixerOrder.Movement, _ order: NumberedOrder, at clock: Int64
    ) {
        settled = nil
        if let owner {
            owner.pointee.openSends |= slotBit
            owner.pointee.movingSends |= slotBit
        }
        switch gain {
        case .fader: fader.obey(movement, order, at: clock)
        case .muteGate: muteGate.obey(movement, order, at: clock)
        case .left: left.obey(movement, order, at: clock)
        case .right: right.obey(movement, order, at: clock)
        case .duck: duck.obey(movement, order, at: clock)
        case .trim:
            trim.obey(movement, order, at: clock)
            isTrimmed = true
        }
    }

    /// Whether a processor changes what goes through it.
    @_noLocks
    mutating func isProcessed() -> Bool {
        guard let processors else { return false }
        return processors.pointee.isActive()
    }

    /// Whether nothing but fader, mute and balance is in the way of its sound, nor looks at it. One that ever
    /// had a processor counts as if it had one.
    @_noLocks
    mutating func hasOnlyGains() -> Bool {
        guard case .none = tap, case .none = processors else { return false }
        return !isTrimmed && !isMeasured
    }

    /// Whether a limiter stands behind its balance.
    @_noLocks
    mutating func limits() -> Bool {
        guard let processors else { return false }
        return processors.pointee.limits()
    }

    /// Where the fader stands, for other threads.
    @_noLocks
    mutating func publishFader(at clock: Int64) {
        if settled == nil {
            shared.pointee.fader.store(fader.value(at: clock).bitPattern, ordering: .relaxed)
        }
    }

    /// What other threads read.
    struct Shared: ~Copyable {
        /// The fader's present value, as the bits of a Double.
        let fader = Atomic<UInt64>(0)
        /// What it gets of an automix, as the bits of a Float.
        let share = Atomic<UInt32>(0)
        /// Samples that came in, were no numbers, and were silenced.
        let silenced = Atomic<Int>(0)
    }
}
