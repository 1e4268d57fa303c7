import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler
// checks it.

extension MixerState {
    /// A member of an automix. Its sound is made up to where sends leave before the gains, and waits there
    /// for the levels of all; where it is the last of them, all go on.
    @_noLocks
    mutating func mixMember(
        _ line: UnsafeMutablePointer<Line>, _ share: UnsafeMutablePointer<ShareEdge>, _ count: Int
    ) {
        listen(line, count)
        holdInput(line, count)
        share.pointee.memory.pointee.waits = isPresent(line) && beginToShare(line, share, count)
        if !share.pointee.isLast { return }
        shareOut(share, count)
        for i in 0..<share.pointee.memberCount { goOnSharing(share.pointee.members[i], count) }
    }

    /// What a member does before its share is known.
    /// - Returns: whether it is heard.
    @_noLocks
    private mutating func beginToShare(
        _ line: UnsafeMutablePointer<Line>, _ share: UnsafeMutablePointer<ShareEdge>, _ count: Int
    ) -> Bool {
        if goesApart(line) { return makeApart(line, share.pointee.sides(), count) }
        let block = share.pointee.block
        if !process(line, into: block, count) { return false }
        leaveBefore(line, block, scratch.line(), count)
        return true
    }

    /// What a member does behind its share.
    @_noLocks
    private mutating func goOnSharing(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        guard let share = line.pointee.share else { return }
        clearLevels(line.pointee.blocks.channels)
        if share.pointee.memory.pointee.waits, goesApart(line) {
            goOnApart(line, share.pointee.sides(), count)
        } else if share.pointee.memory.pointee.waits {
            var gain = scratch.line()
            goOnBehind(line, share.pointee.block, &gain, count)
        }
        measure(line, count)
    }

    /// Works out the gains of all members in this block.
    @_noLocks
    private mutating func shareOut(_ share: UnsafeMutablePointer<ShareEdge>, _ count: Int) {
        for i in 0..<share.pointee.memberCount {
            let line = share.pointee.members[i]
            if let own = line.pointee.share { followLevel(of: line, own, count) }
        }
        let wasOther = share.pointee.changes || isElsewhere(share)
        for i in 0..<share.pointee.memberCount {
            share.pointee.members[i].pointee.share?.pointee.memory.pointee.wasOther = wasOther
        }
        for i in 0..<share.pointee.mixCount {
            let mix = share.pointee.mixes[i]
            takeShares(mix.members, mix.count, isBefore: false, count)
            if wasOther { takeShares(mix.membersBefore, mix.countBefore, isBefore: true, count) }
        }
    }

    /// How loud a member is in this block, as far as nothing mutes it.
    @_noLocks
    private mutating func followLevel(
        of line: UnsafeMutablePointer<Line>, _ share: UnsafeMutablePointer<ShareEdge>, _ count: Int
    ) {
        guard let key = line.pointee.levels?.pointee.own else { return }
        let memory = share.pointee.memory
        // One that goes stays on its way.
        if !line.pointee.gate.isPast() {
            memory.pointee.follow(playthrough(of: line))
        }
        var gate = scratch.said()
        line.pointee.strip.pointee.muteGate.apply(to: &gate, from: clock, count: count)
        multiply(&gate, byMutesOfDCAsOf: line, count)
        memory.pointee.follow(key, share.pointee.pace, gate, crosses: isElsewhere(line), at: clock, count)
    }

    /// Who is muted by a DCA takes nothing.
    @_noLocks
    private mutating func multiply(
        _ gate: inout GainBlock, byMutesOfDCAsOf line: UnsafeMutablePointer<Line>, _ count: Int
    ) {
        guard let controls = line.pointee.sound.controls, controls.pointee.dcas != 0 else { return }
        let plan = line.pointee.gate.isPast() ? past() : self.plan
        for i in 0..<plan.pointee.dcaCount where controls.pointee.dcas & (1 << UInt64(i)) != 0 {
            plan.pointee.dcas[i].strip.pointee.muteGate.apply(to: &gate, from: clock, count: count)
        }
    }

    /// The plan that is crossed over from, if there is one.
    @_noLocks
    private func past() -> UnsafeMutablePointer<PlanData> {
        guard let crossfade else { return plan }
        return crossfade.plan
    }

    /// Whether one of those that are worked out together is crossed over from elsewhere on the timeline.
    @_noLocks
    private mutating func isElsewhere(_ share: UnsafeMutablePointer<ShareEdge>) -> Bool {
        if crossfade == nil { return false }
        for i in 0..<share.pointee.memberCount where playing(share.pointee.members[i]).pointee.isElsewhere {
            return true
        }
        return false
    }

    @_noLocks
    private mutating func takeShares(
        _ members: UnsafeMutablePointer<UnsafeMutablePointer<ShareEdge>>, _ memberCount: Int, isBefore: Bool,
        _ count: Int
    ) {
        let sums = scratch.sums
        for i in 0..<count { sums[i] = 0 }
        var flat = 0.0
        for i in 0..<memberCount {
            members[i].pointee.memory.pointee.add(
                members[i].pointee.part(isBefore: isBefore), to: sums, &flat, isBefore: isBefore, count)
        }
        for i in 0..<count {
            let sum = sums[i] + flat
            sums[i] = sum > 0 ? 1 / sum : 0
        }
        for i in 0..<memberCount {
            members[i].pointee.memory.pointee.take(
                members[i].pointee.part(isBefore: isBefore), of: sums, isBefore: isBefore, count)
        }
    }

    /// Multiplies by a line's share, as it is.
    @_noLocks
    func multiplyShare(_ gain: inout GainBlock, _ line: UnsafeMutablePointer<Line>, _ count: Int) {
        if let share = line.pointee.share {
            multiply(&gain, by: share, isBefore: line.pointee.gate.isPast(), count)
        }
    }

    /// The same, as it was.
    @_noLocks
    func multiplyShareBefore(_ gain: inout GainBlock, _ line: UnsafeMutablePointer<Line>, _ count: Int) {
        if let share = line.pointee.share { multiply(&gain, by: share, isBefore: true, count) }
    }

    @_noLocks
    private func multiply(
        _ gain: inout GainBlock, by share: UnsafeMutablePointer<ShareEdge>, isBefore: Bool, _ count: Int
    ) {
        if isBefore ? share.pointee.weightBefore == nil : share.pointee.weight == nil { return }
        let memory = share.pointee.memory
        let wasOther = isBefore && memory.pointee.wasOther
        gain.multiply(by: wasOther ? memory.pointee.gainBefore : memory.pointee.gain, of: count)
    }
}

extension ShareEdge {
    /// Where its sound waits, and what it was before.
    @_noLocks
    func sides() -> SideBlocks { SideBlocks(present: block, past: blockBefore) }

    /// Its weight where it takes part.
    @_noLocks
    func part(isBefore: Bool) -> Double { (isBefore ? weightBefore : weight) ?? 0 }
}
