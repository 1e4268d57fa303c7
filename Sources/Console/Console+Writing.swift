import Engine
import Logging
import Realtime
import Remote
import Timeline

/// Automation that hands write while it plays.
///
/// A hand on a control that is written moves what is heard, and not the document: when it lets go the control
/// goes back, and what it did becomes automation, as one step to undo.
extension Console {
    // MARK: - Modes and touches

    func setWriteMode(_ reference: StripReference, _ control: Control, _ word: String) throws(CommandError) {
        let mode = WriteMode(rawValue: word) ?? .read
        let targets = try automated(reference, control)
        if !mode.writes {
            release(targets.map { $0.lane(session) }.filter { writing.passes[$0]?.phase == .held })
        }
        try edit(.timeline) { session in
            for target in targets { target.setMode(mode, in: &session) }
        }
        if mode == .write, transport.isRolling { beginPasses(targets.filter { !isFading($0) }) }
    }

    /// A hand is on a control, or leaves it. A fade that moves a fader ends under the finger.
    func touch(_ reference: StripReference, _ control: Control, _ flag: Bool) throws(CommandError) {
        guard let author = request.author else { throw CommandError("only a controller can touch a fader") }
        let targets = try automated(reference, control)
        if let held = targets.first(where: { touches.isHeld($0.lane(session), against: author) }) {
            throw CommandError(
                """
                someone else has a finger on the \(control == .volume ? "fader" : control.path) of \
                \(held.place == .master ? "the master" : session[held.place].name)
                """
            )
        }
        for target in targets {
            let lane = target.lane(session)
            guard flag else {
                touches.end(lane)
                continue
            }
            _ = touches.begin(lane, author)
            try endFade(target)
        }
        if !flag { return }
        let written = targets.filter { isWritten($0) }
        beginPasses(written)
        for target in written { writing.passes[target.lane(session)]?.restsAt = nil }
    }

    /// A fader that glides by itself is nobody's hand.
    func isFading(_ target: Automated) -> Bool {
        target.kind == .volume && engine.isFading(target.lane(session).owner)
    }

    /// A fade that moves a fader ends where it has come to.
    private func endFade(_ target: Automated) throws(CommandError) {
        guard writing.passes[target.lane(session)] == nil, isFading(target) else { return }
        try moveFader(StripReference(target.place), target.control, sweep: "volume") {
            engine.presentFader($0)
        }
    }

    /// What a hand does to a control at present becomes automation.
    private func isWritten(_ target: Automated) -> Bool {
        writing.isWanted && transport.isRolling && target.mode(session).writes
    }

    // MARK: - Moving

    /// Moves those controls whose moves are written at present. The others are left to whoever asks; the
    /// command passes over those lanes from then on (`Request.movedLanes`).
    /// - Returns: whether there are no others.
    func moveWritten(
        _ reference: StripReference, _ control: Control, over duration: MediaTime? = nil,
        curve: Curve = .linear, to value: (Automated) throws(CommandError) -> Double
    ) throws(CommandError) -> Bool {
        // What is not there is complained of, or made, as ever.
        guard writing.isWanted, transport.isRolling, control.automation != nil,
            let targets = try? automated(reference, control)
        else { return false }
        let all = targets.filter { isWritten($0) }
        if all.isEmpty { return false }
        let written = try free(all, of: targets.count)
        var values: [(target: Automated, value: Double)] = []
        for target in written { values.append((target, try value(target))) }
        for target in written { try endFade(target) }
        beginPasses(written)
        for (target, value) in values {
            move(target.lane(session), target.place, to: value, over: duration, curve)
        }
        request.movedLanes = Set(all.map { $0.lane(session) })
        return all.count == targets.count
    }

    /// What moves others too moves those, and leaves what somebody has a finger on.
    private func free(_ all: [Automated], of count: Int) throws(CommandError) -> [Automated] {
        let held = all.filter { touches.isHeld($0.lane(session), against: request.author) }
        let refusals = held.map { "someone has a finger on \($0.control.path) of \(session[$0.place].name)" }
        if held.count == count { throw CommandError(refusals[0]) }
        request.notes += refusals.map { "\($0): it stays" }
        return all.filter { !touches.isHeld($0.lane(session), against: request.author) }
    }

