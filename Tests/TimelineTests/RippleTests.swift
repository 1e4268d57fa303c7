import Testing
import TestSupport
import Timeline

private func at(_ tenths: Int) -> MediaTime { MediaTime(value: Int64(tenths), timescale: 10) }

/// What automation says at a time, read event by event; nil before the first.
private func value(_ automation: Automation, _ time: Double) -> Double? {
    var value: Double?
    for event in automation.events where event.start.seconds <= time {
        switch event.kind {
        case .point(let volume, _): value = volume
        case .ramp(let first, let last, let range, let curve):
            let part = min(1, (time - range.start.seconds) / (range.end.seconds - range.start.seconds))
            if curve == .exponential {
                var (low, high, from, to) = (0.0, 1.0, first, last)
                // By halves: the middle of an exponential ramp is the geometric mean of its ends.
                for _ in 0..<60 {
                    let (middle, mean) = ((low + high) / 2, (from * to).squareRoot())
                    if part < middle { (high, to) = (middle, mean) } else { (low, from) = (middle, mean) }
                }
                value = part == 1 ? last : from
            } else {
                value = first + (last - first) * part
            }
        }
    }
    return value
}

@Suite struct RippleTests {
    /// Before the cut it is what it was, behind it what was there before, so much earlier.
    @Test(arguments: 0..<200) func automationThatIsLeftIsWhatItWas(number: UInt64) throws {
        var seed = Seeded(state: number &* 7919)
        func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &seed) }
        var old = Automation()
        for _ in 0..<pick(0...12) {
            let (start, volume) = (pick(0...100), Double(pick(1...40)) / 10)
            if pick(0...1) == 0 {
                try? old.setValue(volume, at: at(start))
            } else {
                try? old.setRamp(
                    from: volume, to: Double(pick(1...40)) / 10,
                    over: TimeRange(start: at(start), end: at(start + pick(1...30))),
                    curve: pick(0...1) == 0 ? .linear : .exponential)
            }
        }
        let (start, length) = (pick(0...90), pick(1...40))
        var session = Session()
        var track = Track(name: "a")
        track.automation = old
        session.append(track)
        let range = TimeRange(start: at(start), duration: at(length))
        try session.removeRange(range, ruler: ClipRuler(rate: 48000) { _ in nil })
        let new = session.tracks[0].automation
        for tenth in stride(from: 0.05, to: 150, by: 0.1) {
            let before = value(old, (tenth + (tenth > Double(start) ? Double(length) : 0)) / 10)
            let now = value(new, tenth / 10)
            let isSame = before == now || abs((before ?? 9) - (now ?? 99)) < 1e-9
            #expect(isSame, "seed \(number): at \(tenth / 10) s it is \(now ?? -1), and was \(before ?? -1)")
        }
    }

    @Test func aCurveThatHasNoPartsIsNotCut() throws {
        var session = Session()
        try session.master.automation.setRamp(
            from: 0, to: 1, over: TimeRange(start: at(10), end: at(30)), curve: .scurve)
        let before = session
        let range = TimeRange(start: at(20), end: at(25))
        #expect(throws: RippleError.self) {
            try session.removeRange(range, ruler: ClipRuler(rate: 48000) { _ in nil })
        }
        #expect(session == before)
        // Whole it moves, or goes.
        try session.removeRange(
            TimeRange(start: at(0), end: at(10)), ruler: ClipRuler(rate: 48000) { _ in nil })
        #expect(session.master.automation.events.map(\.start) == [.zero])
    }

    @Test func markersGoAlong() throws {
        var session = Session()
        for (name, tenth) in [("open", 0), ("in", 20), ("inside", 25), ("out", 30), ("end", 90)] {
            session.setMarker(Marker(name: name, at: at(tenth)))
        }
        try session.removeRange(
            TimeRange(start: at(20), end: at(30)), ruler: ClipRuler(rate: 48000) { _ in nil })
        #expect(session.markers.map(\.name) == ["open", "out", "end"])
        #expect(session.markers.map(\.at) == [at(0), at(20), at(80)])
    }
}
