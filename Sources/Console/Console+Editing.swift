import Engine
import Remote
import Timeline

/// How the session is changed: a copy, which becomes the session once it is checked, and a step to undo.
extension Console {
    /// What an edit touches: the least that the engine has to be told.
    enum Reach {
        /// Nothing: it is not heard.
        case document
        case strips([StripPlace], Approach = Approach())
        case allStrips
        /// All strips, as a fade.
        case allStripsOver(MediaTime)
        case timeline
        /// How what is monitored sounds.
        case monitoring
    }

    /// How strips get to where an edit has put them.
    struct Approach {
        /// nil: at once, in 5 ms.
        var duration: MediaTime?
        var curve = Curve.linear
        /// What is moved even where it stays the same: a fade that is under way ends.
        var moved: StripSettings.Moved?

        /// A control of strips or sends is moved: a fader, a balance or a trim even where it stays the same.
        static func of(
            _ control: Control, _ ids: [StripID], over duration: MediaTime? = nil, curve: Curve = .linear
        ) -> Approach {
            let part: StripSettings.Moved.Part? =
                switch control {
                case .volume, .send(_, .volume): .fader
                case .pan, .send(_, .pan): .pan
                case .trim: .trim
                default: nil
                }
            let moved = part.map { StripSettings.Moved($0, of: Set(ids)) }
            return Approach(duration: duration, curve: curve, moved: moved)
        }
    }

    /// Changes a copy of the session; if that succeeds it becomes the session, the one before can be had
    /// back, and the engine follows.
    /// - Parameters:
    ///   - sweep: consecutive edits of one such name are one step to undo.
    ///   - name: what the step is called; nil: as the present command says.
    ///   - yields: faders that others have a finger on stay.
    func edit(
        _ reach: Reach, sweep: String? = nil, named name: String? = nil, yields: Bool = true,
        _ change: (inout Session) throws(CommandError) -> Void
    ) throws(CommandError) {
        func changed() throws(CommandError) -> Session {
            var next = session
            try change(&next)
            keepSoloMode(of: &next)
            if yields { try yieldToTouches(&next) }
            return next
        }
        var next = try changed()
        if case .timeline = reach { try checkSize(next) }
        let gone = writing.open.filter { next.place(ofLane: $0) == nil }
        if !gone.isEmpty {
            // What hands did to what goes is written first, so that it comes back with it.
            endPasses(of: gone)
            next = try changed()
        }
        let (before, soloMode) = (session, heard.soloMode)
        if next != session {
            let (title, replaced) = (name ?? request.command.title(self), snapshot(reach))
            changeDocument { $0.edit(to: next, named: title, before: replaced, sweep: sweep) }
        }
        apply(reach)
        applyTimelineToo(reach, since: before, soloMode)
    }

    /// Where the plan is another by what has changed of strips, that is applied too.
    private func applyTimelineToo(_ reach: Reach, since before: Session, _ soloMode: SoloMode) {
        if case .timeline = reach { return }
        let places = places(in: reach)
        if heard.soloMode != soloMode || isPlannedOtherwise(than: before, places) {
            applyTimeline()
        } else if haveOtherProcessors(than: before, places) {
            changeDocument { $0.beginEdition() }
        }
    }

    /// The strips that an edit of strips reaches.
    private func places(in reach: Reach) -> [StripPlace] {
        switch reach {
        case .strips(let places, _): places
        case .allStrips, .allStripsOver: session.places
        case .document, .timeline, .monitoring: []
        }
    }

    /// Whether a processor has come, or gone.
    private func haveOtherProcessors(than before: Session, _ places: [StripPlace]) -> Bool {
        places.contains { place in
            let (now, past) = (session[place], before[place])
            return (now.equaliser == nil) != (past.equaliser == nil)
                || DynamicsKind.allCases.contains { now.has($0) != past.has($0) }
        }
    }

