import AudioFile
import Engine
import Files
import Realtime
import Speakers
import Timeline

/// Tracks of clips with their volumes: what AVMutableComposition and AVMutableAudioMix are together.
///
/// A value: a copy is a snapshot that stays as it is whatever becomes of the original. Times are exact; clips
/// are placed at the nearest frame. Every call that can fail throws and then has changed nothing.
public struct Composition: Sendable {
    /// The document: what is saved, and what `jmix run` plays.
    public internal(set) var session: Session
    /// The folder that relative names of files start from.
    public let folder: String
    /// What its files were found to be when it was read.
    var files: [SoundPlace: MediaFinding] = [:]
    var sources: [FilePath: CallbackSource] = [:]
    /// Copies of one share it: where takes belong that are recorded of it.
    package let origin = Origins.next()
    package internal(set) var taps: [StripID: TrackTap] = [:]

    /// An empty one.
    /// - Parameters:
    ///   - sampleRate: frames per second, 8000 to 384000.
    ///   - folder: the folder that relative names of files start from.
    public init(sampleRate: Int32 = 48000, folder: String = ".") throws(CompositionError) {
        guard Session.sampleRates.contains(sampleRate) else { throw .sampleRate(sampleRate) }
        session = Session()
        session.sampleRate = sampleRate
        self.folder = folder
    }

    /// That of a session's file.
    /// - Throws: `.problems` that name every fault with its place; missing files are faults too.
    public init(contentsOf path: String) throws(CompositionError) {
        folder = Path.folder(of: path)
        let reading: SessionFile.Reading
        do throws(FileError) { reading = SessionFile.read(try AtomicFile.read(path)) } catch {
            throw .file(error)
        }
        let library = MediaLibrary(folder: folder)
        if let session = reading.session { library.makeReady(session) }
        let problems =
            reading.problems + (reading.session.map { SessionCheck.problems($0, library: library) } ?? [])
        guard let session = reading.session, problems.isEmpty else { throw .problems(problems) }
        self.session = session
        files = library.known
    }

    /// Saves it as a session's file, in place of what is there. Names of files that would not lead from there
    /// where they lead now are written so that they do. Sources that are closures have no file, and will be
    /// missing there.
    public func write(to path: String) throws(CompositionError) {
        let target = Path.folder(of: path)
        var session = session
        session.renameFiles { sources[$0] == nil ? name(of: $0, from: target) : $0 }
        do throws(FileError) {
            try AtomicFile.write(
                SessionFile.text(session, like: try? AtomicFile.read(path)), to: path, keepsPrevious: true)
        } catch { throw .file(error) }
    }

    /// The name by which a clip's file is found from another folder.
    private func name(of file: FilePath, from target: String) -> FilePath {
        let present = Path.join(folder, file.text)
        let leadsThere =
            !file.text.hasPrefix("/") && Path.leadsToSame(Path.join(target, file.text), present)
        return leadsThere || Path.leadsToSame(target, folder)
            ? file : FilePath(Path.name(of: present, from: target))
    }

    // MARK: - Tracks

    /// In the order in which they were added.
    public var tracks: [Track] { session.tracks }
    /// Frames per second that it is mixed at offline, and that clips are cut at.
    public var sampleRate: Int32 { session.sampleRate }
    /// The end of the last clip.
    public var duration: MediaTime { session.tracks.map { [ruler] in $0.end(ruler: ruler) }.max() ?? .zero }

    /// - Throws: `.noTrack`.
    public func track(_ id: StripID) throws(CompositionError) -> Track { session.tracks[try index(id)] }

    /// Adds an empty track at the end; its id is chosen, and stays.
    /// - Throws: `.refused` for what cannot name a track.
    @discardableResult
    public mutating func addTrack(named name: String = "track") throws(CompositionError) -> StripID {
        if let problem = StripName.problem(ofNew: name) { throw .refused(problem) }
        guard session.tracks.count < Session.maximumTracks else {
            throw .refused("a session has at most \(Session.maximumTracks) tracks")
        }
        return session.append(Track(name: session.freeName(name)))
    }

    /// Adds a track that plays `source` in place of files.
    /// - Parameters:
    ///   - name: what the track is called, with a number behind it if that is taken.
    ///   - source: what it plays.
    ///   - time: where the source's first frame is heard.
    ///   - duration: nil is as long as the source is.
    @discardableResult
    public mutating func addTrack(
        named name: String = "source", playing source: CallbackSource, at time: MediaTime = .zero,
        for duration: MediaTime? = nil
    ) throws(CompositionError) -> StripID {
        var next = self
        let id = try next.addTrack(named: name)
        var clip = Clip(file: "callback:\(id.rawValue)")
        clip.at = time
        clip.duration = min(
            duration ?? .latest, MediaTime(frame: source.frames, rate: source.sampleRate), .latest)
        next.sources[clip.file] = source
        try next.edit(id) { track, ruler throws(EditError) in try track.insert(clip, ruler: ruler) }
        self = next
        return id
    }

    /// Removes a track, and the ducks that name it.
    public mutating func removeTrack(_ id: StripID) throws(CompositionError) {
        session.removeTrack(at: try index(id))
        taps[id] = nil
    }
}

/// Numbers for compositions, each given once.
private enum Origins {
    private static let last = Guarded(0)

    static func next() -> Int {
        last.withLock {
            $0 += 1
            return $0
        }
    }
}
