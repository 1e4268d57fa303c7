import Realtime
import Speakers

/// A file, or another source, as the channels of a strip at the rate of the mixer: channels chosen, sample
/// rate converted, any frame reachable. For one thread at a time.
public final class ChannelReader {
    private let source: any SampleSource
    /// The same, if it is a file: some of them can be read without decoding.
    private let file: SoundFile?
    private let name: String
    /// Which channels of the source are heard where.
    private let choice: ChannelChoice
    /// Those that are heard, one after another.
    private let heard: [Int]
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
    ///   - channels: left and right, counted from 1; nil for all of the file's, each where it belongs, and a
    ///     mono file on both sides.
    ///   - layout: the channels that are read.
    ///   - patience: how long it waits for what is still being decoded.
    /// - Throws: `AudioFileError` if the file cannot be opened or has not these channels.
    public convenience init(
        path: String, channels: (left: Int, right: Int)?, layout: SpeakerLayout = .stereo, sampleRate: Int32,
        patience: AudioSource.Patience = .endless
    ) throws(AudioFileError) {
        try self.init(
            at: SoundPlace(path), channels: channels, layout: layout, sampleRate: sampleRate,
            patience: patience)
    }

    /// The same of any sound of a file.
    public convenience init(
        at place: SoundPlace, channels: (left: Int, right: Int)?, layout: SpeakerLayout = .stereo,
        sampleRate: Int32,
        patience: AudioSource.Patience = .endless
    ) throws(AudioFileError) {
        let source = try AudioSource.open(place, patience: patience)
        try self.init(source, name: place.path, channels: channels, layout: layout, sampleRate: sampleRate)
    }

    /// The same for any source; `name` tells of it in errors.
    public init(
        _ source: any SampleSource, name: String, channels: (left: Int, right: Int)?,
        layout: SpeakerLayout = .stereo, sampleRate: Int32
    ) throws(AudioFileError) {
        do throws(ChannelChoice.Problem) {
            choice = try ChannelChoice(channels, of: source.channels, on: layout)
        } catch {
            throw AudioFileError(path: name, reason: error.description)
        }
        (self.source, self.name, heard) = (source, name, choice.heard)
        file = source as? SoundFile
        resampler =
            source.sampleRate == sampleRate
            ? nil : Resampler(from: source.sampleRate, to: sampleRate, channels: heard.count)
        frames = resampler?.outputLength(source.frames) ?? source.frames
    }

    /// Reads frames from `start` on into as many channels as the layout has; what lies beyond the end is
    /// silence.
    /// - Parameter use: when they are read on.
    /// - Throws: `AudioFileError` if the file fails; then nothing of this call is to be used.
    public func read(
        from start: Int64, count: Int, into target: Channels, for use: ReadUse = .now
    ) throws(AudioFileError) {
        guard let resampler else { return try readDirect(from: start, count: count, target, use) }
        var done = 0
        while done < count {
            let frame = start + Int64(done)
            let index = frame / Int64(resampler.blockFrames)
            if index != blockIndex { try makeBlock(index, resampler) }
            let offset = Int(frame - index * Int64(resampler.blockFrames))
            let run = min(count - done, resampler.blockFrames - offset)
            let piece = target.from(done)
            part(block, from: offset, of: heard.count, run, piece) { place, _ in place }
            // The filter rings on past the end of the file; the clip does not.
            piece.clear(from: Int(min(Int64(run), max(0, frames - frame))), to: run)
            done += run
        }
    }

    private func readDirect(
        from start: Int64, count: Int, _ target: Channels, _ use: ReadUse
    ) throws(AudioFileError) {
        if let done = try file?.readRaw(from: start, count: count, taking: choice, into: target, for: use) {
            return target.clear(from: done, to: count)
        }
        let done = try readInterleaved(from: start, count: count)
        part(interleaved, from: 0, of: source.channels, done, target) { _, channel in channel }
        target.clear(from: done, to: count)
    }

    /// Parts interleaved frames into the channels of `target`, those that hear nothing silent.
    /// - Parameter column: where a channel stands in a frame, of those that are heard and of the source.
    private func part(
        _ samples: [Float], from first: Int, of width: Int, _ count: Int, _ target: Channels,
        _ column: (Int, Int) -> Int
    ) {
        var place = 0
        samples.withUnsafeBufferPointer { samples in
            for (number, source) in choice.sources.enumerated() {
                let channel = target.channel(number)
                guard let source else {
                    channel.update(repeating: 0, count: count)
                    continue
                }
                let offset = first * width + column(place, source)
                for i in 0..<count { channel[i] = samples[offset + i * width] }
                place += 1
            }
        }
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

    /// Consecutive stretches overlap: what was read for the last one is not read again, so a file is read in
    /// one sweep.
    /// - Returns: how many frames of the next one that is.
    private func copyLeft(of start: Int64, _ count: Int, into next: inout [Float]) -> Int {
        let width = heard.count
        let kept = Int(max(0, min(Int64(count), inputStart + Int64(input.count / width) - start)))
        guard kept > 0, start >= inputStart, !input.isEmpty else { return 0 }
        let offset = Int(start - inputStart) * width
        next.replaceSubrange(0..<kept * width, with: input[offset..<offset + kept * width])
        return kept
    }

    private func makeBlock(_ index: Int64, _ resampler: Resampler) throws(AudioFileError) {
        blockIndex = -1
        let (stretch, width) = (resampler.input(ofBlock: index), heard.count)
        var next = [Float](repeating: 0, count: width * stretch.count)
        var filled = copyLeft(of: stretch.start, stretch.count, into: &next)
        let before = Int(max(0, -(stretch.start + Int64(filled))))
        filled += min(before, stretch.count - filled)
        while filled < stretch.count {
            let done = try readInterleaved(
                from: stretch.start + Int64(filled), count: min(8192, stretch.count - filled))
            if done == 0 { break }
            for (place, channel) in heard.enumerated() {
                for i in 0..<done {
                    next[width * (filled + i) + place] = interleaved[i * source.channels + channel]
                }
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
