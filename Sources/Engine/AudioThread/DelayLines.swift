import Realtime

/// Room for what a strip's delay holds back: two seconds. Made by the control thread.
package struct DelayLines {
    /// Of what is played, and of what was played before, while that is crossed over from: for each channel a
    /// ring.
    let present: UnsafeMutablePointer<Float>
    let past: UnsafeMutablePointer<Float>
    let channels: Int
    /// Frames of a ring: a power of two.
    let frames: Int
    /// How many frames, 5 ms, what is heard first takes to rise where a delay is turned on.
    let rise: Int64

    init(channels: Int, sampleRate: Int32) {
        var frames = 1
        // What is noted of it is there for a block longer.
        while frames <= 2 * Int(sampleRate) + Block.frames() { frames *= 2 }
        (self.channels, self.frames, rise) = (channels, frames, Int64(sampleRate) / 200)
        present = LockedMemory.allocate(Float.self, channels * frames)
        past = LockedMemory.allocate(Float.self, channels * frames)
    }

    func deallocate() {
        LockedMemory.free(present, channels * frames)
        LockedMemory.free(past, channels * frames)
    }
}
