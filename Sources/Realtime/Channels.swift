/// Samples of several channels, each in one piece: the channels lie `stride` floats apart. The memory is
/// somebody else's.
@frozen
public struct Channels {
    @usableFromInline let base: UnsafeMutablePointer<Float>
    @usableFromInline let stride: Int
    /// How many there are.
    public let count: Int

    /// The first at `base`, each other `stride` floats behind the one before it.
    @_noLocks @inlinable
    public init(_ base: UnsafeMutablePointer<Float>, stride: Int, count: Int) {
        (self.base, self.stride, self.count) = (base, stride, count)
    }

    /// Two of them, wherever they lie; both may be the same.
    @_noLocks @inlinable
    public init(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>) {
        self.init(left, stride: right - left, count: 2)
    }

    /// The `number`th, from 0.
    @_noLocks @inlinable
    public func channel(_ number: Int) -> UnsafeMutablePointer<Float> { base + number * stride }

    /// The same without its first frames.
    @_noLocks @inlinable
    public func from(_ frame: Int) -> Channels { Channels(base + frame, stride: stride, count: count) }

    /// Silence in all of them.
    @_noLocks
    public func clear(_ frames: Int) { clear(from: 0, to: frames) }

    /// Silence from one frame to another.
    @_noLocks
    public func clear(from start: Int, to end: Int) {
        if start >= end { return }
        for channel in 0..<count {
            let samples = self.channel(channel)
            for frame in start..<end { samples[frame] = 0 }
        }
    }

    /// Takes `frames` frames of as many channels, from the first of `source` on.
    @_noLocks
    public func copy(_ source: Channels, _ frames: Int) {
        for channel in 0..<count {
            UnsafeMutableRawPointer(self.channel(channel)).copyMemory(
                from: source.channel(channel), byteCount: frames * MemoryLayout<Float>.stride)
        }
    }
}
