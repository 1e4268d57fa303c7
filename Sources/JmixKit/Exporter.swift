import AudioFile
import Engine
import Files
import Loudness
import Synchronization
import Timeline

/// Mixes a composition to a file. One export each.
public final class Exporter: Sendable {
    /// What the file is.
    public enum Preset: String, CaseIterable, Sendable {
        /// WAV of 16 or 24 bits or floats, FLAC of 24 bits, and the lossy ones at a quality of 0.8 as
        /// libsndfile counts it, unless a bit rate is given.
        case wav16, wav24, wavFloat, flac, oggVorbis, opus, mp3
        /// By ffmpeg, where it is installed: AAC of 256 kbit/s unless told, alone or in an MP4 beside a
        /// picture; 24 bits in a QuickTime, FLAC in Matroska.
        case m4a, mp4, mov, mkv

        /// In lower case, without its dot.
        public var fileExtension: String {
            switch self {
            case .wav16, .wav24, .wavFloat: "wav"
            case .oggVorbis: "ogg"
            case .flac, .opus, .mp3, .m4a, .mp4, .mov, .mkv: rawValue
            }
        }

        fileprivate var samples: OutputFormat.Samples? {
            switch self {
            case .wav16: .pcm16
            case .wav24, .flac, .mov, .mkv: .pcm24
            case .wavFloat: .float
            case .oggVorbis, .opus, .mp3, .m4a, .mp4: nil
            }
        }
    }

    /// What becomes of a file that has the name already.
    public enum Naming: Sendable {
        /// Neither: it is an error; or the file is replaced once the export is whole.
        case refuse, replace
        /// The export gets the next free name: `name-1`, `name-2`.
        case unique
    }

    /// How far an export has come.
    public enum Status: Equatable, Sendable {
        /// Not begun, then at work.
        case waiting, exporting
        /// All is written, and the file has this path: it stays so.
        case completed(path: String)
        /// It was cancelled, and nothing is left of it: it stays so.
        case cancelled
        /// Nothing was written, for this reason: it stays so.
        case failed(ExportError)
    }

    /// What is mixed: a copy, whatever becomes of the original.
    public let composition: Composition
    /// What the file is.
    public let preset: Preset
    /// In thousands a second: mp3 (32 to 320), opus (12 to 512), m4a and mp4 (32 to 512); nil: the preset's.
    public let bitRate: Int?
    /// Tags, chapters and a cover, as far as the preset has a place for them.
    public let labels: FileLabels
    /// Of an mp4, mov or mkv: what is seen beside the mix.
    public let picture: MoviePicture?
    private let state = Mutex((status: Status.waiting, progress: 0.0))
    private let isCancelled = Atomic<Bool>(false)
    private let updates: (stream: AsyncStream<Double>, continuation: AsyncStream<Double>.Continuation)

