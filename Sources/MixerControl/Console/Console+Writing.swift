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
        if !mode.writes { endPasses(of: targets.map { $0.lane(session) }) }
        try edit(.timeline) { session in
            for target in targets { target.setMode(mode, in: &session) }
        }
        if mode == .write, transport.isRolling { for target in targets { _ = beginPass(target) } }
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
            if isWritten(target) {
                if beginPass(target) { writing.passes[lane]?.restsAt = nil }
            } else if control == .volume, engine.isFading(lane.owner) {
                try moveFader(
                    StripReference(target.place), .volume, to: { engine.presentFader($0) }, sweep: "volume"
                ) { engine.setFader($0, to: $1) }
            }
        }
    }

    /// What a hand does to a control at present becomes automation.
    private func isWritten(_ target: Automated) -> Bool {
        writing.isWanted && transport.isRolling && target.mode(session).writes
    }

    // MARK: - Moving

    /// Moves those controls whose moves are written at present.
    /// - Returns: the strips whose are not, which are to be moved as ever; nil: all of them.
    func moveWritten(
        _ reference: StripReference, _ control: Control, over duration: MediaTime? = nil,
        curve: Curve = .linear, to value: (Automated) throws(CommandError) -> Double
    ) throws(CommandError) -> [StripPlace]? {
        guard writing.isWanted, transport.isRolling, control.automation != nil else { return nil }
        let targets = try automated(reference, control)
        let written = targets.filter { isWritten($0) }
        if written.isEmpty { return nil }
        if let held = written.first(where: { touches.isHeld($0.lane(session), against: author) }) {
            throw CommandError("someone has a finger on \(held.control.path) of \(session[held.place].name)")
        }
        for target in written {
            let next = try value(target)
            if beginPass(target) { move(target, to: next, over: duration, curve) }
        }
        return targets.filter { !isWritten($0) }.map(\.place)
    }

    private func move(_ target: Automated, to value: Double, over duration: MediaTime?, _ curve: Curve) {
        let lane = target.lane(session)
        let number = writing.nextNumber()
        let frames =
            target.kind == .mute
            ? 1 : duration.map { $0.frame(atRate: engine.sampleRate) } ?? Int64(engine.fadeFrames)
        writing.passes[lane]?.move(to: value, over: frames, curve: curve, number: number)
        if !touches.isTouched(lane) {
            let glide = UInt64(max(0, duration?.seconds ?? 0) * 1e9)
            writing.passes[lane]?.restsAt = monotonicNanoseconds() + glide + Writing.rest
        }
        heard.set(value, of: target.control, at: target.place)
        hear(lane, target.place, value, over: duration, curve)
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
        } else if let duration {
            engine.fade(lane.owner, to: value, over: duration, curve: curve)
        } else {
            engine.setFader(lane.owner, to: value)
        }
    }

    /// Where a control is that a hand has put there, of a session.
    private func hand(_ target: Automated, _ session: Session) -> Double? {
        session.value(of: target.control, at: target.place)
    }

    /// Takes hold of a control, unless it has been.
    /// - Returns: whether it is held now.
    private func beginPass(_ target: Automated) -> Bool {
        let lane = target.lane(session)
        if var pass = writing.passes[lane] {
            if case .settling = pass.phase {
                settle([lane])
            } else {
                pass.phase = .held
                writing.passes[lane] = pass
                return true
            }
        }
        guard let base = hand(target, session) else { return false }
        let isRatio = [.volume, .trim, .mute].contains(target.kind)
        let needsPlan = !isRatio && !target.automation(session).events.isEmpty
        writing.passes[lane] = WritePass(
            target.control, base: base, isRatio: isRatio, begin: needsPlan ? nil : engine.clock,
            plan: needsPlan ? engine.nextPlan : nil)
        hearAnew()
        if needsPlan { applyTimeline() }
        return true
    }

    /// The session as it is heard: with hands where they are.
    func hearing(_ session: Session) -> Session {
        if writing.passes.isEmpty { return session }
        var heard = session
        for (lane, pass) in writing.passes {
            guard let place = session.place(ofLane: lane) else { continue }
            heard.set(pass.value, of: pass.control, at: place)
            if pass.plan != nil, pass.phase != .settling {
                heard.setMode(.off, of: lane, at: place)
            }
        }
        return heard
    }

    private func hearAnew() { heard = hearing(session) }

    // MARK: - Letting go

    /// To be called every few milliseconds.
    package func turnWriting() {
        if !writing.isWanted, writing.passes.isEmpty { return }
        let wasRolling = writing.way.isRolling
        if writing.isBehind { mark() }
        var stop = writing.take(engine.takeHandMarks(), fade: Int64(engine.fadeFrames))
        if stop == nil, writing.way.isRolling, engine.isStill {
            // It has been said long ago, and there was no room for it.
            stop = engine.clock
            writing.way.stands(at: engine.clock)
        }
        if let stop { endPasses(Array(writing.passes.keys), at: stop) }
        if writing.way.isRolling, !wasRolling || stop != nil { beginWriting() }
        letGo()
        if engine.hasArrived { settle(writing.passes.filter { $0.value.phase == .settling }.map(\.key)) }
        noteWritten()
        if writing.passes.isEmpty { writing.way.forget(before: engine.clock) }
    }

    /// It rolls: what is on `write` is written from now on.
    private func beginWriting() {
        for target in allAutomated() where target.mode(session) == .write { _ = beginPass(target) }
    }

    /// Lets go of what no hand is on any more, and writes what has gone back.
    private func letGo() {
        let now = monotonicNanoseconds()
        var back: [Lane] = []
        for (lane, pass) in writing.passes {
            switch pass.phase {
            case .held:
                let isAtRest = pass.restsAt.map { now >= $0 } ?? true
                let isMomentary = session.mode(of: lane) == .touch
                if isMomentary, isAtRest, !touches.isTouched(lane) { release(lane, pass) }
            case .returned(let clock) where engine.clock >= clock: back.append(lane)
            default: break
            }
        }
        if !back.isEmpty { write(back, to: engine.clock) }
    }

    /// The control goes back to where it was. One that multiplies does so at once; of another the hand's
    /// value is written on for a little, so that the timeline has the say again before that ends.
    private func release(_ lane: Lane, _ pass: WritePass) {
        guard let place = session.place(ofLane: lane) else { return write([lane], to: engine.clock) }
        if pass.isRatio {
            let number = writing.nextNumber()
            writing.passes[lane]?.move(
                to: pass.base, over: lane.control == .mute ? 1 : Int64(engine.fadeFrames), curve: .linear,
                number: number)
            writing.passes[lane]?.phase = .returning(number)
            hearAnew()
            hear(lane, place, pass.base)
            mark()
        } else if pass.begin != nil {
            write([lane], to: engine.clock + max(Int64(engine.sampleRate) / 10, 3 * Int64(engine.period)))
        }
    }

    /// What hands did to these is written, up to a frame of the clock; then they go back.
    func endPasses(_ lanes: [Lane], at clock: Int64) {
        let open = lanes.filter { writing.passes[$0].map { $0.phase != .settling } ?? false }
        if !open.isEmpty { write(open, to: clock) }
    }

    /// All that is held of these ends now, and goes back.
    func endPasses(of lanes: [Lane]) {
        _ = writing.take(engine.takeHandMarks(), fade: Int64(engine.fadeFrames))
        endPasses(lanes, at: engine.clock)
        settle(lanes)
    }

    /// All that is held ends now: the document is about to be another.
    package func endAllPasses() {
        if !writing.passes.isEmpty { endPasses(of: Array(writing.passes.keys)) }
    }

    // MARK: - Writing

    private func write(_ lanes: [Lane], to clock: Int64) {
        let lanes = lanes.sorted {
            ($0.owner.rawValue, $0.control.rawValue) < ($1.owner.rawValue, $1.control.rawValue)
        }
        let next = written(lanes, to: clock, in: session)
        let step = writing.nextStep()
        for lane in lanes {
            writing.passes[lane]?.phase = .settling
            writing.passes[lane]?.step = step
        }
        do throws(CommandError) {
            try edit(.timeline, sweep: step, named: title(ofWriting: lanes)) { $0 = next }
        } catch {
            Logger(label: "jmix").warning("what hands did is not written: \(error)")
        }
        // What multiplies is back where it was, but for what came from silence.
        settle(
            lanes.filter {
                writing.passes[$0].map { $0.isRatio && !$0.rises && $0.value == $0.base } ?? false
            })
        hearAnew()
    }

    /// A session with what hands have done so far.
    private func written(_ lanes: [Lane], to clock: Int64, in session: Session) -> Session {
        var next = session
        for lane in lanes {
            guard let pass = writing.passes[lane], let begin = pass.begin,
                let place = session.place(ofLane: lane)
            else { continue }
            let strip = session[place].id
            let stretches = pass.path.stretches(
                wayAhead(to: clock), from: begin, to: clock, lag: engine.timelineLag(of: strip))
            let automation = next.automation(of: lane, at: place)
            next.setAutomation(
                automation.written(stretches, pass.relation, sampleRate: engine.sampleRate), of: lane,
                at: place)
        }
        return next
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
        guard lanes.count == 1, let place = session.place(ofLane: lanes[0]),
            let pass = writing.passes[lanes[0]]
        else { return "write \(lanes.count) controls" }
        return "write \(pass.control.path) of \(session[place].name)"
    }

    /// What is written is heard: hands go back, and a fader that began at silence stands at unity.
    private func settle(_ lanes: [Lane]) {
        let settled = writing.passes.filter { lanes.contains($0.key) && $0.value.phase == .settling }
        if settled.isEmpty { return }
        for lane in settled.keys { writing.passes[lane] = nil }
        hearAnew()
        for (lane, pass) in settled where pass.rises {
            guard let place = session.place(ofLane: lane) else { continue }
            try? edit(.strips([place]), sweep: pass.step, named: "write \(pass.control.path)") { session in
                session.set(1, of: pass.control, at: place)
            }
        }
        engine.applyStrips(heard, at: settled.keys.compactMap { session.place(ofLane: $0) })
        // What was noted of them on the way is not what has become of them.
        journal?.note(session)
    }

    /// So that a crash loses little of a long pass.
    private func noteWritten() {
        let now = monotonicNanoseconds()
        if writing.passes.isEmpty || now < writing.notedAt { return }
        let open = writing.passes.filter { $0.value.phase != .settling }.map(\.key)
        if open.isEmpty { return }
        journal?.note(written(open, to: engine.clock, in: session))
        // The longer that takes, the less often.
        writing.notedAt = max(now + 100_000_000, now + 10 * (monotonicNanoseconds() - now))
    }

    /// Whether marks are wanted is told to the engine: after the session has changed, and to another engine.
    func followHands() {
        let isWanted = session.strips.contains { strip in
            !strip.writing.isEmpty || strip.sends.contains { !$0.writing.isEmpty }
        }
        if isWanted != writing.isWanted { engine.followHands(isWanted) }
        writing.isWanted = isWanted
    }
}
