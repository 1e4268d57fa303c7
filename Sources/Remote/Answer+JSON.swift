import JSON
import Timeline

extension Answer {
    /// The answer as a JSON document; nil for what is said in plain values.
    public var json: JSONValue? {
        switch self {
        case .automation(_, _, let automation): SessionFile.json(automation)
        case .clips(_, let clips): .array(clips.map(\.json))
        case .tracks(let tracks): .array(tracks.map(\.json))
        case .buses(let buses): .array(buses.map(\.json))
        case .dcas(let dcas): .array(dcas.map(\.json))
        case .sends(_, let sends): .array(sends.map(\.json))
        case .video(let video): video.map { SessionFile.json($0) } ?? .null
        case .input(_, let input): input.map { SessionFile.json($0) } ?? .null
        case .status(let status): status.json
        case .sessions(let names), .scenes(let names): .array(names.map { .string($0) })
        case .markers(let markers): .array(markers.map { SessionFile.json($0) })
        case .missing(let files):
            .array(
                files.map {
                    .object(["file": .string($0.file), "found": .array($0.found.map { .string($0) })])
                })
        case .equaliser(_, let equaliser): equaliser.map { SessionFile.json($0) } ?? .null
        case .dynamics(_, _, let json), .midi(let json), .ducks(let json): json
        case .muteGroups(let groups):
            .array(
                groups.map {
                    .object([
                        "name": .string($0.name), "members": .array($0.members.map { .string($0) }),
                        "on": .bool($0.isOn),
                    ])
                })
        case .automix(_, let automix): automix?.json ?? .null
        case .history(let steps):
            .array(steps.map { .object(["name": .string($0.name), "done": .bool($0.isDone)]) })
        case .connections(let connections):
            .array(
                connections.map {
                    .object([
                        "port": .string($0.port), "other": .string($0.other), "connected": .bool($0.isMade),
                    ])
                })
        case .ports(let ports):
            .array(
                ports.map { port in
                    var object: JSONObject = [
                        "port": .string(port.name), "direction": .string(port.direction.rawValue),
                        "medium": .string(port.medium.rawValue), "own": .bool(port.isOwn),
                    ]
                    object["strip"] = port.owner.map { .string($0) }
                    return .object(object)
                })
        case .control, .loudness, .loudnessRange, .spectrum, .peak, .added, .addedInput, .record, .soloMode,
            .directOuts, .monitoring, .soundcheck, .silenced, .loop, .stopsAtEnd, .position, .state, .version,
            .collection,
            .edition, .undone, .redone, .pong, .note, .learned:
            nil
        }
    }
}

extension PlacedClip {
    fileprivate var json: JSONValue {
        guard var object = SessionFile.json(clip).objectValue else { return .null }
        object["end"] = end.map { .string("\($0)") } ?? .null
        if isEstimated { object["estimated"] = .bool(true) }
        return .object(object)
    }
}

extension TrackSummary {
    fileprivate var json: JSONValue {
        .object([
            "number": .number(number), "name": .string(track.name), "fader": .number(fader),
            "pan": .number(track.pan),
            "mute": .bool(track.mute), "solo": .bool(track.solo), "output": .string(output),
            "sends": .number(track.sends.count), "trim": .number(track.trim),
            "polarity": .bool(track.polarity), "soloSafe": .bool(track.soloSafe),
            "fadeIn": .string("\(track.fadeIn)"), "fadeOut": .string("\(track.fadeOut)"),
            "input": track.input.map { SessionFile.json($0) } ?? .null,
            "monitor": .string(track.monitor.rawValue), "arm": .bool(track.isArmed),
            "channels": .number(track.layout.channels), "clips": .number(track.clips.count),
            "events": .number(track.automation.events.count),
            "files": .array(track.clips.prefix(16).map { .string($0.file) }),
        ])
    }
}

extension BusSummary {
    fileprivate var json: JSONValue {
        .object([
            "number": .number(number), "name": .string(strip.name), "fader": .number(fader),
            "pan": .number(strip.pan), "mute": .bool(strip.mute), "solo": .bool(strip.solo),
            "output": .string(output), "sends": .number(strip.sends.count), "trim": .number(strip.trim),
            "polarity": .bool(strip.polarity), "soloSafe": .bool(strip.soloSafe),
            "channels": .number(strip.layout.channels), "events": .number(strip.automation.events.count),
        ])
    }
}

extension DCASummary {
    fileprivate var json: JSONValue {
        .object([
            "number": .number(number), "name": .string(dca.name), "fader": .number(fader),
            "mute": .bool(dca.mute), "solo": .bool(dca.solo), "members": .array(members.map { .string($0) }),
            "events": .number(dca.automation.events.count),
        ])
    }
}

extension SendSummary {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "from": .string(strip), "to": .string(bus), "volume": .number(volume), "pan": .number(send.pan),
            "mute": .bool(send.mute), "pre": .bool(send.isPre),
            "events": .number(send.automation.events.count),
        ]
        if send.isTalkback { object["talkback"] = .bool(true) }
        if let matrix = send.matrix { object["matrix"] = .string(matrix.text) }
        return .object(object)
    }
}

extension MixerStatus {
    fileprivate var json: JSONValue {
        .object([
            "state": .string(isRolling ? "rolling" : "stopped"), "frame": .number(frame),
            "seconds": .number(seconds),
            "sampleRate": .number(server.sampleRate), "period": .number(server.period),
            "latency": .number(server.latency), "xruns": .number(server.xruns),
            "dropouts": .number(dropouts), "periods": .number(server.callback.periods),
            "latePeriods": .number(server.callback.late),
            "callbackMicroseconds": .object([
                "median": .number(server.callback.medianMicroseconds),
                "percentile999": .number(server.callback.percentile999Microseconds),
                "longest": .number(server.callback.longestMicroseconds),
            ]),
            "realtime": .bool(server.isRealtime), "memoryLocked": .bool(isMemoryLocked),
            "tracks": .number(streams.count),
            "buses": .number(buses), "dcas": .number(dcas), "recording": .bool(isRecording),
            "soundcheck": .bool(isSoundcheck), "silenced": .bool(isSilenced),
            "lostFrames": .number(lostFrames), "silencedSamples": .number(silencedSamples),
            "freeBytes": freeBytes.map { .number($0) } ?? .null,
            "recordingSeconds": recordingSeconds.map { .number($0) } ?? .null,
            "server": .bool(server.isRunning), "serverName": .string(server.name),
            "session": session.map { .string($0) } ?? .null, "unsaved": .bool(hasUnsavedChanges),
            "end": .number(end), "sessionRate": .number(sessionRate), "version": .string(programVersion),
            "decoding": .array(
                decoding.map { .object(["file": .string($0.path), "done": .number($0.share)]) }),
            "waitingEdits": .number(waitingEdits),
            "streams": .array(
                streams.enumerated().map { index, stream in
                    .object([
                        "track": .number(index + 1), "dropouts": .number(stream.dropouts),
                        "lowestFill": .number(stream.lowestFill),
                    ])
                }),
        ])
    }
}
