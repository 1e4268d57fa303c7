/// A plan's sums and gains for one block: the present plan's, or those of the plan before while sound went other ways in it. Audio thread only; wait-free.
struct Side {
    let plan: UnsafeMutablePointer<PlanData>
    let playhead: Playhead
    /// Where the master's sum is.
    let master: StereoPointers

    /// - Parameters:
    ///   - index: of the plan's route.
    ///   - rolls: it is played; else it stands there.
    @_noLocks
    init(_ plan: UnsafeMutablePointer<PlanData>, at index: Int64, rolls: Bool, master: StereoPointers) {
        (self.plan, self.master) = (plan, master)
        playhead = Playhead(plan.pointee.route.frame(at: index), rolls: rolls)
    }

    /// Empties the sums of the buses, and works out the gains of the DCAs.
    @_noLocks
    func begin(_ clock: Int64, _ count: Int) {
        for i in 1..<max(1, plan.pointee.sumCount) { plan.pointee.sum(i).clear(count) }
        gainDCAs(clock, count)
    }

    /// What each DCA multiplies by: automation, mute, fader and gate.
    @_noLocks
    func gainDCAs(_ clock: Int64, _ count: Int) {
        for i in 0..<plan.pointee.dcaCount {
            let dca = plan.pointee.dcas + i
            var gain = GainBlock(scratch: dca.pointee.gain.values)
            gain.multiply(by: dca.pointee.envelopes, dca.pointee.envelopeCount, at: playhead, of: count)
            dca.pointee.strip.pointee.fader.apply(to: &gain, from: clock, count: count)
            dca.pointee.strip.pointee.muteGate.apply(to: &gain, from: clock, count: count)
            dca.pointee.gain = gain
        }
    }

    /// Multiplies by the DCAs that a line hangs on.
    @_noLocks
    func multiplyDCAs(_ ways: UnsafeMutablePointer<LineWays>?, _ gain: inout GainBlock, _ count: Int) {
        guard let ways, ways.pointee.dcas != 0 else { return }
        for i in 0..<plan.pointee.dcaCount where ways.pointee.dcas & (1 << UInt64(i)) != 0 { gain.multiply(by: plan.pointee.dcas[i].gain, of: count) }
    }

    @_noLocks
    func sum(_ number: Int) -> StereoPointers { number == 0 ? master : plan.pointee.sum(number) }

    /// Where a line is added; nil for nowhere.
    @_noLocks
    func output(_ ways: UnsafeMutablePointer<LineWays>?) -> StereoPointers? {
        guard let ways else { return master }
        return ways.pointee.output < 0 ? nil : sum(ways.pointee.output)
    }
}

/// Where a line's sound went in the plan before.
struct Echo {
    let side: Side
    let ways: UnsafeMutablePointer<LineWays>?

    @_noLocks
    init(_ side: Side, _ ways: UnsafeMutablePointer<LineWays>?) { (self.side, self.ways) = (side, ways) }
}

/// How much of a line goes to ports of its own, while what it was is crossed over from.
enum OutPart {
    case whole
    /// It comes: all but the share of what was before.
    case rising
    /// It goes: that share.
    case falling

    @_noLocks
    func isWhole() -> Bool { if case .whole = self { true } else { false } }

    @_noLocks
    func apply(to gain: inout GainBlock, _ shares: UnsafePointer<Float>, _ count: Int) {
        if isWhole() { return }
        gain.spread(count)
        for i in 0..<count {
            if case .rising = self { gain.values[i] *= 1 - shares[i] } else { gain.values[i] *= shares[i] }
        }
    }
}
