import Foundation
import Timeline

/// Gates, compressors, delays, keys and ducks by signal as `Compressor`, `Gate` and `Duck` describe them:
/// slow, by libm, one frame after the other.
struct SlowStrip {
    /// What a hand has set, on its way there in 240 frames; nil: off.
    struct Unit {
        var to: [Double]?
        var from: [Double] = []
        var start = 0
        var frames = 0
        var closes = false
        /// What is left of the way to a greater and to a smaller reduction after a frame, and the frames of a
        /// gate's hold.
        var growth = 0.0
        var decay = 0.0
        var hold = 0
        var now = Memory()
        var before = Memory()

        func value(_ clock: Int) -> [Double]? {
            guard let to else { return nil }
            if clock >= start + frames { return to }
            let share = Double(clock - start) / Double(frames)
            return zip(from, to).map { $0 + ($1 - $0) * share }
        }

        mutating func settle(_ clock: Int) {
            if closes, clock >= start + frames {
                (to, closes, now, before) = (nil, false, Memory(), Memory())
            }
        }

        /// The last of the numbers is how much of it is heard.
        mutating func set(_ next: [Double]?, over frames: Int, at clock: Int) {
            settle(clock)
            if next == nil, to == nil { return }
            func silent(_ numbers: [Double]) -> [Double] { Array(numbers.dropLast()) + [0] }
            from = value(clock) ?? silent(next!)
            (start, self.frames, closes) = (clock, frames, next == nil)
            to = next ?? silent(to!)
        }
    }

    struct Memory {
        var reduction = 0.0
        var sinceHeard: Int?
    }

    var gate = Unit()
    var compressor = Unit()
    var ducks: [StripID: Ducking] = [:]
    var delay = Delay()

    /// Crosses over from one length to another in 240 frames; what is asked meanwhile waits for that. What it
    /// hears first where it is turned on rises as long.
    struct Delay {
        var (frames, origin, start, length, wanted, wantedLength) = (0, 0, 0, 0, 0, 0)
        /// All that it has heard since it began.
        var now: [Double] = []
        var before: [Double] = []
        var (riseNow, riseBefore) = (0, 0)

        var isNothing: Bool { frames == 0 && length == 0 && wanted == 0 }

        mutating func set(_ next: Int, over frames: Int, at clock: Int) {
            if isNothing {
                (now, before) = ([], [])
                riseNow = min(frames, 240)
                riseBefore = riseNow
            }
            (wanted, wantedLength) = (next, frames)
            go(clock)
        }

        mutating func go(_ clock: Int) {
            if length > 0, clock < start + length { return }
            length = 0
            if wanted != frames { (origin, frames, start, length) = (frames, wanted, clock, wantedLength) }
        }

        mutating func begin() {
            (before, riseBefore) = (now, riseNow)
            // Where it was turned on at this very frame it rises all the same.
            (now, riseNow) = ([], now.isEmpty ? riseNow : 0)
        }

        mutating func heard(_ x: Double, isBefore: Bool, _ clock: Int) -> Double {
            if isNothing { return x }
            if isBefore {
                before.append(x * (before.count < riseBefore ? Double(before.count) / Double(riseBefore) : 1))
            } else {
                now.append(x * (now.count < riseNow ? Double(now.count) / Double(riseNow) : 1))
            }
            let all = isBefore ? before : now
            func at(_ delay: Int) -> Double {
                if delay == 0 { return x }
                return delay < all.count ? all[all.count - 1 - delay] : 0
            }
            if length == 0 { return at(frames) }
            return at(frames) + (at(origin) - at(frames)) * Double(length - (clock - start)) / Double(length)
        }
    }

    struct Ducking {
        var now = State()
        var before = State()
        struct State {
            var gain = 1.0
            var sinceHeard: Int?
        }
    }

    static func gain(
        _ numbers: [Double], _ unit: Unit, isGate: Bool, _ memory: inout Memory, _ level: Double
    ) -> Double {
        let decibels = level > 1e-15 ? 20 * log10(level) : -300
        var target: Double
        if isGate {
            if decibels >= numbers[0] || memory.sinceHeard != nil && decibels >= numbers[1] {
                memory.sinceHeard = 0
            } else if let since = memory.sinceHeard {
                memory.sinceHeard = since + 1 > unit.hold ? nil : since + 1
            }
            target = memory.sinceHeard == nil ? numbers[2] : 0
        } else {
            let (over, knee) = (decibels - numbers[0], numbers[2])
            target =
                2 * over <= -knee
                ? 0 : 2 * over >= knee ? numbers[1] * over : numbers[1] * pow(over + knee / 2, 2) / (2 * knee)
        }
        let rest = target > memory.reduction ? unit.growth : unit.decay
        memory.reduction = rest * memory.reduction + (1 - rest) * target
        if isGate, memory.reduction >= 120, numbers[3] == 1 { return 0 }
        return pow(10, numbers.last! * ((isGate ? 0 : numbers[3]) - memory.reduction) / 20)
    }
}
