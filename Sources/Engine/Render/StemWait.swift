import AudioFile
import Files
import Glibc
import Realtime
import Speakers
import Timeline

/// Holds back blocks of samples. For one thread at a time.
final class StemWait {
    private var ring: WaitRing
    private let frames: Int

    /// nil where nothing waits.
    init?(_ frames: Int64, channels: Int) {
        if frames <= 0 { return nil }
        (ring, self.frames) = (WaitRing(channels: channels, longest: frames), Int(frames))
    }

    deinit { ring.deallocate() }

    /// Gives in the place of samples what they were so many frames before.
    func pass(_ block: Channels, _ count: Int) {
        for start in stride(from: 0, to: count, by: Block.frames()) {
            let run = min(Block.frames(), count - start)
            ring.take(block.from(start), run)
            ring.lay(frames, into: block.from(start), run)
        }
    }
}
