import AudioFile
import Files
import Timeline

/// What looking at a file has shown.
public struct MediaFinding: Sendable {
    /// What was looked at.
    public let place: SoundPlace
    /// Its file.
    public var path: String { place.path }
    let stamp: FileStamp?
    /// What it holds, or why it cannot be used.
    public let info: Result<MediaInfo, AudioFileError>

    /// All of it has been made ready since it was looked at before.
    public internal(set) var hasBeenDecoded = false

    /// Another number for another state of the file, as long as the program runs.
    public var state: Int { stamp.hashValue }

    /// It ends before its header says, as a file does that is being written.
    var isCut: Bool { (try? info.get())?.truncation != nil }

    /// What has to be made ready for it, as long as this is known.
    private let sound: StoredSound?

    /// It was still being made ready when it was looked at.
    var isOnItsWay: Bool { (try? info.get())?.isOnItsWay == true }

    /// It was still being made ready, and is not any more.
    public var isOutdated: Bool { isOnItsWay && sound?.progress == nil }

    /// Opens the file and reads its header: waits for the disk. What has to be decoded or stretched begins to
    /// be.
    public init(_ place: SoundPlace) {
        self.place = place
        stamp = FileStamp(place.path)
        do throws(AudioFileError) {
            let found = try AudioSource.inspect(place)
            (info, sound) = (.success(found.info), found.sound)
        } catch {
            (info, sound) = (.failure(error), nil)
        }
    }

    /// A source that is no file, which never changes.
    init(_ source: CallbackSource, name: String) {
        (place, stamp, info, sound) = (
            SoundPlace(name), nil, .success(MediaInfo(of: source, format: "callback")), nil
        )
    }
}
