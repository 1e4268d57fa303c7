import Realtime
import Timeline

/// What one line plays: its envelopes and its stream. Plans share the scores of strips that an edit left
/// alone. Control thread.
final class Score {
    let content: LineContent
    let lease: StreamLease?
    let envelopes: Envelopes
    let trims: Envelopes
    /// nil: the timeline says nothing of its processors.
    let lanes: LaneMemory?

    var stream: TrackStream? { lease?.stream }
    /// What its envelopes take of memory.
    var envelopeBytes: Int { envelopes.bytes + trims.bytes + (lanes?.bytes ?? 0) }

    init(content: LineContent, lease: StreamLease?, sampleRate: Int32) {
        (self.content, self.lease) = (content, lease)
        (envelopes, trims) = (Envelopes(content.envelopes), Envelopes(content.trims))
        lanes = content.lanes.isEmpty ? nil : LaneMemory(content.lanes, sampleRate: sampleRate)
    }
}
