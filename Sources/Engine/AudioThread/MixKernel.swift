import CVector
import Realtime

/// How samples are laid into a block.
enum Laying {
    /// Added to what is there.
    case adds
    /// The same, and what is added is measured.
    case addsAndMeasures
    /// In place of what is there, and measured.
    case replacesAndMeasures
}

/// Lays `source * envelope * side` into as many channels: the innermost loop of the mixer.
///
/// First the track's own gain (`envelope`), then the strip's (`sides`): always in this order, one rounding
/// each, so that a block mixes to the same samples whatever its size and whichever loop takes it. Audio
/// thread only; wait-free.
@_noLocks
func lay(
    _ source: Channels, _ laying: Laying, envelope: inout GainBlock, sides: inout SideGains,
    into target: Channels,
    _ levels: UnsafeMutablePointer<Level>, _ count: Int
) {
    let moves = envelope.varies || sides.vary(source.count)
    if moves {
        envelope.spread(count)
        sides.spread(source.count, count)
    }
    // Most have two channels: nothing is looked up for them.
    if source.count == 2 {
        lay(source.channel(0), laying, envelope, sides.left, moves, into: target.channel(0), levels, count)
        return lay(
            source.channel(1), laying, envelope, sides.right, moves, into: target.channel(1), levels + 1,
            count)
    }
    for channel in 0..<source.count {
        let side = sides.of(channel, among: source.count)
        lay(
            source.channel(channel), laying, envelope, side, moves, into: target.channel(channel),
            levels + channel, count)
    }
}

@_noLocks @inline(__always)
private func lay(
    _ samples: UnsafePointer<Float>, _ laying: Laying, _ envelope: GainBlock, _ side: GainBlock,
    _ moves: Bool,
    into block: UnsafeMutablePointer<Float>, _ level: UnsafeMutablePointer<Level>, _ count: Int
) {
    switch laying {
    case .adds where moves: add_moving(samples, envelope.values, side.values, block, count)
    case .adds: add_steady(samples, envelope.constant, side.constant, block, count)
    case .addsAndMeasures where moves:
        mix_moving(
            samples, envelope.values, side.values, block, count, &level.pointee.peak, &level.pointee.squares)
    case .addsAndMeasures:
        mix_steady(
            samples, envelope.constant, side.constant, block, count, &level.pointee.peak,
            &level.pointee.squares)
    case .replacesAndMeasures where moves:
        make_moving(
            samples, envelope.values, side.values, block, count, &level.pointee.peak, &level.pointee.squares)
    case .replacesAndMeasures:
        make_steady(
            samples, envelope.constant, side.constant, block, count, &level.pointee.peak,
            &level.pointee.squares)
    }
}

/// Adds the samples of one channel, times two gains, to another. Audio thread only; wait-free.
@_noLocks
func add(
    _ source: UnsafePointer<Float>, _ envelope: inout GainBlock, _ side: inout GainBlock,
    to target: UnsafeMutablePointer<Float>, _ count: Int
) {
    if envelope.varies || side.varies {
        envelope.spread(count)
        side.spread(count)
        add_moving(source, envelope.values, side.values, target, count)
    } else {
        add_steady(source, envelope.constant, side.constant, target, count)
    }
}

/// Multiplies the channels of a block by their gains and measures the result. Audio thread only; wait-free.
@_noLocks
func scale(_ block: Channels, by sides: inout SideGains, _ levels: UnsafeMutablePointer<Level>, _ count: Int)
{
    sides.spread(block.count, count)
    for channel in 0..<block.count {
        let level = levels + channel
        scale_moving(
            block.channel(channel), sides.of(channel, among: block.count).values, count, &level.pointee.peak,
            &level.pointee.squares)
    }
}

/// The share of what sounded before in frames `done` to `done + count` of a crossfade: down by the frame,
/// from `(total - done) / total`. Audio thread only; wait-free.
@_noLocks
func share(_ shares: UnsafeMutablePointer<Float>, done: Int, total: Int, _ count: Int) {
    for i in 0..<count { shares[i] = Float(total - done - i) / Float(total) }
}

/// A crossfade from `old` to `new`, each times its own gain. Where both are the same sample the result is
/// that sample, to the bit. `block` may be one of them. Audio thread only; wait-free.
@_noLocks
func cross(
    _ new: Channels, _ newGain: inout GainBlock, from old: Channels, _ oldGain: inout GainBlock,
    _ shares: UnsafePointer<Float>, into block: Channels, _ count: Int
) {
    newGain.spread(count)
    oldGain.spread(count)
    for channel in 0..<new.count {
        crossChannel(
            new.channel(channel), newGain.values, old.channel(channel), oldGain.values, shares,
            block.channel(channel), count)
    }
}

@_noLocks
private func crossChannel(
    _ new: UnsafePointer<Float>, _ newGain: UnsafePointer<Float>, _ old: UnsafePointer<Float>,
    _ oldGain: UnsafePointer<Float>,
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
func apply(_ gain: inout GainBlock, to block: Channels, from source: Channels, _ count: Int) {
    gain.spread(count)
    for channel in 0..<source.count {
        let (from, to) = (source.channel(channel), block.channel(channel))
        for i in 0..<count { to[i] = from[i] * gain.values[i] }
    }
}
