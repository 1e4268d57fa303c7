/// What the timeline says of a line's processors in a block, and what it said in the plan before, while that
/// is crossed over from.
struct LaneView {
    private let lanes: UnsafePointer<LineLanes>?
    private let playhead: Playhead
    /// What it said before, which is as it is now where nothing is crossed over.
    private var past: UnsafePointer<LineLanes>?
    private var pastPlayhead: Playhead
    private var shares: UnsafePointer<Float>?

    @_noLocks
    init(_ sound: UnsafePointer<LineSound>, _ playhead: Playhead) {
        lanes = sound.pointee.lanes()
        self.playhead = playhead
        (past, pastPlayhead, shares) = (lanes, playhead, nil)
    }

    /// On its way from `sound`.
    @_noLocks
    mutating func cross(
        from sound: UnsafePointer<LineSound>, _ playhead: Playhead, _ shares: UnsafePointer<Float>
    ) {
        (past, pastPlayhead, self.shares) = (sound.pointee.lanes(), playhead, shares)
    }

    /// Whether it says anything.
    @_noLocks
    func isEmpty() -> Bool {
        if case .some = lanes { return false }
        if case .some = past { return false }
        return true
    }

    @_noLocks
    private func frame(_ playhead: Playhead, _ i: Int) -> Int64 {
        playhead.rolls ? playhead.frame + Int64(i) : playhead.frame
    }

    /// Whether it says anything of a section.
    @_noLocks
    func moves(_ section: Int) -> Bool {
        if case .some = lanes?.pointee.section(section) { return true }
        if case .some = past?.pointee.section(section) { return true }
        return false
    }

    /// What a section of the equaliser is at a frame of the block.
    /// - Parameter hand: as hands have set it; nil: nothing.
    @_noLocks
    func coefficients(_ section: Int, _ hand: FilterCoefficients?, at i: Int) -> FilterCoefficients? {
        let now = said(lanes, section, hand, at: frame(playhead, i))
        guard let shares else { return now }
        let before = said(past, section, hand, at: frame(pastPlayhead, i))
        let share = 1 - Double(shares[i])
        if let now { return now.mixed(from: before ?? FilterCoefficients(likeDry: now), share) }
        guard let before else { return nil }
        return FilterCoefficients(likeDry: before).mixed(from: before, share)
    }

    /// Before it says anything of a section the hand does, on its way too.
    @_noLocks
    private func said(
        _ lanes: UnsafePointer<LineLanes>?, _ section: Int, _ hand: FilterCoefficients?, at frame: Int64
    ) -> FilterCoefficients? {
        guard let lane = lanes?.pointee.section(section) else { return hand }
        if lane.pointee.speaks(at: frame) { return lane.pointee.coefficients(at: frame) }
        return hand ?? FilterCoefficients(likeDry: lane.pointee.coefficients(at: frame))
    }

    /// Whether what it says of a section stays as it is over the block.
    @_noLocks
    func rests(_ section: Int, _ count: Int) -> Bool {
        if case .some = shares, moves(section) { return false }
        guard let lane = lanes?.pointee.section(section), playhead.rolls else { return true }
        return lane.pointee.rests(at: playhead.frame, count)
    }

    /// Whether it says anything of the gate, or of the compressor.
    @_noLocks
    func moves(isGate: Bool) -> Bool {
        if let lanes, (isGate ? lanes.pointee.gate : lanes.pointee.compressor).count > 0 { return true }
        if let past, (isGate ? past.pointee.gate : past.pointee.compressor).count > 0 { return true }
        return false
    }

    /// The curve of the gate, or of the compressor, at a frame of the block.
    @_noLocks
    func curve(_ hand: DynamicsCurve, isGate: Bool, at i: Int) -> DynamicsCurve {
        let now = curve(lanes, hand, isGate: isGate, at: frame(playhead, i))
        guard let shares else { return now }
        return now.mixed(
            from: curve(past, hand, isGate: isGate, at: frame(pastPlayhead, i)), 1 - Double(shares[i]))
    }

    @_noLocks
    private func curve(
        _ lanes: UnsafePointer<LineLanes>?, _ hand: DynamicsCurve, isGate: Bool, at frame: Int64
    ) -> DynamicsCurve {
        guard let lanes else { return hand }
        return (isGate ? lanes.pointee.gate : lanes.pointee.compressor).curve(hand, at: frame)
    }
}
