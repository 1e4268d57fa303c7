import Engine
import Remote
import Timeline

/// What a hand does to one control while that is written: from when it takes hold until it has gone back and
/// all of it is automation.
struct WritePass {
    /// The control as commands name it, of the strip that has it.
    let control: Control
    /// Where the hand was, and goes back to.
    let base: Double
    /// What it does multiplies what the timeline says; else it stands in place of that.
    let isRatio: Bool
    /// Where the hand is.
    private(set) var value: Double
    /// What it has done, as far as the audio thread has said when.
    private(set) var path: HandPath
    /// From then on, on the mixer's clock; nil: the timeline still has the say.
    private(set) var begin: Int64?
    /// The plan in which the timeline is silent about it; nil: it needs none.
    let plan: Int?
    /// Nobody said that a hand is on it: then it is let go when nothing has come for a while.
    var restsAt: UInt64?
    var phase = Phase.held
    /// By which its edits are one step to undo.
    var step = ""
    private var moves: [Move] = []

    enum Phase: Equatable {
        case held
        /// It goes back, once this mark has been reached.
        case returning(Int64)
        /// It is back from this frame of the clock on.
        case returned(Int64)
        /// It is automation; the hand goes back once that is heard.
        case settling
    }

    private struct Move {
        let number: Int64
        let value: Double
        let frames: Int64
        let curve: Curve
    }

    init(_ control: Control, base: Double, isRatio: Bool, begin: Int64?, plan: Int?) {
        (self.control, self.base, self.isRatio, self.begin, self.plan) = (control, base, isRatio, begin, plan)
        (value, path) = (base, HandPath(value: base))
    }

    /// It began at silence: what it reaches cannot be a ratio of that.
    var rises: Bool { isRatio && base == 0 }

    var relation: HandRelation { !isRatio ? .value(base: base) : rises ? .rise : .ratio(base: base) }

    /// It has been told to move; when that was done is yet to be said.
    mutating func move(to value: Double, over frames: Int64, curve: Curve, number: Int64) {
        self.value = value
        moves.append(Move(number: number, value: value, frames: frames, curve: curve))
    }

    /// What was asked up to a number has been done by a frame of the clock.
    mutating func reach(_ number: Int64, at clock: Int64, fade: Int64) {
        while let next = moves.first, next.number <= number {
            path.move(to: next.value, over: next.frames, curve: next.curve, at: clock)
            moves.removeFirst()
        }
        if case .returning(let last) = phase, last <= number { phase = .returned(clock + fade) }
    }

    /// A plan is played from a frame of the clock on.
    mutating func reachPlan(_ number: Int, at clock: Int64) {
        if begin == nil, let plan, plan <= number { begin = clock }
    }
}

/// All that is being written.
struct Writing {
    var passes: [Lane: WritePass] = [:]
    var way = PlayheadWay()
    /// Some control's moves are to be written.
    var isWanted = false
    /// Of the last move.
    private(set) var lastNumber: Int64 = 0
    /// There was no room to ask when that is done.
    var isBehind = false
    private var steps = 0
    /// When what has been written so far is noted in the journal next.
    var notedAt: UInt64 = 0

    /// A client that says nothing of touches lets go when it has sent nothing for so long.
    static let rest: UInt64 = 250_000_000

    mutating func nextNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    /// What edits are called that are one step to undo.
    mutating func nextStep() -> String {
        steps += 1
        return "write \(steps)"
    }

    /// What the audio thread has told.
    /// - Returns: the frame of the clock at which it stood still first, if it did.
    mutating func take(_ marks: [HandMark], fade: Int64) -> Int64? {
        var stop: Int64?
        for mark in marks {
            switch mark.kind {
            case .rolls: way.rolls(from: mark.frame, at: mark.clock)
            case .stands:
                way.stands(at: mark.clock)
                stop = stop ?? mark.clock
            case .reached(let number):
                for lane in passes.keys { passes[lane]?.reach(number, at: mark.clock, fade: fade) }
            case .plan(let number):
                for lane in passes.keys { passes[lane]?.reachPlan(number, at: mark.clock) }
            }
        }
        return stop
    }
}
