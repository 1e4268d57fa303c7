import Realtime
import Synchronization

extension MixerState {
    /// Carries out what the control thread has asked and what is due by now.
    ///
    /// What is for strips never waits for more than its frame, and a stop for now waits for nothing. What is
    /// played, and whether, keeps its order: a plan waits for the crossfade or the stop before it to end, and
    /// what was asked after it waits with it.
    @_noLocks
    mutating func takeOrders() {
        while allowance.orders > 0, let order = stripAgenda.due(at: clock) {
            obey(order)
            stripAgenda.dropFirst()
        }
        readInbox()
        while allowance.orders > 0, let order = playAgenda.due(at: clock), !mustWait(order) {
            obey(order)
            playAgenda.dropFirst()
        }
    }

    @_noLocks
    private mutating func readInbox() {
        while allowance.orders > 0, let order = inbox.peek() {
            let frame = max(order.at ?? clock, clock)
            if order.isStopNow() || order.isForStrip() && frame <= clock {
                obey(order)
            } else if order.isForStrip() {
                if stripAgenda.isFull() { return }
                allowance.orders -= 1 + stripAgenda.insert(order, at: frame) / 8
            } else {
                if playAgenda.isFull() { return }
                // Plans are played in the order in which they were made.
                allowance.orders -=
                    1 + playAgenda.insert(order, at: order.isPlan() ? max(frame, playAgenda.lastPlan) : frame)
                    / 8
            }
            inbox.drop()
        }
    }

    @_noLocks
    private mutating func mustWait(_ order: NumberedOrder) -> Bool {
        order.isPlan() && (motion.isStopping() || crossfade != nil)
    }

    @_noLocks
    private mutating func obey(_ order: NumberedOrder) {
        allowance.orders -= 1
        switch order.order {
        case .plan(let plan): adopt(plan)
        case .play: if newestTransport.admits(order) { play() }
        case .stop: if newestTransport.admits(order) { stop() }
        case .glide(let strip, let gain, let movement): strip.pointee.glide(gain, movement, order, at: clock)
        case .filter(let strip, let bank, let section, let next, let frames):
            strip.pointee.processors = bank
            bank.pointee.obey(section, next, over: frames, order, at: clock)
        case .dynamics(let strip, let bank, let unit, let next, let frames):
            strip.pointee.processors = bank
            bank.pointee.obey(unit, next, over: frames, order, at: clock)
        case .delay(let strip, let bank, let lines, let next, let frames):
            strip.pointee.processors = bank
            bank.pointee.obey(next, in: lines, over: frames, order, at: clock)
        case .limiter(let strip, let bank, let room, let next, let frames):
            strip.pointee.processors = bank
            bank.pointee.obey(next, in: room, over: frames, order, at: clock)
        case .measure(let strip, let ring): strip.pointee.measure(in: ring)
        case .hush(let movement): hush.obey(movement, order, at: clock)
        case .tap(let strip, let tap): strip.pointee.show(to: tap, order)
        case .capture(let strip, let cursor, let isArmed):
            strip.pointee.record(by: cursor, isArmed: isArmed, order, at: clock)
        case .mark(let number):
            trail.marks.put(
                HandMark(.reached(number), clock: clock, frame: plan.pointee.route.frame(at: index)))
        case .followHands(let isFollowed): trail.follow(isFollowed)
        case .record(let next):
            if !newestRecord.admits(order) { return }
            punch = next
            // What is recorded from now on is another pass.
            rolledTo = -1
        }
    }

    @_noLocks
    private mutating func adopt(_ next: UnsafeMutablePointer<PlanData>) {
        let (old, oldIndex) = (plan, index)
        plan = next
        index = next.pointee.entry.index(after: oldIndex)
        trail.notePlan(clock: clock, frame: next.pointee.route.frame(at: index))
        let isStart = next.pointee.entry.isStart()
        if isStart { way.locates += 1 }
        if motion.isStanding(), isStart { motion = .standing(resumesWithFade: false) }
        if motion.isStanding(), !old.pointee.hasInputs, !next.pointee.hasInputs {
            // Nothing is heard that could be crossed over from.
            retire()
        } else {
            // What is held back from now on begins with silence: what was heard is heard until that is over.
            crossfade = Crossfade(
                from: old, at: oldIndex, isElsewhere: isStart, warmUp: isStart ? 0 : next.pointee.warmUp)
        }
    }

    /// The plan that was played before is not heard any more: the control thread may free it once that is
    /// published.
    @_noLocks
    private mutating func retire() { retiredPlans += 1 }

    // MARK: - Transport

    /// Follows a transport that another leads: this call's first frame is `frame` of the timeline, rolling or
    /// not.
    ///
    /// Begins on the very frame where it stands; where it stands elsewhere it stops, and the control thread
    /// brings it back.
    @_noLocks
    mutating func follow(rolls: Bool, frame: Int64, count: Int) {
        if !rolls { return stop() }
        let ahead = plan.pointee.route.frame(at: index) - frame
        if motion.isRolling() {
            if ahead != 0 { stop() }
        } else if motion.isStanding(), ahead >= 0, ahead < Int64(count) {
            if ahead == 0 {
                play()
            } else {
                playAgenda.insert(NumberedOrder(.play, number: .max, at: clock), at: clock + ahead)
            }
        }
    }

    /// Whether it stands still at `frame`, ready to begin.
    @_noLocks
    mutating func stands(at frame: Int64) -> Bool {
        motion.isStanding() && plan.pointee.route.frame(at: index) == frame
    }

    @_noLocks
    private mutating func play() {
        var level: Glide
        switch motion {
        case .rolling: return
        case .standing(let resumesWithFade):
            way.plays += 1
            // Clips begin as they are, on this very frame; inputs that are heard go on crossing over.
            crossfade?.isOfInputs = true
            level = Glide(value: resumesWithFade ? 0 : 1)
        case .stopping(let present): level = present
        }
        level.move(to: 1, over: Int64(fadeFrames), curve: .linear, at: clock)
        motion = .rolling(level)
        standstill.move(to: 0, over: Int64(fadeFrames), curve: .linear, at: clock)
    }

    @_noLocks
    private mutating func stop() {
        guard case .rolling(var level) = motion else { return }
        level.move(to: 0, over: Int64(fadeFrames), curve: .linear, at: clock)
        motion = .stopping(level)
        standstill.move(to: 1, over: Int64(fadeFrames), curve: .linear, at: clock)
        // Where nothing was heard yet there is nothing to fade out.
        standIfFadedOut()
    }

    /// Ends a stop whose fade is over, and with it the crossfade that there may be, unless inputs are heard
    /// on.
    @_noLocks
    mutating func standIfFadedOut() {
        guard case .stopping(let level) = motion, level.framesLeft(at: clock) <= 0 else { return }
        if let crossfade, !plan.pointee.hasInputs, !crossfade.plan.pointee.hasInputs { endCrossfade() }
        motion = .standing(resumesWithFade: true)
    }

    @_noLocks
    mutating func endCrossfade() {
        if crossfade == nil { return }
        crossfade = nil
        retire()
    }
}
