import Engine
import Remote
import Timeline

/// What a hand does to one lane while that is written: from when it takes hold until it has gone back and all
/// of it is automation.
struct WritePass: Sendable {
    /// Where it is.
    private(set) var value: Double
    /// What it does multiplies what the timeline says; else it stands in place of that.
    let isRatio: Bool
    /// What it has done, as far as the audio thread has said when.
    private(set) var path: HandPath
    /// From then on, on the mixer's clock; nil: the timeline still has the say.
    private(set) var begin: Int64?
    /// The plan in which the timeline is silent about it; nil: it needs none.
    let plan: Int?
    /// Nobody said that a hand is on it: then it is let go when nothing has come for a while.
    var restsAt: UInt64?
    var phase = Phase.held
    /// Whether it can be written only when it stops; nil: not known yet.
    var waitsForStop: Bool?
    /// How many moves there were.
    private(set) var moveCount = 0
    /// A fade of what the engine would fade otherwise.
    var fade: HandFade?
    private var moves: [Move] = []

    enum Phase: Equatable {
        case held
        /// It goes back, once this mark has been reached.
        case returning(Int64)
        /// It is back from this frame of the clock on.
        case returned(Int64)
        /// It is automation by that plan: the hand goes back once that is heard.
        case settling(plan: Int)
        /// That is heard from this frame of the clock on.
        case settled(Int64)
    }

    private struct Move {
        let number: Int64
        let value: Double
        let frames: Int64
        let curve: Curve
    }

    /// - Parameter value: where the hand is at first.
    init(_ value: Double, isRatio: Bool, begin: Int64?, plan: Int?) {
        (self.value, self.isRatio, self.begin, self.plan) = (value, isRatio, begin, plan)
        path = HandPath(value: value)
    }

    /// It has been told to move, and nothing has said yet that any of that was heard.
    var isUnheard: Bool { moveCount > 0 && moves.count == moveCount }

    /// It is back where it was, and what it did is not in the session yet.
    var isBack: Bool {
        if case .returned = phase { isRatio } else { false }
    }

    /// What it did is in the session.
    var isWritten: Bool {
        switch phase {
        case .settling, .settled: true
        case .held, .returning, .returned: false
        }
    }

    /// It has been told to move; when that was done is yet to be said.
    mutating func move(to value: Double, over frames: Int64, curve: Curve, number: Int64) {
        (self.value, waitsForStop) = (value, nil)
        moveCount += 1
        moves.append(Move(number: number, value: value, frames: frames, curve: curve))
    }

    /// What was asked up to a number has been done by a frame of the clock.
    mutating func reach(_ number: Int64, at clock: Int64, fade: Int64) {
        let count = moves.prefix { $0.number <= number }.count
        for next in moves.prefix(count) {
            path.move(to: next.value, over: next.frames, curve: next.curve, at: clock)
        }
        if count > 0 { moves.removeFirst(count) }
        if case .returning(let last) = phase, last <= number { phase = .returned(clock + fade) }
    }

    /// A plan is played from a frame of the clock on.
    mutating func reachPlan(_ number: Int, at clock: Int64, fade: Int64) {
        if begin == nil, let plan, plan <= number { begin = clock }
        if case .settling(let plan) = phase, plan <= number { phase = .settled(clock + fade) }
    }
}
