/// A sound from its last frame to its first. For one thread at a time.
final class ReversedSource: SampleSource {
    private let source: any SampleSource
    /// What was read last, as the source has it, from its frame `first` on.
    private var piece: [Float] = []
    private var first: Int64 = 0
    /// How much is read at once at least: of what is decoded from some place on each time, more.
    private let leastFrames: Int

    init(_ source: any SampleSource) {
        self.source = source
        leastFrames = (source as? SoundFile)?.info.isSoughtSlowly == true ? 1 << 17 : 1
    }

    var frames: Int64 { source.frames }
    var sampleRate: Int32 { source.sampleRate }
    var channels: Int { source.channels }

    func read(
        from start: Int64, count: Int, into buffer: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> Int {
        let count = Int(max(0, min(Int64(count), frames - start)))
        if count == 0 { return 0 }
        let (channels, end) = (channels, frames - start)
        try load(end - Int64(count)..<end)
        let last = Int(end - first) - 1
        for frame in 0..<count {
            for channel in 0..<channels {
                buffer[frame * channels + channel] = piece[(last - frame) * channels + channel]
            }
        }
        return count
    }

    /// Has these frames of the source be in `piece`.
    private func load(_ wanted: Range<Int64>) throws(AudioFileError) {
        let channels = channels
        if wanted.lowerBound >= first, wanted.upperBound <= first + Int64(piece.count / channels) { return }
        let start = max(0, min(wanted.lowerBound, wanted.upperBound - Int64(leastFrames)))
        let count = Int(wanted.upperBound - start)
        // A file that ends early is silent where it was to begin.
        var next = [Float](repeating: 0, count: count * channels)
        _ = try source.read(from: start, count: count, into: &next)
        (piece, first) = (next, start)
    }
}
