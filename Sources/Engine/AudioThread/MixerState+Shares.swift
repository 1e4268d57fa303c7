import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler checks it.

extension MixerState {
    /// A member of an automix. Its sound is made up to where sends leave before the gains, and waits there for the levels of all; where it is the last of
    /// them, all go on.
    @_noLocks
    mutating func mixMember(_ line: UnsafeMutablePointer<Line>, _ share: UnsafeMutablePointer<ShareEdge>, _ count: Int) {
        listen(line, count)
        holdInput(line, count)
        let block = share.pointee.block
        share.pointee.memory.pointee.waits = isPresent(line) && process(line, into: block, count)
        if share.pointee.memory.pointee.waits { leaveBefore(line, block, scratch.line(), count) }
        if !share.pointee.isLast { return }
        shareOut(share, count)
        for i in 0..<share.pointee.memberCount { goOnSharing(share.pointee.members[i], count) }
    }

    /// What a member does behind its share.
    @_noLocks
    private mutating func goOnSharing(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        guard let share = line.pointee.share else { return }
        clearLevels(line.pointee.blocks.channels)
        if share.pointee.memory.pointee.waits {
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
            guard let own = line.pointee.share, let key = line.pointee.levels?.pointee.own else { continue }
            let memory = own.pointee.memory
            // One that goes stays on its way.
            if !line.pointee.gate.isPast() { memory.pointee.begin(way, hearsInputs: line.pointee.hearsInputs) }
            var gate = scratch.said()
            line.pointee.strip.pointee.muteGate.apply(to: &gate, from: clock, count: count)
            memory.pointee.follow(key, own.pointee.pace, gate, crosses: isElsewhere(line), at: clock, count)
        }
        for mix in 0..<share.pointee.mixCount {
            takeShares(share, of: mix, isBefore: false, count)
            if crossfade != nil { takeShares(share, of: mix, isBefore: true, count) }
        }
    }

    @_noLocks
    private mutating func takeShares(_ share: UnsafeMutablePointer<ShareEdge>, of mix: Int, isBefore: Bool, _ count: Int) {
        let sums = scratch.sums
        for i in 0..<count { sums[i] = 0 }
        for i in 0..<share.pointee.memberCount {
            guard let own = share.pointee.members[i].pointee.share, let part = own.pointee.part(isBefore: isBefore), part.mix == mix else { continue }
            own.pointee.memory.pointee.add(part.weight, to: sums, isBefore: isBefore, count)
        }
        for i in 0..<share.pointee.memberCount {
            guard let own = share.pointee.members[i].pointee.share, let part = own.pointee.part(isBefore: isBefore), part.mix == mix else { continue }
            own.pointee.memory.pointee.take(part.weight, of: sums, isBefore: isBefore, count)
        }
    }

    /// Multiplies by a line's share, as it is.
    @_noLocks
    func multiplyShare(_ gain: inout GainBlock, _ line: UnsafeMutablePointer<Line>, _ count: Int) {
        if let share = line.pointee.share { multiply(&gain, by: share, isBefore: line.pointee.gate.isPast(), count) }
    }

    /// The same, as it was.
    @_noLocks
    func multiplyShareBefore(_ gain: inout GainBlock, _ line: UnsafeMutablePointer<Line>, _ count: Int) {
        if let share = line.pointee.share { multiply(&gain, by: share, isBefore: true, count) }
    }

    @_noLocks
    private func multiply(_ gain: inout GainBlock, by share: UnsafeMutablePointer<ShareEdge>, isBefore: Bool, _ count: Int) {
        guard case .some = share.pointee.part(isBefore: isBefore) else { return }
        let memory = share.pointee.memory
        gain.multiply(by: isBefore ? memory.pointee.gainBefore : memory.pointee.gain, of: count)
    }
}

extension ShareEdge {
    @_noLocks
    func part(isBefore: Bool) -> SharePart? { isBefore ? partBefore : part }
}
