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
        order.isPlan() && (players.oneStops() || crossfade != nil)
    }

    @_noLocks
    private mutating func obey(_ order: NumberedOrder) {
        allowance.orders -= 1
        switch order.order {
        case .plan(let plan): adopt(plan)
        case .play(let player): if players.first[player].admits(order) { play(player) }
        case .stop(let player): if players.first[player].admits(order) { stop(player) }
        case .glide(let strip, let gain, let movement): strip.pointee.glide(gain, movement, order, at: clock)
        case .filter, .dynamics, .delay, .limiter: obeyProcessors(order)
        case .measure(let strip, let ring): strip.pointee.measure(in: ring)
        case .hush(let movement): hush.obey(movement, order, at: clock)
        case .tap(let strip, let tap): strip.pointee.show(to: tap, order)
        case .capture(let strip, let cursor, let isArmed):
            strip.pointee.record(by: cursor, isArmed: isArmed, order, at: clock)
        case .mark(let number):
            trail.marks.put(
                HandMark(.reached(number), clock: clock, frame: players.first.pointee.frame()))
        case .followHands(let isFollowed): trail.follow(isFollowed)
        case .record(let next, let player): players.first[player].record(next, order)
        }
    }

    @_noLocks
    private mutating func obeyProcessors(_ order: NumberedOrder) {
        switch order.order {
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
        default: break
        }
    }

    @_noLocks
    private mutating func adopt(_ next: UnsafeMutablePointer<PlanData>) {
        let old = plan
        plan = next
        let isElsewhere = players.take(next)
        trail.notePlan(clock: clock, frame: players.first.pointee.frame())
        if players.allStand(), !old.pointee.hasInputs, !next.pointee.hasInputs {
            // Nothing is heard that could be crossed over from.
            retire()
        } else {
            // What is held back from now on begins with silence: what was heard is heard until that is over.
            let isApart = isElsewhere && beginApart(next)
            let warmUp = isApart ? warmUpApart(next) : isElsewhere ? 0 : next.pointee.warmUp
            crossfade = Crossfade(from: old, warmUp: warmUp, isApart: isApart)
        }
    }

    /// The plan that was played before is not heard any more: the control thread may free it once that is
    /// published.
    @_noLocks
    private mutating func retire() { retiredPlans += 1 }

    // MARK: - Transport

    /// The first player follows a transport that another leads: this call's first frame is `frame` of the
    /// timeline, rolling or not.
    ///
    /// Begins on the very frame where it stands; where it stands elsewhere it stops, and the control thread
    /// brings it back.
    @_noLocks
    mutating func follow(rolls: Bool, frame: Int64, count: Int) {
        if !rolls { return stop(0) }
        let player = players.first
        let ahead = player.pointee.frame() - frame
        if player.pointee.motion.isRolling() {
            if ahead != 0 { stop(0) }
        } else if player.pointee.isStanding(), ahead >= 0, ahead < Int64(count) {
            if ahead == 0 {
                play(0)
            } else {
                playAgenda.insert(
                    NumberedOrder(.play(player: 0), number: .max, at: clock), at: clock + ahead)
            }
        }
    }

    /// Whether the first player stands still at `frame`, ready to begin.
    @_noLocks
    mutating func stands(at frame: Int64) -> Bool {
        players.first.pointee.isStanding() && players.first.pointee.frame() == frame
    }

    /// Clips begin as they are, on this very frame; inputs that are heard go on crossing over.
    @_noLocks
    private mutating func play(_ player: Int) { players.play(player, over: fadeFrames, at: clock) }

    @_noLocks
    private mutating func stop(_ player: Int) {
        players.first[player].stop(over: fadeFrames, at: clock)
        // Where nothing was heard yet there is nothing to fade out.
        standIfFadedOut()
    }

    /// Ends stops whose fades are over, and with the last of them the crossfade that there may be, unless
    /// inputs are heard on.
    @_noLocks
    mutating func standIfFadedOut() {
        if !players.standIfFadedOut(at: clock) { return }
        if let crossfade, !plan.pointee.hasInputs, !crossfade.plan.pointee.hasInputs { endCrossfade() }
    }

    @_noLocks
    mutating func endCrossfade() {
        if crossfade == nil { return }
        crossfade = nil
        retire()
    }
}
