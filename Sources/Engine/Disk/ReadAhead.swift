import Glibc

/// How far and by how many files are read ahead of what is mixed.
public struct ReadAhead: Sendable {
    /// How many files are read at once: more than one, so that a stalled disk holds up its own tracks and not
    /// the others'.
    public var threads = 4
    /// Frames for each track; a power of two. 1.4 s at 48 kHz: what a disk may take for a breath.
    public var frames = 65536
    /// Frames that are read at once: more take fewer turns at the lock and calls of the system, fewer come
    /// sooner.
    public var piece = 8192
    /// After so many frames a stream gives back the room of what it has played, others in between; nil: after
    /// half a piece.
    var releasedFrames: Int?
    /// Playing may be sent elsewhere at any moment: likely positions are read, and memory for other streams
    /// is kept ready.
    public var expectsLocates = true
    /// It is played while it is mixed: what is read ahead is heard long after, and its memory is locked.
    public var isLive = true
    /// Who mixes is the only one who reads.
    var isAlone = false
    /// What streams that have ended have left, and where they leave it.
    var stock: StreamStock?

    /// For playing live.
    public init(threads: Int = 4) { self.threads = threads }

    /// With many tracks half as far each: a mebibyte a track is what a session of 512 may take.
    func shared(by tracks: Int) -> ReadAhead {
        var shared = self
        if tracks > 128 { shared.frames = max(min(16384, frames), frames / 2) }
        return shared
    }

    /// For who only edits: nothing is read.
    public static var none: ReadAhead {
        var none = ReadAhead(threads: 0)
        none.frames = 8192
        none.piece = 4096
        none.expectsLocates = false
        none.isLive = false
        return none
    }

    /// For rendering, where nobody locates and the mixer reads along while it waits. So little that the rings
    /// of a few dozen tracks stay in the processor's cache, which takes a quarter off a render's time; and
    /// enough that what the mixer waits for finds room beside what it has not given back yet.
    static func offline(threads: Int, sampleRate: Int32, stock: StreamStock?) -> ReadAhead {
        var offline = ReadAhead(threads: threads)
        let block = Block.frames()
        offline.piece = 4096
        offline.releasedFrames = block
        // A block and a fade are waited for. What is played and not given back is less than a block more than
        // `releasedFrames`. No rate of a session needs more than 8192, but an engine may run at others.
        let needed = offline.piece + block + MixerState.fadeFrames(sampleRate) + block + block
        offline.frames = needed <= 8192 ? 8192 : 16384
        offline.expectsLocates = false
        offline.isAlone = threads == 0
        offline.isLive = false
        offline.stock = stock
        return offline
    }
}
