import AudioFile
import Files
import Speakers
import Timeline

/// Finds what is wrong with a session and its files, each fault with its place.
public enum SessionCheck {
    /// The faults that only the files can show: missing, truncated, too short for their clips, clips that
    /// overlap.
    public static func problems(_ session: Session, library: MediaLibrary) -> [SessionProblem] {
        session.tracks.enumerated().flatMap { index, track in
            problems(track, place: "track \(index + 1)", library, rate: session.sampleRate)
        } + (session.video.map { problems($0, library) } ?? [])
    }

    private static func problems(_ video: Video, _ library: MediaLibrary) -> [SessionProblem] {
        let path = library.path(of: video.file)
        if Path.isFile(path) { return [] }
        return [
            SessionProblem(
                place: "video, file",
                message: "\(path): \(Path.exists(path) ? "it is no file" : Path.absence(of: path))",
                kind: .missingVideo)
        ]
    }

    /// The faults of one track; `place` names it, as in "track 2".
    public static func problems(
        _ track: Track, place: String, _ library: MediaLibrary, rate: Int32
    ) -> [SessionProblem] {
        let ruler = library.ruler(atRate: rate)
        var problems: [SessionProblem] = []
        var previous: (range: TimeRange, frames: Range<Int64>)?
        // Where files say how long clips last, they may have changed: it plays on as far as it can.
        var dependsOnFiles = false
        for (index, clip) in track.clips.enumerated() {
            let clipPlace = "\(place), clip \(index + 1)"
            if let (field, message, kind) = fault(clip, on: track.layout, library, rate) {
                problems.append(SessionProblem(place: "\(clipPlace), \(field)", message: message, kind: kind))
            }
            guard let range = ruler.range(of: clip) else { continue }
            let frames = ruler.frames(range)
            guard !frames.isEmpty else {
                problems.append(
                    SessionProblem(
                        place: "\(clipPlace), duration",
                        message: "\(range) holds no frame at \(rate) Hz: it would never be heard"))
                continue
            }
            defer { if clip.duration == nil { dependsOnFiles = true } }
            if let problem = ruler.crossfadeProblem(clip, behind: track.clips[..<index]) {
                problems.append(
                    SessionProblem(
                        place: "\(clipPlace), crossfade",
                        message: "\(clip.crossfade.duration.readable) cannot be: \(problem)",
                        kind: dependsOnFiles || clip.duration == nil ? .file : .document))
            } else if clip.crossfade.duration == .zero, let previous,
                frames.lowerBound < previous.frames.upperBound
            {
                problems.append(
                    SessionProblem(
                        place: "\(clipPlace), at",
                        message: "the clip overlaps the one before it (\(range) overlaps \(previous.range))",
                        kind: dependsOnFiles ? .file : .document))
            }
            previous = (range, frames)
        }
        return problems.map { $0.within(track.name) }
    }

    private static func fault(
        _ clip: Clip, on layout: SpeakerLayout, _ library: MediaLibrary, _ rate: Int32
    ) -> (field: String, message: String, kind: SessionProblem.Kind)? {
        // Said by whoever read it.
        if clip.file == "" { return nil }
        switch library.info(of: clip) {
        case .failure(let error): return ("file", "\(error)", error.isMissing ? .missingFile : .file)
        case .success(let info):
            if let truncation = info.truncation {
                return ("file", "\(library.path(of: clip.file)): \(truncation)", .file)
            }
            if let problem = library.channelProblem(clip, info, on: layout) {
                return ("channels", "\(library.path(of: clip.file)): \(problem)", .file)
            }
            // Times may be rounded to a frame of the session, the clip's begin, its place in the file and its
            // end each: a file that ends within two is long enough. What is stretched ends with a frame of
            // its own.
            let tolerance =
                max(MediaTime(frame: 2, rate: rate), MediaTime(frame: 1, rate: 8000))
                + (clip.speed == 1 ? .zero : clip.ofFile(MediaTime(frame: 1, rate: info.sampleRate)))
            guard let length = info.duration.map(clip.ofFile) else { return nil }
            if clip.from >= length, clip.duration == nil || clip.from - length > tolerance {
                return (
                    "from",
                    "\(clip.from.readable) is beyond the end of the file, which lasts \(length.readable)",
                    .file
                )
            }
            if let duration = clip.duration, duration - (length - clip.from) > tolerance {
                return (
                    "duration",
                    """
                    \(duration.readable) is longer than what the file holds from \(clip.from.readable) on \
                    (\((length - clip.from).readable))
                    """,
                    .file
                )
            }
            return nil
        }
    }
}

extension MediaLibrary {
    /// Why a clip's channels cannot be heard on a track, or nil.
    public func channelProblem(_ clip: Clip, _ info: MediaInfo, on layout: SpeakerLayout) -> String? {
        do throws(ChannelChoice.Problem) {
            _ = try ChannelChoice(clip.channels.map { ($0.left, $0.right) }, of: info.channels, on: layout)
        } catch {
            return error.description
        }
        return nil
    }
}
