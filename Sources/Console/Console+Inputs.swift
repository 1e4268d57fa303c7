import Engine
import Files
import Logging
import Realtime
import Remote
import Timeline

/// Live inputs, and what is recorded of them.
extension Console {
    func runInputs(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .addInput(let name, let ports): return [try addInput(name, ports)]
        case .askInput(let reference):
            return try tracks(reference).map { .input(.track($0 + 1), session.tracks[$0].input) }
        case .input(let reference, let ports?): try setInput(reference, ports)
        case .input(let reference, nil):
            try removeInput(reference)
        case .record(nil): return [.record(recordState)]
        case .record(let recording?): try record(recording)
        case .recording: return [.recording(isRecording)]
        default: break
        }
        return []
    }

    private func removeInput(_ reference: StripReference) throws(CommandError) {
        let indices = try tracks(reference).filter { session.tracks[$0].input != nil }
        if indices.isEmpty { throw CommandError("\(reference.text) has no input") }
        try edit(.timeline) { session in
            for index in indices { session.removeInput(ofTrack: index) }
        }
    }

    private func addInput(_ name: String, _ ports: InputPorts) throws(CommandError) -> Answer {
        guard session.tracks.count < Session.maximumTracks else {
            throw CommandError("a session has at most \(Session.maximumTracks) tracks")
        }
        if let problem = nameProblem(name, hasInput: true) { throw problem }
        let input = try input(ports)
        try edit(.timeline) { session in
            var track = Track(name: name)
            track.input = input
            session.append(track)
        }
        sayMissing(ports)
        return .addedInput(session.tracks.count)
    }

    private func setInput(_ reference: StripReference, _ ports: InputPorts) throws(CommandError) {
        let (indices, input) = (try tracks(reference), try input(ports))
        for index in indices where session.tracks[index].input == nil {
            let name = session.tracks[index].name
            if let problem = nameProblem(name, for: .track(index + 1), hasInput: true, isNew: false) {
                throw problem
            }
        }
        try edit(.timeline) { session in for index in indices { session.setInput(input, ofTrack: index) } }
        sayMissing(ports)
    }

    /// Arms tracks, or disarms them; the transport need not stand.
    func arm(_ reference: StripReference, _ flag: Bool) throws(CommandError) {
        let indices = try tracks(reference)
        // Of a pattern those that can be.
        let able = indices.filter { session.tracks[$0].input != nil }
        let armed = session.tracks.indices.filter { session.tracks[$0].isArmed }
        if flag, Set(armed + able).count > Session.maximumArmed {
            throw CommandError(
                "at most \(Session.maximumArmed) tracks are armed at once: disarm some of them first")
        }
        if flag, able.isEmpty {
            throw CommandError(
                """
                \(StripPlace.track(indices[0] + 1)) has no input, so there is nothing to record: input \
                \(session.tracks[indices[0]].name) PORT gives it one
                """
            )
        }
        server?.sayLatency()
        try edit(.timeline) { session in
            for index in flag ? able : indices { session.tracks[index].isArmed = flag }
        }
    }

    private func input(_ ports: InputPorts) throws(CommandError) -> Input {
        for port in ports.connect {
            if let problem = Self.portProblem(port) ?? server?.problem(port, asInput: true, isMIDI: false) {
                throw CommandError(problem)
            }
        }
        return Input(channels: ports.channels, connect: ports.connect)
    }

    /// Whoever asked is told what is not there yet.
    private func sayMissing(_ ports: InputPorts) {
        guard let server else { return }
        for port in ports.connect where !server.hasSource(port) {
            request.notes.append("there is no port \(port) yet: it is heard when there is")
        }
    }

    // MARK: - Recording

    private func record(_ recording: Recording) throws(CommandError) {
        if recording != .off { try checkRecordable() }
        switch recording {
        case .off: engine.record(nil)
        case .on: engine.record(0..<Int64.max)
        case .loop:
            guard let loop else {
                throw CommandError("there is no loop to record between the ends of: loop T0 T1 makes one")
            }
            engine.record(loop)
        case .range(let start, let end):
            let (first, last) = (frame(start), frame(end))
            guard first < last else {
                throw CommandError(
                    """
                    a recording needs to end after it begins \
                    (\(TimeRange(start: time(start), end: time(end))))
                    """
                )
            }
            engine.record(first..<last)
        }
        if recording == .off { return }
        server?.sayLatency()
        if engine.armedTracks.isEmpty {
            request.notes.append("no track is armed: arm TRACK on has it recorded")
        }
    }

    /// - Throws: nothing can be recorded at present.
    private func checkRecordable() throws(CommandError) {
        if engine.hands.isSoundcheck {
            throw CommandError(
                """
                the soundcheck plays the takes, and what is recorded would cut them: soundcheck off ends \
                that first
                """
            )
        }
        if server == nil {
            throw CommandError("the mixer is on no JACK server: there is nothing to record")
        }
        if let obstacle = room.obstacle(in: store.folder) {
            room.askSoon()
            throw CommandError("nothing can be recorded: \(obstacle)")
        }
    }

    /// Whether something is being recorded now.
    var isRecording: Bool {
        transport.isRolling && engine.recordedFrames?.contains(engine.frame) == true
            && !engine.armedTracks.isEmpty
    }

    /// What is recorded where that is less than all.
    var recordState: RecordState { RecordState(isOn: engine.recordedFrames != nil, recordSeconds) }

    private var recordSeconds: ClosedRange<Double>? {
        engine.recordedFrames.flatMap {
            $0.upperBound == .max ? nil : seconds($0.lowerBound)...seconds($0.upperBound)
        }
    }

    /// Refuses to go on with another document while takes are to become clips of this one.
    func checkRecording() throws(CommandError) {
        guard engine.hasTakesUnderWay || hasWaitingTakes else { return }
        throw CommandError(
            engine.recordedFrames == nil
                ? "takes of this session are not on its timeline yet: ask again in a moment"
                : "this session is being recorded: record off first")
    }

    /// Carries out `body` once what was recorded lies on the timeline: at once, where all does, or where the
    /// recording goes on.
    func onceTakesLie(_ body: @escaping () -> Void) {
        if waiting.behindTakes.isEmpty, engine.captureCount == 0, !engine.hasEndingTakes { return body() }
        waiting.behindTakes.append((monotonicNanoseconds() + Self.longestTake, false, body))
        goOnBehindTakes()
    }

    /// A server that calls nobody, or a disk that hangs, is not waited for.
    private static let longestTake: UInt64 = 2_000_000_000

    private func goOnBehindTakes() {
        while let first = waiting.behindTakes.first, !awaitsTakes || monotonicNanoseconds() >= first.until {
            waiting.behindTakes.removeFirst().go()
        }
    }

    /// Whether what the first of those that wait is behind may still become takes.
    private var awaitsTakes: Bool {
        if transport.isStopping { return true }
        if isRecording {
            // A panic stops it in a moment.
            return engine.holdsSilence && !engine.staysSilent
        }
        if !waiting.behindTakes[0].isLooking {
            waiting.behindTakes[0].isLooking = true
            if server?.status.isRunning == true { engine.settleTakes() }
        }
        return engine.hasEndingTakes
    }

    /// Something waits until takes that have ended are clips.
    package var isBehindTakes: Bool { !waiting.behindTakes.isEmpty }

    /// Puts the takes that are whole onto the timeline. To be called every few milliseconds, and when an
    /// engine has ended.
    package func addTakes() {
        if engine.takeRecordingFailure() { engine.record(nil) }
        sayLost()
        saySilenced()
        var passes: [(number: Int, takes: [Take])] = []
        for take in engine.takeFinishedTakes() {
            if let index = passes.firstIndex(where: { $0.number == take.pass }) {
                passes[index].takes.append(take)
            } else {
                passes.append((take.pass, [take]))
            }
        }
        for (_, takes) in passes { add(takes) }
        goOnBehindTakes()
    }

    /// Once in a while, as long as frames are lost.
    private func sayLost() {
        let (lost, now) = (engine.lostFrames, monotonicNanoseconds())
        guard lost > losses.frames, now >= losses.framesAt + 1_000_000_000 else { return }
        Logger(label: "jmix").warning(
            "\(lost - losses.frames) frames could not be recorded in time: the disk is late")
        (losses.frames, losses.framesAt) = (lost, now)
    }

    /// Once in a while, as long as something comes in that is no number.
    private func saySilenced() {
        let now = monotonicNanoseconds()
        guard now >= losses.silencedAt + 1_000_000_000 else { return }
        let silenced = engine.silencedInputs
        for (id, count) in silenced.sorted(by: { $0.key.rawValue < $1.key.rawValue })
        where count > losses.silenced[id, default: 0] {
            let name = session.name(of: id) ?? "a track that is gone"
            Logger(label: "jmix").warning(
                """
                \(count - losses.silenced[id, default: 0]) samples that came in for \(name) are no \
                numbers (infinity or NaN): they are silenced; look at the program that plays into it
                """
            )
        }
        (losses.silenced, losses.silencedAt) = (silenced, now)
    }

    /// The takes of one pass: one step to undo. A file stays, whatever becomes of its clip.
    private func add(_ takes: [Take]) {
        let log = Logger(label: "jmix")
        for take in takes { sayFaults(take, log) }
        let whole = takes.filter { $0.finding != nil }
        forgetUnplayed()
        library.adopt(whole.compactMap(\.finding))
        makeSafe(whole, log)
        let placed = whole.filter { session.index(of: $0.track) != nil }
        for take in whole where session.index(of: take.track) == nil {
            log.warning("the track of \(take.path) is gone: the file stays")
        }
        let gone = takes.filter { take in !placed.contains { FilePath($0.path) == FilePath(take.path) } }
        noteSafe(gone.map(\.path))
        layOnceLengthsAreKnown(placed)
    }

    /// Nobody waits for the disk to have takes for good.
    private func makeSafe(_ whole: [Take], _ log: Logger) {
        files.perform {
            whole.compactMap { take in (try? AtomicFile.sync(take.path)) == nil ? take.path : nil }
        } then: { failed in
            for path in failed { log.error("the disk does not say that it has \(path)") }
        }
    }

    private func layOnceLengthsAreKnown(_ placed: [Take]) {
        if placed.isEmpty { return }
        let tracks = placed.map(\.track)
        onceLengthsAreKnown(
            WaitingEdit(
                client: nil,
                measured: { [self] in tracks.compactMap(session.index).flatMap { session.tracks[$0].clips } },
                go: { [self] in lay(placed) }, drop: { [self] in leave(placed, $0) }))
    }

    private func sayFaults(_ take: Take, _ log: Logger) {
        let name = session.name(of: take.track) ?? "a track that is gone"
        if take.lost > 0 {
            log.warning(
                "\(take.lost) frames of \(take.path) could not be written in time: they are silent there")
        }
        guard let failure = take.failure else { return }
        log.error(
            """
            recording \(name) has ended: \(failure)\(take.frames > 0 ? "; what was written is kept" : "")
            """
        )
    }

    /// The clips of takes of one pass.
    private func lay(_ takes: [Take]) {
        let names = takes.compactMap { session.name(of: $0.track) }.joined(separator: ", ")
        let title = "record \(takes.count > 3 ? "\(takes.count) tracks" : names)"
        do throws(CommandError) {
            try edit(.timeline, named: title) { session throws(CommandError) in
                for take in takes { try lay(take, in: &session) }
            }
            noteSafe(takes.map(\.path))
        } catch {
            leave(takes, error)
        }
    }

    private func leave(_ takes: [Take], _ error: CommandError) {
        noteSafe(takes.map(\.path))
        Logger(label: "jmix").error(
            """
            the takes \(takes.map(\.path).joined(separator: ", ")) stay where they are, beside the \
            timeline: \(error)
            """
        )
    }

    /// The clip of a take. What lies under it is cut away.
    private func lay(_ take: Take, in session: inout Session) throws(CommandError) {
        guard let index = session.index(of: take.track) else { return }
        let rate = engine.sampleRate
        let clip = Clip(
            ofTake: Path.name(of: take.path, from: store.folder), start: take.start,
            duration: MediaTime(frame: take.frames, rate: rate), aired: take.aired, rate: rate)
        do throws(EditError) {
            try session.tracks[index].overwrite(with: clip, ruler: library.ruler(atRate: session.sampleRate))
        } catch {
            throw CommandError(error.message(place: "\(StripPlace.track(index + 1))"))
        }
    }
}
