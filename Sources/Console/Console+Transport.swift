import Engine
import Remote
import Timeline

extension Console {
    func runTransport(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .play:
            engine.soundAgain()
            transport.play()
            rolled = nil
        case .stop(nil):
            // Whoever stops what stands has heard enough silence; one who hurries a panic has not.
            if engine.staysSilent { engine.soundAgain() }
            transport.stop()
        case .stop(let time?): engine.fallSilent(over: time.time(atRate: session.sampleRate))
        case .panic(let time):
            engine.fallSilent(over: time?.time(atRate: session.sampleRate) ?? Self.panicTime, holds: true)
        case .silenced(nil): return [.silenced(engine.isFallingSilent)]
        case .silenced(true?): engine.fallSilent(over: Self.panicTime, holds: true)
        case .silenced(false?): engine.soundAgain()
        case .locate(let destination):
            transport.locate(try frame(destination))
            rolled = nil
        case .loop(let start, let end): try setLoop(start, end)
        case .loopOn:
            guard isLongEnough(engine.timelineEnd) else {
                throw CommandError("there is nothing to play round and round: the session has no clips")
            }
            loopWhole()
        case .loopOff: setLoop(nil)
        case .askLoop: return [.loop(loopSeconds)]
        case .stopAtEnd(nil): return [.stopsAtEnd(stopsAtEnd)]
        case .stopAtEnd(let flag?): stopsAtEnd = flag
        case .position: return [position]
        case .state: return [.state(TransportWord(isRolling: transport.isRolling))]
        default: break
        }
        return []
    }

    private func setLoop(_ start: TimeSpec, _ end: TimeSpec) throws(CommandError) {
        let (first, last) = (frame(start), frame(end))
        guard first < last else {
            throw CommandError(
                "a loop needs to end after it begins (\(TimeRange(start: time(start), end: time(end))))")
        }
        guard isLongEnough(last - first) else {
            throw CommandError("a loop lasts at least \(transport.shortestLoop) ms here")
        }
        setLoop(first..<last)
    }

    /// Whether so many frames make a loop.
    private func isLongEnough(_ frames: Int64) -> Bool {
        frames * 1000 >= transport.shortestLoop * Int64(engine.sampleRate)
    }

    private static let panicTime = MediaTime(value: 500, timescale: 1000)

    /// To be called every few milliseconds: what was to fall silent, and is, stops; so does what has played
    /// to its end, if it is to.
    package func stopWhatIsOver() {
        if engine.hasFallenSilent {
            transport.stop()
            // What is to stand still and be heard again is told to stop until it does.
            if engine.holdsSilence { engine.noteStop() }
        }
        // What is held back is heard to its end.
        let (before, end) = (rolled, engine.timelineEnd + Int64(engine.lag))
        rolled = transport.isRolling ? (engine.frame, end) : nil
        // Whoever plays on from behind the end, or goes there, means to; another's locate of the server's
        // transport is told by its length.
        guard stopsAtEnd, let before, let now = rolled?.frame, before.frame < before.end, now >= end,
            now - before.frame < Int64(engine.sampleRate) * Self.longestLook
        else { return }
        transport.stop()
        transport.locate(engine.timelineEnd)
        rolled = nil
    }

    /// In seconds: it is looked for the end far more often.
    private static let longestLook: Int64 = 2

    /// A locate is on its way, for a later time.
    func expectLocate(to place: Place) {
        if case .time(let time) = place { engine.expectLocate(to: frame(time)) }
    }

    private func frame(_ place: Place) throws(CommandError) -> Int64 {
        switch place {
        case .time(let time): return frame(time)
        case .here: return markedHere?.at.frame(atRate: engine.sampleRate) ?? engine.frame
        case .later(let time): return min(engine.frame + frame(time), TimeSpec.latestFrame)
        case .earlier(let time): return max(0, engine.frame - frame(time))
        case .end: return engine.timelineEnd
        case .marker(let name): return try marker(name).at.frame(atRate: engine.sampleRate)
        }
    }

    /// A marker may be called `here`: who made it means it.
    var markedHere: Marker? { session.markers.first { $0.name == "here" } }

    /// The marker that someone named where a time could stand.
    func marker(_ name: String) throws(CommandError) -> Marker {
        guard let marker = session.markers.first(where: { $0.name == name }) else {
            throw CommandError(
                """
                "\(name)" is not a time, and no marker has that name: write 2s, 1:30, +5s, here, end, or see \
                marker list
                """
            )
        }
        return marker
    }

    var loopSeconds: ClosedRange<Double>? { loop.map { seconds($0.lowerBound)...seconds($0.upperBound) } }

    var position: Answer {
        let frame = engine.frame
        return .position(TransportPosition(frame: sessionFrame(frame), seconds: seconds(frame)))
    }

    package func seconds(_ frame: Int64) -> Double {
        MediaTime(frame: frame, rate: engine.sampleRate).seconds
    }

    /// Where playback stands, at a frame of the session.
    var playhead: MediaTime { MediaTime(frame: sessionFrame(engine.frame), rate: session.sampleRate) }

    /// A frame of the engine as one at the session's rate.
    func sessionFrame(_ frame: Int64) -> Int64 {
        MediaTime(frame: frame, rate: engine.sampleRate).frame(atRate: session.sampleRate)
    }
}
