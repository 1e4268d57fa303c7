import CSoundTouch
import CSoxr
import Files
import Glibc

/// A sound made slower or faster, higher or lower, from its first frame to its last: started in the middle,
/// nothing that does so meets the samples that it gives from the start.
struct Stretching: SoundMaker {
    let path: String
    private let place: SoundPlace
    private let stretch: Stretch
    private let plain: MediaInfo
    private let stamp: FileStamp?
    /// What it is made of, where that has to be made itself.
    private let origin: StoredSound?

    private static let blockFrames = 8192
    /// What Rubber Band may take of a processor: an hour of sound takes it some fifteen minutes.
    private static let processorSeconds = 12 * 3600

    /// - Throws: `AudioFileError`: what is to be stretched cannot be used, or what stretches it is not
    ///   installed.
    init(of place: SoundPlace, _ stretch: Stretch) throws(AudioFileError) {
        (path, self.place, self.stretch, stamp) = (place.path, place, stretch, FileStamp(place.path))
        (plain, origin) = try AudioSource.inspect(place)
        switch stretch.method {
        case .rubberBand: _ = try Self.rubberBand(for: path)
        case .soundTouch:
            guard let engine = makeSoundTouch(plain.sampleRate, plain.channels) else {
                throw notForSoundTouch
            }
            soundtouch_destroy(engine)
        case .tape: break
        }
    }

    private func makeSoundTouch(_ rate: Int32, _ channels: Int) -> OpaquePointer? {
        soundtouch_make(rate, Int32(channels), stretch.speed, stretch.pitch)
    }

    private var notForSoundTouch: AudioFileError {
        AudioFileError(
            path: path,
            reason:
                """
                SoundTouch stretches no sound of \(plain.channels) channels at \(plain.sampleRate) Hz: say \
                "stretcher": "rubberband", or "tape": true
                """
        )
    }

    private static func rubberBand(for path: String) throws(AudioFileError) -> String {
        guard let program = ChildProcess.path(of: "rubberband") else {
            throw AudioFileError(
                path: path,
                reason:
                    """
                    Rubber Band is to stretch it, and rubberband is not installed: apt install \
                    rubberband-cli, or leave "stretcher" out
                    """
            )
        }
        return program
    }

    var way: String {
        """
        \(origin?.way ?? "libsndfile") | \(stretch.method.rawValue) \(version) \(stretch.millionths) \
        \(stretch.pitch)
        """
    }

    private var version: String {
        switch stretch.method {
        case .soundTouch: String(cString: soundtouch_version())
        case .rubberBand: Self.rubberBandVersion
        case .tape: String(cString: soxr_version())
        }
    }

    /// It says it as a complaint.
    private static let rubberBandVersion: String = {
        guard
            let child = try? ChildProcess(
                ["rubberband", "--version"], limits: ChildProcess.Limits(), isRead: true)
        else { return "unknown" }
        return FFmpeg.plain(child.finish().complaints)
    }()

    var info: MediaInfo {
        MediaInfo(
            length: plain.length.map(stretch.length), sampleRate: plain.sampleRate,
            channels: plain.channels, format: plain.format, truncation: plain.truncation,
            remarks: plain.remarks)
    }

    func make(_ sink: SoundSink) throws -> (truncation: String?, remark: String?) {
        // Asked for by its place, it might be another by now, that waits in line behind this.
        origin?.wait()
        if let failure = origin?.failure { throw failure }
        let source: any SampleSource =
            if let origin { StoredReader(origin) } else { try SoundFile(path: path) }
        let end = Ending(sink, frames: stretch.length(of: source.frames))
        switch stretch.method {
        case .soundTouch: try soundTouch(source, end)
        case .rubberBand: try rubberBand(source, end, sink)
        case .tape: try tape(source, end)
        }
        try end.fill()
        guard FileStamp(path) == stamp else {
            throw AudioFileError(path: path, reason: "it changed while it was stretched")
        }
        return (origin?.info.truncation ?? plain.truncation, nil)
    }

