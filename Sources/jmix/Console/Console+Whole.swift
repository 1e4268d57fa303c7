import Engine
import JSON
import OSC
import Realtime
import Remote
import Timeline

extension Console {
    func runWhole(_ command: Command) throws(CommandError) -> [OSCMessage] {
        switch command {
        case .tracks: return [OSCMessage("/tracks", .string(tracksJSON.compactText))]
        case .status: return [OSCMessage("/status", .string(statusJSON.compactText))]
        case .version: return [OSCMessage("/version", .string("jmix \(programVersion)"))]
        case .save(let name): try save(as: name)
        case .load(let name): try load(name)
        case .sessions: return [OSCMessage("/sessions", .string(JSONValue.array(store.siblings.map { .string($0) }).compactText))]
        case .new: try new()
        case .collect(let folder?): try collect(to: folder)
        case .collect(nil): return [collectionMessage]
        case .missing: return [OSCMessage("/session/missing", .string(missingJSON.compactText))]
        case .relink(let file, let other): try relink(file, to: other)
        case .undo: return [OSCMessage("/session/undo", .string(try undo()))]
        case .redo: return [OSCMessage("/session/redo", .string(try redo()))]
        case .history: return [OSCMessage("/session/history", .string(historyJSON.compactText))]
        case .ping(let number): return [OSCMessage("/pong", number.map { [.int32($0)] } ?? [])]
        default: break
        }
        return []
    }

    /// A message for each address that is meant.
    func help(_ address: String?) throws(CommandError) -> [OSCMessage] {
        let found = Address.described(by: address)
        if found.isEmpty { throw CommandError("there is no address \(address ?? ""): /help without arguments lists all") }
        return found.map { OSCMessage("/help", .string($0.path), .string($0.arguments), .string($0.answer), .string($0.summary)) }
    }

    /// All steps, oldest first; those taken back come last.
    private var historyJSON: JSONValue {
        let steps = history.done.map { ($0.name, true) } + history.undone.reversed().map { ($0.name, false) }
        return .array(steps.map { .object(["name": .string($0.0), "done": .bool($0.1)]) })
    }

    private var tracksJSON: JSONValue {
        .array(session.tracks.enumerated().map { index, track in
            .object([
                "number": .number(index + 1), "name": .string(track.name),
                "fader": .number(engine.presentFader(track.id)), "pan": .number(track.pan),
                "mute": .bool(track.mute), "solo": .bool(track.solo),
                "fadeIn": .string("\(track.fadeIn)"), "fadeOut": .string("\(track.fadeOut)"),
                "clips": .number(track.clips.count), "events": .number(track.automation.events.count),
                "files": .array(track.clips.prefix(16).map { .string($0.file) }),
            ])
        })
    }

    /// How each track's stream fares: dropouts, and the fewest frames that were read ahead when they were wanted.
    private var streamsJSON: JSONValue {
        let healths = engine.streamHealths
        return .array(session.tracks.enumerated().map { index, track in
            let health = healths[track.id] ?? StreamHealth()
            return .object(["track": .number(index + 1), "dropouts": .number(health.dropouts), "lowestFill": .number(health.lowestFill)])
        })
    }

    private var statusJSON: JSONValue {
        let server = serverStatus()
        let frame = engine.frame
        return .object([
            "state": .string(state), "frame": .number(sessionFrame(frame)), "seconds": .number(seconds(frame)),
            "sampleRate": .number(server.sampleRate), "period": .number(server.period), "latency": .number(server.latency), "xruns": .number(server.xruns),
            "dropouts": .number(engine.dropouts), "periods": .number(server.callback.periods), "latePeriods": .number(server.callback.late),
            "callbackMicroseconds": .object([
                "median": .number(server.callback.medianMicroseconds), "percentile999": .number(server.callback.percentile999Microseconds),
                "longest": .number(server.callback.longestMicroseconds),
            ]),
            "realtime": .bool(server.isRealtime), "memoryLocked": .bool(!LockedMemory.wasRefused), "tracks": .number(session.tracks.count),
            "server": .bool(server.isRunning), "serverName": .string(server.name),
            "session": store.path.map { .string($0) } ?? .null, "unsaved": .bool(hasUnsavedChanges),
            "end": .number(seconds(engine.timelineEnd)), "sessionRate": .number(session.sampleRate), "version": .string(programVersion), "streams": streamsJSON,
        ])
    }
}
