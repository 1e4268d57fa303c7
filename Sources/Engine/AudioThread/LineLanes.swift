/// What the timeline says of a line's processors. Read by the audio thread.
struct LineLanes {
    let sections: UnsafePointer<SectionLane>
    let sectionCount: Int
    let compressor: DynamicsLanes
    let gate: DynamicsLanes

    /// That of a section of the equaliser; nil: it says nothing of it.
    @_noLocks
    func section(_ index: Int) -> UnsafePointer<SectionLane>? {
        for i in 0..<sectionCount where sections[i].index == index { return sections + i }
        return nil
    }
}

/// A number that the timeline sets from its first event on; before that the hand does.
struct LaneValue {
    let base: Double
    let envelope: UnsafePointer<Envelope>?

    /// - Parameter hand: where that has put it.
    @_noLocks
    func value(at frame: Int64, hand: Double) -> Double {
        guard let envelope else { return hand }
        let index = envelope.pointee.nextIndex(at: frame)
        return index == 0 ? hand : envelope.pointee.segments[index].value(at: frame)
    }

    @_noLocks
    func value(at frame: Int64) -> Double { value(at: frame, hand: base) }

    /// Whether its first event has come by then.
    @_noLocks
    func speaks(at frame: Int64) -> Bool {
        guard let envelope else { return false }
        return envelope.pointee.nextIndex(at: frame) > 0
    }

    /// Whether it stays as it is for `count` frames from `frame` on.
    @_noLocks
    func rests(at frame: Int64, _ count: Int) -> Bool {
        guard let envelope else { return true }
        let index = envelope.pointee.nextIndex(at: frame)
        if index == 0 { return frame &+ Int64(count) <= envelope.pointee.end(of: 0) }
        guard case .hold = envelope.pointee.segments[index].shape else { return false }
        return envelope.pointee.end(of: index) == .max
            || frame + Int64(count) <= envelope.pointee.end(of: index)
    }
}

/// A section of an equaliser that the timeline moves.
struct SectionLane {
    let index: Int
    let design: FilterDesign
    let sampleRate: Double
    let frequency: LaneValue
    let gain: LaneValue
    let quality: LaneValue

    /// Whether the timeline has said anything of it by then.
    @_noLocks
    func speaks(at frame: Int64) -> Bool {
        frequency.speaks(at: frame) || gain.speaks(at: frame) || quality.speaks(at: frame)
    }

    @_noLocks
    func coefficients(at frame: Int64) -> FilterCoefficients {
        design.coefficients(
            frequency.value(at: frame), gain.value(at: frame), quality.value(at: frame), sampleRate)
    }

    @_noLocks
    func rests(at frame: Int64, _ count: Int) -> Bool {
        frequency.rests(at: frame, count) && gain.rests(at: frame, count) && quality.rests(at: frame, count)
    }
}

/// The numbers of a compressor or a gate that the timeline moves.
struct DynamicsLanes {
    let entries: UnsafePointer<Entry>
    let count: Int

    struct Entry {
        let number: Number
        let value: LaneValue
    }

    enum Number: Equatable {
        case threshold, ratio, knee, makeup, range

        /// By its name in files.
        init?(_ word: String) {
            switch word {
            case "threshold": self = .threshold
            case "ratio": self = .ratio
            case "knee": self = .knee
            case "makeup": self = .makeup
            case "range": self = .range
            default: return nil
            }
        }
    }

    /// A curve as the hand has set it, with what the timeline says in place of that.
    @_noLocks
    func curve(_ hand: DynamicsCurve, at frame: Int64) -> DynamicsCurve {
        var curve = hand
        for i in 0..<count {
            let value = entries[i].value
            switch entries[i].number {
            case .threshold:
                curve.threshold = value.value(at: frame, hand: hand.threshold)
                // The level at which a gate closes goes along.
                curve.close = hand.close + (curve.threshold - hand.threshold)
            case .ratio:
                let ratio = value.value(at: frame, hand: 0)
                curve.slope = ratio > 0 ? slope(ratio) : hand.slope
            case .knee: curve.knee = value.value(at: frame, hand: hand.knee)
            case .makeup: curve.makeup = value.value(at: frame, hand: hand.makeup)
            case .range: curve.range = range(value.value(at: frame, hand: hand.range))
            }
        }
        return curve
    }

    /// Of a ratio; 1000 has no end.
    @_noLocks
    private func slope(_ ratio: Double) -> Double { ratio >= 1000 ? 1 : 1 - 1 / ratio }

    /// 120 dB is all the way.
    @_noLocks
    private func range(_ range: Double) -> Double { range >= 120 ? 144 : range }
}

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
