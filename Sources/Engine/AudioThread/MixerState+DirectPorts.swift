import CVector
import Realtime
import Speakers
import Synchronization

extension MixerState {
    /// Makes the strips know what comes in.
    @_noLocks
    mutating func open(_ ins: DirectIns?) {
        self.ins = ins
        guard let ins else { return }
        for i in 0..<ins.count where ins.ins[i].buffers.areThere() {
            ins.ins[i].strip.pointee.input = ins.ins[i].asItLies()
        }
    }

    /// Makes them forget it again.
    @_noLocks
    mutating func closeIns() {
        guard let ins else { return }
        for i in 0..<ins.count {
            ins.ins[i].strip.pointee.input = nil
            ins.ins[i].strip.pointee.ownInput = nil
        }
        self.ins = nil
    }

    /// Looks at what comes in in the present block: what is no number is silenced before anybody hears,
    /// measures or records it.
    @_noLocks
    mutating func receive(_ count: Int) {
        guard let ins else { return }
        for i in 0..<ins.count where ins.ins[i].buffers.areThere() {
            let strip = ins.ins[i].strip
            strip.pointee.ownInput = nil
            if let input = strip.pointee.input?.from(buffersDone),
                are_numbers(input.channel(0), input.channel(input.count - 1), count) != 0
            {
                continue
            }
            // The buffers are those of whoever plays into them.
            let (own, silenced) = ins.ins[i].copy(from: buffersDone, count)
            strip.pointee.ownInput = own
            if silenced > 0 { strip.pointee.shared.pointee.silenced.add(silenced, ordering: .relaxed) }
        }
    }

    /// What comes in for a strip in the present block; nil for silence.
    @_noLocks
    mutating func input(_ strip: UnsafeMutablePointer<LiveStrip>) -> Channels? {
        if ins == nil { return nil }
        if let own = strip.pointee.ownInput { return own }
        return strip.pointee.input?.from(buffersDone)
    }

    /// Empties the buffers and makes the strips know them.
    @_noLocks
    mutating func open(_ outs: DirectOuts?, _ count: Int) {
        self.outs = outs
        guard let outs else { return }
        for i in 0..<outs.count {
            let out = outs.outs + i
            if !out.pointee.buffers.areThere() { continue }
            for channel in 0..<out.pointee.buffers.count {
                if let buffer = out.pointee.buffers[channel] { fill(buffer, 0, count) }
            }
            out.pointee.strip.pointee.out = out
        }
    }

    /// Silences what single strips play in the present block, as far as that was asked.
    @_noLocks
    mutating func hushOuts(_ clock: Int64, _ count: Int) {
        guard let outs, hush.target != 1 || hush.framesLeft(at: clock) > 0 else { return }
        var gain = scratch.edge()
        let unity = scratch.part()
        hush.apply(to: &gain, from: clock, count: count)
        gain.spread(count)
        for i in 0..<outs.count where outs.outs[i].buffers.areThere() {
            // One that goes and one that comes may play into the same: they stand beside each other.
            if i > 0, outs.outs[i - 1].buffers[0] == outs.outs[i].buffers[0] { continue }
            for channel in 0..<outs.outs[i].buffers.count {
                guard let buffer = outs.outs[i].buffers[channel] else { continue }
                let block = Channels(buffer + buffersDone, stride: 0, count: 1)
                var sides = SideGains(unity, unity, gain)
                scale(block, by: &sides, scratch.levels, count)
            }
        }
    }

    /// Makes the strips forget the buffers, which are theirs for one call only.
    @_noLocks
    mutating func closeOuts() {
        guard let outs else { return }
        for i in 0..<outs.count { outs.outs[i].strip.pointee.out = nil }
        self.outs = nil
    }

    /// Where a strip's own signal goes, if it is wanted as it is at this point.
    @_noLocks
    mutating func out(_ strip: UnsafeMutablePointer<LiveStrip>, pre: Bool) -> UnsafeMutablePointer<DirectOut>?
    {
        guard outs != nil, let out = strip.pointee.out, out.pointee.isPre == pre else { return nil }
        return out
    }
}
