import AudioFile
import Engine
import Files
import JmixKit
import Timeline

/// Recording of tracks with inputs, on JACK.
extension Player {
    /// Records armed tracks (`Composition.setArmed`) while it plays, until `stopRecording`. What is recorded
    /// becomes clips of `composition` when it ends, stands still, goes elsewhere or stops.
    /// - Parameters:
    ///   - range: records between these times alone; nil: wherever it plays.
    ///   - folder: where takes go, `TRACK-NUMBER.wav`; nil: `takes` beside the composition's files.
    /// - Throws: `.refused`: it is not on a JACK server, no track is armed, or takes of a composition before
    ///   are being written still; `.noEnd` for a range that holds no frame of a timeline.
    public func record(_ range: TimeRange? = nil, into folder: String? = nil) throws(CompositionError) {
        guard status == .readyToPlay, let engine, let client else {
            throw .refused("a player records on a JACK server, once it is ready to play")
        }
        if !composition.tracks.contains(where: \.isArmed) {
            throw .refused("no track is armed: setArmed(true, of:) has one recorded")
        }
        let frames = try Self.frames(of: range, atRate: engine.sampleRate)
        if recordedOrigin != composition.origin, engine.hasTakesUnderWay {
            throw .refused(
                "takes of the composition before are being written still: a moment later they are not")
        }
        recordedOrigin = composition.origin
        engine.takesFolder = folder ?? Path.join(composition.folder, "takes")
        strips.sayLatency(composition.session, client, engine)
        engine.record(frames)
    }

    private static func frames(
        of range: TimeRange?, atRate rate: Int32
    ) throws(CompositionError) -> Range<Int64> {
        var frames = Int64(0)..<Int64.max
        if let range {
            guard range.start.isOnTimeline, range.end.isOnTimeline, range.duration > .zero else {
                throw .noEnd(range)
            }
            frames = range.start.frame(atRate: rate)..<range.end.frame(atRate: rate)
            if frames.isEmpty { throw .noEnd(range) }
        }
        return frames
    }

    /// Where what is to be recorded ends; it plays on as far as that.
    func recordingEnd(_ engine: PlaybackEngine) -> Int64 {
        guard let frames = engine.recordedFrames, !engine.armedTracks.isEmpty else { return 0 }
        return frames.upperBound == .max ? .max : frames.upperBound + Int64(engine.lag)
    }

    /// Ends recording; what was recorded becomes clips a moment later, as `takes` tells.
    public func stopRecording() { engine?.record(nil) }

    /// Whether armed tracks are recorded while it plays.
    public var isRecording: Bool { engine?.recordedFrames != nil }

    /// Each take once it is whole, and a clip unless it says why not. Ends with the player.
    public func takes() -> AsyncStream<RecordedTake> {
        follow { number, continuation in observers.takes[number] = continuation }
    }

    /// Lays what has been recorded.
    func layTakes(of engine: PlaybackEngine) {
        if engine.takeRecordingFailure() { engine.record(nil) }
        let takes = engine.takeFinishedTakes()
        if takes.isEmpty { return }
        for take in takes where take.finding != nil || take.failure != nil {
            tell(take, lay(take, atRate: engine.sampleRate), engine.sampleRate)
        }
        applyComposition()
    }

    /// - Returns: why it is no clip.
    private func lay(_ take: Take, atRate rate: Int32) -> String? {
        guard take.finding != nil else { return "nothing was written" }
        defer { TakeMark.remove(of: take.path) }
        if recordedOrigin != composition.origin {
            return "it is no clip: another composition is played by now"
        }
        do throws(CompositionError) { try composition.lay(take, atRate: rate) } catch {
            return "it is no clip: \(error)"
        }
        return nil
    }

    private func tell(_ take: Take, _ problem: String?, _ rate: Int32) {
        let start = MediaTime(frame: take.start, rate: rate)
        let told = RecordedTake(
            track: take.track, path: take.path,
            range: TimeRange(start: start, duration: MediaTime(frame: take.frames, rate: rate)),
            lostFrames: Int(take.lost), isClip: problem == nil,
            failure: [take.failure.map { "\($0)" }, problem].compactMap(\.self).first)
        for observer in observers.takes.values { observer.yield(told) }
    }
}
