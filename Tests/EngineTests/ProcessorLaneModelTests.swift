import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// A band of an equaliser and a compressor that the timeline moves, slow and by libm, one frame after the
/// other, beside the engine: their events come and go, hands move what the timeline leaves to them, playing
/// is located, stopped and begun, in random order and in blocks of any length.
private final class ProcessorLaneDuel {
    private var dice: Seeded
    private let stepper = Stepper()
    private let library: MediaLibrary
    private var session = Session()
    private var said: [String] = []
    /// Up to this frame something is on its way, or remembered that was.
    private var quiet = 0
    private var crossed = 0
    private var position = 0
    private var isRolling = false
    private var fading = 0
    private var memory = (first: 0.0, second: 0.0, reduction: 0.0)
    private(set) var compared = 0
    private static let fade = 240
    private static let band = 2
    private static let moved: [Automation.Control] = [
        .frequency2, .gain2, .quality2, .compressorThreshold, .compressorRatio, .compressorKnee,
        .compressorMakeup,
    ]

    init(seed: UInt64, library: MediaLibrary) throws {
        (dice, self.library) = (Seeded(state: seed), library)
        var track = Track(name: "t")
        track.clips = [Clip(file: "t.wav")]
        session.append(track)
        session.tracks[0].strip.equaliser = Equaliser()
        var compressor = Compressor()
        (compressor.attack, compressor.release) = (
            MediaTime(value: 2, timescale: 1000), MediaTime(value: 8, timescale: 1000)
        )
        session.tracks[0].strip.compressor = compressor
        apply()
    }

