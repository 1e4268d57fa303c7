import Files
import Glibc
import Realtime

/// A sound that libsndfile does not read, decoded once from its first frame into a file of floats, and read from there: any frame is reached exactly, and the samples do not
/// depend on where reading began. It can be read as far as it has been decoded, or been found to be what was written.
public final class DecodedSound: @unchecked Sendable {
    // Safe to share: what changes is behind `state`; files are read and written by place.
    private struct State {
        var phase = Phase.filling
        /// Frames that can be read.
        var ready: Int64 = 0
        var file: CacheFile?
        /// As far as is known.
        var frames: Int64
        var truncation = ""
        var remark = ""
    }

    private enum Phase: Equatable {
        case filling
        case whole
        case failed(AudioFileError)
    }

    let path: String
    let sound: MediaContent.Sound
    /// How the kind is told to people.
    let format: String
    private let state: Guarded<State>
    /// Where it is kept.
    private let place: String
    /// Which file it was when it was looked at.
    private let stamp: FileStamp?

    /// - Parameters:
    ///   - stamp: the state of the file whose content it is.
    ///   - place: where its samples are kept, or will be.
    init(_ sound: MediaContent.Sound, of path: String, _ stamp: FileStamp?, container: String, keptAt place: String) {
        (self.sound, self.path, self.stamp, self.place) = (sound, path, stamp, place)
        format = "\(container), \(sound.codec)"
        state = Guarded(State(frames: sound.frames ?? Int64(sound.sampleRate)))
    }

    /// What is known of it by now.
    public var info: MediaInfo {
        let (frames, truncation, remark, isWhole) = state.withLock { ($0.frames, $0.truncation, $0.remark, $0.phase == .whole) }
        return MediaInfo(
            frames: frames, sampleRate: sound.sampleRate, channels: sound.channels, format: format, truncation: truncation.isEmpty ? nil : truncation,
            remarks: [sound.caution, remark.isEmpty ? nil : remark].compactMap { $0 }, isProvisional: !isWhole)
    }

    /// What share of it can be read; nil: all.
    public var progress: Double? {
        state.withLock { $0.phase == .filling ? min(1, Double($0.ready) / Double(max(1, $0.frames))) : nil }
    }

    /// Why it cannot be had; nil: it can.
    var failure: AudioFileError? { state.withLock { if case .failed(let error) = $0.phase { error } else { nil } } }

    /// Waits until all of it can be read, or it has failed.
    func wait() { while progress != nil { usleep(2000) } }

    // MARK: - Reading

    /// Reads frames, as `SampleSource` says, waiting for them.
    /// - Parameter patience: how long, in milliseconds; nil: until they are there.
    /// - Throws: `AudioFileError`: it could not be decoded, or they were not there in time.
    func read(from start: Int64, count: Int, into buffer: UnsafeMutablePointer<Float>, patience: Int?) throws(AudioFileError) -> Int {
        var waited = 0
        while true {
            let (phase, ready, file) = state.withLock { ($0.phase, $0.ready, $0.file) }
            if case .failed(let error) = phase { throw error }
            let wanted = Int(max(0, min(Int64(count), ready - start)))
            if phase == .whole || wanted == count {
                if wanted == 0 { return 0 }
                guard let file, Self.read(file, from: start, count: wanted, channels: sound.channels, into: buffer) else {
                    throw AudioFileError(path: path, reason: "its decoded samples cannot be read at frame \(start): \(String(cString: strerror(errno)))")
                }
                return wanted
            }
            if let patience, waited >= patience { throw AudioFileError(path: path, reason: "it is still being decoded", kind: .pending) }
            usleep(2000)
            waited += 2
        }
    }

    private static func read(_ file: CacheFile, from start: Int64, count: Int, channels: Int, into buffer: UnsafeMutablePointer<Float>) -> Bool {
        let bytes = count * channels * 4
        var done = 0
        while done < bytes {
            let read = pread(file.descriptor, UnsafeMutableRawPointer(buffer) + done, bytes - done, off_t(CacheFile.headBytes + Int(start) * channels * 4 + done))
            guard read > 0 else { return false }
            done += read
        }
        return true
    }

    // MARK: - Filling, on a thread that has the time

    /// Finds it where it is kept, or decodes it.
    func fill() {
        if let kept = CacheFile(path: place), kept.head.channels == sound.channels, kept.head.sampleRate == sound.sampleRate {
            utimes(place, nil)
            if take(kept) { return }
            unlink(place)
        }
        do throws(AudioFileError) { try decode() } catch {
            state.withLock { $0.phase = .failed(error) }
        }
    }

    /// Takes what is kept, block by block as it proves to be what was written.
    /// - Returns: false: it is not.
    private func take(_ kept: CacheFile) -> Bool {
        state.withLock { ($0.file, $0.frames, $0.truncation, $0.remark) = (kept, kept.head.frames, kept.head.truncation, kept.head.remark) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: CacheFile.blockBytes, alignment: 64)
        defer { memory.deallocate() }
        for block in kept.hashes.indices {
            guard kept.isSound(block: block, memory) else { return false }
            advance(toBytes: (block + 1) * CacheFile.blockBytes)
        }
        state.withLock { ($0.ready, $0.phase) = (kept.head.frames, .whole) }
        return true
    }

    /// All but the frame that the block's end cuts in two.
    private func advance(toBytes bytes: Int) {
        let ready = Int64(bytes / 4 / sound.channels)
        state.withLock { $0.ready = max($0.ready, min(ready, $0.frames)) }
    }

