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

extension MixerState {
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

    /// Makes the strips forget the buffers, which are theirs for one call only.
    @_noLocks
    mutating func closeOuts() {
        guard let outs else { return }
        for i in 0..<outs.count { outs.outs[i].strip.pointee.out = nil }
        self.outs = nil
    }

    /// Where a strip's own signal goes, if it is wanted as it is at this point.
    @_noLocks
    func out(_ strip: UnsafeMutablePointer<LiveStrip>, pre: Bool) -> StereoPointers? {
        guard outs != nil, let out = strip.pointee.out, strip.pointee.isOutPre == pre else { return nil }
        return StereoPointers(out.left + outsDone, out.right + outsDone)
    }

    /// The fades of a stop and of play after it, which the mix gets with the master's gain.
    @_noLocks
    func fadeOuts(_ count: Int) {
        guard let outs, let playing = motion.playing() else { return }
        var (left, right) = (scratch.gain(0), scratch.gain(1))
        playing.level.apply(to: &left, from: clock, count: count)
        if left.isUnity() { return }
        right.copy(left, count)
        for i in 0..<outs.count {
            guard let out = outs.outs[i].pointers() else { continue }
            scale(StereoPointers(out.left + outsDone, out.right + outsDone), by: &left, &right, count)
        }
    }
}
