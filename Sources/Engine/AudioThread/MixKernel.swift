import CVector

/// Adds `source * e * s` to two buses and measures what it added: the innermost loop of the mixer.
///
/// First the track's own gain (`envelope`), then the strip's (`left`, `right`): always in this order, one rounding
/// each, so that a block mixes to the same samples whatever its size and whichever loop takes it. Audio thread only; wait-free.
@_noLocks
func mix(
    _ source: StereoPointers, envelope: inout GainBlock, left: inout GainBlock, right: inout GainBlock,
    into bus: StereoPointers, _ count: Int
) -> Levels {
    var levels = Levels()
    if envelope.varies || left.varies || right.varies {
        envelope.spread(count)
        left.spread(count)
        right.spread(count)
        mix_moving(source.left, envelope.values, left.values, bus.left, count, &levels.peakLeft, &levels.squaresLeft)
        mix_moving(source.right, envelope.values, right.values, bus.right, count, &levels.peakRight, &levels.squaresRight)
    } else {
        mix_steady(source.left, envelope.constant, left.constant, bus.left, count, &levels.peakLeft, &levels.squaresLeft)
        mix_steady(source.right, envelope.constant, right.constant, bus.right, count, &levels.peakRight, &levels.squaresRight)
    }
    return levels
}

/// The same, stored in `block` in place of what was there.
@_noLocks
func make(
    _ source: StereoPointers, envelope: inout GainBlock, left: inout GainBlock, right: inout GainBlock, into block: StereoPointers, _ count: Int
) -> Levels {
    var levels = Levels()
    if envelope.varies || left.varies || right.varies {
        envelope.spread(count)
        left.spread(count)
        right.spread(count)
        make_moving(source.left, envelope.values, left.values, block.left, count, &levels.peakLeft, &levels.squaresLeft)
        make_moving(source.right, envelope.values, right.values, block.right, count, &levels.peakRight, &levels.squaresRight)
    } else {
        make_steady(source.left, envelope.constant, left.constant, block.left, count, &levels.peakLeft, &levels.squaresLeft)
        make_steady(source.right, envelope.constant, right.constant, block.right, count, &levels.peakRight, &levels.squaresRight)
    }
    return levels
}

/// The same, added to `bus` and not measured.
@_noLocks
func add(
    _ source: StereoPointers, envelope: inout GainBlock, left: inout GainBlock, right: inout GainBlock, into bus: StereoPointers, _ count: Int
) {
    if envelope.varies || left.varies || right.varies {
        envelope.spread(count)
        left.spread(count)
        right.spread(count)
        add_moving(source.left, envelope.values, left.values, bus.left, count)
        add_moving(source.right, envelope.values, right.values, bus.right, count)
    } else {
        add_steady(source.left, envelope.constant, left.constant, bus.left, count)
        add_steady(source.right, envelope.constant, right.constant, bus.right, count)
    }
}

/// Left and right samples of a block.
package struct StereoPointers {
    let left: UnsafeMutablePointer<Float>
    let right: UnsafeMutablePointer<Float>

    @_noLocks
    package init(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>) {
        self.left = left
        self.right = right
    }

    @_noLocks
    func clear(_ count: Int) {
        fill(left, 0, count)
        fill(right, 0, count)
    }

    /// The same without its first frames.
    @_noLocks
    func from(_ frame: Int) -> StereoPointers { StereoPointers(left + frame, right + frame) }

    /// Copies `count` frames that begin at `source` to `offset` of this.
    @_noLocks
    func copy(_ source: StereoPointers, at offset: Int, count: Int) {
        let bytes = count * MemoryLayout<Float>.stride
        UnsafeMutableRawPointer(left + offset).copyMemory(from: source.left, byteCount: bytes)
        UnsafeMutableRawPointer(right + offset).copyMemory(from: source.right, byteCount: bytes)
    }
}

/// Multiplies both sides of a bus by their gains and measures the result. Audio thread only; wait-free.
@_noLocks @discardableResult
func scale(_ bus: StereoPointers, by left: inout GainBlock, _ right: inout GainBlock, _ count: Int) -> Levels {
    left.spread(count)
    right.spread(count)
    var levels = Levels()
    scale_moving(bus.left, left.values, count, &levels.peakLeft, &levels.squaresLeft)
    scale_moving(bus.right, right.values, count, &levels.peakRight, &levels.squaresRight)
    return levels
}

/// The share of what sounded before in frames `done` to `done + count` of a crossfade: down by the frame, from `(total - done) / total`. Audio thread only; wait-free.
@_noLocks
func share(_ shares: UnsafeMutablePointer<Float>, done: Int, total: Int, _ count: Int) {
    for i in 0..<count { shares[i] = Float(total - done - i) / Float(total) }
}

/// A crossfade from `old` to `new`, each times its own gain. Where both are the same sample the result is that sample, to the bit. `block` may be one of them.
/// Audio thread only; wait-free.
@_noLocks
func cross(
    _ new: StereoPointers, _ newGain: inout GainBlock, from old: StereoPointers, _ oldGain: inout GainBlock,
    _ shares: UnsafePointer<Float>, into block: StereoPointers, _ count: Int
) {
    newGain.spread(count)
    oldGain.spread(count)
    crossChannel(new.left, newGain.values, old.left, oldGain.values, shares, block.left, count)
    crossChannel(new.right, newGain.values, old.right, oldGain.values, shares, block.right, count)
}

@_noLocks
private func crossChannel(
    _ new: UnsafePointer<Float>, _ newGain: UnsafePointer<Float>, _ old: UnsafePointer<Float>, _ oldGain: UnsafePointer<Float>,
    _ shares: UnsafePointer<Float>, _ block: UnsafeMutablePointer<Float>, _ count: Int
) {
    var i = 0
    while i + 8 <= count {
        let (y, before) = (load(new + i) * load(newGain + i), load(old + i) * load(oldGain + i))
        store(y + (before - y) * load(shares + i), block + i)
        i += 8
    }
    while i < count {
        let (y, before) = (new[i] * newGain[i], old[i] * oldGain[i])
        block[i] = y + (before - y) * shares[i]
        i += 1
    }
}

/// Multiplies a block by its gain. Audio thread only; wait-free.
@_noLocks
func apply(_ gain: inout GainBlock, to block: StereoPointers, from source: StereoPointers, _ count: Int) {
    gain.spread(count)
    var i = 0
    while i < count {
        block.left[i] = source.left[i] * gain.values[i]
        block.right[i] = source.right[i] * gain.values[i]
        i += 1
    }
}
