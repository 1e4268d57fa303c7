import AudioFile
import Files
import Timeline

/// What strips remembered where a recording of a session began: a render that is mixed from there on, as it
/// was heard live, goes on as that did.
public struct ShowRecall: Sendable {
    /// The frame of the timeline, at the session's rate.
    public let frame: Int64
    /// By the strip's id.
    let strips: [StripID: TakeMemory.Words]

    /// What the takes of a session keep of it, one for each frame at which they do, in order; and the files
    /// of those that keep nothing. Of a clip that has been moved, or is not played as it was recorded,
    /// nothing is taken.
    static func all(
        _ session: Session, _ library: MediaLibrary
    ) -> (recalls: [ShowRecall], forgetful: [FilePath]) {
        let ids = Dictionary(session.strips.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
        var forgetful: [FilePath] = []
        var frames: [Int64: [StripID: TakeMemory.Words]] = [:]
        for track in session.tracks where track.input != nil && track.monitor != .clips {
            for clip in track.clips where clip.isAsRecorded {
                guard let memory = memory(of: clip, library, session.sampleRate) else {
                    if clip.aired > .zero { forgetful.append(clip.file) }
                    continue
                }
                guard memory.start == clip.origin(atRate: session.sampleRate) else { continue }
                for (frame, strips) in memory.places {
                    for (name, words) in strips {
                        guard let id = name.isEmpty ? track.id : ids[name] else { continue }
                        frames[memory.start + frame, default: [:]][id] = words
                    }
                }
            }
        }
        let recalls = frames.map { ShowRecall(frame: $0, strips: $1) }.sorted { $0.frame < $1.frame }
        return (recalls, forgetful)
    }

    /// nil where the file keeps none, or one of another rate.
    private static func memory(of clip: Clip, _ library: MediaLibrary, _ rate: Int32) -> TakeMemory? {
        guard let info = try? library.info(of: clip).get(), info.sampleRate == rate,
            let bytes = try? AiredTake.memory(of: library.path(of: clip.file))
        else { return nil }
        return TakeMemory(bytes: bytes)
    }
}

extension Clip {
    /// Where its file's first frame lies.
    fileprivate func origin(atRate rate: Int32) -> Int64 { at.frame(atRate: rate) - from.frame(atRate: rate) }
}
