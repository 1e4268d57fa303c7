import CVector
import Synchronization

/// Where single strips go beside the mix, or in its place, for one call of `render`.
public struct DirectOuts {
    let outs: UnsafeMutablePointer<DirectOut>
    let count: Int

    /// Which signal of a strip goes there.
    public enum Tap: String, CaseIterable, Sendable {
        /// As it leaves by pre sends: behind the trim, before automation, fades, ducks, fader, mute, solo and pan.
        case pre
        /// As it goes on: after all of them.
        case post
    }

    /// `count` outs at `outs`, which stay the caller's.
    @_noLocks
    public init(_ outs: UnsafeMutablePointer<DirectOut>, count: Int) {
        self.outs = outs
        self.count = count
    }
}

/// The buffers of one strip.
public struct DirectOut {
    let strip: UnsafeMutablePointer<LiveStrip>
    let isPre: Bool
    /// The left side's buffer in this call; nil leaves the track out.
    public var left: UnsafeMutablePointer<Float>?
    /// The right side's.
    public var right: UnsafeMutablePointer<Float>?

    /// Without buffers, which each call brings anew. Who keeps this must keep `strip` too.
    public init(_ strip: StripHandle, _ tap: DirectOuts.Tap) { (self.strip, isPre) = (strip.strip, tap == .pre) }

    @_noLocks
    func pointers() -> StereoPointers? {
        guard let left, let right else { return nil }
        return StereoPointers(left, right)
    }
}

/// What comes in by ports of single strips, for one call of `render`.
public struct DirectIns {
    let ins: UnsafeMutablePointer<DirectIn>
    let count: Int

    /// `count` inputs at `ins`, which stay the caller's.
    @_noLocks
    public init(_ ins: UnsafeMutablePointer<DirectIn>, count: Int) {
        self.ins = ins
        self.count = count
    }
}

/// The buffers that one strip hears.
public struct DirectIn {
    let strip: UnsafeMutablePointer<LiveStrip>
    /// The left side's buffer in this call; nil is silence.
    public var left: UnsafeMutablePointer<Float>?
    /// The right side's: of what is mono the same.
    public var right: UnsafeMutablePointer<Float>?
    /// A place for what comes in without what is no number.
    let clean: StereoPointers

    /// Without buffers, which each call brings anew. Who keeps this must keep `strip` too.
    public init(_ strip: StripHandle) { (self.strip, clean) = (strip.strip, strip.inputBlock) }
}

extension MixerState {
    /// Makes the strips know what comes in.
    @_noLocks
    mutating func open(_ ins: DirectIns?) {
        self.ins = ins
        guard let ins else { return }
        for i in 0..<ins.count {
            guard let left = ins.ins[i].left, let right = ins.ins[i].right else { continue }
            ins.ins[i].strip.pointee.input = StereoPointers(left, right)
        }
    }

    /// Makes them forget it again.
    @_noLocks
    mutating func closeIns() {
        guard let ins else { return }
        for i in 0..<ins.count {
            ins.ins[i].strip.pointee.input = nil
            ins.ins[i].strip.pointee.cleanInput = nil
        }
        self.ins = nil
    }

    /// Looks at what comes in in the present block: what is no number is silenced before anybody hears, measures or records it.
    @_noLocks
    mutating func receive(_ count: Int) {
        guard let ins else { return }
        for i in 0..<ins.count {
            let strip = ins.ins[i].strip
            strip.pointee.cleanInput = nil
            guard let input = strip.pointee.input?.from(buffersDone) else { continue }
            if are_numbers(input.left, input.right, count) != 0 { continue }
            // The buffers are those of whoever plays into them.
            let clean = ins.ins[i].clean
            var silenced = silence_others(input.left, clean.left, count)
            let silencedRight = silence_others(input.right, clean.right, count)
            if input.right != input.left { silenced += silencedRight }
            strip.pointee.cleanInput = clean
            strip.pointee.shared.pointee.silenced.add(silenced, ordering: .relaxed)
        }
    }

    /// What comes in for a strip in the present block; nil for silence.
    @_noLocks
    mutating func input(_ strip: UnsafeMutablePointer<LiveStrip>) -> StereoPointers? {
        guard ins != nil, let input = strip.pointee.input else { return nil }
        if let clean = strip.pointee.cleanInput { return clean }
        return input.from(buffersDone)
    }

    /// Empties the buffers and makes the strips know them.
    @_noLocks
    mutating func open(_ outs: DirectOuts?, _ count: Int) {
        self.outs = outs
        guard let outs else { return }
        for i in 0..<outs.count {
            guard let out = outs.outs[i].pointers() else { continue }
            out.clear(count)
            outs.outs[i].strip.pointee.out = out
            outs.outs[i].strip.pointee.isOutPre = outs.outs[i].isPre
        }
    }

    /// Silences what single strips play in the present block, as far as that was asked.
    @_noLocks
    mutating func hushOuts(_ clock: Int64, _ count: Int) {
        guard let outs, hush.target != 1 || hush.framesLeft(at: clock) > 0 else { return }
        for i in 0..<outs.count {
            guard let out = outs.outs[i].pointers() else { continue }
            // One that goes and one that comes may play into the same: they stand beside each other.
            if i > 0, outs.outs[i - 1].left == out.left { continue }
            var (left, right) = (scratch.left(), scratch.right())
            hush.apply(to: &left, from: clock, count: count)
            hush.apply(to: &right, from: clock, count: count)
            scale(StereoPointers(out.left + buffersDone, out.right + buffersDone), by: &left, &right, count)
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
    mutating func out(_ strip: UnsafeMutablePointer<LiveStrip>, pre: Bool) -> StereoPointers? {
        guard outs != nil, let out = strip.pointee.out, strip.pointee.isOutPre == pre else { return nil }
        return StereoPointers(out.left + buffersDone, out.right + buffersDone)
    }
}
