import AudioFile
import Engine
import Files
import Glibc
import JSON
import Timeline

/// A session read from another program's file.
public struct Import {
    /// The programs, by the extensions of their files.
    public enum Kind: String, CaseIterable, Sendable {
        /// OpenTimelineIO.
        case otio
        /// DAWproject.
        case dawproject
        /// Labels of Audacity: markers.
        case txt
        /// A list of files and where they begin, as Audacity reads it.
        case lof
        /// A playlist.
        case m3u, m3u8

        var isPlaylist: Bool { self == .m3u || self == .m3u8 }
    }

    /// What it holds: its files are named by their whole paths.
    public private(set) var session: Session
    /// What of the file is not in it.
    public let losses = Losses()
    /// The file says itself at which rate it is.
    private let hasRate: Bool
    private let files: [String]
    private let folders: [String]

    /// - Parameters:
    ///   - crossfade: how much the pieces of a playlist cross over.
    ///   - soundFolder: where sounds go that are in the file itself.
    /// - Throws: `ExchangeError`: it cannot be read.
    public init(
        _ path: String, as kind: Kind, crossfade: TimeSpec? = nil, soundFolder: String
    ) throws(ExchangeError) {
        let folder = Path.folder(of: Path.absolute(path))
        let draft = try Self.draft(path, kind, soundFolder, losses)
        (files, folders) = (draft.files, draft.folders)
        hasRate = draft.document["sampleRate"] != nil
        session = draft.read(losses)
        let library = MediaLibrary(folder: folder)
        session.renameFiles { FilePath(Path.join(folder, $0.text)) }
        if !hasRate { takeRate(library) }
        library.makeReady(session)
        if kind.isPlaylist {
            chain(library, crossfade?.time(atRate: session.sampleRate) ?? .zero)
        }
        partOverlaps(library)
        inspectVideo()
        for problem in SessionCheck.problems(session, library: library) { losses.say("\(problem)") }
    }

    /// The session's rate is that of its first sound.
    private mutating func takeRate(_ library: MediaLibrary) {
        guard let first = session.tracks.lazy.flatMap(\.clips).first,
            let rate = (try? library.info(of: first).get())?.sampleRate, Session.sampleRates.contains(rate)
        else { return }
        session.sampleRate = rate
    }

    /// Clips that lie over others, and do not cross over with them, get tracks of their own.
    private mutating func partOverlaps(_ library: MediaLibrary) {
        let (parted, uncrossed) = session.partOverlaps(library.ruler(atRate: session.sampleRate))
        losses.say(parted, "clips that lie over others are on tracks of their own")
        losses.say(
            uncrossed, "clips that cannot cross over with the one before them begin without a crossfade")
    }

    /// What the file says, as a session's document.
    private static func draft(
        _ path: String, _ kind: Kind, _ soundFolder: String, _ losses: Losses
    ) throws(ExchangeError) -> Draft {
        switch kind {
        case .otio: try OTIOReader.read(try text(path), losses)
        case .dawproject: try DAWProjectReader.read(path, soundFolder: soundFolder, losses)
        case .txt: try Lists.labels(try text(path), losses)
        case .lof: try Lists.lof(try text(path), losses)
        case .m3u, .m3u8: try Lists.playlist(try text(path), losses)
        }
    }

    /// A list that is not in UTF-8 is in Latin-1, as those of old.
    private static func text(_ path: String) throws(ExchangeError) -> String {
        let bytes: [UInt8]
        do throws(FileError) { bytes = try AtomicFile.readBytes(path) } catch {
            throw ExchangeError(error, of: path)
        }
        if let zero = bytes.firstIndex(of: 0) {
            let line = bytes[..<zero].count { $0 == UInt8(ascii: "\n") } + 1
            throw ExchangeError(
                "line \(line): there is a byte of zero, which no text has: save it as UTF-8"
            )
        }
        return String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { UnicodeScalar($0) }))
    }

    /// Leaves out a video without a picture.
    private mutating func inspectVideo() {
        guard let file = session.video?.file.text, Path.exists(file) else { return }
        do throws(AudioFileError) {
            if try MediaContent(of: file).picture == nil {
                session.video = nil
                losses.say("the video \(file) is left out: there is no moving picture in it")
            }
        } catch {
            losses.say("the video is taken over unseen: \(error)")
        }
    }

    /// Puts the clips of each track one behind the other.
    private mutating func chain(_ library: MediaLibrary, _ crossfade: MediaTime) {
        let ruler = library.ruler(atRate: session.sampleRate)
        for index in session.tracks.indices {
            var (clips, end): ([Clip], MediaTime) = ([], .zero)
            for var clip in session.tracks[index].clips {
                guard ruler.range(of: clip) != nil else {
                    losses.say(
                        "\(clip.file) cannot be played, and is left out: \(problem(of: clip, library))")
                    continue
                }
                lay(&clip, behind: clips, ruler, at: end, crossfade)
                clips.append(clip)
                end = ruler.range(of: clip)!.end
            }
            session.tracks[index].clips = clips
        }
    }

    private func problem(of clip: Clip, _ library: MediaLibrary) -> String {
        guard case .failure(let error) = library.info(of: clip) else { return "nobody knows how long it is" }
        return error.reason
    }

    private func lay(
        _ clip: inout Clip, behind clips: [Clip], _ ruler: ClipRuler, at end: MediaTime,
        _ crossfade: MediaTime
    ) {
        (clip.at, clip.crossfade.duration) = (
            max(.zero, end - crossfade), clips.isEmpty ? .zero : crossfade
        )
        guard clip.crossfade.duration > .zero, let problem = ruler.crossfadeProblem(clip, behind: clips)
        else { return }
        losses.say("\(clip.file) begins without a crossfade: \(problem)")
        (clip.at, clip.crossfade.duration) = (end, .zero)
    }

    /// Takes away what was written for it, where nothing comes of it.
    public func discard() {
        for file in files { unlink(file) }
        Path.removeEmpty(folders)
    }
}