    // MARK: - Ways

    /// What is heard of a passage lies right in its middle: SoundTouch takes passages from one place at a
    /// time and leaves them as they are, so at its own times half of each would come early and half late.
    /// Silence of half a passage before the sound, and as much less of what comes out, moves that to the
    /// middle. Its filter for higher pitches adds some 45 frames (measured: sounds of 0.3 s lie within 10 ms
    /// of where they belong, at a quarter of the speed within 25 ms; two octaves higher or lower at the same
    /// time, 80 ms).
    private func soundTouch(_ source: any SampleSource, _ end: Ending) throws {
        let (rate, channels) = (source.sampleRate, source.channels)
        guard let engine = makeSoundTouch(rate, channels) else { throw notForSoundTouch }
        defer { soundtouch_destroy(engine) }
        let ratio = pow(2, stretch.pitch / 12)
        let half = Double(soundtouch_sequence(engine)) / 2 + 0.004 * Double(rate) / max(1, ratio)
        let filter = ratio < 1 ? 45 / ratio : 0
        end.skip(frames: Int64(half + filter))
        try pass(source, behindSilence: Int64(half * ratio), to: end) { samples, frames, room, roomFrames in
            if frames > 0, soundtouch_put(engine, samples, Int32(frames)) == 0 { throw noMemory }
            return Int(soundtouch_receive(engine, room, Int32(roomFrames)))
        }
    }

    private func tape(_ source: any SampleSource, _ end: Ending) throws {
        var specification = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
        var quality = soxr_quality_spec(UInt(SOXR_HQ), 0)
        var runtime = soxr_runtime_spec(1)
        var error: soxr_error_t?
        let rate = Double(source.sampleRate)
        guard
            let engine = soxr_create(
                rate * stretch.speed, rate, UInt32(source.channels), &error, &specification, &quality,
                &runtime)
        else {
            throw AudioFileError(
                path: path,
                reason:
                    """
                    its speed cannot be changed: \(error.map { String(cString: $0) } ?? "there is no memory")
                    """
            )
        }
        defer { soxr_delete(engine) }
        try pass(source, behindSilence: 0, to: end) { samples, frames, room, roomFrames in
            var (taken, done) = (0, 0)
            let error = soxr_process(engine, samples, frames, &taken, room, roomFrames, &done)
            guard error == nil, taken == frames else {
                throw AudioFileError(
                    path: path,
                    reason:
                        """
                        its speed cannot be changed: \
                        \(error.map { String(cString: $0) } ?? "not all of it is taken")
                        """
                )
            }
            return done
        }
    }

    private var noMemory: AudioFileError {
        AudioFileError(path: path, reason: "there is no memory to stretch it")
    }

    /// Reads a sound from its beginning, passes it on to something that stretches it, between silences, and
    /// what that gives to the end.
    private func pass(
        _ source: any SampleSource, behindSilence before: Int64, to end: Ending,
        _ process: (
            _ samples: UnsafePointer<Float>, _ frames: Int, _ room: UnsafeMutablePointer<Float>,
            _ roomFrames: Int
        ) throws -> Int
    ) throws {
        let channels = source.channels
        // The slowest gives four frames for one, and what it has waiting.
        let roomFrames = 8 * Self.blockFrames
        let memory = UnsafeMutablePointer<Float>.allocate(
            capacity: (Self.blockFrames + roomFrames) * channels)
        defer { memory.deallocate() }
        let room = memory + Self.blockFrames * channels
        var place = -before
        while !end.isReached {
            var count = Self.blockFrames
            if place < 0 {
                count = Int(min(Int64(count), -place))
            } else if place < source.frames {
                count = Int(min(Int64(count), source.frames - place))
            }
            let done = place < 0 ? 0 : try source.read(from: place, count: count, into: memory)
            (memory + done * channels).update(repeating: 0, count: (count - done) * channels)
            try end.append(room, frames: try process(memory, count, room, roomFrames))
            place += Int64(count)
            // What gives nothing however much it gets would do so for ever.
            if place > source.frames + Int64(source.sampleRate) * 60 {
                throw AudioFileError(
                    path: path, reason: "it cannot be stretched: what does so does not come to an end")
            }
        }
    }

