import CVector

/// Where samples come from: a file, or a closure. Any stretch can be had at any time, for one thread at a
/// time.
public protocol SampleSource: AnyObject {
    /// The length in frames at its own rate.
    var frames: Int64 { get }
    /// Frames per second.
    var sampleRate: Int32 { get }
    /// Samples in a frame, 1 and up.
    var channels: Int { get }

    /// Reads `count` frames from frame `start` on into `buffer` (`count * channels` floats, interleaved). All
    /// are numbers: what is none in a file, infinities too, is silence.
    /// - Returns: the frames read; fewer only at the end.
    func read(
        from start: Int64, count: Int, into buffer: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> Int
}

extension SoundFile: SampleSource {}

extension Float {
    /// The sample, or silence in place of what is no number: one of those in a mix would leave nothing else
    /// of it.
    public var orSilence: Float { self * 0 == 0 ? self : 0 }
}

extension UnsafeMutablePointer<Float> {
    /// Silences what is no number among so many samples.
    func silenceOthers(_ count: Int) { _ = silence_others(self, self, count) }
}
