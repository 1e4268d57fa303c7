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
        guard let author else { throw CommandError("only a controller can touch a fader") }
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
    private func isFading(_ target: Automated) -> Bool {
        target.kind == .volume && engine.isFading(target.lane(session).owner)
    }

    /// A fade that moves a fader ends where it has come to.
    private func endFade(_ target: Automated) throws(CommandError) {
        guard writing.passes[target.lane(session)] == nil, isFading(target) else { return }
        try moveFader(
            StripReference(target.place), target.control, to: { engine.presentFader($0) }, sweep: "volume"
        ) { engine.setFader($0, to: $1) }
    }

    /// What a hand does to a control at present becomes automation.
    private func isWritten(_ target: Automated) -> Bool {
        writing.isWanted && transport.isRolling && target.mode(session).writes
    }

    // MARK: - Moving

    /// Moves those controls whose moves are written at present. The others are left to whoever asks; the
    /// command passes over those lanes from then on (`handled`).
    /// - Returns: whether there are no others.
    func moveWritten(
        _ reference: StripReference, _ control: Control, over duration: MediaTime? = nil,
        curve: Curve = .linear, to value: (Automated) throws(CommandError) -> Double
    ) throws(CommandError) -> Bool {
        // What is not there is complained of, or made, as ever.
        guard writing.isWanted, transport.isRolling, control.automation != nil,
            let targets = try? automated(reference, control)
        else { return false }
        let written = targets.filter { isWritten($0) }
        if written.isEmpty { return false }
        if let held = written.first(where: { touches.isHeld($0.lane(session), against: author) }) {
            throw CommandError("someone has a finger on \(held.control.path) of \(session[held.place].name)")
        }
        var values: [(target: Automated, value: Double)] = []
        for target in written { values.append((target, try value(target))) }
        for target in written { try endFade(target) }
        beginPasses(written)
        for (target, value) in values {
            move(target.lane(session), target.place, to: value, over: duration, curve)
        }
        handled = Set(written.map { $0.lane(session) })
        return written.count == targets.count
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

    private func step(
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
    private func mark() { writing.isBehind = !engine.markHands(writing.lastNumber) }

    /// Tells the engine where a hand is.
    private func hear(
        _ lane: Lane, _ place: StripPlace, _ value: Double, over duration: MediaTime? = nil,
        _ curve: Curve = .linear
    ) {
        if lane.control != .volume {
            engine.applyStrips(heard, at: [place], over: duration, curve: curve)
            // What the timeline moves of a processor is compiled from where hands have put the rest of it.
            if lane.control.unit != nil, heard[place].hasProcessorLanes { applyTimeline() }
        } else if let duration {
            engine.fade(lane.owner, to: value, over: duration, curve: curve)
        } else {
            engine.setFader(lane.owner, to: value)
        }
    }

    /// Takes hold of controls, unless that has been.
    private func beginPasses(_ targets: [Automated]) {
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
        let isRatio = [.volume, .trim, .mute].contains(target.kind)
        let automation = target.automation(session)
        let needsPlan = !isRatio && !automation.events.isEmpty
        // A hand on what the timeline moves holds it where it is.
        let present =
            isRatio
            ? hand
            : automation.present(at: engine.frame - lag(lane), hand, sampleRate: engine.sampleRate)
        writing.passes[lane] = WritePass(
            before?.value ?? present, isRatio: isRatio, begin: needsPlan ? nil : engine.clock,
            plan: needsPlan ? engine.nextPlan : nil)
        return needsPlan
    }

    /// The session as it is heard: with hands where they are.
    func hearing(_ session: Session) -> Session {
        if writing.passes.isEmpty { return session }
        var heard = session
        for (lane, pass) in writing.passes {
            guard let place = session.place(ofLane: lane), !pass.isBack else { continue }
            heard.setHand(pass.value, of: lane, at: place)
            if pass.plan != nil, !pass.isWritten { heard.setMode(.off, of: lane, at: place) }
        }
        return heard
    }

    private func hearAnew() { heard = hearing(session) }

    /// How far behind the playhead a lane is read.
    private func lag(_ lane: Lane) -> Int64 {
        engine.timelineLag(of: lane.owner, members: session.dcas.first { $0.id == lane.owner }?.members ?? [])
    }

    // MARK: - Letting go

    /// To be called every few milliseconds.
    package func turnWriting() {
        if writing.isFollowed != isFollowedWanted { followHands() }
        if !writing.isWanted, writing.passes.isEmpty { return }
        if writing.isBehind { mark() }
        takeMarks()
        if writing.stoppedAt == nil, writing.way.isRolling, engine.isStill {
            // It has been said long ago, and there was no room for it.
            writing.stoppedAt = engine.clock
            writing.way.stands(at: engine.clock)
        }
        let (stop, hasBegun) = (writing.stoppedAt, writing.hasBegun)
        (writing.stoppedAt, writing.hasBegun) = (nil, false)
        if let stop { write(writing.passes.filter { !$0.value.isWritten }.map(\.key), to: stop) }
        if hasBegun, writing.way.isRolling { beginWriting() }
        goOnFading()
        letGo()
        settle(writing.passes.filter { $0.value.isOver(at: engine.clock) }.map(\.key))
        noteWritten()
        if writing.passes.isEmpty { writing.way.forget(before: engine.clock) }
    }

    private func takeMarks() {
        let marks = engine.takeHandMarks()
        writing.take(marks, fade: Int64(engine.fadeFrames))
    }

    /// It rolls: what is on `write`, or under a finger, is written from now on.
    private func beginWriting() {
        let held = allAutomated().filter { target in
            let mode = target.mode(session)
            return mode == .write || mode.writes && touches.isTouched(target.lane(session))
        }
        beginPasses(held.filter { !isFading($0) })
    }

    private func goOnFading() {
        let now = monotonicNanoseconds()
        for (lane, pass) in writing.passes {
            guard let fade = pass.fade, let place = session.place(ofLane: lane) else { continue }
            let (value, isDone) = fade.value(at: now)
            step(lane, place, to: value)
            if isDone { writing.passes[lane]?.fade = nil }
        }
    }

    /// Lets go of what no hand is on any more, and writes what has gone back.
    private func letGo() {
        let now = monotonicNanoseconds()
        var (back, loose): ([Lane], [Lane]) = ([], [])
        for (lane, pass) in writing.passes {
            switch pass.phase {
            case .held:
                let mode = session.mode(of: lane)
                let isAtRest = mode == .touch && (pass.restsAt.map { now >= $0 } ?? true)
                if !mode.writes || isAtRest && !touches.isTouched(lane) { loose.append(lane) }
            case .returned(let clock) where engine.clock >= clock:
                let waits = pass.waitsForStop ?? needsStop(lane)
                writing.passes[lane]?.waitsForStop = waits
                if !waits { back.append(lane) }
            default: break
            }
        }
        write(back, to: engine.clock)
        release(loose)
    }

    /// Whether what it did needs the control to stand elsewhere: it comes to do so when nothing is heard, for
    /// fader and timeline do not change places at one frame.
    private func needsStop(_ lane: Lane) -> Bool {
        guard let place = session.place(ofLane: lane), let base = session.hand(of: lane, at: place),
            base != 0
        else { return false }
        let next = writtenSoFar([lane], to: engine.clock).added(to: session)
        return next.hand(of: lane, at: place) != base
    }

    /// Controls go back to where they were. One that multiplies does so at once; of another the hand's value
    /// is written on for a little, so that the timeline has the say again before that ends.
    private func release(_ lanes: [Lane]) {
        var others: [Lane] = []
        for lane in lanes {
            guard let pass = writing.passes[lane] else { continue }
            let place = session.place(ofLane: lane)
            if pass.isRatio, let place, let base = session.hand(of: lane, at: place) {
                step(lane, place, to: base)
                let number = writing.lastNumber
                writing.passes[lane]?.phase = .returning(number)
            } else if pass.begin != nil || place == nil {
                others.append(lane)
            }
        }
        write(others, to: engine.clock + max(Int64(engine.sampleRate) / 10, 3 * Int64(engine.period)))
    }

    /// All that is held of these ends now, and goes back: what they are of is about to go, or to be another.
    func endPasses(of lanes: [Lane]) {
        takeMarks()
        write(lanes.filter { writing.passes[$0].map { !$0.isWritten } ?? false }, to: engine.clock)
        settle(lanes)
    }

    /// All that is held ends now.
    package func endAllPasses() {
        if !writing.passes.isEmpty { endPasses(of: Array(writing.passes.keys)) }
    }

    // MARK: - Writing

    private func write(_ lanes: [Lane], to clock: Int64) {
        if lanes.isEmpty { return }
        let lanes = Writing.ordered(lanes)
        let next = writtenSoFar(lanes, to: clock).added(to: session)
        let plan = engine.nextPlan
        for lane in lanes {
            writing.passes[lane]?.phase = .settling(plan: plan)
            writing.passes[lane]?.fade = nil
        }
        hearAnew()
        do throws(CommandError) {
            try edit(.timeline, named: title(ofWriting: lanes), yields: false) { $0 = next }
        } catch {
            Logger(label: "jmix").warning("what hands did is not written: \(error)")
            applyTimeline()
        }
        // What multiplies, and is back where it was, is done with.
        settle(lanes.filter { isBack($0) })
    }

    private func isBack(_ lane: Lane) -> Bool {
        guard let pass = writing.passes[lane], let place = session.place(ofLane: lane) else { return true }
        return pass.isRatio && pass.value == session.hand(of: lane, at: place)
    }

    private func writtenSoFar(_ lanes: [Lane], to clock: Int64) -> WrittenSoFar {
        WrittenSoFar(
            passes: lanes.compactMap { lane in writing.passes[lane].map { (lane, $0, lag(lane)) } },
            way: wayAhead(to: clock), clock: clock, sampleRate: engine.sampleRate)
    }

    /// Where the playhead went, and will have gone by then, round the loop too.
    private func wayAhead(to clock: Int64) -> PlayheadWay {
        guard let loop, let turn = writing.way.turn(to: loop.upperBound), turn < clock else {
            return writing.way
        }
        var way = writing.way
        way.rolls(from: loop.lowerBound, at: turn)
        return way
    }

    private func title(ofWriting lanes: [Lane]) -> String {
        guard lanes.count == 1, let lane = lanes.first, let place = session.place(ofLane: lane) else {
            return "write \(lanes.count) controls"
        }
        let send = session[place].sends.first { $0.id == lane.owner }
        let bus = send.flatMap { session.name(of: $0.bus) }.map { "send/\($0)/" } ?? ""
        return "write \(bus)\(lane.control.rawValue) of \(session[place].name)"
    }

    /// What is written is heard: hands go back.
    private func settle(_ lanes: [Lane]) {
        let settled = lanes.filter { writing.passes[$0]?.isWritten ?? false }
        if settled.isEmpty { return }
        for lane in settled { writing.passes[lane] = nil }
        hearAnew()
        engine.applyStrips(heard, at: settled.compactMap { session.place(ofLane: $0) })
        // What was noted of them on the way is not what has become of them.
        journal?.note(session)
    }

    /// So that a crash loses little of a long pass.
    private func noteWritten() {
        let now = monotonicNanoseconds()
        if now < writing.notedAt { return }
        let open = writing.passes.filter { !$0.value.isWritten }.map(\.key)
        if open.isEmpty { return }
        let (soFar, session) = (writtenSoFar(open, to: engine.clock), session)
        journal?.note { soFar.added(to: session) }
        // The longer it is, the less often: each time all of it is written.
        let moves = open.reduce(0) { $0 + (writing.passes[$1]?.moveCount ?? 0) }
        writing.notedAt = now + 100_000_000 * UInt64(min(50, 1 + moves / 500))
    }

    private var isFollowedWanted: Bool { writing.isWanted || !writing.passes.isEmpty }

    /// Whether marks are wanted is told to the engine: after the session has changed, and to another engine.
    func followHands() {
        writing.isWanted = session.strips.contains { strip in
            !strip.writing.isEmpty || strip.sends.contains { !$0.writing.isEmpty }
        }
        if writing.isFollowed == isFollowedWanted || !engine.followHands(isFollowedWanted) { return }
        writing.isFollowed = isFollowedWanted
        if !writing.isFollowed { writing.way = PlayheadWay() }
    }
}

extension WritePass {
    /// What it did is heard.
    fileprivate func isOver(at clock: Int64) -> Bool {
        if case .settled(let end) = phase { clock >= end } else { false }
    }
}
