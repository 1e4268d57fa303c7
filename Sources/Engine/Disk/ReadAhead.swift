import Glibc

/// How far and by how many files are read ahead of what is mixed.
public struct ReadAhead: Sendable {
    /// How many files are read at once: more than one, so that a stalled disk holds up its own tracks and not the others'.
    public var threads = 4
    /// Frames for each track; a power of two. 1.4 s at 48 kHz: what a disk may take for a breath.
    public var frames = 65536
    /// Frames that are read at once: more take fewer turns at the lock and calls of the system, fewer come sooner.
    public var piece = 8192
    /// Playing may be sent elsewhere at any moment: likely positions are read, and memory for other streams is kept ready.
    public var expectsLocates = true

    /// For playing live.
    public init(threads: Int = 4) { self.threads = threads }

    /// With many tracks half as far each: a mebibyte a track is what a session of 512 may take.
    func frames(of tracks: Int) -> Int { tracks > 128 ? max(16384, frames / 2) : frames }

    /// For who only edits: nothing is read.
    public static var none: ReadAhead {
        var none = ReadAhead(threads: 0)
        none.frames = 8192
        none.piece = 4096
        none.expectsLocates = false
        return none
    }

    /// For rendering, where nobody locates and the mixer reads along while it waits. So little that the rings of a few dozen tracks stay in the processor's cache,
    /// which takes a quarter off a render's time.
    public static func offline(threads: Int) -> ReadAhead {
        var offline = ReadAhead(threads: threads)
        offline.frames = 16384
        offline.piece = 4096
        offline.expectsLocates = false
        return offline
    }
}
