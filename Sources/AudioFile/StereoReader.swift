/// A file, or another source, as two channels at the rate of the mixer: channels chosen, sample rate converted, any frame reachable.
/// For one thread at a time.
public final class StereoReader {
    private let source: any SampleSource
    /// The same, if it is a file: some of them can be read without decoding.
    private let file: SoundFile?
    private let name: String
    private let left: Int
    private let right: Int
    private let resampler: Resampler?
    /// The length in frames at the mixer's rate.
    public let frames: Int64
    /// The length in frames at the file's own rate.
    public var fileFrames: Int64 { source.frames }

    private var interleaved: [Float] = []
    // The stretch of input and the block of output that were last made.
    private var input: [Float] = []
    private var inputStart: Int64 = 0
    private var block: [Float] = []
    private var blockIndex: Int64 = -1

    /// - Parameters:
    ///   - channels: left and right, counted from 1; nil for a mono file on both sides or a stereo file as it is.
    ///   - patience: how long it waits for what is still being decoded.
    /// - Throws: `AudioFileError` if the file cannot be opened or has not these channels.
    public convenience init(path: String, channels: (left: Int, right: Int)?, sampleRate: Int32, patience: AudioSource.Patience = .endless) throws(AudioFileError) {
        try self.init(at: SoundPlace(path), channels: channels, sampleRate: sampleRate, patience: patience)
    }

    /// The same of any sound of a file.
    public convenience init(at place: SoundPlace, channels: (left: Int, right: Int)?, sampleRate: Int32, patience: AudioSource.Patience = .endless) throws(AudioFileError) {
        try self.init(AudioSource.open(place, patience: patience), name: place.path, channels: channels, sampleRate: sampleRate)
    }

    /// The same for any source; `name` tells of it in errors.
    public init(_ source: any SampleSource, name: String, channels: (left: Int, right: Int)?, sampleRate: Int32) throws(AudioFileError) {
        if let problem = Self.channelProblem(channels, of: source.channels) { throw AudioFileError(path: name, reason: problem) }
        self.source = source
        self.name = name
        file = source as? SoundFile
        left = (channels?.left ?? 1) - 1
        right = (channels?.right ?? min(2, source.channels)) - 1
        resampler = source.sampleRate == sampleRate ? nil : Resampler(from: source.sampleRate, to: sampleRate)
        frames = resampler?.outputLength(source.frames) ?? source.frames
    }

    /// Why these channels cannot be taken from a file that has `count`, or nil.
    public static func channelProblem(_ channels: (left: Int, right: Int)?, of count: Int) -> String? {
        guard let channels else {
            return count > 2 ? "the file has \(count) channels: say which are left and right with \"channels\": [1, 2]" : nil
        }
        let highest = max(channels.left, channels.right)
        return highest > count ? "channel \(highest) was asked for, the file has \(count)" : nil
    }

    /// Reads frames from `start` on to `left` and `right`; what lies beyond the end is silence.
    /// - Throws: `AudioFileError` if the file fails; then nothing of this call is to be used.
    public func read(
        from start: Int64, count: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) {
        guard let resampler else { return try readDirect(from: start, count: count, left, right) }
        var done = 0
        while done < count {
            let frame = start + Int64(done)
            let index = frame / Int64(resampler.blockFrames)
            if index != blockIndex { try makeBlock(index, resampler) }
            let offset = Int(frame - index * Int64(resampler.blockFrames))
            let run = min(count - done, resampler.blockFrames - offset)
            for i in 0..<run {
                left[done + i] = block[2 * (offset + i)]
                right[done + i] = block[2 * (offset + i) + 1]
            }
            // The filter rings on past the end of the file; the clip does not.
            let inside = Int(min(Int64(run), max(0, frames - frame)))
            clear(left + done, right + done, from: inside, to: run)
            done += run
        }
    }

    private func readDirect(
        from start: Int64, count: Int, _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) {
        if let done = try file?.readRaw(from: start, count: count, taking: self.left, self.right, left, right) {
            return clear(left, right, from: done, to: count)
        }
        let done = try readInterleaved(from: start, count: count)
        let (channels, leftChannel, rightChannel) = (source.channels, self.left, self.right)
        interleaved.withUnsafeBufferPointer { samples in
            for i in 0..<done {
                left[i] = samples[i * channels + leftChannel]
                right[i] = samples[i * channels + rightChannel]
            }
        }
        clear(left, right, from: done, to: count)
    }

    private func clear(_ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>, from start: Int, to end: Int) {
        guard start < end else { return }
        (left + start).update(repeating: 0, count: end - start)
        (right + start).update(repeating: 0, count: end - start)
    }

    private func readInterleaved(from start: Int64, count: Int) throws(AudioFileError) -> Int {
        let size = count * source.channels
        if interleaved.count < size { interleaved = [Float](repeating: 0, count: size) }
        var result: Result<Int, AudioFileError> = .success(0)
        interleaved.withUnsafeMutableBufferPointer { buffer in
            do throws(AudioFileError) {
                result = .success(try source.read(from: start, count: count, into: buffer.baseAddress!))
            } catch {
                result = .failure(error)
            }
        }
        return try result.get()
    }

    private func makeBlock(_ index: Int64, _ resampler: Resampler) throws(AudioFileError) {
        blockIndex = -1
        let stretch = resampler.input(ofBlock: index)
        var next = [Float](repeating: 0, count: 2 * stretch.count)
        // Consecutive stretches overlap: what was read for the last one is not read again, so a file is read in one sweep.
        let kept = max(0, min(Int64(stretch.count), inputStart + Int64(input.count / 2) - stretch.start))
        var filled = 0
        if kept > 0, stretch.start >= inputStart, !input.isEmpty {
            let offset = Int(stretch.start - inputStart) * 2
            next.replaceSubrange(0..<Int(kept) * 2, with: input[offset..<offset + Int(kept) * 2])
            filled = Int(kept)
        }
        let before = Int(max(0, -(stretch.start + Int64(filled))))
        filled += min(before, stretch.count - filled)
        while filled < stretch.count {
            let done = try readInterleaved(from: stretch.start + Int64(filled), count: min(8192, stretch.count - filled))
            if done == 0 { break }
            for i in 0..<done {
                next[2 * (filled + i)] = interleaved[i * source.channels + left]
                next[2 * (filled + i) + 1] = interleaved[i * source.channels + right]
            }
            filled += done
        }
        do throws(ResamplerError) {
            block = try resampler.convert(next)
        } catch {
            throw AudioFileError(path: name, reason: "its sample rate cannot be converted: \(error.reason)")
        }
        (input, inputStart, blockIndex) = (next, stretch.start, index)
    }
}
