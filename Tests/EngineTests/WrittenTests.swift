import Engine
import TestSupport
import Testing
import Timeline

private let rate: Int32 = 1000
/// 5 ms.
private let fade: Int64 = 5
private let frames: Int64 = 3000

/// What hands write, against slow code that keeps where the hand was at each frame of the timeline.
@Suite struct WrittenTests {
    private struct Pass {
        /// What the timeline has heard last at each frame; nil: no hand was there.
        var hand = [Double?](repeating: nil, count: Int(frames) + 200)
        /// The frames where it came from elsewhere, or went back.
        var edges: Set<Int64> = []
        var stretches: [HandStretch] = []
    }

    /// A hand that glides here and there while the playhead rolls, jumps and stands.
    private func pass(_ random: inout Seeded, base: Double, _ values: [Double]) -> Pass {
        var (path, way, pass) = (HandPath(value: base), PlayheadWay(), Pass())
        var turns: [(clock: Int64, frame: Int64?)] = []
        var clock: Int64 = 0
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            let frame = Int64.random(in: 0...2000, using: &random)
            turns.append((clock, Int.random(in: 0..<6, using: &random) == 0 ? nil : frame))
            if let frame = turns.last!.frame {
                way.rolls(from: frame, at: clock)
            } else {
                way.stands(at: clock)
            }
            clock += Int64.random(in: 1...900, using: &random)
        }
        var moves: [(clock: Int64, value: Double, frames: Int64, curve: Curve)] = []
        for _ in 0..<Int.random(in: 0...30, using: &random) {
            let length = [0, 1, fade, fade, fade, 60].randomElement(using: &random)!
            moves.append(
                (
                    Int64.random(in: 0...clock, using: &random), values.randomElement(using: &random)!,
                    length,
                    length > fade ? Curve.allCases.randomElement(using: &random)! : .linear
                ))
        }
        moves.sort { $0.clock < $1.clock }
        for move in moves { path.move(to: move.value, over: move.frames, curve: move.curve, at: move.clock) }
        let lag = [0, 0, 7].randomElement(using: &random)!
        pass.stretches = path.stretches(way, from: 0, to: clock, lag: Int64(lag))
        for (index, turn) in turns.enumerated() {
            guard let start = turn.frame else { continue }
            let end = index + 1 < turns.count ? turns[index + 1].clock : clock
            for now in turn.clock..<end {
                let frame = start + now - turn.clock - Int64(lag)
                if frame >= 0 { pass.hand[Int(frame)] = path.value(at: now) }
            }
            pass.edges.formUnion([start - Int64(lag), start + end - turn.clock - Int64(lag)])
        }
        return pass
    }

    private func automation(_ random: inout Seeded, _ control: Automation.Control) -> Automation {
        var automation = Automation(control)
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let at = MediaTime(frame: Int64.random(in: 0...3000, using: &random), rate: rate)
            let (a, b) = (
                Double.random(in: 0.01...1, using: &random), Double.random(in: 0.01...1, using: &random)
            )
            if Bool.random(using: &random) || control == .mute {
                try? automation.setValue(control == .mute ? a.rounded() : a, at: at)
            } else {
                try? automation.setRamp(
                    from: a, to: b, over: TimeRange(start: at, duration: MediaTime(frame: 500, rate: rate)),
                    curve: control == .pan ? .scurve : Curve.allCases.randomElement(using: &random)!)
            }
        }
        return automation
    }

    @Test(arguments: UInt64(0)..<1000) func writtenAutomationPlaysWhatWasHeard(seed: UInt64) {
        var random = Seeded(state: seed + 1)
        let control: Automation.Control = seed % 3 == 0 ? .pan : .volume
        let base = control == .pan ? 0.25 : [0, 0.05, 0.5, 0.5, 0.5][Int(seed % 5)]
        let old = automation(&random, control)
        let pass = pass(
            &random, base: base, control == .pan ? [-1, -0.2, 0, 0.25, 0.7] : [0, 0.1, 0.5, 0.5, 1.3])
        let relation: HandRelation =
            control == .pan
            ? .value(base: base) : .ratio(base: base, old, pass.stretches, sampleRate: rate)
        let new = old.written(pass.stretches, relation, sampleRate: rate)
        let (was, now) = (SlowDesk.Lane(old, rate: rate), SlowDesk.Lane(new, rate: rate))
        func value(_ lane: SlowDesk.Lane, _ frame: Int) -> Double {
            let isSaid = lane.events.first.map { frame >= $0.from } ?? false
            return isSaid ? lane.value(frame) : control == .pan ? base : 1
        }
        let near = Set(pass.edges.flatMap { ($0 - 1)...($0 + fade) })
        for frame in 0..<Int(frames) + 100 where !near.contains(Int64(frame)) {
            let before = value(was, frame)
            let hand = pass.hand[frame]
            // What is heard is the timeline times where the fader goes back to.
            let (expected, found): (Double, Double) =
                switch relation {
                case .value: (hand ?? before, value(now, frame))
                case .ratio(_, let back): (before * (hand ?? base), value(now, frame) * back)
                }
            let isNear =
                control == .pan
                ? abs(found - expected) <= 0.005
                : abs(found - expected) < 2e-6 || abs(decibels(found) - decibels(expected)) <= 0.05
            if isNear { continue }
            Issue.record(
                """
                seed \(seed), frame \(frame): \(found) where \(expected) belongs
                \(new.events)
                \(pass.stretches)
                """
            )
            return
        }
    }

    private func decibels(_ gain: Double) -> Double { Volume.level(gain: gain) }

    @Test(arguments: UInt64(0)..<300) func aSwitchIsWrittenToTheFrame(seed: UInt64) {
        var random = Seeded(state: seed + 1)
        let old = automation(&random, .mute)
        // The strip is heard when the hand comes, or muted: then the hand goes back to one that is heard.
        let base: Double = seed % 4 == 0 ? 0 : 1
        var (path, way) = (HandPath(value: base), PlayheadWay())
        way.rolls(from: 500, at: 0)
        var hand = [Bool](repeating: base == 1, count: 3200)
        var clock = 0
        while clock < 1500 {
            let next = Int.random(in: 0..<3, using: &random) > 0
            path.move(to: next ? 1 : 0, over: 1, curve: .linear, at: Int64(clock))
            let length = Int.random(in: 2...300, using: &random)
            for frame in 500 + clock..<min(2000, 500 + clock + length) { hand[frame] = next }
            clock += length
        }
        let new = old.written(
            path.stretches(way, from: 0, to: 1500, lag: 0), .ratio(base: base, back: 1),
            sampleRate: rate)
        func isSilent(_ automation: Automation, _ frame: Int) -> Bool {
            let time = MediaTime(frame: Int64(frame), rate: rate)
            guard let last = automation.events.last(where: { $0.start <= time }),
                case .point(let value, _) = last.kind
            else { return false }
            return value == 1
        }
        for frame in 0..<3200 {
            let expected = isSilent(old, frame) || !hand[frame]
            if isSilent(new, frame) == expected { continue }
            Issue.record("seed \(seed), frame \(frame): \(new.events)")
            return
        }
    }
}
