import AudioFile
import Files
import Timeline

/// A session as it was heard live: each take where it was heard, not where the sound was played to that it
/// came in with.
public struct AiredSession {
    /// Its clips play sources of `library`.
    public private(set) var session: Session
    /// The files of the session, and its takes with what came in before them.
    public let library: MediaLibrary
    /// Files that do not hold all that was heard live at a clip's first frames, and how many frames are
    /// silent there for that.
    public private(set) var missing: [(file: String, frames: Int64)] = []
    /// What strips remembered where its takes begin: for `OfflineRender`.
    public let recalls: [ShowRecall]
    /// Files of takes that do not hold what strips remembered where they begin, though they remember, or do
    /// not lie there any more: strips begin anew there.
    public let forgetful: [FilePath]

    /// Every clip that keeps by how much later it was heard plays what was heard live at its own frames. A
    /// clip whose speed, pitch or direction has been changed is as it was edited, and so is one of a track
    /// whose input is not heard (`"monitor": "clips"`). A file that cannot be read stays what it is.
    public init(_ session: Session, library: MediaLibrary) {
        self.session = session
        (recalls, forgetful) = session.remembers ? ShowRecall.all(session, library) : ([], [])
        var sources: [FilePath: CallbackSource] = [:]
        for (index, track) in session.tracks.enumerated() where track.monitor != .clips {
            for (number, clip) in track.clips.enumerated() where clip.isAired {
                guard let file = AiredFile(clip, library) else { continue }
                self.session.tracks[index].clips[number].file = file.name
                self.session.tracks[index].clips[number].duration =
                    clip.duration ?? max(.zero, file.duration - clip.from)
                sources[file.name] = sources[file.name] ?? file.source
                if file.missing > 0 { missing.append((clip.file.text, file.missing)) }
            }
        }
        self.library = MediaLibrary(folder: library.folder, known: library.known, sources: sources)
    }
}

/// The file of a take, with what came in before it in front.
private struct AiredFile {
    let name: FilePath
    let source: CallbackSource
    /// Of the take alone.
    let duration: MediaTime
    /// How many frames of the clip it does not hold.
    let missing: Int64

    init?(_ clip: Clip, _ library: MediaLibrary) {
        let lead = { @Sendable (rate: Int32) in clip.aired.frame(atRate: rate) }
        guard let (source, missing) = try? AiredTake.source(library.path(of: clip.file), lead: lead) else {
            return nil
        }
        let rate = source.sampleRate
        name = FilePath("\(clip.file) as it was aired, \(lead(rate)) frames later")
        self.source = source
        duration = MediaTime(frame: source.frames - lead(rate), rate: rate)
        let length = clip.duration ?? duration
        self.missing = min(length.frame(atRate: rate), max(0, missing - clip.from.frame(atRate: rate)))
    }
}

extension Clip {
    /// It plays a take as it came in.
    var isAsRecorded: Bool { speed == 1 && pitch == 0 && !isReversed && stream == 1 }

    /// The same, and it was heard live later than it lies.
    fileprivate var isAired: Bool { aired > .zero && isAsRecorded }
}
