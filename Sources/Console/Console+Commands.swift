import Remote
import Timeline

/// Which command is carried out where.
extension Console {
    /// Carries out what of a command needs no disk, or what remains of it once the disk has answered.
    /// - Returns: its answers, and what is said besides; or why nothing has changed.
    func carryOut(
        _ command: Command, for client: ClientID?, by body: () throws(CommandError) -> [Answer]
    ) -> Result<[Answer], CommandError> {
        do throws(CommandError) {
            return .success(
                try asking(command, client) { () throws(CommandError) in
                    try body() + Answer.notes(request.notes)
                })
        } catch {
            return .failure(error)
        }
    }

    /// Does what a client asks for by a command. Within it nothing else is asked for.
    func asking<Value>(
        _ command: Command, _ client: ClientID?, _ body: () throws(CommandError) -> Value
    ) throws(CommandError) -> Value {
        request = Request(command: command, author: client)
        defer { request.end() }
        return try body()
    }

    func answers(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .ask, .set, .nudge, .fade, .fadeBy: return try runControl(command)
        case .point, .ramp, .automation, .clearAutomation, .removeEvent, .moveEvent, .duck, .duckBySignal,
            .duckByHand, .ducks:
            return try runTimeline(command)
        case .add, .insert, .remove: return try runTracks(command)
        case .buses, .addBus, .sends, .send, .removeSend, .dcas, .addDCA, .assign, .soloMode:
            return try runDesk(command)
        case .askAutomix, .automix, .clearAutomix: return try runAutomix(command)
        case .muteGroups, .muteGroup: return try runMuteGroups(command)
        case .monitoring, .nudgeMonitor, .soundcheck: return try runMonitoring(command)
        case .askEqualiser, .equalise, .askDynamics, .setDynamics: return try runProcessors(command)
        case .askLoudness, .askLoudnessRange, .resetLoudness, .askSpectrum, .askPeak, .resetPeak:
            return try runMeasurements(command)
        case .addInput, .askInput, .input, .record, .recording: return try runInputs(command)
        case .clips(let track, let command): return try runClips(track, command)
        case .play, .stop, .panic, .silenced, .locate, .loop, .loopOn, .loopOff, .askLoop, .stopAtEnd,
            .position, .state:
            return try runTransport(command)
        case .connections, .ports, .connect, .disconnect, .directOuts: return try runPorts(command)
        case .tracks, .status, .version, .collect(nil), .relink, .undo, .redo, .history, .edition, .ping:
            return try runWhole(command)
        case .scene(let command): return try runScene(command)
        case .marker(let command): return try runMarker(command)
        case .video(let command): return try runVideo(command)
        case .midi(let command): return try runMIDI(command)
        case .nothing: break
        case .several(let commands):
            return try answers(commands)
        case .quit:
            if isManaged { throw CommandError("the session manager ends the mixer") }
            isQuitting = true
        case .wait, .waitUntil: throw CommandError("only a script can wait")
        case .save, .load, .new, .sessions, .collect, .missing:
            throw CommandError("that waits for a disk: it has to be begun")
        case .subscribe, .unsubscribe, .clear, .help, .miniMix:
            throw CommandError("only a controller that speaks OSC can ask for that")
        }
        return []
    }

    private func answers(_ commands: [Command]) throws(CommandError) -> [Answer] {
        var answers: [Answer] = []
        for command in commands {
            request.command = command
            answers += try self.answers(command)
        }
        return answers
    }

    private func runControl(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .ask(let strip, let control): return try ask(strip, control)
        case .set(let strip, let control, let value): try set(strip, control, value)
        case .nudge(let strip, let control, let change): try nudge(strip, control, by: change)
        case .fade(let strip, let control, let value, let time, let curve):
            try fade(strip, control, to: .value(value), over: time, curve: curve)
        case .fadeBy(let strip, let control, let step, let time, let curve):
            try fade(strip, control, by: step, over: time, curve: curve)
        default: break
        }
        return []
    }

    private func runProcessors(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .askEqualiser(let strip):
            return try places(strip, having: .eq(.on)).map { .equaliser($0, heard[$0].equaliser) }
        case .equalise(let strip, .set(let settings)): try equalise(strip, settings, sweep: nil)
        case .equalise(let strip, .clear): try setStrips(strip, .eq(.on)) { $0.equaliser = nil }
        case .askDynamics(let strip, let kind):
            return try dynamics(of: strip, kind)
        case .setDynamics(let strip, _, .set(let settings)): try setDynamics(strip, settings, sweep: nil)
        case .setDynamics(let strip, let kind, .clear):
            try setStrips(strip, .dynamics(DynamicsControl(kind, .on)), .timeline) { $0.clear(kind) }
        default: break
        }
        return []
    }

    private func dynamics(of strip: StripReference, _ kind: DynamicsKind) throws(CommandError) -> [Answer] {
        try places(strip, having: .dynamics(DynamicsControl(kind, .on))).map {
            Answer.dynamics(kind)($0, ProcessorSummary?(json: heard[$0].json(of: kind, in: session)) ?? nil)
        }
    }

    private func runMeasurements(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .askLoudness(let strip): return try measured(strip).compactMap(loudness)
        case .askLoudnessRange(let strip): return try measured(strip).compactMap(loudnessRange)
        case .askSpectrum(let strip): return try analysed(strip).compactMap(spectrum)
        case .askPeak(let strip): return try metered(strip).map(peak)
        case .resetLoudness(let strip):
            for place in try measured(strip) { engine.resetLoudness(of: session[place].id) }
        case .resetPeak(let strip):
            for place in try metered(strip) { meters.reset(session[place].id, from: engine) }
        default: break
        }
        return []
    }
}
