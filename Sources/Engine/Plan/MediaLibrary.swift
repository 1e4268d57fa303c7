import AudioFile
import Files
import Glibc
import Timeline

/// What is known of an audio file without reading its samples.
public struct MediaInfo: Equatable, Sendable {
    /// The length in frames at the file's own rate.
    public let frames: Int64
    /// Frames per second.
    public let sampleRate: Int32
    /// Samples in a frame.
    public let channels: Int
    /// As libsndfile names it.
    public let format: String
    /// Why the file ends before it should, if it does.
    public let truncation: String?
    /// Which file this is told of.
    let stamp: FileStamp?

    /// The length, exact; of what never ends as long as a timeline.
    public var duration: MediaTime { min(MediaTime(frame: frames, rate: sampleRate), .latest) }
}

/// Tells one state of a file from another, without reading it.
public struct FileStamp: Hashable, Sendable {
    private let inode: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// nil if there is no file at `path`.
    init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        (inode, size) = (UInt(info.st_ino), Int(info.st_size))
        (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
    }
}

/// What looking at a file has shown.
public struct MediaFinding: Sendable {
    /// The file that was looked at.
    public let path: String
    let stamp: FileStamp?
    /// What it holds, or why it cannot be used.
    public let info: Result<MediaInfo, AudioFileError>

    /// It ends before its header says, as a file does that is being written.
    var isCut: Bool { (try? info.get())?.truncation != nil }

    /// Opens the file and reads its header: waits for the disk.
    public init(path: String) {
        self.path = path
        let stamp = FileStamp(path)
        self.stamp = stamp
        do throws(AudioFileError) {
            let opened = try SoundFile(path: path)
            info = .success(MediaInfo(
                frames: opened.frames, sampleRate: opened.sampleRate, channels: opened.channels,
                format: opened.format, truncation: opened.truncation, stamp: stamp))
        } catch {
            info = .failure(error)
        }
    }
}

/// Looks files up for clips, and remembers what it found until the file changes. Control thread.
public final class MediaLibrary {
    /// The folder that the paths of clips start from.
    public let folder: String
    private var known: [String: MediaFinding] = [:]
    /// What is not a file, by the name that clips have for it.
    private var sources: [String: CallbackSource] = [:]
    /// Grows when something is found.
    private(set) var generation = 0

    /// What has been looked at is not looked at again: another watches whether files change (`MediaWatch`, `adopt`), so that nobody here waits for a disk.
    public var trustsWhatItKnows: Bool

    /// Of files named from `folder`.
    public init(folder: String, trustsWhatItKnows: Bool = false) { (self.folder, self.trustsWhatItKnows) = (folder, trustsWhatItKnows) }

    /// Makes clips whose file is `name` play `source`.
    public func register(_ source: CallbackSource, as name: String) { sources[name] = source }

    func source(of file: String) -> CallbackSource? { sources[file] }

    /// Where a clip's file is on the disk.
    public func path(of file: String) -> String { Path.join(folder, file) }

    /// What `file`, as named in a clip, holds; or why it cannot be used.
    ///
    /// A file that has gone is what it was: who plays it has it open.
    public func info(of file: String) -> Result<MediaInfo, AudioFileError> {
        if let source = sources[file] {
            return .success(MediaInfo(
                frames: source.frames, sampleRate: source.sampleRate, channels: source.channels, format: "callback", truncation: nil, stamp: nil))
        }
        let path = path(of: file)
        if trustsWhatItKnows, let finding = known[path] { return finding.info }
        let stamp = FileStamp(path)
        if let finding = known[path], finding.stamp == stamp || stamp == nil { return finding.info }
        let finding = MediaFinding(path: path)
        known[path] = finding
        generation += 1
        return finding.info
    }

    /// The files that were looked up, as they were found.
    var findings: [MediaFinding] { Array(known.values) }

    /// Takes what another has found.
    public func adopt(_ findings: [MediaFinding]) {
        for finding in findings { known[finding.path] = finding }
        generation += findings.count
    }
}
