import AudioFile
import Files
import Loudness
import Realtime
import Speakers
import Timeline

/// Mixes a session to a file through the same `Mixer` as live, as fast as the disk delivers.
public struct OfflineRender {
    /// What is mixed.
    public let session: Session
    /// Where its files are found.
    public let library: MediaLibrary
    /// The frames of the timeline to mix, at the session's rate.
    public let frames: Range<Int64>
    private let taps: [StripID: TrackTap]
    /// Whose sound is written: any strip's, as it leaves it; the master's is the mix. Only that has stems.
    public var strip = StripID.master
    /// The channels of what is written.
    public var layout: SpeakerLayout { session.layout(of: strip) }
    /// How many frames before the first are mixed too, and not written: so long a part of a mix that
    /// remembers has to find its way into it.
    public var leadIn: Int64 = 0
    /// What strips are to remember, at some frames of the timeline, whatever they did before: in order. It is
    /// mixed in one go then, from the last of them before the first frame on.
    public var recalls: [ShowRecall] = []
    /// How many slices are mixed at once at most: as many as there are cores, unless told.
    public var jobs = SlicedMix.cores

    /// What a finished render can tell.
    public struct Result: Sendable {
        /// What the file is called, or the folder of the stems where there was to be none.
        public let path: String
        /// The files of single strips.
        public let stems: [String]
        /// How long it is, at the session's rate.
        public let frames: Int64
        /// The highest absolute sample, linear.
        public let peak: Float
        /// Samples that were cut to full level.
        public let clippedSamples: Int
        /// Of a mix that was measured.
        public let loudness: Mastering.Outcome?
        /// Tags that the format has no place for.
        public let unwrittenTags: [FileLabels.Tag]
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
    public init(
        _ session: Session, library: MediaLibrary, frames: Range<Int64>, taps: [StripID: TrackTap] = [:]
    ) {
        (self.session, self.library, self.frames, self.taps) = (session, library, frames, taps)
    }

    /// The same from a time, nil for the beginning of the timeline, to a time, nil for the end of the last
    /// clip.
    public init(
        _ session: Session, library: MediaLibrary, from start: MediaTime? = nil, to end: MediaTime? = nil
    ) {
        let rate = session.sampleRate
        let first = start?.timelineFrame(atRate: rate) ?? 0
        let last =
            end?.timelineFrame(atRate: rate) ?? Arrangement(session, library: library, sampleRate: rate).end
        self.init(session, library: library, frames: first..<max(first, last))
    }

    /// The file that a mix is written to.
    public struct File: Sendable {
        /// Where it is to lie.
        public var path: String
        /// What it is.
        public var format: OutputFormat
        /// What it says of itself.
        public var labels = FileLabels()
        /// What is seen beside the sound.
        public var picture: MoviePicture?
        /// What becomes of a file that has the name.
        public var taken = TakenName.isReplaced

        /// A file that says nothing of itself and replaces one of its name.
        public init(_ path: String, _ format: OutputFormat) { (self.path, self.format) = (path, format) }

        fileprivate func writer(sampleRate: Int32) throws(AudioFileError) -> SoundFileWriter {
            try SoundFileWriter(
                path: path, format: format, sampleRate: sampleRate, labels: labels, picture: picture)
        }
    }

    /// Mixes to a file, or to stems alone. Calls `progress` now and then with the share done, from 0 to 1; it
    /// returns false to cancel.
    /// - Parameters:
    ///   - mastering: what is done to the mix; it is mixed once more for each time that it has to be
    ///     measured.
    ///   - stems: files for single strips, of the same pass, before what is done to the mix.
    /// - Throws: `Failure` if a file cannot be read to its end, or changes meanwhile, or the output not be
    ///   written.
    public func write(
        to file: File?, mastering: Mastering = Mastering(), stems: Stems? = nil, progress: (Double) -> Bool
    ) throws(Failure) -> Result {
        do throws(AudioFileError) {
            let sources = SourceStamps(session, library)
            let (settings, left) = try measured(mastering, progress)
            let writer: SoundFileWriter? =
                if let file { try file.writer(sampleRate: session.sampleRate) } else { nil }
            let stemWriter: StemWriter? =
                if let stems { try StemWriter(stems, session, frames: frames.count) } else { nil }
            try write(settings, writer, stemWriter) { progress(1 - left + left * $0) }
            let names = try publish(writer, file?.taken ?? .isReplaced, stemWriter, sources, progress)
            return Result(
                path: names.mix ?? stems?.folder ?? "", stems: names.stems, frames: Int64(frames.count),
                peak: writer?.peak ?? 0, clippedSamples: writer?.clippedSamples ?? 0,
                loudness: settings.loudness,
                unwrittenTags: writer?.unwrittenTags ?? [])
        } catch {
            throw error == .cancelled ? .cancelled : .file(error)
        }
    }

    /// Mixes to files that have no names yet.
    private func write(
        _ settings: Mastering.Settings, _ writer: SoundFileWriter?, _ stems: StemWriter?,
        _ progress: (Double) -> Bool
    ) throws(AudioFileError) {
        var isCancelled = false
        try mix(settings, stems) { block, count, done throws(AudioFileError) in
            try writer?.write(block, count: count)
            isCancelled = !progress(Double(done) / Double(max(1, frames.count)))
            return !isCancelled
        }
        if isCancelled {
            writer?.discard()
            throw .cancelled
        }
    }

