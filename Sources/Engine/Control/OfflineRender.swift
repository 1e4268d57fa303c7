import AudioFile
import Loudness
import Timeline

/// Mixes a session to a file through the same `Mixer` as live, as fast as the disk delivers.
public struct OfflineRender {
    /// What is mixed.
    public let session: Session
    /// Where its files are found.
    public let library: MediaLibrary
    /// The frames of the timeline to mix, at the session's rate.
    public let frames: Range<Int64>
    private let taps: [TrackID: TrackTap]

    /// What a finished render can tell.
    public struct Result: Sendable {
        /// What the file is called.
        public let path: String
        /// How long it is, at the session's rate.
        public let frames: Int64
        /// The highest absolute sample, linear.
        public let peak: Float
        /// Samples that were cut to full level.
        public let clippedSamples: Int
        /// With a target: what the mix measured, and the gain in dB that was applied to it.
        public let loudness: (before: LoudnessMeter.Reading, gain: Double)?
    }

    /// Why a render did not finish. Nothing is left of it on the disk.
    public enum Failure: Error, CustomStringConvertible {
        /// A file could not be read to its end, or the output not be written.
        case file(AudioFileError)
        /// `progress` said so.
        case cancelled

        public var description: String {
            switch self {
            case .file(let error): "\(error)"
            case .cancelled: "the render was interrupted; nothing is left of it"
            }
        }
    }

    /// - Parameters:
    ///   - frames: of the timeline, at the session's rate.
    ///   - taps: see the tracks' blocks on the way.
    public init(_ session: Session, library: MediaLibrary, frames: Range<Int64>, taps: [TrackID: TrackTap] = [:]) {
        (self.session, self.library, self.frames, self.taps) = (session, library, frames, taps)
    }

    /// The same from a time, nil for the beginning of the timeline, to a time, nil for the end of the last clip.
    public init(_ session: Session, library: MediaLibrary, from start: MediaTime? = nil, to end: MediaTime? = nil) {
        let rate = session.sampleRate
        let first = start?.timelineFrame(atRate: rate) ?? 0
        let last = end?.timelineFrame(atRate: rate) ?? Arrangement(session, library: library, sampleRate: rate).end
        self.init(session, library: library, frames: first..<max(first, last))
    }

    /// Mixes to `path`. Calls `progress` now and then with the share done, from 0 to 1; it returns false to cancel.
    /// - Parameters:
    ///   - target: mixes twice: to measure, and with the gain that this needs.
    ///   - isUnique: where the name is taken, the file gets the next free one of `name-1`, `name-2`; else what is there is replaced.
    /// - Throws: `Failure` if a file cannot be read to its end or the output not be written.
    public func write(
        to path: String, format: OutputFormat, target: LoudnessTarget? = nil, isUnique: Bool = false, progress: (Double) -> Bool
    ) throws(Failure) -> Result {
        do throws(AudioFileError) {
            let passes = target == nil ? 1.0 : 2.0
            var loudness: (before: LoudnessMeter.Reading, gain: Double)?
            if let target {
                guard let reading = try measure({ progress($0 / passes) }) else { throw .cancelled }
                loudness = (reading, target.gain(for: reading))
            }
            let gain = loudness.map { Float(Volume.gain(level: $0.gain)) }
            let writer = try SoundFileWriter(path: path, format: format, sampleRate: session.sampleRate)
            var isCancelled = false
            try mix { left, right, count, done throws(AudioFileError) in
                if let gain {
                    for i in 0..<count { (left[i], right[i]) = (left[i] * gain, right[i] * gain) }
                }
                try writer.write(left: left, right: right, count: count)
                isCancelled = !progress((passes - 1 + Double(done) / Double(max(1, frames.count))) / passes)
                return !isCancelled
            }
            if isCancelled {
                writer.discard()
                throw .cancelled
            }
            let name = try writer.finish(isUnique: isUnique)
            return Result(path: name, frames: Int64(frames.count), peak: writer.peak, clippedSamples: writer.clippedSamples, loudness: loudness)
        } catch {
            throw error == .cancelled ? .cancelled : .file(error)
        }
    }

    /// How loud the mix is; nil if `progress` cancels.
    private func measure(_ progress: (Double) -> Bool) throws(AudioFileError) -> LoudnessMeter.Reading? {
        let meter: LoudnessMeter
        do throws(LoudnessError) {
            meter = try LoudnessMeter(channels: 2, sampleRate: session.sampleRate)
        } catch {
            throw AudioFileError(path: "the mix", reason: error.reason)
        }
        var interleaved: [Float] = []
        var goesOn = true
        try mix { left, right, count, done throws(AudioFileError) in
            interleaved.removeAll(keepingCapacity: true)
            for i in 0..<count { interleaved += [left[i], right[i]] }
            meter.add(interleaved, frames: count)
            goesOn = progress(Double(done) / Double(max(1, frames.count)))
            return goesOn
        }
        return goesOn ? meter.reading : nil
    }

    /// Mixes block by block; `body` gets each block and how many frames are done with it, and returns false to end early.
    package func mix(
        _ body: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int, Int) throws(AudioFileError) -> Bool
    ) throws(AudioFileError) {
        let mix = OfflineMix(session, library: library, frames: frames, taps: taps)
        let block = 8192
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * block)
        defer { memory.deallocate() }
        while case let count = try mix.read(memory, memory + block, count: block), count > 0 {
            guard try body(memory, memory + block, count, mix.done) else { return }
        }
    }
}

extension AudioFileError {
    fileprivate static let cancelled = AudioFileError(path: "", reason: "")
}
