import Realtime
import Synchronization

extension MixerState {
    /// Carries out what the control thread has asked: first what was to wait for this frame, then what has come since.
    ///
    /// A plan waits for the crossing or the stop before it to end; what was asked after it waits with it, so that orders keep their order.
    @_noLocks
    mutating func takeOrders() {
        while let due = agenda.first(), due.at <= clock {
            if mustWait(due) { return }
            agenda.dropFirst()
            publishAgenda()
            obey(due)
        }
        while let message = inbox.peek() {
            if waitsForItsFrame(message) {
                if agenda.isFull() { return }
                agenda.insert(message, at: frameOf(message))
                publishAgenda()
            } else {
                if mustWait(message) { return }
                obey(message)
            }
            // Only now: what the order names may be freed once it is neither in the queue nor on the agenda.
            inbox.drop()
        }
    }

    @_noLocks
    private func waitsForItsFrame(_ message: RealtimeMessage) -> Bool { frameOf(message) > clock }

    /// Plans are taken in the order in which they were made, so one behind a plan on the agenda waits for that one's frame.
    @_noLocks
    private func frameOf(_ message: RealtimeMessage) -> Int64 {
        guard case .plan? = MixerOrder(code: message.code) else { return message.at }
        return max(message.at, agenda.lastPlan)
    }

    @_noLocks
    private func mustWait(_ message: RealtimeMessage) -> Bool {
        guard case .plan? = MixerOrder(code: message.code) else { return false }
        return outgoing != nil || isStopping()
    }

    @_noLocks
    private mutating func obey(_ message: RealtimeMessage) {
        guard let order = MixerOrder(code: message.code) else { return }
        switch order {
        case .plan: adopt(message.object!.assumingMemoryBound(to: PlanData.self))
        case .play: play()
        case .stop: stop()
        case .fader: movingStrip(message).pointee.fader.obey(message, at: clock)
        case .gate: movingStrip(message).pointee.gate.obey(message, at: clock)
        case .left: movingStrip(message).pointee.left.obey(message, at: clock)
        case .right: movingStrip(message).pointee.right.obey(message, at: clock)
        case .tap: message.object!.assumingMemoryBound(to: Strip.self).pointee.tap = UnsafeMutablePointer(bitPattern: Int(message.count))
        }
        // What was asked last counts: an older wish for the same, still waiting for its frame, does not.
        if message.at == .min {
            agenda.forgetOlder(than: message)
            publishAgenda()
        }
    }

    @_noLocks
    private func publishAgenda() { shared.pointee.waiting.store(agenda.count, ordering: .releasing) }

    /// The strip of which a gain is about to move.
    @_noLocks
    private func movingStrip(_ message: RealtimeMessage) -> UnsafeMutablePointer<Strip> {
        let strip = message.object!.assumingMemoryBound(to: Strip.self)
        strip.pointee.unsettle()
        return strip
    }

    @_noLocks
    private mutating func adopt(_ next: UnsafeMutablePointer<PlanData>) {
        let place: Int64
        switch next.pointee.entry {
        case .sameIndex: place = index
        case .sameFrame: place = next.pointee.order.index(of: plan.pointee.order.frame(at: index)) ?? 0
        case .start: place = 0
        }
        outgoing = plan
        outgoingIndex = index
        crossed = 0
        plan = next
        index = place
        if isStopped() {
            if case .start = next.pointee.entry { resumesFromFade = false }
            retireOutgoing()
        }
    }

    @_noLocks
    mutating func retireOutgoing() {
        guard let old = outgoing else { return }
        outgoing = nil
        crossed = 0
        // The control side leaves room for every plan it has sent.
        _ = retired.send(RealtimeMessage(code: 0, object: UnsafeMutableRawPointer(old)))
    }

    /// Follows a transport that another leads: this call's first frame is `frame` of the timeline, rolling or not.
    ///
    /// Begins on the very frame where it stands; where it stands elsewhere it stops, and the control thread brings it back.
    @_noLocks
    mutating func follow(rolls: Bool, frame: Int64, count: Int) {
        if !rolls { return stop() }
        let ahead = plan.pointee.order.frame(at: index) - frame
        if isRolling() {
            if ahead != 0 { stop() }
        } else if isStopped(), ahead >= 0, ahead < Int64(count) {
            if ahead == 0 { play() } else { agenda.insert(RealtimeMessage(.play), at: clock + ahead) }
        }
    }

    /// Whether it stands still at `frame`, ready to begin.
    @_noLocks
    func stands(at frame: Int64) -> Bool { isStopped() && plan.pointee.order.frame(at: index) == frame }

    @_noLocks
    private func isRolling() -> Bool { if case .rolling = transport { true } else { false } }

    @_noLocks
    func isStopping() -> Bool { if case .stopping = transport { true } else { false } }

    @_noLocks
    func isStopped() -> Bool { if case .stopped = transport { true } else { false } }

    @_noLocks
    private mutating func play() {
        if isRolling() { return }
        if isStopped() { transportGain = Glide(value: resumesFromFade ? 0 : 1) }
        transportGain.move(to: 1, over: Int64(fadeFrames), curve: .linear, at: clock)
        transport = .rolling
    }

    @_noLocks
    private mutating func stop() {
        if !isRolling() { return }
        transport = .stopping
        transportGain.move(to: 0, over: Int64(fadeFrames), curve: .linear, at: clock)
    }
}

extension Glide {
    @_noLocks
    fileprivate mutating func obey(_ message: RealtimeMessage, at clock: Int64) {
        move(to: message.value, over: message.count, curve: GainCurve(code: message.option), at: clock)
    }
}
