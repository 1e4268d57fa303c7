import AudioFile
import Engine
import Files
import Timeline

/// Recordings that a crash has ended: the takes lie on the disk, and their clips were yet to come.
struct LeftTakes {
    /// Those whose clips `session` has now.
    private(set) var laid: [TakeMark] = []
    /// Those that hold nothing.
    private(set) var empty: [TakeMark] = []
    /// Those that could not be laid, each with the reason.
    private(set) var others: [(mark: TakeMark, reason: String)] = []
    /// In bytes.
    private static let longestHeader = 1024
    /// The session with the clips of the takes.
    private(set) var session: Session

    /// What was being recorded of a session that has no clip of it yet: each take as long as its file says by
    /// now. What lies under one is cut away, as it would have been, once it is known how long that is.
    init(of store: SessionStore, in session: Session) {
        self.session = session
        let played = Set(session.files.map { FilePath(Path.absolute(Path.join(store.folder, $0.text))) })
        let library = MediaLibrary(folder: store.folder)
        for mark in TakeMark.all(in: Path.join(store.folder, "takes"), of: store.name)
        where !played.contains(FilePath(Path.absolute(mark.take))) {
            lay(mark, Path.name(of: mark.take, from: store.folder), library)
        }
    }

    private mutating func lay(_ mark: TakeMark, _ file: String, _ library: MediaLibrary) {
        guard let clip = clip(mark, file, library) else { return }
        guard let index = session.tracks.firstIndex(where: { $0.name == mark.track }) else {
            return others.append((mark, "there is no track \"\(mark.track)\""))
        }
        lay(clip, onTrack: index, mark, library)
    }

    /// What a take is played by; nil, and noted: it has no sound, or cannot be read.
    private mutating func clip(_ mark: TakeMark, _ file: String, _ library: MediaLibrary) -> Clip? {
        do throws(AudioFileError) {
            let info = try library.info(of: Clip(file: file)).get()
            if let length = info.duration, length > .zero {
                return Clip(
                    ofTake: file, start: mark.start, duration: length, aired: mark.aired,
                    rate: info.sampleRate)
            }
            empty.append(mark)
        } catch {
            // A header by itself is short; what lies behind one that says nothing of it may be sound.
            let isHeader = error.kind == .empty && Path.size(of: mark.take) ?? .max <= Self.longestHeader
            if isHeader { empty.append(mark) } else { others.append((mark, error.reason)) }
        }
        return nil
    }

    private mutating func lay(
        _ clip: Clip, onTrack index: Int, _ mark: TakeMark, _ library: MediaLibrary
    ) {
        var alone = Session()
        alone.tracks = [session.tracks[index]]
        library.makeReady(alone)
        do throws(EditError) {
            try session.tracks[index].overwrite(
                with: clip, ruler: library.ruler(atRate: session.sampleRate))
            laid.append(mark)
        } catch {
            others.append((mark, error.message(place: "\(StripPlace.track(index + 1))")))
        }
    }

    /// What whoever opens the session is to be told.
    var warnings: [String] {
        others.map { mark, reason in
            """
            \(mark.take) was being recorded when the mixer ended, and cannot be laid on the track \
            "\(mark.track)": \(reason); jmixctl insert TRACK FILE PLACE lays it by hand
            """
        }
    }

    /// When the newest was written on last, in nanoseconds since 1970.
    var changedAt: Int64? { laid.compactMap { Path.changedAt($0.take) }.max() }
}