    /// What is done to the mix, once it is measured, and the share of the work that is left. Nobody knows how
    /// often it has to be measured: each time takes half of what is left.
    private func measured(
        _ mastering: Mastering, _ progress: (Double) -> Bool
    ) throws(AudioFileError) -> (settings: Mastering.Settings, left: Double) {
        var left = 1.0
        let settings = try mastering.settings {
            (settings) throws(AudioFileError) -> LoudnessMeter.Reading in
            defer { left /= 2 }
            guard let reading = try measure(settings, { progress(1 - left + $0 * left / 2) }) else {
                throw .cancelled
            }
            return reading
        }
        return (settings, left)
    }

    /// Gives the files their names, once all are whole: before, none takes the place of what is there.
    private func publish(
        _ writer: SoundFileWriter?, _ taken: TakenName, _ stemWriter: StemWriter?, _ sources: SourceStamps,
        _ progress: (Double) -> Bool
    ) throws(AudioFileError) -> (mix: String?, stems: [String]) {
        var isCancelled = false
        func goesOn() -> Bool {
            isCancelled = !progress(1)
            return !isCancelled
        }
        var publication = Publication()
        do throws(AudioFileError) {
            try sources.check()
            try stemWriter?.complete(goesOn)
            try writer?.complete(goesOn: goesOn)
            if !goesOn() { throw .cancelled }
            let stems = try stemWriter?.publish(in: &publication) ?? []
            let mix = try writer?.publish(taken: taken, in: &publication)
            publication.finish()
            return (mix, stems)
        } catch {
            publication.takeBack()
            throw isCancelled ? .cancelled : error
        }
    }

    /// How loud the mix is; nil if `progress` cancels.
    private func measure(
        _ settings: Mastering.Settings, _ progress: (Double) -> Bool
    ) throws(AudioFileError) -> LoudnessMeter.Reading? {
        let meter: LoudnessMeter
        do throws(LoudnessError) {
            meter = try LoudnessMeter(layout, sampleRate: session.sampleRate)
        } catch {
            throw AudioFileError(path: "the mix", reason: error.reason)
        }
        var interleaver = Interleaver()
        var goesOn = true
        try mix(settings) { block, count, done throws(AudioFileError) in
            meter.add(interleaver.lay(block, count), frames: count)
            goesOn = progress(Double(done) / Double(max(1, frames.count)))
            return goesOn
        }
        return goesOn ? meter.reading : nil
    }

    /// The same as `mix`, behind the gain and the limiter.
    private func mix(
        _ settings: Mastering.Settings, _ stems: StemWriter? = nil,
        _ body: (Channels, Int, Int) throws(AudioFileError) -> Bool
    ) throws(AudioFileError) {
        let gain = settings.gain == 0 ? 1 : Float(Volume.gain(level: settings.gain))
        let limiter = settings.ceiling.map {
            MixLimiter(level: $0, channels: layout.channels, sampleRate: session.sampleRate)
        }
        var goesOn = true
        try mix(stems) { block, count, done throws(AudioFileError) in
            if gain != 1 {
                for channel in 0..<block.count { for i in 0..<count { block.channel(channel)[i] *= gain } }
            }
            guard let limiter else { return try body(block, count, done) }
            func give(_ block: Channels, _ count: Int) throws(AudioFileError) {
                if goesOn { goesOn = try body(block, count, done) }
            }
            try limiter.add(block, count: count, give)
            if done == frames.count { try limiter.finish(give) }
            return goesOn
        }
    }

    /// Mixes block by block; `body` gets each block and how many frames are done with it, and returns false
    /// to end early.
    package func mix(
        _ body: (Channels, Int, Int) throws(AudioFileError) -> Bool
    ) throws(AudioFileError) { try mix(nil, body) }

    private func mix(
        _ stems: StemWriter?, _ body: (Channels, Int, Int) throws(AudioFileError) -> Bool
    ) throws(AudioFileError) {
        // What sees blocks on the way sees them in their order, and what remembers was given all that came
        // before.
        let isCut = stems == nil && taps.isEmpty && !session.remembers && recalls.isEmpty
        let workers = isCut ? SlicedMix.workers(session, frames: frames.count, atMost: jobs) : 1
        if workers > 1 { return try mixSlices(workers, body) }
        let part = MixPart(
            frames: frames, strip: strip, taps: taps, stems: stems?.strips ?? [], leadIn: leadIn,
            recalls: recalls)
        let mix = OfflineMix(session, library: library, part)
        let memory = ChannelMemory(mix.layout.channels, frames: OfflineMix.block)
        while case let count = try mix.read(into: memory.channels, count: memory.frames), count > 0 {
            if let stems, let buffers = mix.stems { try stems.write(buffers, count) }
            guard try body(memory.channels, count, mix.done) else { return }
        }
    }
}

extension OfflineRender {
    private func mixSlices(
        _ workers: Int, _ body: (Channels, Int, Int) throws(AudioFileError) -> Bool
    ) throws(AudioFileError) {
        library.makeReady(session)
        let mix = SlicedMix(session, library: library, frames: frames, of: strip, workers: workers)
        var done = 0
        while let slice = try mix.next() {
            for start in stride(from: 0, to: slice.count, by: OfflineMix.block) {
                let count = min(OfflineMix.block, slice.count - start)
                done += count
                guard try body(slice.block.from(start), count, done) else { return }
            }
        }
    }
}

extension AudioFileError {
    fileprivate static let cancelled = AudioFileError(path: "", reason: "")
}
