import Realtime
import Synchronization

/// The live side of a channel strip: what faders do while it plays. The audio thread alone touches it.
package struct LiveStrip {
    /// The gains of both sides while nothing moves: then nothing of the glides has to be fetched.
    private(set) var settled: (left: Float, right: Float)?
    /// Its trim is, or was, another than 1.
    private(set) var isTrimmed: Bool
    /// Sees the track's blocks on their way.
    private(set) var tap: UnsafeMutablePointer<TapCell>?
    /// Its first fields are those that every block touches: with what stands above they fill one line of the processor's cache.
    var meter: Meter
    var fader: Glide
    /// 1 where the strip is heard, 0 where mute or another's solo silences it.
    var muteGate: Glide
    var left: Glide
    var right: Glide
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
    /// The buffers of its direct output, while a call of `render` lasts.
    var out: StereoPointers?
    var isOutPre = false
    /// What comes in by its ports, for as long.
    var input: StereoPointers?
    /// The same without what is no number, for a block that has any.
    var cleanInput: StereoPointers?
    /// The way of that to the disk, while the strip is armed and as long after that as anything comes in late.
    private(set) var capture: UnsafeMutablePointer<CaptureCursor>?
    private var newestCapture = Newest()

    init(_ settings: StripSettings, owner: UnsafeMutablePointer<LiveStrip>?, slotBit: UInt64, meter: Meter, shared: UnsafeMutablePointer<Shared>) {
        (fader, muteGate) = (Glide(value: settings.fader), Glide(value: settings.isHeard ? 1 : 0))
        (left, right, trim) = (Glide(value: settings.left), Glide(value: settings.right), Glide(value: settings.trim))
        (self.owner, self.slotBit, self.meter, self.shared) = (owner, slotBit, meter, shared)
        isTrimmed = settings.trim != 1
    }

    /// The gains of both sides over `count` frames from `clock` on: fader, mute gate, balance, in this order, one rounding each.
    /// - Parameters:
    ///   - pan: what the timeline says of the gains of left and right, from its first event on in place of the balance; nil: nothing.
    @_noLocks
    mutating func gains(_ left: inout GainBlock, _ right: inout GainBlock, _ pan: UnsafePointer<Envelope>?, at clock: Int64, _ playhead: Playhead, _ count: Int) {
        // Before its first event the timeline says nothing.
        if let pan, case let first = pan[0].end(of: 0), playhead.frame + Int64(playhead.rolls ? count : 1) > first {
            fader.apply(to: &left, from: clock, count: count)
            muteGate.apply(to: &left, from: clock, count: count)
            right.copy(left, count)
            let before = Int(max(0, first - playhead.frame))
            if before > 0 {
                self.left.apply(to: &left, from: clock, count: before, of: count)
                self.right.apply(to: &right, from: clock, count: before, of: count)
            }
            left.multiply(by: pan[0], at: playhead, of: count)
            right.multiply(by: pan[1], at: playhead, of: count)
            return
        }
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

    /// Silent, and nothing moves it.
    @_noLocks
    func isClosed(at clock: Int64) -> Bool {
        fader.framesLeft(at: clock) == 0 && muteGate.framesLeft(at: clock) == 0 && (fader.target == 0 || muteGate.target == 0)
    }

    /// Multiplies by the trim, from `clock` on.
    @_noLocks
    mutating func trim(_ gain: inout GainBlock, at clock: Int64, _ count: Int) {
        if !isTrimmed { return }
        trim.apply(to: &gain, from: clock, count: count)
        if trim.target == 1, trim.framesLeft(at: clock) == 0 { isTrimmed = false }
    }

    /// Shows its blocks to another tap, unless what was asked since overrules the order. Audio thread only; wait-free.
    @_noLocks
    mutating func show(to tap: UnsafeMutablePointer<TapCell>?, _ order: NumberedOrder) {
        if newestTap.admits(order) { self.tap = tap }
    }

    /// What comes in goes to the disk, or does so no more, unless what was asked since overrules the order. Audio thread only; wait-free.
    @_noLocks
    mutating func record(by cursor: UnsafeMutablePointer<CaptureCursor>?, isArmed: Bool, _ order: NumberedOrder, at clock: Int64) {
        if !newestCapture.admits(order) { return }
        if let capture, capture != cursor { capture.pointee.finish() }
        capture = cursor
        guard let cursor else { return }
        if isArmed { cursor.pointee.arm(at: clock) } else { cursor.pointee.disarm(at: clock) }
    }

    /// Moves one of the gains from `clock` on, unless what was asked since overrules the order. Audio thread only; wait-free.
    @_noLocks
    mutating func glide(_ gain: MixerOrder.StripGain, _ movement: MixerOrder.Movement, _ order: NumberedOrder, at clock: Int64) {
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
        case .trim:
            trim.obey(movement, order, at: clock)
            isTrimmed = true
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
        /// Samples that came in, were no numbers, and were silenced.
        let silenced = Atomic<Int>(0)
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
    /// What its sound is multiplied by before all else: -4 to 4, below zero upside down.
    public var trim = 1.0

    /// At unity, heard, in the centre unless told.
    public init(fader: Double = 1, isHeard: Bool = true, pan: Double = 0, trim: Double = 1) {
        (self.fader, self.isHeard, self.pan, self.trim) = (fader, isHeard, pan, trim)
    }

    var left: Double { pan > 0 ? 1 - pan : 1 }
    var right: Double { pan < 0 ? 1 + pan : 1 }
}

/// Owns the memory of a strip, or of a send, for as long as any plan shows it. Control thread.
public final class StripHandle {
    let strip: UnsafeMutablePointer<LiveStrip>
    /// The tap that the strip has, or will have.
    var tap: TrackTap?
    /// Of a send: the strip that it leaves, and its slot there, unless there is none free.
    let owner: StripHandle?
    let slot: Int?
    let role: Role
    /// The slots that its sends have.
    private var takenSlots: UInt64 = 0
    private let shared: UnsafeMutablePointer<LiveStrip.Shared>
    private let meter: UnsafeMutablePointer<Meter.Shared>
    private var inputMemory: UnsafeMutablePointer<Float>?
    /// How many there have been.
    private static let made = Atomic<Int>(0)

    /// What it is the live side of.
    enum Role {
        case track
        /// A bus, the master, or a DCA.
        case sum
        case send
    }

    /// - Parameter owner: of a send the strip that it leaves.
    init(_ settings: StripSettings, _ role: Role, owner: StripHandle? = nil, sampleRate: Int32) {
        (self.role, self.owner) = (role, owner)
        slot = owner.flatMap { $0.takenSlots == .max ? nil : (~$0.takenSlots).trailingZeroBitCount }
        let bit: UInt64 = slot.map { 1 << UInt64($0) } ?? 0
        owner?.takenSlots |= bit
        shared = LockedMemory.allocate(LiveStrip.Shared.self)
        shared.initialize(to: LiveStrip.Shared())
        shared.pointee.fader.store(settings.fader.bitPattern, ordering: .relaxed)
        meter = LockedMemory.allocate(Meter.Shared.self)
        meter.initialize(to: Meter.Shared())
        strip = LockedMemory.allocate(LiveStrip.self)
        strip.initialize(to: LiveStrip(
            settings, owner: owner?.strip, slotBit: bit,
            meter: Meter(shared: meter, sampleRate: sampleRate, phase: Self.made.wrappingAdd(1, ordering: .relaxed).newValue), shared: shared))
    }

    /// A place for a block of what comes in, made when it is first asked for.
    var inputBlock: StereoPointers {
        if inputMemory == nil { inputMemory = LockedMemory.allocate(Float.self, 2 * StereoBlocks.stride()) }
        return StereoBlocks(inputMemory!).block(0)
    }

    /// How many samples came in that were no numbers: in their place is silence.
    public var silencedSamples: Int { shared.pointee.silenced.load(ordering: .relaxed) }

    deinit {
        if let inputMemory { LockedMemory.free(inputMemory, 2 * StereoBlocks.stride()) }
        if let slot { owner?.takenSlots &= ~(UInt64(1) << UInt64(slot)) }
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
