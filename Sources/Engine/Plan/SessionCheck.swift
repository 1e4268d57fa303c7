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
        var previous: Placed?
        // Where files say how long clips last, they may have changed: it plays on as far as it can.
        var dependsOnFiles = false
        for (index, clip) in track.clips.enumerated() {
            let clipPlace = "\(place), clip \(index + 1)"
            func add(_ field: String, _ message: String, _ kind: SessionProblem.Kind = .document) {
                problems.append(SessionProblem(place: "\(clipPlace), \(field)", message: message, kind: kind))
            }
            if let fault = fault(clip, on: track.layout, library, rate) {
                add(fault.field, fault.message, fault.kind)
            }
            guard let range = ruler.range(of: clip) else { continue }
            let frames = ruler.frames(range)
            if frames.isEmpty {
                add("duration", "\(range) holds no frame at \(rate) Hz: it would never be heard")
                continue
            }
            let placed = Placed(clip: clip, range: range, frames: frames)
            let dependsOnThis = dependsOnFiles || clip.duration == nil
            if let problem = ruler.crossfadeProblem(clip, behind: track.clips[..<index]) {
                let message = "\(clip.crossfade.duration.readable) cannot be: \(problem)"
                add("crossfade", message, dependsOnThis ? .file : .document)
            } else if let previous, placed.overlaps(previous) {
                let message = "the clip overlaps the one before it (\(range) overlaps \(previous.range))"
                add("at", message, dependsOnFiles ? .file : .document)
            }
            (previous, dependsOnFiles) = (placed, dependsOnThis)
        }
        return problems.map { $0.within(track.name) }
    }

    /// A clip and where it is heard.
    private struct Placed {
        let clip: Clip
        let range: TimeRange
        let frames: Range<Int64>

        /// It begins before the one before it ends, and does not cross over from it.
        func overlaps(_ previous: Placed) -> Bool {
            clip.crossfade.duration == .zero && frames.lowerBound < previous.frames.upperBound
        }
    }

    private typealias Fault = (field: String, message: String, kind: SessionProblem.Kind)

    private static func fault(
        _ clip: Clip, on layout: SpeakerLayout, _ library: MediaLibrary, _ rate: Int32
    ) -> Fault? {
        // Said by whoever read it.
        if clip.file == "" { return nil }
        switch library.info(of: clip) {
        case .failure(let error): return ("file", "\(error)", error.isMissing ? .missingFile : .file)
        case .success(let info):
            let path = library.path(of: clip.file)
            if let truncation = info.truncation { return ("file", "\(path): \(truncation)", .file) }
            if let problem = library.channelProblem(clip, info, on: layout) {
                return ("channels", "\(path): \(problem)", .file)
            }
            return tooShort(clip, info, rate)
        }
    }

    /// The fault of a clip whose file ends before it does.
    private static func tooShort(_ clip: Clip, _ info: MediaInfo, _ rate: Int32) -> Fault? {
        // Times may be rounded to a frame of the session, the clip's begin, its place in the file and its
        // end each: a file that ends within two is long enough. What is stretched ends with a frame of its
        // own.
        let tolerance =
            max(MediaTime(frame: 2, rate: rate), MediaTime(frame: 1, rate: 8000))
            + (clip.speed == 1 ? .zero : clip.ofFile(MediaTime(frame: 1, rate: info.sampleRate)))
        guard let length = info.duration.map(clip.ofFile) else { return nil }
        let from = clip.from.readable
        if clip.from >= length, clip.duration == nil || clip.from - length > tolerance {
            return ("from", "\(from) is beyond the end of the file, which lasts \(length.readable)", .file)
        }
        guard let duration = clip.duration, duration - (length - clip.from) > tolerance else { return nil }
        let rest = (length - clip.from).readable
        return (
            "duration", "\(duration.readable) is longer than what the file holds from \(from) on (\(rest))",
            .file
        )
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
