import AudioFile
import Timeline

/// What is recorded, and what comes in.
extension PlaybackEngine {
    /// The name of the session's file: a take says that it is being recorded for that (`TakeMark`).
    public var takesSession: String {
        get { recorder.session }
        set { if recorder.session != newValue { recorder.session = newValue } }
    }

    /// Where takes go that are begun from now on; the folder is made with the first.
    public var takesFolder: String {
        get { recorder.folder }
        set { if recorder.folder != newValue { recorder.folder = newValue } }
    }

    /// Records what armed tracks hear while it rolls, on these frames of the timeline; nil: nothing.
    public func record(_ frames: Range<Int64>?) { captures.record(frames) }

    /// Strips that are read so far behind the playhead remember what they did where a recording began, and
    /// nothing else. Between two calls of `render`, on its thread.
    func recall(_ recall: ShowRecall, lag: Int64) {
        var strips: [UnsafeMutablePointer<LiveStrip>: TakeMemory.Words] = [:]
        for (id, words) in recall.strips { if let strip = rack[id] { strips[strip.strip] = words } }
        mixer.recall(MixerRecall(strips), lag: lag)
    }

    /// What is recorded while it rolls.
    public var recordedFrames: Range<Int64>? { captures.punch }

    /// What has been recorded is written to its end, and nothing more is. The audio thread must have stopped
    /// calling `render` for good.
    public func endRecording() { captures.close() }

    /// Something is being recorded, or is about to become a take.
    public var hasTakesUnderWay: Bool { captures.isUnderWay }

    /// Where nothing is recorded at present: what was is about to become takes, or may be.
    public var hasEndingTakes: Bool { captures.isEnding }

    /// Looks whether anything was recorded until now: until then `hasEndingTakes` says that it may be.
    public func settleTakes() { captures.settle() }

    /// The tracks that are armed.
    public var armedTracks: [StripID] { captures.ids }

    /// How many ways to the disk there are, of tracks that are armed or were a moment ago.
    package var captureCount: Int { captures.count }

    /// By how many frames what comes in for a track is later than what goes out: its takes lie so much
    /// earlier.
    /// - Parameter frames: nil while nobody knows: nothing is recorded of it until somebody does.
    public func setLatency(_ frames: Int?, ofTrack id: StripID) { captures.setLatency(frames, of: id) }

    /// Whether a take could not be written on since the last call: of its pass nothing more is to be
    /// recorded.
    public func takeRecordingFailure() -> Bool { recorder.takeFailure() }

    /// The takes that are whole since the last call.
    public func takeFinishedTakes() -> [Take] { captures.takeFinished() }

    /// How many frames could not be recorded because the disk was late.
    public var lostFrames: Int { captures.lost }

    /// How many samples came in for each track that were no numbers, of tracks with any: in their place is
    /// silence.
    public var silencedInputs: [StripID: Int] { rack.silencedInputs }

    /// The same of all together, those included that are gone.
    public var silencedSamples: Int { rack.silencedInputs.values.reduce(rack.silencedBefore, +) }
}