    private func move(
        _ lane: Lane, _ place: StripPlace, to value: Double, over duration: MediaTime? = nil,
        _ curve: Curve = .linear
    ) {
        guard let pass = writing.passes[lane] else { return }
        writing.passes[lane]?.fade = nil
        let length = UInt64(max(0, duration?.seconds ?? 0) * 1e9)
        if !touches.isTouched(lane) {
            writing.passes[lane]?.restsAt = monotonicNanoseconds() + length + Writing.rest
        }
        if let duration, !pass.isRatio, duration > .zero {
            writing.passes[lane]?.fade = HandFade(
                from: pass.value, to: value, beganAt: monotonicNanoseconds(), duration: length, curve: curve)
            return
        }
        step(lane, place, to: value, over: duration, curve)
    }

    func step(
        _ lane: Lane, _ place: StripPlace, to value: Double, over duration: MediaTime? = nil,
        _ curve: Curve = .linear
    ) {
        let number = writing.nextNumber()
        let frames =
            lane.control == .mute
            ? 1 : duration.map { $0.frame(atRate: engine.sampleRate) } ?? Int64(engine.fadeFrames)
        writing.passes[lane]?.move(to: value, over: frames, curve: curve, number: number)
        heard.setHand(value, of: lane, at: place)
        hear(lane, place, value, over: duration, curve)
        mark()
    }

    /// Has the audio thread say when it has done what hands have done so far.
    func mark() { writing.isBehind = !engine.markHands(writing.lastNumber) }

    /// Tells the engine where a hand is.
    func hear(
        _ lane: Lane, _ place: StripPlace, _ value: Double, over duration: MediaTime? = nil,
        _ curve: Curve = .linear
    ) {
        if lane.control == .mute {
            applyStrips(of: [lane])
        } else if lane.control != .volume {
            engine.applyStrips(heard, at: [place], over: duration, curve: curve)
            // What the timeline moves of a processor is compiled from where hands have put the rest of it.
            if lane.control.unit != nil, heard[place].hasProcessorLanes { applyTimeline() }
        } else if let duration {
            engine.fade(lane.owner, to: value, over: duration, curve: curve)
        } else {
            engine.setFader(lane.owner, to: value)
        }
    }

    /// Sets what hands do to the strips of lanes. The mute of a DCA may close sends of its members.
    func applyStrips(of lanes: [Lane]) {
        if lanes.contains(where: { $0.control == .mute }) { return engine.applyStrips(heard) }
        engine.applyStrips(heard, at: lanes.compactMap { session.place(ofLane: $0) })
    }

    /// Takes hold of controls, unless that has been.
    func beginPasses(_ targets: [Automated]) {
        let needPlan = targets.filter { beginPass($0) }
        hearAnew()
        if needPlan.isEmpty { return }
        engine.applyStrips(heard, at: needPlan.map(\.place))
        applyTimeline()
    }

    /// - Returns: whether the timeline has to fall silent about it first.
    private func beginPass(_ target: Automated) -> Bool {
        let lane = target.lane(session)
        guard let hand = session.hand(of: lane, at: target.place) else { return false }
        let before = writing.passes[lane]
        if let before, !before.isWritten {
            writing.passes[lane]?.phase = .held
            // It may have been moved meanwhile.
            if before.isBack, before.value != hand { step(lane, target.place, to: hand) }
            return false
        }
        let pass = newPass(target, from: hand, before: before)
        writing.passes[lane] = pass
        return pass.plan != nil
    }

    private func newPass(_ target: Automated, from hand: Double, before: WritePass?) -> WritePass {
        let isRatio = [.volume, .trim, .mute].contains(target.kind)
        let automation = target.automation(session)
        let needsPlan = !isRatio && !automation.events.isEmpty
        // A hand on what the timeline moves holds it where it is.
        let present =
            isRatio
            ? hand
            : automation.present(
                at: engine.frame - lag(target.lane(session)), hand, sampleRate: engine.sampleRate)
        return WritePass(
            before?.value ?? present, isRatio: isRatio, begin: needsPlan ? nil : engine.clock,
            plan: needsPlan ? engine.nextPlan : nil)
    }

    /// The session as it is heard: with hands where they are.
    func hearing(_ session: Session) -> Session {
        var heard = session
        if isMonitorConnected, session.leavesSoloToMonitor { heard.soloMode = .afl }
        heard.directOuts = directOuts
        for (lane, pass) in writing.passes {
            guard let place = session.place(ofLane: lane), !pass.isBack else { continue }
            heard.setHand(pass.value, of: lane, at: place)
            if pass.plan != nil, !pass.isWritten { heard.setMode(.off, of: lane, at: place) }
        }
        return heard
    }

    func hearAnew() { heard = hearing(session) }

    /// How far behind the playhead a lane is read.
    func lag(_ lane: Lane) -> Int64 {
        engine.timelineLag(of: lane.owner, members: session.dcas.first { $0.id == lane.owner }?.members ?? [])
    }
}
