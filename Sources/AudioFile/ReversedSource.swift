/// A sound from its last frame to its first. For one thread at a time.
final class ReversedSource: SampleSource {
    private let source: any SampleSource

    init(_ source: any SampleSource) { self.source = source }

    var frames: Int64 { source.frames }
    var sampleRate: Int32 { source.sampleRate }
    var channels: Int { source.channels }

    func read(from start: Int64, count: Int, into buffer: UnsafeMutablePointer<Float>) throws(AudioFileError) -> Int {
        let count = Int(max(0, min(Int64(count), frames - start)))
        if count == 0 { return 0 }
        let channels = channels
        let done = try source.read(from: frames - start - Int64(count), count: count, into: buffer)
        // A file that ends early is silent where it was to begin.
        (buffer + done * channels).update(repeating: 0, count: (count - done) * channels)
        var (low, high) = (0, count - 1)
        while low < high {
            for channel in 0..<channels { swap(&buffer[low * channels + channel], &buffer[high * channels + channel]) }
            (low, high) = (low + 1, high - 1)
        }
        return count
    }
}
