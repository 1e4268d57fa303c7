import Remote
import Timeline

/// The mixer, its ports and its session as a person reads them.
extension Answers {
    static func lines(_ status: MixerStatus) -> [String] {
        let times = status.server.callback.times
        // A track that has nothing but an input reads nothing ahead.
        let fill = status.streams.filter { $0.lowestFill > 0 || $0.dropouts > 0 }.map(\.lowestFill).min()
        let session =
            (status.session ?? "not saved yet") + (status.hasUnsavedChanges ? ", with unsaved changes" : "")
        let (word, place) = (TransportWord(isRolling: status.isRolling), Readable.clock(status.seconds))
        let transport = "\(word.rawValue) at \(place) of \(Readable.clock(status.end))"
        let recording = status.isRecording ? "armed tracks, while it rolls" : "off"
        let (tail, longest) = (times.percentile999, times.longest.short)
        let callback = "\(times.median) us, 999 of 1000 within \(tail), the longest \(longest)"
        let realtime = "\(status.server.isRealtime.word), memory locked: \(status.isMemoryLocked.word)"
        let lines =
            [
                ("mixer", "jmix \(status.version)"), ("JACK server", line(status.server)),
                ("session", session), ("transport", transport),
                ("tracks", "\(status.tracks)" + (fill.map { ", at least \($0) frames read ahead" } ?? "")),
                ("recording", ([recording] + disk(status)).joined(separator: ", ")),
                ("dropouts", "\(status.dropouts), and \(status.server.xruns) xruns of the server"),
                ("callback", callback),
                ("periods", "\(status.server.callback.periods), \(status.server.callback.late) of them late"),
                ("realtime", realtime),
            ] + passing(status)
        return lines.map { "\($0.padded(13))\($1)" }
    }

    private static func line(_ server: MixerStatus.Server) -> String {
        if !server.isRunning { return "waiting for '\(server.name)'" }
        return
            """
            '\(server.name)', \(server.sampleRate) Hz, \(server.period) frames a period, heard \
            \(server.latency) frames later
            """
    }

    /// What is said while it lasts.
    private static func passing(_ status: MixerStatus) -> [(String, String)] {
        var lines: [(String, String)] = []
        if !status.decoding.isEmpty {
            let files = status.decoding.map { "\($0.path) (\(percent($0.share)))" }
            lines.append(("decoding", files.joined(separator: ", ")))
        }
        if status.waitingEdits > 0 {
            let edits = "\(status.waitingEdits) \(status.waitingEdits == 1 ? "edit" : "edits")"
            lines.append(("waiting", "\(edits), until that is decoded"))
        }
        if status.isSilenced {
            lines.append(("mix", "silenced by a panic: play, stop or panic off ends that"))
        }
        return lines
    }

    /// What is free where takes go, and for how long that is enough; empty where nobody knows.
    private static func disk(_ status: MixerStatus) -> [String] {
        guard let bytes = status.freeBytes else { return [] }
        let free = "\((Double(bytes) / 1e8).rounded() / 10) GB free"
        guard let seconds = status.recordingSeconds else { return [free] }
        let minutes = Int(max(0, min(seconds, MediaTime.latest.seconds)) / 60)
        return ["\(free), enough to record for \(minutes / 60) h \(minutes % 60) min"]
    }

    /// Where it plays, which two answers say; nil where they are not there.
    var present: (frame: Int64, seconds: Double, isRolling: Bool)? {
        guard answers.count == 2, case .position(let frame, let seconds) = answers[0],
            case .state(let isRolling) = answers[1]
        else { return nil }
        return (frame, seconds, isRolling)
    }

    var position: [String] {
        guard let (frame, seconds, isRolling) = present else { return [] }
        return ["\(Readable.clock(seconds))  \(TransportWord(isRolling: isRolling).rawValue)  frame \(frame)"]
    }

    static func recording(_ isOn: Bool, _ range: ClosedRange<Double>?) -> String {
        guard isOn, let range else { return isOn.word }
        return "on from \(Readable.clock(range.lowerBound)) to \(Readable.clock(range.upperBound))"
    }

    static func line(_ video: Video?) -> String {
        guard let video else { return "no video" }
        let (at, from) = (
            video.at == .zero ? "" : " at \(video.at)", video.from == .zero ? "" : " from \(video.from)"
        )
        return video.file.text + at + from
    }

    /// The surface that is on, and each binding with its number.
    static func lines(_ map: MIDISummary) -> [String] {
        let surface = map.surface.map { ["\($0.rawValue), units \(map.units)"] }
        if surface == nil, map.bindings.isEmpty {
            return ["nothing is bound: midi learn STRIP binds what moves next"]
        }
        return (surface ?? [])
            + map.bindings.enumerated().map { index, binding in
                let send = binding.send.map { "send/\($0)/" } ?? ""
                let moved = "\(binding.strip ?? "")  \(send)\(binding.control ?? "")"
                // What does something has no way to move.
                let mode = binding.line == nil ? binding.mode.rawValue : ""
                let head = "\("\(index + 1)".padded(4)) \(binding.message.padded(14)) \(mode.padded(10))"
                return "\(head) \(binding.line ?? moved)"
            }
    }

    static func lines(_ steps: [HistoryStep]) -> [String] {
        steps.enumerated().map { index, step in
            "\("\(index + 1)".padded(4)) \(step.name)\(step.isDone ? "" : "   (taken back)")"
        }
    }

    static func lines(_ connections: [PortConnection]) -> [String] {
        if connections.isEmpty { return ["nothing is connected"] }
        return table(
            ["port", "to", ""], connections.map { [$0.port, $0.other, $0.isMade ? "" : "not there yet"] })
    }

    static func lines(_ ports: [ServerPort]) -> [String] {
        if ports.isEmpty { return ["there is no JACK server at present"] }
        return table(
            ["port", "", "carries", ""],
            ports.map {
                [$0.name, $0.direction.rawValue, $0.medium.rawValue, $0.isOwn ? "the mixer's" : ""]
            })
    }

    static func lines(_ file: MissingFile) -> [String] {
        ["\(file.file)\(file.found.isEmpty ? "  (no file of its name found)" : "")"]
            + file.found.map { "    found: \($0)" }
    }
}
