import Realtime
import Speakers
import Synchronization

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
    /// How many channels it has.
    public let channels: Int
    private let shared: UnsafeMutablePointer<LiveStrip.Shared>
    private let meter: Meter.Memory
    private var inputMemory: UnsafeMutablePointer<Float>?
    private var bank: UnsafeMutablePointer<ProcessorBank>?
    private var told: UnsafeMutablePointer<ProcessorBank.Shared>?
    private let sampleRate: Int32
    private var ownLevels: KeyLevels?
    private var ownDelay: DelayLines?
    private var ownLimiter: LimiterRoom?
    private var ducks: [ObjectIdentifier: OwnDuck] = [:]
    private var ownShare: UnsafeMutablePointer<ShareMemory>?

    /// A duck under another strip. No plan has it any more once that has gone.
    private struct OwnDuck {
        weak var key: StripHandle?
        let memory: UnsafeMutablePointer<DuckMemory>

        func free() {
            memory.pointee.deallocate()
            LockedMemory.free(memory)
        }
    }
    /// How many there have been.
    private static let made = Atomic<Int>(0)

    /// What it is the live side of.
    enum Role {
        case track
        /// A bus, the master, or a DCA.
        case sum
        case send
    }

    /// - Parameters:
    ///   - channels: of a send those of the bus that it goes to.
    ///   - owner: of a send the strip that it leaves.
    init(_ settings: StripSettings, _ role: Role, channels: Int, owner: StripHandle? = nil, sampleRate: Int32)
    {
        (self.role, self.channels, self.owner, self.sampleRate) = (role, channels, owner, sampleRate)
        slot = owner.flatMap { $0.takenSlots == .max ? nil : (~$0.takenSlots).trailingZeroBitCount }
        let bit: UInt64 = slot.map { 1 << UInt64($0) } ?? 0
        owner?.takenSlots |= bit
        shared = LockedMemory.holding(LiveStrip.Shared())
        shared.pointee.fader.store(settings.fader.bitPattern, ordering: .relaxed)
        meter = Meter.Memory(channels: channels)
        strip = LockedMemory.allocate(LiveStrip.self)
        let number = Self.made.wrappingAdd(1, ordering: .relaxed).newValue
        let place = LiveStrip.Place(owner: owner?.strip, slotBit: bit, number: number)
        strip.initialize(
            to: LiveStrip(
                settings, channels: channels, at: place,
                meter: Meter(meter, sampleRate: sampleRate, phase: number), shared: shared))
    }

    /// A place for a block of what comes in, made when it is first asked for.
    var inputBlock: Channels {
        if inputMemory == nil { inputMemory = LockedMemory.allocate(Float.self, channels * Block.stride()) }
        return Channels(inputMemory!, stride: Block.stride(), count: channels)
    }

    /// What its sound goes through, made when it is first asked for.
    var processors: UnsafeMutablePointer<ProcessorBank> {
        if let bank { return bank }
        let (made, shared) = (
            LockedMemory.allocate(ProcessorBank.self), LockedMemory.allocate(ProcessorBank.Shared.self)
        )
        shared.initialize(to: ProcessorBank.Shared())
        made.initialize(to: ProcessorBank(channels: channels, shared: shared))
        (bank, told) = (made, shared)
        return made
    }

    /// Room for what its delay holds back, made when it is first asked for.
    var delayLines: DelayLines {
        if let ownDelay { return ownDelay }
        let made = DelayLines(channels: channels, sampleRate: sampleRate)
        ownDelay = made
        return made
    }

    /// What its limiter needs, made when it is first asked for.
    var limiterRoom: LimiterRoom {
        if let ownLimiter { return ownLimiter }
        let made = LimiterRoom(channels: channels, sampleRate: sampleRate)
        ownLimiter = made
        return made
    }

    /// Gives the room of its delay back, unless something is held back there: what was asked for later may
    /// have come behind what was asked last.
    func freeDelay() {
        if told?.pointee.delays.load(ordering: .acquiring) ?? false { return }
        ownDelay?.deallocate()
        ownDelay = nil
    }

    /// What measures it, made when it is first asked for; nil where it has no layout.
    var measurement: LiveMeasurement? {
        if ownMeasurement == nil {
            ownMeasurement = SpeakerLayout(rawValue: channels).map {
                LiveMeasurement($0, sampleRate: sampleRate)
            }
        }
        return ownMeasurement
    }
    private var ownMeasurement: LiveMeasurement?

    /// It is not measured any more. Returns what the audio thread may still look at.
    func endMeasurement() -> LiveMeasurement? {
        defer { ownMeasurement = nil }
        return ownMeasurement
    }

    /// How loud it is, for those that go by it; made when it is first asked for.
    var keyLevels: KeyLevels {
        if let ownLevels { return ownLevels }
        let made = KeyLevels()
        ownLevels = made
        return made
    }

    /// What its duck under another strip remembers; made when it is first asked for, and forgotten with
    /// either.
    func duckMemory(under key: StripHandle) -> UnsafeMutablePointer<DuckMemory> {
        if let known = ducks[ObjectIdentifier(key)], known.key === key { return known.memory }
        for (id, duck) in ducks where duck.key == nil {
            duck.free()
            ducks[id] = nil
        }
        let made = LockedMemory.holding(DuckMemory())
        ducks[ObjectIdentifier(key)] = OwnDuck(key: key, memory: made)
        return made
    }

    /// What it stands at in an automix; made when it is first asked for.
    var shareMemory: UnsafeMutablePointer<ShareMemory> {
        if let ownShare { return ownShare }
        let made = LockedMemory.holding(ShareMemory())
        ownShare = made
        return made
    }

    /// How far its gate or its compressor lowers it at present, in dB.
    package func reduction(of unit: ProcessorBank.Unit) -> Float {
        guard let told else { return 0 }
        let bits =
            switch unit {
            case .gate: told.pointee.gate.load(ordering: .relaxed)
            case .compressor: told.pointee.compressor.load(ordering: .relaxed)
            }
        return Float(bitPattern: bits)
    }

    /// What its limiter multiplies by at present.
    package var limiterGain: Float {
        told.map { Float(bitPattern: $0.pointee.limiter.load(ordering: .relaxed)) } ?? 1
    }

    /// What it gets of an automix at present.
    var share: Float { Float(bitPattern: shared.pointee.share.load(ordering: .relaxed)) }

    /// How many samples came in that were no numbers: in their place is silence.
    public var silencedSamples: Int { shared.pointee.silenced.load(ordering: .relaxed) }

    deinit {
        if let inputMemory { LockedMemory.free(inputMemory, channels * Block.stride()) }
        if let bank {
            bank.pointee.deallocate()
            LockedMemory.free(bank)
        }
        if let told {
            told.deinitialize(count: 1)
            LockedMemory.free(told)
        }
        ownLevels?.deallocate()
        ownDelay?.deallocate()
        ownLimiter?.deallocate()
        for duck in ducks.values { duck.free() }
        if let ownShare {
            ownShare.pointee.deallocate()
            LockedMemory.free(ownShare)
        }
        if let slot { owner?.takenSlots &= ~(UInt64(1) << UInt64(slot)) }
        strip.deinitialize(count: 1)
        LockedMemory.free(strip)
        shared.deinitialize(count: 1)
        LockedMemory.free(shared)
        meter.deallocate()
    }

    /// Where the fader stands at this moment, on its way or arrived.
    public var presentFader: Double { Double(bitPattern: shared.pointee.fader.load(ordering: .relaxed)) }

    /// The loudest channel's RMS; leaves the peaks as they are.
    public var rms: Float { meter.rms }

    /// Reads the meter and starts its peaks anew.
    public func readMeter() -> MeterReading { meter.read() }
}