    /// A decoder that says nothing for so long is given up.
    private static let patience: Int32 = 60_000
    /// The longest sound that is kept, in bytes, and what of the disk is left to others.
    private static let (maximumBytes, leastFree) = (16 << 30, Int64(1) << 30)
    /// A sound may end so many frames before what its file says, as containers round.
    private static let tolerance: Int64 = 4096

    private func decode() throws(AudioFileError) {
        let program = try FFmpeg.program("ffmpeg", for: path)
        let temporary = AtomicFile.temporaryPath(for: place)
        do {
            let file = try CacheFile(new: temporary, channels: sound.channels, sampleRate: sound.sampleRate)
            defer { unlink(temporary) }
            state.withLock { ($0.file, $0.ready) = (file, 0) }
            let child = try ChildProcess(FFmpeg.decoding(sound, of: path, program), limits: ChildProcess.Limits(), isRead: true)
            let bytes = try pass(child, to: file, temporary)
            let ending = child.end()
            // It may have been another file by the time it was read.
            guard FileStamp(path) == stamp else { throw AudioFileError(path: path, reason: "it changed while it was decoded") }
            let frames = Int64(bytes / 4 / sound.channels)
            guard frames > sound.start else { throw AudioFileError(path: path, reason: "ffmpeg decodes nothing of it (\(FFmpeg.plain(ending.complaints)))") }
            let missing = sound.saysItsLength ? (sound.frames ?? frames) - frames : 0
            // Who is stopped at the end that the file says has not failed.
            let isCutShort = ending.status != 0 && !(sound.isCut && missing == 0) || missing > max(Self.tolerance, Int64(sound.sampleRate) / (sound.isCut ? 10 : 1))
            let said = FFmpeg.plain(ending.complaints)
            let truncation = isCutShort ? "the file is truncated: its sound ends after \(frames) frames" + (missing > 0 ? " of \(sound.frames ?? frames)" : "") + (said.isEmpty ? "" : " (\(said))") : ""
            let remark = isCutShort || said.isEmpty ? "" : "parts of it could not be decoded (\(said))"
            try file.finish(frames: frames, truncation: truncation, remark: remark, named: place)
            try AtomicFile.publish(temporary, as: place)
            state.withLock { ($0.frames, $0.ready, $0.phase, $0.truncation, $0.remark) = (frames, frames, .whole, truncation, remark) }
        } catch let error as AudioFileError {
            throw error
        } catch {
            throw AudioFileError(path: path, reason: "it cannot be decoded: \(error)")
        }
    }

    /// Passes on what the decoder prints, behind the silence before it, up to the end that the file says.
    /// - Returns: the bytes of samples that are kept.
    private func pass(_ child: ChildProcess, to file: CacheFile, _ name: String) throws -> Int {
        let frameBytes = 4 * sound.channels
        let block = UnsafeMutableRawBufferPointer.allocate(byteCount: CacheFile.blockBytes, alignment: 64)
        defer { block.deallocate() }
        // A frame that is cut at the very end is none.
        let most = sound.isCut ? sound.frames.map { Int($0) * frameBytes } ?? .max : .max
        var (total, filled, silence) = (0, 0, Int(sound.start) * frameBytes)
        func keep() throws {
            if filled == 0 { return }
            try file.append(UnsafeRawBufferPointer(rebasing: block[..<filled]), named: name)
            total += filled
            filled = 0
            guard total <= Self.maximumBytes else { throw AudioFileError(path: path, reason: "its sound is longer than \(Self.maximumBytes >> 30) GiB of floats") }
            if total >> 20 % 64 == 0, let free = Path.freeBytes(on: name), free < Self.leastFree { throw AudioFileError(path: path, reason: "there is no room left to decode it: \(Path.folder(of: place)) is nearly full") }
            state.withLock { $0.frames = max($0.frames, Int64(total / frameBytes)) }
            advance(toBytes: total)
        }
        while true {
            let room = min(block.count - filled, most - total - filled)
            if room == 0, filled < block.count { break }
            if room == 0 {
                try keep()
                continue
            }
            let space = UnsafeMutableRawBufferPointer(rebasing: block[filled..<filled + room])
            if silence > 0 {
                let count = min(silence, room)
                memset(space.baseAddress!, 0, count)
                (silence, filled) = (silence - count, filled + count)
                continue
            }
            guard let count = try child.read(into: space, within: Self.patience) else { throw AudioFileError(path: path, reason: "its decoder said nothing for \(Self.patience / 1000) s") }
            if count == 0 { break }
            filled += count
        }
        filled -= (total + filled) % frameBytes
        try keep()
        if total == most { child.stop() }
        return total
    }
}

/// A decoded sound, as one reader sees it.
final class DecodedReader: SampleSource {
    private let decoded: DecodedSound
    /// Milliseconds that it waits for what is not decoded yet; nil: as long as it takes.
    private let patience: Int?
    let frames: Int64

    init(_ decoded: DecodedSound, patience: Int?) {
        (self.decoded, self.patience) = (decoded, patience)
        frames = decoded.info.frames
    }

    var sampleRate: Int32 { decoded.sound.sampleRate }
    var channels: Int { decoded.sound.channels }

    func read(from start: Int64, count: Int, into buffer: UnsafeMutablePointer<Float>) throws(AudioFileError) -> Int {
        try decoded.read(from: start, count: count, into: buffer, patience: patience)
    }
}