    /// The engine follows as far as an edit reaches.
    private func apply(_ reach: Reach) {
        switch reach {
        case .document: changeDocument { $0.beginEdition() }
        case .strips(let places, let approach):
            engine.applyStrips(
                heard, at: places, over: approach.duration, curve: approach.curve, moving: approach.moved)
        case .allStrips: engine.applyStrips(heard)
        case .allStripsOver(let duration): engine.applyStrips(heard, over: duration)
        case .timeline: applyTimeline()
        case .monitoring: engine.applyMonitoring(heard)
        }
    }

    /// Whether an edit of strips changes what is compiled: a limiter that goes on or off, for all that is
    /// heard beside it waits for that; processors that the timeline moves from where hands have put them;
    /// what mutes of the timeline close; and wiring, which scenes have.
    private func isPlannedOtherwise(than before: Session, _ places: [StripPlace]) -> Bool {
        if places.isEmpty { return false }
        if session.dcas.map(\.members) != before.dcas.map(\.members) { return true }
        let hasMonitor = heard.soloMode != .inPlace
        return places.contains { place in
            let (now, past) = (session[place], before[place])
            if now.output != past.output || hasMonitor && now.solo != past.solo { return true }
            if (now.limiter?.isOn ?? false) != (past.limiter?.isOn ?? false) { return true }
            // The mutes of the timeline close other sends then.
            if now.muteMode != past.muteMode, !now[automation: .mute].events.isEmpty { return true }
            return now.hasProcessorLanes && Self.isProcessedOtherwise(now, past)
        }
    }

    private static func isProcessedOtherwise(_ now: Strip, _ past: Strip) -> Bool {
        now.equaliser != past.equaliser || now.compressor?.isOn != past.compressor?.isOn
            || now.gate?.isOn != past.gate?.isOn
    }

    /// What solo does while nobody has said is said with the first strip that is put on solo: a render of the
    /// session then does the same, whatever is connected.
    private func keepSoloMode(of next: inout Session) {
        if heard.soloMode != session.soloMode, next.chosenSoloMode == nil, !next.leavesSoloToMonitor {
            next.soloMode = heard.soloMode
        }
    }

    static let tooManyClips = CommandError("a session has at most \(Session.maximumClips) clips")

    /// What a remote control may make the mixer hold.
    private func checkSize(_ next: Session) throws(CommandError) {
        if next.tracks.reduce(0, { $0 + $1.clips.count }) > Session.maximumClips {
            throw Self.tooManyClips
        }
        if next.strips.reduce(0, { $0 + $1.eventCount }) > Session.maximumEvents {
            throw CommandError("a session has at most \(Session.maximumEvents) points and ramps")
        }
    }

    /// Whose faders stand elsewhere in `next` though someone else has a finger on them.
    private func heldFaders(_ next: Session) -> [StripID] {
        touches.heldFaders(against: request.author).filter { id in
            guard let before = session.place(of: id), let after = next.place(of: id) else { return false }
            return session[before].fader != next[after].fader
        }
    }

    private func refusal(_ held: [StripID]) -> String {
        let names = held.map { id in id == .master ? "the master" : "\"\(session.name(of: id) ?? "")\"" }
            .sorted()
        return
            """
            someone has a finger on the \(held.count == 1 ? "fader" : "faders") of \
            \(names.joined(separator: ", "))
            """
    }

    /// Refuses a session in which a fader stands elsewhere that someone else has a finger on.
    func checkTouches(_ next: Session) throws(CommandError) {
        let held = heldFaders(next)
        if !held.isEmpty { throw CommandError(refusal(held)) }
    }

    /// Leaves faders where they stand that someone else has a finger on; whoever asked is told.
    /// - Throws: if nothing else would change.
    private func yieldToTouches(_ next: inout Session) throws(CommandError) {
        let held = heldFaders(next)
        if held.isEmpty { return }
        for id in held {
            if let before = session.place(of: id), let after = next.place(of: id) {
                next[after].fader = session[before].fader
            }
        }
        // Of what hands write others may have moved.
        if next == session, request.movedLanes.isEmpty { throw CommandError(refusal(held)) }
        request.notes.append("\(refusal(held)): \(held.count == 1 ? "it stays" : "they stay")")
    }
}
