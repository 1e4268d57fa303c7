import AudioFile
import CRealtime
import Timeline

/// Mixes a session to a file through the same `Mixer` as live, as fast as the disk delivers.
public struct OfflineRender {
    public let session: Session
    public let library: MediaLibrary
    /// The frames of the timeline to mix, at the session's rate.
    public let frames: Range<Int64>

    /// What a finished render can tell.
    public struct Result: Sendable {
        public let frames: Int64
        /// The highest absolute sample, linear.
        public let peak: Float
        /// Samples that were cut to full level.
        public let clippedSamples: Int
    }

    /// Why a render did not finish. Nothing is left of it on the disk.
    public enum Failure: Error, CustomStringConvertible {
        case file(AudioFileError)
        case cancelled

        public var description: String {
            switch self {
            case .file(let error): "\(error)"
            case .cancelled: "the render was interrupted; nothing is left of it"
            }
        }
    }

    /// - Parameters:
    ///   - start: nil for the beginning of the timeline.
    ///   - end: nil for the end of the last clip.
    public init(_ session: Session, library: MediaLibrary, from start: MediaTime? = nil, to end: MediaTime? = nil) {
        self.session = session
        self.library = library
        let rate = session.sampleRate
        let first = start?.frame(atRate: rate) ?? 0
        let last = end?.frame(atRate: rate) ?? Arrangement(session, library: library, sampleRate: rate).end
        frames = first..<max(first, last)
    }

    /// Mixes to `path`. Calls `progress` now and then with the share done, from 0 to 1; it returns false to cancel.
    /// - Throws: `Failure` if a file cannot be read to its end or the output not be written.
    public func write(to path: String, format: OutputFormat, progress: (Double) -> Bool) throws(Failure) -> Result {
        do throws(AudioFileError) {
            let writer = try SoundFileWriter(path: path, format: format, sampleRate: session.sampleRate)
            var isCancelled = false
            try mix { left, right, count, done throws(AudioFileError) in
                try writer.write(left: left, right: right, count: count)
                isCancelled = !progress(Double(done) / Double(max(1, frames.count)))
                return !isCancelled
            }
            if isCancelled {
                writer.discard()
                throw AudioFileError(path: path, reason: "")
            }
            try writer.finish()
            return Result(frames: Int64(frames.count), peak: writer.peak, clippedSamples: writer.clippedSamples)
        } catch {
            throw error.reason.isEmpty ? .cancelled : .file(error)
        }
    }

    /// Mixes block by block; `body` gets each block and how many frames are done with it, and returns false to end early.
    package func mix(
        _ body: (UnsafePointer<Float>, UnsafePointer<Float>, Int, Int) throws(AudioFileError) -> Bool
    ) throws(AudioFileError) {
        rt_flush_denormals()
        let engine = PlaybackEngine(sampleRate: session.sampleRate, readAhead: .offline)
        defer { engine.end() }
        engine.apply(session, library: library)
        engine.locate(frames.lowerBound)
        engine.play()
        let block = 8192
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * block)
        defer { memory.deallocate() }
        var done = 0
        while engine.isFilling {
            engine.waitForDisk(milliseconds: 100)
            engine.poll()
        }
        while done < frames.count {
            let count = min(block, frames.count - done)
            engine.mixer.audioSide.render(memory, memory + block, count, waits: true)
            engine.poll()
            if let failure = engine.takeFailures().first { throw failure }
            done += count
            guard try body(memory, memory + block, count, done) else { return }
        }
    }
}
