import CVector
import Realtime

/// The sections of a strip's equaliser, one behind another, and what they remember. Audio thread only;
/// wait-free.
///
/// What they remember is of one playthrough (`ProcessorBank`).
struct EqualiserBank {
    let sections: UnsafeMutablePointer<FilterSection>
    /// The sections as they are run at a frame, and in which order: those that are there.
    private let steps: UnsafeMutablePointer<FilterStep>
    private let order: UnsafeMutablePointer<Int>
    /// For each two channels one for each section: of what is played, and of what was before.
    private var memory: UnsafeMutablePointer<FilterMemory>
    private var memoryBefore: UnsafeMutablePointer<FilterMemory>
    private let channels: Int
    /// What was run last, of each memory: a section that comes again begins anew.
    private var ran = Ran()
    private var ranBefore = Ran()

    private struct Ran {
        /// A bit for each section.
        var sections: UInt8 = 0
        /// Up to there, on the mixer's clock.
        var end: Int64 = .min

        @_noLocks
        init() {}
    }

    /// How many there are: high pass twice, low pass twice, four bands.
    @_noLocks
    static func sections() -> Int { 8 }

    @_noLocks
    private static func pairs(_ channels: Int) -> Int { (channels + 1) / 2 }

    private static func memorySize(_ channels: Int) -> Int { sections() * pairs(channels) }

    init(channels: Int) {
        self.channels = channels
        sections = LockedMemory.allocate(FilterSection.self, Self.sections())
        sections.initialize(repeating: FilterSection(), count: Self.sections())
        steps = LockedMemory.allocate(FilterStep.self, Self.sections())
        steps.initialize(repeating: FilterStep(), count: Self.sections())
        order = LockedMemory.allocate(Int.self, Self.sections())
        order.initialize(repeating: 0, count: Self.sections())
        memory = LockedMemory.allocate(FilterMemory.self, Self.memorySize(channels))
        memoryBefore = LockedMemory.allocate(FilterMemory.self, Self.memorySize(channels))
        for memory in [memory, memoryBefore] {
            memory.initialize(repeating: FilterMemory(), count: Self.memorySize(channels))
        }
    }

    func deallocate() {
        LockedMemory.free(sections, Self.sections())
        LockedMemory.free(steps, Self.sections())
        LockedMemory.free(order, Self.sections())
        LockedMemory.free(memory, Self.memorySize(channels))
        LockedMemory.free(memoryBefore, Self.memorySize(channels))
    }

    /// Whether it changes anything.
    @_noLocks
    func isActive() -> Bool {
        for section in 0..<Self.sections() where sections[section].isThere() { return true }
        return false
    }

    /// Begins to remember anew; what it remembers goes on being that of what was played before.
    @_noLocks
    mutating func reset() {
        (memory, memoryBefore) = (memoryBefore, memory)
        (ran, ranBefore) = (ranBefore, ran)
        for pair in 0..<Self.pairs(channels) { forget(memory + pair * Self.sections()) }
    }

    /// Whether it changes anything, or has.
    @_noLocks
    func isThere() -> Bool { isActive() || ran.sections != 0 }

    /// What it remembers of what is played, up to `clock`.
    @_noLocks
    mutating func pass(_ page: inout MemoryPage, at clock: Int64) {
        var sections = Int64(ran.end == clock ? ran.sections : 0)
        page.pass(&sections)
        (ran.sections, ran.end) = (UInt8(truncatingIfNeeded: sections), clock)
        for i in 0..<Self.sections() * Self.pairs(channels) { memory[i].pass(&page) }
    }

    /// - Parameter memory: of two channels.
    @_noLocks
    private func forget(_ memory: UnsafeMutablePointer<FilterMemory>) {
        for section in 0..<Self.sections() { memory[section] = FilterMemory() }
    }

    /// Moves a section as the order says, unless another overrules it.
    @_noLocks
    func obey(
        _ section: Int, _ next: FilterCoefficients?, over frames: Int64, _ order: NumberedOrder,
        at clock: Int64
    ) {
        _ = sections[section].closes(at: clock)
        sections[section].obey(next, over: frames, order, at: clock)
    }