    /// An export that is yet to begin.
    /// - Parameters:
    ///   - composition: what is mixed; the exporter works on a copy of it.
    ///   - preset: what the file is.
    ///   - bitRate: in thousands a second, where the preset has one: mp3 (32 to 320), opus (12 to 512), m4a
    ///     and mp4 (32 to 512).
    ///   - labels: tags, chapters and a cover, as far as the preset has a place for them.
    ///   - picture: of an mp4, mov or mkv: what is seen beside the mix.
    public init(
        _ composition: Composition, preset: Preset, bitRate: Int? = nil, labels: FileLabels = FileLabels(),
        picture: MoviePicture? = nil
    ) {
        (self.composition, self.preset) = (composition, preset)
        (self.bitRate, self.labels, self.picture) = (bitRate, labels, picture)
        updates = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// How far it has come.
    public var status: Status { state.withLock { $0.status } }
    /// The share done, 0 to 1.
    public var progress: Double { state.withLock { $0.progress } }
    /// The same as it grows; ends with the export. For one reader.
    public var progressUpdates: AsyncStream<Double> { updates.stream }

    /// Ends the export that runs, or the one that is yet to begin. Nothing is left of it on the disk.
    public func cancel() { isCancelled.store(true, ordering: .releasing) }

    /// Mixes to `path`; without an extension it gets the preset's.
    /// - Parameters:
    ///   - path: the file to write.
    ///   - naming: what becomes of a file that has the name already.
    ///   - range: of the timeline; nil is all of it.
    ///   - loudness: in LUFS, -70 to 0: the mix is brought to it, without a limit only as far as its true
    ///     peak stays under -1 dBTP.
    ///   - limit: in dBTP, -40 to 0: a limiter keeps the true peaks under it.
    /// - Returns: what was written, under which name, and the loudness that was reached.
    /// - Throws: `ExportError`; nothing is left on the disk. A cancelled task cancels the export.
    @discardableResult
    public func export(
        to path: String, range: TimeRange? = nil, naming: Naming = .refuse, loudness: Double? = nil,
        limit: Double? = nil
    ) async throws(ExportError) -> OfflineRender.Result {
        let wish = Wish(path: path, range: range, naming: naming, loudness: loudness, limit: limit)
        guard claim() else { throw .used }
        defer { updates.continuation.finish() }
        let result: Result<OfflineRender.Result, ExportError> = await withTaskCancellationHandler {
            do throws(ExportError) {
                return .success(
                    try await offThread { () -> Result<OfflineRender.Result, ExportError> in
                        do throws(ExportError) { return .success(try self.write(wish)) } catch {
                            return .failure(error)
                        }
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            cancel()
        }
        settle(result)
        return try result.get()
    }

    private func settle(_ result: Result<OfflineRender.Result, ExportError>) {
        state.withLock { state in
            switch result {
            case .success(let written): state.status = .completed(path: written.path)
            case .failure(.cancelled): state.status = .cancelled
            case .failure(let error): state.status = .failed(error)
            }
        }
    }

    /// What is to be written of it, where, and how loud.
    private struct Wish: Sendable {
        var path: String
        let range: TimeRange?
        let naming: Naming
        let loudness: Double?
        let limit: Double?

        func mastering() throws(ExportError) -> Mastering {
            do throws(LoudnessError) { return try Mastering(loudness: loudness, limit: limit) } catch {
                throw .loudness(error)
            }
        }
    }

    /// Begins, once.
    /// - Returns: false: it was begun before.
    private func claim() -> Bool {
        state.withLock { state in
            guard state.status == .waiting else { return false }
            state.status = .exporting
            return true
        }
    }

    /// No file that the mix is made of is written over.
    private func checkReplaces(_ wish: Wish, _ library: MediaLibrary) throws(ExportError) {
        let sources = SourceFiles(
            of: composition.session, in: library, savedAs: nil, movie: picture?.path,
            cover: labels.cover)
        if wish.naming == .replace, sources.hold(wish.path) { throw .isSource(path: wish.path) }
    }

    private func write(_ wish: Wish) throws(ExportError) -> OfflineRender.Result {
        var wish = wish
        wish.path = try name(wish)
        let library = composition.library()
        try checkReplaces(wish, library)
        let frames: Range<Int64>
        do throws(CompositionError) { frames = try composition.mixable(wish.range, library) } catch {
            throw .composition(error)
        }
        let file = try file(wish, frames: frames.count)
        let mastering = try wish.mastering()
        let render = OfflineRender(
            composition.session, library: library, frames: frames, taps: composition.taps)
        do throws(OfflineRender.Failure) {
            return try render.write(to: file, mastering: mastering, progress: tell)
        } catch {
            switch error {
            case .file(let error): throw .file(error)
            case .cancelled: throw .cancelled
            }
        }
    }

    /// The name of the file, with its extension.
    private func name(_ wish: Wish) throws(ExportError) -> String {
        let path =
            Path.fileExtension(of: wish.path).isEmpty ? "\(wish.path).\(preset.fileExtension)" : wish.path
        guard Path.fileExtension(of: path) == preset.fileExtension else {
            throw .name(path: path, preset: preset)
        }
        if wish.naming == .refuse, Path.exists(path) { throw .exists(path: path) }
        return path
    }

    private func file(_ wish: Wish, frames: Int) throws(ExportError) -> OfflineRender.File {
        let format: OutputFormat
        do throws(AudioFileError) {
            format = try OutputFormat(
                path: wish.path, samples: preset.samples, sampleRate: composition.sampleRate,
                frames: Int64(frames), loss: bitRate.map { .bitRate($0) } ?? .standard)
        } catch { throw .file(error) }
        if picture != nil, !format.holdsMovies { throw .noPicture(preset: preset) }
        var file = OfflineRender.File(wish.path, format)
        (file.labels, file.picture, file.taken) = (labels, picture, wish.naming.taken)
        return file
    }

    /// Tells the share done.
    /// - Returns: whether the export goes on.
    private func tell(_ share: Double) -> Bool {
        state.withLock { $0.progress = share }
        updates.continuation.yield(share)
        return !isCancelled.load(ordering: .acquiring)
    }
}

extension Exporter.Naming {
    fileprivate var taken: TakenName {
        switch self {
        case .refuse: .isRefused
        case .replace: .isReplaced
        case .unique: .isPassedOver
        }
    }
}
