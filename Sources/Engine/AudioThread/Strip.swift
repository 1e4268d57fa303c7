import Realtime
import Synchronization

/// The live side of a channel strip: what faders do while it plays. The audio thread alone touches it.
package struct Strip {
    /// The gains of both sides while nothing moves: then nothing of the glides has to be fetched.
    private(set) var settled: (left: Float, right: Float)?
    /// Sees the track's blocks on their way.
    private(set) var tap: UnsafeMutablePointer<TapCell>?
    /// Its first fields are those that every block touches: with what stands above they fill one line of the processor's cache.
    var meter: Meter
    var fader: Glide
    /// 1 where the strip is heard, 0 where mute or another's solo silences it.
    var muteGate: Glide
    var left: Glide
    var right: Glide
    let shared: UnsafeMutablePointer<Shared>
    private var newestTap = Newest()
    /// The buffers of its direct output, while a call of `render` lasts.
    var out: StereoPointers?

    init(fader: Glide, muteGate: Glide, left: Glide, right: Glide, meter: Meter, shared: UnsafeMutablePointer<Shared>) {
        (self.fader, self.muteGate, self.left, self.right) = (fader, muteGate, left, right)
        (self.meter, self.shared) = (meter, shared)
    }

    /// The gains of both sides over `count` frames from `clock` on: fader, mute gate, balance, in this order, one rounding each.
    @_noLocks
    mutating func gains(_ left: inout GainBlock, _ right: inout GainBlock, at clock: Int64, _ count: Int) {
        if let settled {
            left.multiply(by: Double(settled.left), from: 0, to: count, of: count)
            right.multiply(by: Double(settled.right), from: 0, to: count, of: count)
            return
        }
        fader.apply(to: &left, from: clock, count: count)
        muteGate.apply(to: &left, from: clock, count: count)
        fader.apply(to: &right, from: clock, count: count)
        muteGate.apply(to: &right, from: clock, count: count)
        self.left.apply(to: &left, from: clock, count: count)
        self.right.apply(to: &right, from: clock, count: count)
        let hasArrived = fader.framesLeft(at: clock) == 0 && muteGate.framesLeft(at: clock) == 0
            && self.left.framesLeft(at: clock) == 0 && self.right.framesLeft(at: clock) == 0
        if hasArrived {
            publishFader(at: clock)
            settled = (left.constant, right.constant)
        }
    }

    /// Shows its blocks to another tap, unless what was asked since overrules the order. Audio thread only; wait-free.
    @_noLocks
    mutating func show(to tap: UnsafeMutablePointer<TapCell>?, _ order: NumberedOrder) {
        if newestTap.admits(order) { self.tap = tap }
    }

    /// Moves one of the gains from `clock` on, unless what was asked since overrules the order. Audio thread only; wait-free.
    @_noLocks
    mutating func glide(_ gain: MixerOrder.StripGain, _ movement: MixerOrder.Movement, _ order: NumberedOrder, at clock: Int64) {
        settled = nil
        switch gain {
        case .fader: fader.obey(movement, order, at: clock)
        case .muteGate: muteGate.obey(movement, order, at: clock)
        case .left: left.obey(movement, order, at: clock)
        case .right: right.obey(movement, order, at: clock)
        }
    }

    /// Where the fader stands, for other threads.
    @_noLocks
    mutating func publishFader(at clock: Int64) {
        if settled == nil { shared.pointee.fader.store(fader.value(at: clock).bitPattern, ordering: .relaxed) }
    }

    /// What other threads read.
    struct Shared: ~Copyable {
        /// The fader's present value, as the bits of a Double.
        let fader = Atomic<UInt64>(0)
    }
}

/// What a strip is set to.
public struct StripSettings: Equatable, Sendable {
    /// The live level, linear, 0 to 4.
    public var fader = 1.0
    /// Neither muted nor silenced by another's solo.
    public var isHeard = true
    /// -1 (left) to 1 (right): a balance that leaves both sides untouched at 0.
    public var pan = 0.0

    /// At unity, heard, in the centre unless told.
    public init(fader: Double = 1, isHeard: Bool = true, pan: Double = 0) {
        self.fader = fader
        self.isHeard = isHeard
        self.pan = pan
    }

    var left: Double { pan > 0 ? 1 - pan : 1 }
    var right: Double { pan < 0 ? 1 + pan : 1 }
}

/// Owns the memory of a strip for as long as any plan shows it. Control thread.
public final class StripHandle {
    let strip: UnsafeMutablePointer<Strip>
    /// The tap that the strip has, or will have.
    var tap: TrackTap?
    /// It has had one, or has one.
    var hasBeenTapped = false
    private let shared: UnsafeMutablePointer<Strip.Shared>
    private let meter: UnsafeMutablePointer<Meter.Shared>
    /// How many there have been.
    private static let made = Atomic<Int>(0)

    init(_ settings: StripSettings, sampleRate: Int32) {
        shared = LockedMemory.allocate(Strip.Shared.self)
        shared.initialize(to: Strip.Shared())
        shared.pointee.fader.store(settings.fader.bitPattern, ordering: .relaxed)
        meter = LockedMemory.allocate(Meter.Shared.self)
        meter.initialize(to: Meter.Shared())
        strip = LockedMemory.allocate(Strip.self)
        strip.initialize(to: Strip(
            fader: Glide(value: settings.fader), muteGate: Glide(value: settings.isHeard ? 1 : 0),
            left: Glide(value: settings.left), right: Glide(value: settings.right),
            meter: Meter(shared: meter, sampleRate: sampleRate, phase: Self.made.wrappingAdd(1, ordering: .relaxed).newValue), shared: shared))
    }

    deinit {
        strip.deinitialize(count: 1)
        LockedMemory.free(strip)
        shared.deinitialize(count: 1)
        LockedMemory.free(shared)
        meter.deinitialize(count: 1)
        LockedMemory.free(meter)
    }

    /// Where the fader stands at this moment, on its way or arrived.
    public var presentFader: Double { Double(bitPattern: shared.pointee.fader.load(ordering: .relaxed)) }

    /// The louder side's RMS; leaves the peaks as they are.
    public var rms: Float {
        let (left, right) = (meter.pointee.meanSquareLeft.load(ordering: .relaxed), meter.pointee.meanSquareRight.load(ordering: .relaxed))
        return Float(bitPattern: max(left, right)).squareRoot()
    }

    /// Reads the meter and starts its peaks anew.
    public func readMeter() -> MeterReading {
        MeterReading(
            peakLeft: Float(bitPattern: meter.pointee.peakLeft.exchange(0, ordering: .relaxed)),
            peakRight: Float(bitPattern: meter.pointee.peakRight.exchange(0, ordering: .relaxed)),
            rmsLeft: Float(bitPattern: meter.pointee.meanSquareLeft.load(ordering: .relaxed)).squareRoot(),
            rmsRight: Float(bitPattern: meter.pointee.meanSquareRight.load(ordering: .relaxed)).squareRoot())
    }
}
