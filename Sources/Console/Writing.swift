import Engine
import Remote
import Timeline

/// All that is being written.
struct Writing {
    var passes: [Lane: WritePass] = [:]
    var way = PlayheadWay()
    /// Some control's moves are to be written.
    var isWanted = false
    /// The engine has been told whether marks are wanted.
    var isFollowed = false
    /// Of the last move.
    private(set) var lastNumber: Int64 = 0
    /// There was no room to ask when that is done.
    var isBehind = false
    /// It has begun to roll, and where on the clock it stood still first, since somebody looked.
    var hasBegun = false
    var stoppedAt: Int64?
    /// When what has been written so far is noted in the journal next.
    var notedAt: UInt64 = 0

    /// Where the mixer's clock was seen last, and since when it has stood there.
    private var clock: (at: Int64, since: UInt64) = (0, 0)

    mutating func noteClock(_ at: Int64, now: UInt64) { if at != clock.at { clock = (at, now) } }

    /// The server calls nobody: no period is as long.
    func isClockStill(_ now: UInt64) -> Bool { now - clock.since > 200_000_000 }

    /// A client that says nothing of touches lets go when it has sent nothing for so long.
    static let rest: UInt64 = 250_000_000

    /// The lanes of what is not in the session yet.
    var open: [Lane] { passes.filter { !$0.value.isWritten }.map(\.key) }

    /// In one order whoever asks.
    static func ordered(_ lanes: some Sequence<Lane>) -> [Lane] {
        lanes.sorted {
            ($0.owner.rawValue, $0.control.rawValue) < ($1.owner.rawValue, $1.control.rawValue)
        }
    }

    mutating func nextNumber() -> Int64 {
        lastNumber += 1
        return lastNumber
    }

    /// What the audio thread has told.
    mutating func receive(_ marks: [HandMark], fade: Int64) {
        let lanes = Array(passes.keys)
        for mark in marks {
            switch mark.kind {
            case .rolls:
                if !way.isRolling { hasBegun = true }
                way.rolls(from: mark.frame, at: mark.clock)
            case .stands:
                way.stands(at: mark.clock)
                stoppedAt = stoppedAt ?? mark.clock
            case .reached(let number):
                for lane in lanes { passes[lane]?.reach(number, at: mark.clock, fade: fade) }
            case .plan(let number):
                for lane in lanes { passes[lane]?.reachPlan(number, at: mark.clock, fade: fade) }
            }
        }
    }
}
