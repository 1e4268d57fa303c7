import Files
import Glibc
import Realtime

/// A sound that has to be made before it can be played, because libsndfile does not read it or because it is
/// played slower, faster, higher or lower than it is: made once from its first frame to its last, into a file
/// of floats, and read from there. So any frame is reached exactly, and the samples do not depend on where
/// reading began. It can be read as far as it has been made, or been found to be what was written.
public final class StoredSound: @unchecked Sendable {
    // Safe to share: what changes is behind `state`; files are read and written by place.
    private struct State {
        var phase = Phase.filling
        /// Frames that can be read.
        var ready: Int64 = 0
        var file: CacheFile?
        var length: SoundLength
        var truncation: String?
        var remark: String?
    }

    private enum Phase: Equatable {
        case filling
        case whole
        case failed(AudioFileError)
    }

    private let maker: any SoundMaker
    private let planned: MediaInfo
    private let state: Guarded<State>
    /// Where it is stored.
    private let place: String

    /// - Parameter place: where its samples are stored, or will be.
    init(_ maker: any SoundMaker, storedAt place: String) {
        (self.maker, self.place, planned) = (maker, place, maker.info)
        state = Guarded(State(length: planned.length))
    }

    /// The file that it comes from.
    var path: String { maker.path }
    /// What its samples depend on beside the content of that.
    var way: String { maker.way }
    var sampleRate: Int32 { planned.sampleRate }
    var channels: Int { planned.channels }

    /// What is known of it by now.
    public var info: MediaInfo {
        let (length, truncation, remark, isWhole) = state.withLock {
            ($0.length, $0.truncation, $0.remark, $0.phase == .whole)
        }
        return MediaInfo(
            length: length, sampleRate: sampleRate, channels: channels, format: planned.format,
            truncation: truncation ?? planned.truncation,
            remarks: planned.remarks + [remark].compactMap { $0 }, isOnItsWay: !isWhole)
    }

    /// What share of it can be read; nil: all.
    public var progress: Double? {
        state.withLock {
            $0.phase == .filling ? min(1, Double($0.ready) / Double(max(1, $0.length.presumed))) : nil
        }
    }

    /// Why it cannot be had; nil: it can.
    var failure: AudioFileError? {
        state.withLock { if case .failed(let error) = $0.phase { error } else { nil } }
    }

    /// What is said to who does not wait.
    var isNotReady: AudioFileError {
        AudioFileError(path: path, reason: "it is still being made ready", kind: .pending)
    }

    /// Waits until all of it can be read, or it has failed.
    func wait() { while progress != nil { usleep(2000) } }

    // MARK: - Reading

    /// Reads frames, as `SampleSource` says.
    /// - Throws: `AudioFileError`: it could not be made, or they are not there yet.
    func read(
        from start: Int64, count: Int, into buffer: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> Int {
        let (phase, ready, file) = state.withLock { ($0.phase, $0.ready, $0.file) }
        if case .failed(let error) = phase { throw error }
        let wanted = Int(max(0, min(Int64(count), ready - start)))
        guard phase == .whole || wanted == count else { throw isNotReady }
        if wanted == 0 { return 0 }
        guard let file, Self.read(file, from: start, count: wanted, channels: channels, into: buffer) else {
            throw AudioFileError(
                path: path,
                reason:
                    """
                    its samples that are stored cannot be read at frame \(start): \
                    \(String(cString: strerror(errno)))
                    """
            )
        }
        return wanted
    }

    private static func read(
        _ file: CacheFile, from start: Int64, count: Int, channels: Int,
        into buffer: UnsafeMutablePointer<Float>
    ) -> Bool {
        let bytes = count * channels * 4
        var done = 0
        while done < bytes {
            let read = pread(
                file.descriptor, UnsafeMutableRawPointer(buffer) + done, bytes - done,
                off_t(CacheFile.headBytes + Int(start) * channels * 4 + done))
            guard read > 0 else { return false }
            done += read
        }
        return true
    }

    // MARK: - Filling, on a thread that has the time

    /// Finds it where it is stored, or makes it.
    func fill() {
        if let stored = CacheFile(path: place), stored.head.channels == channels,
            stored.head.sampleRate == sampleRate
        {
            utimes(place, nil)
            if restore(stored) { return }
            unlink(place)
        }
        do throws(AudioFileError) { try make() } catch {
            state.withLock { $0.phase = .failed(error) }
        }
    }

    /// Takes what is stored, block by block as it proves to be what was written.
    /// - Returns: false: it is not.
    private func restore(_ stored: CacheFile) -> Bool {
        state.withLock {
            ($0.file, $0.length, $0.truncation, $0.remark) = (
                stored, .known(stored.head.frames), Self.said(stored.head.truncation),
                Self.said(stored.head.remark)
            )
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: CacheFile.blockBytes, alignment: 64)
        defer { memory.deallocate() }
        for block in stored.hashes.indices {
            guard stored.isSound(block: block, memory) else { return false }
            advance(toBytes: (block + 1) * CacheFile.blockBytes)
        }
        state.withLock { ($0.ready, $0.phase) = (stored.head.frames, .whole) }
        return true
    }

    private static func said(_ text: String) -> String? { text.isEmpty ? nil : text }

    /// All but the frame that the block's end cuts in two.
    private func advance(toBytes bytes: Int) {
        let ready = Int64(bytes / 4 / channels)
        state.withLock { $0.ready = max($0.ready, min(ready, $0.length.presumed)) }
    }

    private func make() throws(AudioFileError) {
        let temporary = AtomicFile.temporaryPath(for: place)
        do {
            let file = try CacheFile(new: temporary, channels: channels, sampleRate: sampleRate)
            defer { unlink(temporary) }
            state.withLock { ($0.file, $0.ready, $0.length) = (file, 0, planned.length) }
            let frameBytes = 4 * channels
            let sink = SoundSink(file, named: temporary, of: path) { [self] bytes in
                state.withLock { state in
                    state.length = state.length.atLeast(Int64(bytes / frameBytes))
                }
                advance(toBytes: bytes)
            }
            let (truncation, remark) = try maker.make(sink)
            let frames = try sink.finish()
            try file.finish(frames: frames, truncation: truncation ?? "", remark: remark ?? "", named: place)
            try AtomicFile.publish(temporary, as: place)
            state.withLock {
                ($0.length, $0.ready, $0.phase, $0.truncation, $0.remark) = (
                    .known(frames), frames, .whole, truncation, remark
                )
            }
        } catch let error as AudioFileError {
            throw error
        } catch {
            throw AudioFileError(path: path, reason: "its samples cannot be stored: \(error)")
        }
    }
}

/// A stored sound, as one reader sees it.
final class StoredReader: SampleSource {
    private let sound: StoredSound
    let frames: Int64

    init(_ sound: StoredSound) { (self.sound, frames) = (sound, sound.info.length.presumed) }

    var sampleRate: Int32 { sound.sampleRate }
    var channels: Int { sound.channels }

    func read(
        from start: Int64, count: Int, into buffer: UnsafeMutablePointer<Float>
    ) throws(AudioFileError) -> Int {
        try sound.read(from: start, count: count, into: buffer)
    }
}
