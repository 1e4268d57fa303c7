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
    /// of takes that keep nothing, or do not lie or play as they were recorded. Where several passes began at
    /// one frame the last one counts.
    static func all(
        _ session: Session, _ library: MediaLibrary
    ) -> (recalls: [ShowRecall], forgetful: [FilePath]) {
        var gathering = Gathering(session)
        var forgetful: [FilePath] = []
        for track in session.tracks where track.input != nil && track.monitor != .clips {
            for (file, clips) in Dictionary(grouping: track.clips, by: \.file) {
                let memory = memory(of: clips[0], library, session.sampleRate)
                let others = clips.filter { !$0.isInPlace(memory, session.sampleRate) }
                if let memory, others.count < clips.count { gathering.add(memory, of: track.id) }
                if others.contains(where: { $0.aired > .zero }) { forgetful.append(file) }
            }
        }
        return (gathering.recalls, forgetful)
    }

    /// nil where the file keeps none, or one of another rate.
    private static func memory(of clip: Clip, _ library: MediaLibrary, _ rate: Int32) -> TakeMemory? {
        guard let info = try? library.info(of: clip).get(), info.sampleRate == rate,
            let bytes = try? AiredTake.memory(of: library.path(of: clip.file))
        else { return nil }
        return TakeMemory(bytes: bytes)
    }

    /// Puts together what takes of one pass keep.
    private struct Gathering {
        private let ids: [String: StripID]
        private var frames: [Int64: (begun: Int64, strips: [StripID: TakeMemory.Words], own: Set<StripID>)] =
            [:]

        init(_ session: Session) {
            ids = Dictionary(session.strips.map { ($0.name, $0.id) }, uniquingKeysWith: { first, _ in first })
        }

        var recalls: [ShowRecall] {
            frames.map { ShowRecall(frame: $0, strips: $1.strips) }.sorted { $0.frame < $1.frame }
        }

        /// What a take says of its own track goes before what others say of it.
        mutating func add(_ memory: TakeMemory, of track: StripID) {
            for (frames, strips) in memory.places {
                let frame = memory.start + frames
                var pass = self.frames[frame] ?? (memory.begun, [:], [])
                if memory.begun < pass.begun { continue }
                if memory.begun > pass.begun { pass = (memory.begun, [:], []) }
                for (name, words) in strips {
                    guard let id = name.isEmpty ? track : ids[name] else { continue }
                    if name.isEmpty { pass.own.insert(id) } else if pass.own.contains(id) { continue }
                    // Rings come block by block: one take may have more of them than another.
                    pass.strips[id, default: [:]].merge(words) { $0.words.count > $1.words.count ? $0 : $1 }
                }
                self.frames[frame] = pass
            }
        }
    }
}

extension Clip {
    /// It plays a take where that was recorded, and as it was.
    fileprivate func isInPlace(_ memory: TakeMemory?, _ rate: Int32) -> Bool {
        isAsRecorded && memory?.start == at.frame(atRate: rate) - from.frame(atRate: rate)
    }
}
