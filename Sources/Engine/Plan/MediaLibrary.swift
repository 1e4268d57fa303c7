import AudioFile
import Files
import Glibc
import Timeline

/// What is known of an audio file without reading its samples.
public struct MediaInfo: Equatable, Sendable {
    /// The length in frames at the file's own rate.
    public let frames: Int64
    public let sampleRate: Int32
    public let channels: Int
    public let format: String
    /// Why the file ends before it should, if it does.
    public let truncation: String?

    public var duration: MediaTime { MediaTime(frame: frames, rate: sampleRate) }
}

/// Looks files up for clips, and remembers what it found until the file changes. Control thread.
public final class MediaLibrary {
    private struct Stamp: Equatable {
        let inode: UInt
        let size: Int
        let seconds: Int
        let nanoseconds: Int
    }

    /// The folder that the paths of clips start from.
    public let folder: String
    private var known: [String: (stamp: Stamp, info: Result<MediaInfo, AudioFileError>)] = [:]

    public init(folder: String) { self.folder = folder }

    /// Where a clip's file is on the disk.
    public func path(of file: String) -> String { Path.join(folder, file) }

    /// What `file`, as named in a clip, holds; or why it cannot be used.
    public func info(of file: String) -> Result<MediaInfo, AudioFileError> {
        let path = path(of: file)
        let stamp = Self.stamp(path)
        if let stamp, let entry = known[path], entry.stamp == stamp { return entry.info }
        let result: Result<MediaInfo, AudioFileError>
        do throws(AudioFileError) {
            let opened = try SoundFile(path: path)
            result = .success(MediaInfo(
                frames: opened.frames, sampleRate: opened.sampleRate, channels: opened.channels,
                format: opened.format, truncation: opened.truncation))
        } catch {
            result = .failure(error)
        }
        if let stamp { known[path] = (stamp, result) }
        return result
    }

    private static func stamp(_ path: String) -> Stamp? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return Stamp(inode: UInt(info.st_ino), size: Int(info.st_size), seconds: info.st_mtim.tv_sec, nanoseconds: info.st_mtim.tv_nsec)
    }
}