    private func rubberBand(_ source: any SampleSource, _ end: Ending, _ sink: SoundSink) throws {
        // What is left of them by a program that was killed goes as all that was left unfinished.
        let (before, after) = (
            AtomicFile.temporaryPath(for: sink.name), AtomicFile.temporaryPath(for: sink.name)
        )
        defer {
            unlink(before)
            unlink(after)
        }
        let bytes = 4 * Int64(source.channels) * (source.frames + stretch.length(of: source.frames))
        if let free = Path.freeBytes(on: before), free < SoundSink.leastFree + bytes {
            throw AudioFileError(
                path: path,
                reason: "there is no room left to stretch it: \(Path.folder(of: before)) is nearly full")
        }
        let scale = try FloatFile.write(source, to: before)
        try runRubberBand(before, after)
        try pass(try made(after, of: source), times: 1 / scale, end)
    }

    private func runRubberBand(_ before: String, _ after: String) throws {
        var limits = ChildProcess.Limits()
        (limits.processorSeconds, limits.file) = (Self.processorSeconds, 64 << 30)
        let words = [
            try Self.rubberBand(for: path), "-3", "-q", "--ignore-clipping", "--time", "\(1 / stretch.speed)",
            "--pitch", "\(stretch.pitch)", before, after,
        ]
        let ending = try ChildProcess(words, limits: limits, isRead: true).finish()
        guard ending.status == 0 else {
            throw AudioFileError(
                path: path, reason: "Rubber Band does not stretch it (\(FFmpeg.plain(ending.complaints)))")
        }
    }

    /// What Rubber Band has made of a sound.
    private func made(_ file: String, of source: any SampleSource) throws(AudioFileError) -> SoundFile {
        let made = try SoundFile(path: file)
        // As it knows no RF64 for what it writes, a WAV may have become too long for its header.
        guard made.channels == source.channels, made.info.truncation == nil,
            abs(made.frames - stretch.length(of: source.frames)) < Int64(source.sampleRate)
        else {
            throw AudioFileError(
                path: path,
                reason:
                    """
                    Rubber Band gives \(made.frames) frames of \(made.channels) channels of it, where \
                    \(stretch.length(of: source.frames)) of \(source.channels) belong
                    """
            )
        }
        return made
    }

    private func pass(_ made: SoundFile, times gain: Float, _ end: Ending) throws {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: Self.blockFrames * made.channels)
        defer { memory.deallocate() }
        var place: Int64 = 0
        while !end.isReached, place < made.frames {
            let done = try made.read(from: place, count: Self.blockFrames, into: memory)
            if done == 0 { break }
            for n in 0..<done * made.channels { memory[n] *= gain }
            try end.append(memory, frames: done)
            place += Int64(done)
        }
    }
}

/// Takes so many frames and no more, whatever comes, but for some at the beginning.
private final class Ending {
    private let sink: SoundSink
    private var left: Int64
    private var skipped: Int64 = 0
    private var frameBytes: Int { 4 * sink.channels }

    init(_ sink: SoundSink, frames: Int64) { (self.sink, left) = (sink, frames) }

    var isReached: Bool { left == 0 }

    func skip(frames: Int64) { skipped = frames }

    func append(_ samples: UnsafePointer<Float>, frames: Int) throws {
        let first = Int(min(skipped, Int64(frames)))
        skipped -= Int64(first)
        let count = Int(min(left, Int64(frames - first)))
        left -= Int64(count)
        try sink.append(samples + first * sink.channels, count: count * frameBytes)
    }

    /// Silence where nothing has come.
    func fill() throws {
        while left > 0 {
            let count = min(left, 1 << 20)
            left -= count
            try sink.append(nil, count: Int(count) * frameBytes)
        }
    }
}
