import CVector

/// A source of samples that a closure computes from the number of the frame, at a rate and with channels of
/// its own.
///
/// It is read ahead on background threads, like a file, and by more than one of them at once where playing
/// crosses over from one place to another: so a frame must be the same whenever it is asked for, and then a
/// render is what is heard live. What has to be made in the moment is made in a tap.
public final class CallbackSource: SampleSource, Sendable {
    /// Fills interleaved samples, `frames.count` times the number of channels, for these frames of the
    /// source. What it throws is told as of a file that cannot be read, and its track is silent until it can
    /// be asked again.
    public typealias Body =
        @Sendable (_ frames: Range<Int64>, _ samples: UnsafeMutableBufferPointer<Float>) throws -> Void

    /// The length in frames at its own rate.
    public let frames: Int64
    /// Frames per second.
    public let sampleRate: Int32
    /// Samples in a frame.
    public let channels: Int
    private let body: Body

    /// A length for sources that never end: longer than any timeline.
    public static let endless: Int64 = 1 << 52

    /// - Parameters:
    ///   - sampleRate: 1 to 384000; converted to the mixer's.
    ///   - channels: one is heard on both sides, of two each on its own.
    ///   - frames: how long it is; 1 and up.
    ///   - body: fills the samples.
    /// - Throws: `AudioFileError` for a rate, a number of channels or a length out of range.
    public convenience init(
        sampleRate: Int32, channels: Int, frames: Int64 = endless, body: @escaping Body
    ) throws(AudioFileError) {
        guard (1...384_000).contains(sampleRate), (1...2).contains(channels),
            (1...Self.endless).contains(frames)
        else {
            throw AudioFileError(
                path: "a callback",
                reason:
                    """
                    a source has a rate of 1 to 384000, one channel or two, and 1 to \(Self.endless) frames, \
                    not \(sampleRate), \(channels), \(frames)
                    """
            )
        }
        self.init(rate: sampleRate, channels: channels, frames: frames, body: body)
    }

    /// The same of what is known to be in range, and may have more channels.
    init(rate: Int32, channels: Int, frames: Int64, body: @escaping Body) {
        (sampleRate, self.channels, self.frames, self.body) = (rate, channels, frames, body)
    }

    /// Has the closure fill `buffer`.
    /// - Throws: `AudioFileError` with what it throws.
    public func read(
        from start: Int64, count: Int, into buffer: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> Int {
        let wanted = Int(max(0, min(Int64(count), frames - start)))
        if wanted == 0 { return 0 }
        do {
            try body(
                start..<start + Int64(wanted),
                UnsafeMutableBufferPointer(start: buffer, count: wanted * channels))
        } catch {
            throw AudioFileError(path: "a callback", reason: "\(error)")
        }
        buffer.silenceOthers(wanted * channels)
        return wanted
    }
}
