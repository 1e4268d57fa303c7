import Engine
import Logging
import Loop
import Realtime
import Remote
import Timeline

/// Hands that let go, and what becomes of what they did.
extension Console {
    // MARK: - Letting go

    /// Carries out `body` once what hands have done up to a stop is automation: at once, where there is
    /// nothing such.
    func onceWritten(_ body: @escaping () -> Void) {
        if writing.open.isEmpty { return body() }
        waiting.behindWriting.append((monotonicNanoseconds() + Self.longestStop, body))
    }

    /// A stop fades for 5 ms; a server that calls nobody is not waited for.
    private static let longestStop: UInt64 = 500_000_000

    private func answerStops() {
        let now = monotonicNanoseconds()
        writing.noteClock(engine.clock, now: now)
        while let first = waiting.behindWriting.first {
            let isLate = now >= first.until
            // No mark will say where it stopped.
            if isLate, writing.isClockStill(now) { write(writing.open, to: engine.clock) }
            guard writing.open.isEmpty || isLate else { return }
            waiting.behindWriting.removeFirst().go()
        }
    }

    /// To be called every few milliseconds.
    package func dispatchWriting() {
        defer { answerStops() }
        if writing.isFollowed != isFollowedWanted { followHands() }
        if !writing.isWanted, writing.passes.isEmpty { return }
        if writing.isBehind { mark() }
        takeMarks()
        let hasBegun = writing.hasBegun
        writing.hasBegun = false
        if let stop = takeStop() { write(writing.open, to: stop) }
        if hasBegun, writing.way.isRolling { beginWriting() }
        goOnFading()
        letGo()
        settle(writing.passes.filter { $0.value.isOver(at: engine.clock) }.map(\.key))
        noteWritten()
        if writing.passes.isEmpty { writing.way.forget(before: engine.clock) }
    }

    /// Where it has stopped. A server's transport stands still on its way to another place, and goes on
    /// there: that is no stop, unless it stays.
    private func takeStop() -> Int64? {
        guard let stop = writing.stoppedAt else { return nil }
        let isOnItsWay = isLed && transport.isRolling
        if !isOnItsWay || writing.way.isRolling { writing.stoppedAt = nil }
        return isOnItsWay ? nil : stop
    }

    func takeMarks() {
        let marks = engine.takeHandMarks()
        writing.receive(marks, fade: Int64(engine.fadeFrames))
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
                // A tap that is shorter than a period is heard for one, and written.
                let isAtRest =
                    mode == .touch && (pass.restsAt.map { now >= $0 } ?? true) && !pass.isUnheard
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
    func release(_ lanes: [Lane]) {
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
        write(writing.open.filter(lanes.contains), to: engine.clock)
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
        settle(lanes.filter { isDone($0) })
    }

    private func isDone(_ lane: Lane) -> Bool {
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
        var way = writing.way
        guard let loop else { return way }
        for _ in 0..<Self.mostTurns {
            guard let turn = way.clock(at: loop.upperBound), turn < clock else { break }
            way.rolls(from: loop.lowerBound, at: turn)
        }
        return way
    }

    /// So often a loop turns ahead at the most.
    private static let mostTurns = 256

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
        applyStrips(of: settled)
        // What was noted of them on the way is not what has become of them.
        journal?.record(session)
    }

    /// So that a crash loses little of a long pass.
    private func noteWritten() {
        let now = monotonicNanoseconds()
        if now < writing.notedAt { return }
        let open = writing.open
        if open.isEmpty { return }
        let (soFar, session) = (writtenSoFar(open, to: engine.clock), session)
        journal?.record { soFar.added(to: session) }
        // The longer it is the more there is to compare with what was noted before.
        let moves = open.reduce(0) { $0 + (writing.passes[$1]?.moveCount ?? 0) }
        writing.notedAt = now + 30_000_000 * UInt64(min(50, 1 + moves / 5000))
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
