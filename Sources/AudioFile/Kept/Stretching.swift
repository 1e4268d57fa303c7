import CSoundTouch
import CSoxr
import Files
import Glibc

/// A sound made slower or faster, higher or lower, from its first frame to its last: started in the middle, nothing that does so meets the samples that it gives from the start.
struct Stretching: SoundMaker {
    let path: String
    private let place: SoundPlace
    private let stretch: Stretch
    private let plain: MediaInfo
    private let stamp: FileStamp?
    /// What it is made of, where that has to be made itself.
    private let origin: KeptSound?

    private static let blockFrames = 8192
    /// What Rubber Band may take of a processor: an hour of sound takes it some fifteen minutes.
    private static let processorSeconds = 12 * 3600

    /// - Throws: `AudioFileError`: what is to be stretched cannot be used, or what stretches it is not installed.
    init(of place: SoundPlace, _ stretch: Stretch) throws(AudioFileError) {
        (path, self.place, self.stretch, stamp) = (place.path, place, stretch, FileStamp(place.path))
        origin = try AudioSource.soundFile(place) == nil ? try KeptSounds.shared.sound(at: place) : nil
        plain = try AudioSource.info(of: place)
        if stretch.method == .rubberBand { _ = try Self.rubberBand(for: path) }
    }

    private static func rubberBand(for path: String) throws(AudioFileError) -> String {
        guard let program = ChildProcess.path(of: "rubberband") else {
            throw AudioFileError(path: path, reason: "Rubber Band is to stretch it, and rubberband is not installed: apt install rubberband-cli, or leave \"stretcher\" out")
        }
        return program
    }

    var way: String { "\(origin?.way ?? "libsndfile") | \(stretch.method.rawValue) \(version) \(stretch.millionths) \(stretch.pitch)" }

    private var version: String {
        switch stretch.method {
        case .soundTouch: String(cString: soundtouch_version())
        case .rubberBand: Self.rubberBandVersion
        case .tape: String(cString: soxr_version())
        }
    }

    private static let rubberBandVersion = (try? ChildProcess.output(["rubberband", "--version"], limits: ChildProcess.Limits())) ?? "unknown"

    var info: MediaInfo {
        MediaInfo(
            frames: stretch.length(of: plain.frames), sampleRate: plain.sampleRate, channels: plain.channels, format: plain.format, truncation: plain.truncation,
            remarks: plain.remarks)
    }

    func make(_ sink: SoundSink) throws -> (truncation: String?, remark: String?) {
        if let origin {
            origin.wait()
            if let failure = origin.failure { throw failure }
        }
        let source = try AudioSource.open(place)
        let end = Ending(sink, frames: stretch.length(of: source.frames))
        switch stretch.method {
        case .soundTouch: try soundTouch(source, end)
        case .rubberBand: try rubberBand(source, end)
        case .tape: try tape(source, end)
        }
        try end.fill()
        guard FileStamp(path) == stamp else { throw AudioFileError(path: path, reason: "it changed while it was stretched") }
        return (origin?.info.truncation ?? plain.truncation, nil)
    }

    // MARK: - Ways

    /// What is heard of a passage lies right in its middle: SoundTouch takes passages from one place at a time and leaves them as they are, so at its own times half of each
    /// would come early and half late. Silence of half a passage before the sound, and as much less of what comes out, moves that to the middle. Its filter for higher pitches
    /// adds some 45 frames (measured: sounds of 0.3 s lie within 5 ms of where they belong, at a quarter of the speed within 17 ms).
    private func soundTouch(_ source: any SampleSource, _ end: Ending) throws {
        let (rate, channels) = (source.sampleRate, source.channels)
        guard let engine = soundtouch_make(rate, Int32(channels), stretch.speed, stretch.pitch) else {
            throw AudioFileError(path: path, reason: "SoundTouch stretches no sound of \(channels) channels at \(rate) Hz: say \"stretcher\": \"rubberband\", or \"tape\": true")
        }
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
        guard let engine = soxr_create(rate * stretch.speed, rate, UInt32(source.channels), &error, &specification, &quality, &runtime) else {
            throw AudioFileError(path: path, reason: "its speed cannot be changed: \(error.map { String(cString: $0) } ?? "there is no memory")")
        }
        defer { soxr_delete(engine) }
        try pass(source, behindSilence: 0, to: end) { samples, frames, room, roomFrames in
            var (taken, done) = (0, 0)
            let error = soxr_process(engine, samples, frames, &taken, room, roomFrames, &done)
            guard error == nil, taken == frames else { throw AudioFileError(path: path, reason: "its speed cannot be changed: \(error.map { String(cString: $0) } ?? "not all of it is taken")") }
            return done
        }
    }

    private var noMemory: AudioFileError { AudioFileError(path: path, reason: "there is no memory to stretch it") }

    /// Reads a sound from its beginning, passes it on to something that stretches it, between silences, and what that gives to the end.
    private func pass(
        _ source: any SampleSource, behindSilence before: Int64, to end: Ending,
        _ process: (_ samples: UnsafePointer<Float>, _ frames: Int, _ room: UnsafeMutablePointer<Float>, _ roomFrames: Int) throws -> Int
    ) throws {
        let channels = source.channels
        // The slowest gives four frames for one, and what it has waiting.
        let roomFrames = 8 * Self.blockFrames
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: (Self.blockFrames + roomFrames) * channels)
        defer { memory.deallocate() }
        let room = memory + Self.blockFrames * channels
        var place = -before
        while !end.isReached {
            var count = Self.blockFrames
            if place < 0 { count = Int(min(Int64(count), -place)) } else if place < source.frames { count = Int(min(Int64(count), source.frames - place)) }
            let done = place < 0 ? 0 : try source.read(from: place, count: count, into: memory)
            (memory + done * channels).update(repeating: 0, count: (count - done) * channels)
            try end.append(room, frames: try process(memory, count, room, roomFrames))
            place += Int64(count)
            // What gives nothing however much it gets would do so for ever.
            if place > source.frames + Int64(source.sampleRate) * 60 { throw AudioFileError(path: path, reason: "it cannot be stretched: what does so does not come to an end") }
        }
    }

    private func rubberBand(_ source: any SampleSource, _ end: Ending) throws {
        let folder = Path.join(Path.cacheFolder ?? "/tmp", "sounds")
        let (before, after) = (AtomicFile.temporaryPath(for: Path.join(folder, "in.wav")), AtomicFile.temporaryPath(for: Path.join(folder, "out.wav")))
        defer {
            unlink(before)
            unlink(after)
        }
        try FloatFile.write(source, to: before)
        var limits = ChildProcess.Limits()
        (limits.processorSeconds, limits.file) = (Self.processorSeconds, 64 << 30)
        let words = [try Self.rubberBand(for: path), "-3", "-q", "--time", "\(1 / stretch.speed)", "--pitch", "\(stretch.pitch)", before, after]
        let ending = try ChildProcess(words, limits: limits, isRead: true).end()
        guard ending.status == 0 else { throw AudioFileError(path: path, reason: "Rubber Band does not stretch it (\(FFmpeg.plain(ending.complaints)))") }
        let made = try SoundFile(path: after)
        guard made.channels == source.channels else { throw AudioFileError(path: path, reason: "Rubber Band gives \(made.channels) channels of it") }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: Self.blockFrames * made.channels)
        defer { memory.deallocate() }
        var place: Int64 = 0
        while !end.isReached, place < made.frames {
            let done = try made.read(from: place, count: Self.blockFrames, into: memory)
            if done == 0 { break }
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
