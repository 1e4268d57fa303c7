import AudioFile
import Engine
import Realtime
import Remote
import Timeline

extension Console {
    func runWhole(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .tracks:
            return [trackList]
        case .status: return [.status(status)]
        case .version: return [.version("jmix \(programVersion)")]
        case .collect(nil): return [.collection(collector?.present ?? .none)]
        case .relink(let file, let other): try relink(file, to: other)
        case .undo: return [.undone(try undo())]
        case .redo: return [.redone(try redo())]
        case .history:
            return [.history(steps)]
        case .edition: return [presentEdition]
        case .ping(let number): return [.pong(number)]
        default: break
        }
        return []
    }

    private var trackList: Answer {
        .tracks(
            session.tracks.enumerated().map {
                TrackSummary(
                    number: $0 + 1, track: $1, fader: engine.presentFader($1.id),
                    output: text($1.output))
            })
    }

    private var steps: [HistoryStep] {
        history.done.map { HistoryStep(name: $0.name, isDone: true) }
            + history.undone.reversed().map { HistoryStep(name: $0.name, isDone: false) }
    }

    /// Which state of the timeline this is.
    var presentEdition: Answer {
        .edition(
            Edition(
                document.edition, undo: history.nextUndo?.name ?? "", redo: history.nextRedo?.name ?? ""))
    }

    private var status: MixerStatus {
        let frame = engine.frame
        let healths = engine.streamHealths
        var status = MixerStatus()
        status.server = server?.status ?? MixerStatus.Server()
        (status.isRolling, status.frame, status.seconds) = (
            transport.isRolling, sessionFrame(frame), seconds(frame)
        )
        (status.dropouts, status.isMemoryLocked) = (engine.dropouts, !LockedMemory.wasRefused)
        (status.isSoundcheck, status.isSilenced) = (engine.hands.isSoundcheck, engine.isFallingSilent)
        (status.session, status.hasUnsavedChanges) = (store.path, hasUnsavedChanges)
        (status.end, status.sessionRate) = (seconds(engine.timelineEnd), session.sampleRate)
        (status.isRecording, status.lostFrames) = (engine.recordedFrames != nil, engine.lostFrames)
        status.silencedSamples = engine.silencedSamples
        status.freeBytes = room.freeBytes(in: store.folder)
        status.recordingSeconds = status.freeBytes.flatMap(recordingSeconds)
        (status.tracks, status.buses, status.dcas) = (
            session.tracks.count, session.buses.count, session.dcas.count
        )
        status.decoding = StoredSounds.shared.progress.map {
            MixerStatus.Decoding(path: $0.path, share: $0.share)
        }
        status.waitingEdits = waiting.edits.count
        status.version = programVersion
        status.streams = session.tracks.enumerated().map { index, track in
            let health = healths[track.id] ?? StreamHealth()
            return MixerStatus.Stream(
                track: index + 1, dropouts: health.dropouts, lowestFill: health.lowestFill)
        }
        return status
    }
}