    /// Filters a block that begins at `clock`, in its place: in doubles through all sections, and rounded
    /// once.
    /// - Parameters:
    ///   - lanes: what the timeline says in place of what hands have set.
    ///   - isBefore: it is what was played before, while that is crossed over from.
    @_noLocks
    mutating func process(_ block: Channels, _ lanes: LaneView, isBefore: Bool, at clock: Int64, _ count: Int)
    {
        let memory = isBefore ? memoryBefore : memory
        let present = sections(lanes)
        var ran = isBefore ? ranBefore : ran
        begin(memory, present & ~(ran.end == clock ? ran.sections : 0))
        (ran.sections, ran.end) = (present, clock + Int64(count))
        if isBefore { ranBefore = ran } else { self.ran = ran }
        let moving = present & moving(lanes, at: clock, count)
        let running = arrange(present)
        follow(lanes, present, at: clock, 0)
        if moving == 0 {
            for pair in 0..<Self.pairs(channels) { process(memory, running, pair, block, from: 0, to: count) }
            return
        }
        for i in 0..<count {
            if i > 0 { follow(lanes, moving, at: clock, i) }
            for pair in 0..<Self.pairs(channels) { process(memory, running, pair, block, from: i, to: i + 1) }
        }
    }

    /// A bit for each section that is not all through the block what it is at its first frame.
    @_noLocks
    private func moving(_ lanes: LaneView, at clock: Int64, _ count: Int) -> UInt8 {
        var moving: UInt8 = 0
        for section in 0..<Self.sections()
        where sections[section].framesLeft(at: clock) > 0 || !lanes.rests(section, count) {
            moving |= 1 << UInt8(section)
        }
        return moving
    }

    /// A bit for each section that there is.
    @_noLocks
    private func sections(_ lanes: LaneView) -> UInt8 {
        var present: UInt8 = 0
        for section in 0..<Self.sections() where sections[section].isThere() || lanes.moves(section) {
            present |= 1 << UInt8(section)
        }
        return present
    }

    /// Sections that come begin with nothing to remember.
    @_noLocks
    private func begin(_ memory: UnsafeMutablePointer<FilterMemory>, _ coming: UInt8) {
        if coming == 0 { return }
        for section in 0..<Self.sections() where coming & 1 << UInt8(section) != 0 {
            for pair in 0..<Self.pairs(channels) { memory[pair * Self.sections() + section] = FilterMemory() }
        }
    }

    /// Puts the sections that there are into their order, each as one that changes nothing.
    /// - Returns: how many they are.
    @_noLocks
    private func arrange(_ present: UInt8) -> Int {
        var running = 0
        for section in 0..<Self.sections() where present & 1 << UInt8(section) != 0 {
            (steps[section], order[running]) = (FilterStep(), section)
            running += 1
        }
        return running
    }

    /// Looks up what sections are at the frame `i` of a block.
    @_noLocks
    private func follow(_ lanes: LaneView, _ which: UInt8, at clock: Int64, _ i: Int) {
        for section in 0..<Self.sections() where which & 1 << UInt8(section) != 0 {
            let hand = sections[section].present(at: clock + Int64(i))
            if let next = lanes.coefficients(section, hand, at: i) { steps[section] = FilterStep(next) }
        }
    }

    /// Two channels through the sections that there are, so many.
    @_noLocks
    private func process(
        _ memory: UnsafeMutablePointer<FilterMemory>, _ running: Int, _ pair: Int, _ block: Channels,
        from start: Int, to end: Int
    ) {
        let (first, second) = (block.channel(2 * pair), block.channel(min(2 * pair + 1, channels - 1)))
        var sections = filter_sections(
            steps: steps, memory: memory + pair * Self.sections(), order: order, running: running)
        filter_two(&sections, first + start, second + start, end - start)
    }

    /// Lets go of sections that have closed.
    @_noLocks
    func settle(at clock: Int64) {
        for section in 0..<Self.sections() where sections[section].isThere() {
            _ = sections[section].closes(at: clock)
        }
    }
}