    private func pick(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &dice) }
    private func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }

    /// Values at which what a filter remembers is soon forgotten.
    private func value(_ control: Automation.Control) -> Double {
        switch control {
        case .frequency2: pick(400...8000)
        case .gain2: pick(-18...18)
        case .quality2: pick(0.3...2)
        case .compressorThreshold: pick(-40...0)
        case .compressorRatio: chance(5) ? 1000 : pick(1...10)
        case .compressorKnee: pick(0.5...12)
        default: pick(-6...12)
        }
    }

    private func time() -> MediaTime {
        MediaTime(value: Int64.random(in: 0...60000, using: &dice), timescale: chance(2) ? 48000 : 44100)
    }

    private func automate() {
        let control = Self.moved.randomElement(using: &dice)!
        var automation = Automation(control)
        if !chance(4) {
            for _ in 0..<Int.random(in: 1...4, using: &dice) {
                if chance(2) {
                    try? automation.setValue(value(control), at: time())
                } else {
                    let curve: Curve =
                        control == .frequency2 && chance(2)
                        ? .exponential : [.linear, .scurve].randomElement(using: &dice)!
                    let duration = MediaTime(
                        value: Int64.random(in: 1...30000, using: &dice), timescale: 48000)
                    try? automation.setRamp(
                        from: value(control), to: value(control),
                        over: TimeRange(start: time(), duration: duration), curve: curve)
                }
            }
        }
        said.append("\(control) \(automation.events.count)")
        session.tracks[0].strip[automation: control] = automation
    }

    private func hand() {
        said.append("hand")
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: session.tracks[0].strip.equaliser!.bands[Self.band - 1].frequency = value(.frequency2)
        case 1: session.tracks[0].strip.equaliser!.bands[Self.band - 1].gain = chance(4) ? 0 : value(.gain2)
        case 2: session.tracks[0].strip.equaliser!.bands[Self.band - 1].quality = value(.quality2)
        case 3: session.tracks[0].strip.compressor!.threshold = value(.compressorThreshold)
        case 4: session.tracks[0].strip.compressor!.ratio = value(.compressorRatio)
        default:
            if chance(2) {
                session.tracks[0].strip.equaliser!.isOn.toggle()
            } else {
                session.tracks[0].strip.compressor!.isOn.toggle()
            }
        }
    }

    private func apply() {
        stepper.engine.apply(session, library: library)
        stepper.settle()
    }

    private func change() {
        let engine = stepper.engine
        switch Int.random(in: 0..<8, using: &dice) {
        case 0, 1, 2:
            automate()
            apply()
        case 3, 4:
            hand()
            apply()
        // What is played elsewhere waits for the end of another change.
        case 5 where stepper.left.count < crossed, 6 where stepper.left.count < crossed,
            7 where stepper.left.count < crossed:
            return
        case 5:
            let target = Int.random(in: 0..<50000, using: &dice)
            said.append("locate \(target)")
            engine.locate(Int64(target))
            position = target
            if isRolling { memory = (0, 0, 0) }
        default:
            if isRolling {
                if !chance(3) { break }
                said.append("stop")
                engine.stop()
                fading = Self.fade
            } else {
                said.append("play")
                engine.play()
                (isRolling, memory) = (true, (0, 0, 0))
            }
        }
        stepper.settle()
        crossed = stepper.left.count + 2 * Self.fade + 16
        quiet = crossed + 6000
    }

    func run() -> String? {
        for _ in 0..<120 {
            if chance(3), stepper.left.count >= quiet || chance(4) && fading == 0 { change() }
            let done = stepper.left.count
            let count = Int.random(in: 1...1500, using: &dice)
            stepper.render(count)
            for frame in done..<done + count {
                let expected = next()
                if frame < quiet { continue }
                if abs(Double(stepper.left[frame]) - expected) > 2e-5 {
                    return
                        "\(stepper.left[frame]) at \(frame) (\(position)), not \(expected): \(said.suffix(8))"
                }
                if expected != 0 { compared += 1 }
            }
        }
        return nil
    }

    /// What a control stands at: the timeline's value from its first event on.
    private func stands(_ control: Automation.Control, hand: Double) -> Double {
        var value = hand
        for event in session.tracks[0].strip[automation: control].events {
            // An event counts from the first frame at or after its time.
            let at = event.start.seconds * 48000
            if (at - 1e-9).rounded(.up) > Double(position) { break }
            switch event.kind {
            case .point(let point, _): value = point
            case .ramp(let first, let last, let range, let curve):
                let p = min(1, (Double(position) - at) / (range.duration.seconds * 48000))
                switch curve {
                case .linear: value = first + (last - first) * p
                case .scurve: value = first + (last - first) * (1 - cos(.pi * p)) / 2
                default: value = first * pow(last / first, p)
                }
            }
        }
        return value
    }

    private func next() -> Double {
        defer {
            if isRolling { position += 1 }
            if fading > 0 {
                fading -= 1
                if fading == 0 { isRolling = false }
            }
        }
        if !isRolling { return 0 }
        return compressed(filtered(Double(Self.sample(position))))
    }

    private func filtered(_ sample: Double) -> Double {
        let strip = session.tracks[0].strip
        guard let equaliser = strip.equaliser, equaliser.isOn else { return sample }
        let hand = equaliser.bands[Self.band - 1]
        let (frequency, gain, q) = (
            stands(.frequency2, hand: hand.frequency), stands(.gain2, hand: hand.gain),
            stands(.quality2, hand: hand.q)
        )
        let a = pow(10, gain / 40)
        let (g, k) = (tan(.pi * frequency / 48000), 1 / (q * a))
        let a1 = 1 / (1 + g * (g + k))
        let v3 = sample - memory.second
        let v1 = a1 * memory.first + g * a1 * v3
        let v2 = memory.second + g * a1 * memory.first + g * g * a1 * v3
        (memory.first, memory.second) = (2 * v1 - memory.first, 2 * v2 - memory.second)
        return sample + k * (a * a - 1) * v1
    }

    private func compressed(_ sample: Double) -> Double {
        let strip = session.tracks[0].strip
        guard let hand = strip.compressor, hand.isOn else {
            memory.reduction = 0
            return sample
        }
        let ratio = stands(.compressorRatio, hand: hand.ratio)
        let (threshold, knee, slope) = (
            stands(.compressorThreshold, hand: hand.threshold), stands(.compressorKnee, hand: hand.knee),
            ratio >= 1000 ? 1 : 1 - 1 / ratio
        )
        let over = (abs(sample) > 1e-15 ? 20 * log10(abs(sample)) : -300) - threshold
        let x =
            2 * over <= -knee
            ? 0 : 2 * over >= knee ? slope * over : slope * pow(over + knee / 2, 2) / (2 * knee)
        let rest = exp(-1 / ((x > memory.reduction ? 0.002 : 0.008) * 48000))
        memory.reduction = rest * memory.reduction + (1 - rest) * x
        return sample * pow(10, (stands(.compressorMakeup, hand: hand.makeup) - memory.reduction) / 20)
    }

    /// What the file holds.
    static func sample(_ frame: Int) -> Float {
        if frame < 0 || frame >= 300_000 { return 0 }
        let loud: [Float] = [0.4, 0.02, 0.2, 0.1]
        return Float((frame &* 37 &+ frame / 11 &* 53) % 511 - 255) / 256 * loud[frame / 2500 % 4]
    }
}

@Suite struct ProcessorLaneModelTests {
    @Test func processorsAreWhatTheTimelineSaysInAnyOrder() throws {
        let count: Int = environmentNumber("JMIX_LANE_SEQUENCES") ?? 30
        let first = firstSeed("JMIX_LANE_SEED")
        let folder = TemporaryFolder()
        _ = try folder.file("t.wav", frames: 300_000) {
            (ProcessorLaneDuel.sample($0), ProcessorLaneDuel.sample($0))
        }
        var compared = 0
        for seed in first..<first + UInt64(count) {
            let duel = try ProcessorLaneDuel(seed: seed, library: folder.library)
            let wrong = duel.run()
            compared += duel.compared
            #expect(wrong == nil, "JMIX_LANE_SEED=\(seed)")
            if wrong != nil { break }
        }
        #expect(compared > 3000 * count, "of seed \(first)")
    }
}
