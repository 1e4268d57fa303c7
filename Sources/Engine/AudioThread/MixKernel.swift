import CVector
import Realtime

/// Lays `source * envelope * side` into as many channels: the innermost loop of the mixer.
///
/// First the track's own gain (`envelope`), then the strip's (`sides`): always in this order, one rounding
/// each, so that a block mixes to the same samples whatever its size and whichever loop takes it. Audio
/// thread only; wait-free.
@_noLocks @inline(__always)
func lay(
    _ source: Channels, _ laying: Laying, envelope: inout GainBlock, sides: inout SideGains,
    into target: Channels, _ count: Int
) {
    if envelope.varies || sides.vary(source.count) {
        envelope.spread(count)
        sides.spread(source.count, count)
    }
    // Most have two channels: nothing is looked up for them.
    if source.count == 2 {
        lay(source.channel(0), laying, envelope, sides.left, into: target.channel(0), count)
        return lay(source.channel(1), laying.of(1), envelope, sides.right, into: target.channel(1), count)
    }
    for channel in 0..<source.count {
        let side = sides.of(channel, among: source.count)
        lay(source.channel(channel), laying.of(channel), envelope, side, into: target.channel(channel), count)
    }
}

/// One channel. Where one of its gains moves both are spread over the block.
@_noLocks @inline(__always)
private func lay(
    _ samples: UnsafePointer<Float>, _ laying: Laying, _ envelope: GainBlock, _ side: GainBlock,
    into block: UnsafeMutablePointer<Float>, _ count: Int
) {
    switch laying {
    case .adds where envelope.varies: add_moving(samples, envelope.values, side.values, block, count)
    case .adds: add_steady(samples, envelope.constant, side.constant, block, count)
    case .addsAndMeasures(let level) where envelope.varies:
        mix_moving(samples, envelope.values, side.values, block, count, level)
    case .addsAndMeasures(let level):
        mix_steady(samples, envelope.constant, side.constant, block, count, level)
    case .replacesAndMeasures(let level) where envelope.varies:
        make_moving(samples, envelope.values, side.values, block, count, level)
    case .replacesAndMeasures(let level):
        make_steady(samples, envelope.constant, side.constant, block, count, level)
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
            block.channel(channel), sides.of(channel, among: block.count).values, count, level)
    }
}

/// The share of what sounded before in frames `done` to `done + count` of a crossfade: down by the frame,
/// from `(total - done) / total`. Audio thread only; wait-free.
@_noLocks
func share(_ shares: UnsafeMutablePointer<Float>, done: Int, total: Int, _ count: Int) {
    for i in 0..<count { shares[i] = Float(total - done - i) / Float(total) }
}

/// A sound and what it is multiplied by.
struct GainedChannels {
    let channels: Channels
    var gain: GainBlock

    @_noLocks
    init(_ channels: Channels, _ gain: GainBlock) { (self.channels, self.gain) = (channels, gain) }
}

/// A crossfade from `old` to `new`, each times its own gain. Where both are the same sample the result is
/// that sample, to the bit. `block` may be one of them. Audio thread only; wait-free.
@_noLocks
func cross(
    _ new: GainedChannels, from old: GainedChannels, _ shares: UnsafePointer<Float>, into block: Channels,
    _ count: Int
) {
    var (new, old) = (new, old)
    new.gain.spread(count)
    old.gain.spread(count)
    for channel in 0..<new.channels.count {
        let sound = GainedSamples(new.channels.channel(channel), new.gain.values)
        let past = GainedSamples(old.channels.channel(channel), old.gain.values)
        cross(sound, from: past, shares, into: block.channel(channel), count)
    }
}

@_noLocks
private func cross(
    _ new: GainedSamples, from old: GainedSamples, _ shares: UnsafePointer<Float>,
    into block: UnsafeMutablePointer<Float>, _ count: Int
) {
    var i = 0
    while i + 8 <= count {
        let (y, before) = (new.eight(i), old.eight(i))
        store(y + (before - y) * load(shares + i), block + i)
        i += 8
    }
    while i < count {
        let (y, before) = (new.one(i), old.one(i))
        block[i] = y + (before - y) * shares[i]
        i += 1
    }
}

/// The samples of one channel and a gain for each.
private struct GainedSamples {
    private let samples: UnsafePointer<Float>
    private let gains: UnsafePointer<Float>

    @_noLocks
    init(_ samples: UnsafePointer<Float>, _ gains: UnsafePointer<Float>) {
        (self.samples, self.gains) = (samples, gains)
    }

    /// The product at the frame `i`, and of eight frames from there on.
    @_noLocks @inline(__always)
    func one(_ i: Int) -> Float { samples[i] * gains[i] }
    @_noLocks @inline(__always)
    func eight(_ i: Int) -> SIMD8<Float> { load(samples + i) * load(gains + i) }
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
