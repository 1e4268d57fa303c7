/// Where single tracks go beside the mix, for one call of `render`.
public struct DirectOuts {
    let outs: UnsafeMutablePointer<DirectOut>
    let count: Int
    let tap: Tap

    /// Which signal of a track goes there.
    public enum Tap: String, CaseIterable, Sendable {
        /// As its clips have it: before automation, fades, ducks, fader, mute, solo and pan.
        case pre
        /// As it goes into the mix: after all of them, before the master.
        case post
    }

    /// `count` outs at `outs`, which stay the caller's.
    @_noLocks
    public init(_ outs: UnsafeMutablePointer<DirectOut>, count: Int, tap: Tap) {
        self.outs = outs
        self.count = count
        self.tap = tap
    }

    @_noLocks
    func isPre() -> Bool { if case .pre = tap { true } else { false } }
}

/// The buffers of one track.
public struct DirectOut {
    let strip: UnsafeMutablePointer<LiveStrip>
    /// The left side's buffer in this call; nil leaves the track out.
    public var left: UnsafeMutablePointer<Float>?
    /// The right side's.
    public var right: UnsafeMutablePointer<Float>?

    /// Without buffers, which each call brings anew. Who keeps this must keep `strip` too.
    public init(_ strip: StripHandle) { self.strip = strip.strip }

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
        }
    }

    /// Makes the strips forget the buffers, which are theirs for one call only.
    @_noLocks
    mutating func closeOuts() {
        guard let outs else { return }
        for i in 0..<outs.count { outs.outs[i].strip.pointee.out = nil }
        self.outs = nil
    }

    /// Where a track's own signal goes, if it is wanted as it is at this point.
    @_noLocks
    func out(_ strip: UnsafeMutablePointer<LiveStrip>, pre: Bool) -> StereoPointers? {
        guard let outs, outs.isPre() == pre, let out = strip.pointee.out else { return nil }
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
