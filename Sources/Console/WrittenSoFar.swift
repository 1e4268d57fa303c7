import Engine
import Remote
import Timeline

/// What is known of passes at a moment: enough to make automation of them on any thread.
struct WrittenSoFar: Sendable {
    let passes: [(lane: Lane, pass: WritePass, lag: Int64)]
    let way: PlayheadWay
    /// Up to this frame of the mixer's clock.
    let clock: Int64
    let sampleRate: Int32

    /// A session with that, and the controls where they go back to.
    func added(to session: Session) -> Session {
        var next = session
        for (lane, pass, lag) in passes {
            guard let begin = pass.begin, let place = session.place(ofLane: lane),
                let base = session.hand(of: lane, at: place)
            else { continue }
            let old = session.automation(of: lane, at: place)
            let stretches = pass.path.stretches(way, from: begin, to: clock, lag: lag)
            let relation: HandRelation = pass.isRatio ? ratio(base, old, stretches) : .value(base: base)
            let new = old.written(stretches, relation, sampleRate: sampleRate)
            if new == old { continue }
            next.setAutomation(new, of: lane, at: place)
            if case .ratio(_, let back) = relation { next.setHand(back, of: lane, at: place) }
        }
        return next
    }

    private func ratio(_ base: Double, _ old: Automation, _ stretches: [HandStretch]) -> HandRelation {
        .ratio(base: base, old, stretches, sampleRate: sampleRate)
    }
}
