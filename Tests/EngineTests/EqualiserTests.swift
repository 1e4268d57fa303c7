import AudioFile
import Engine
import Foundation
import Realtime
import TestSupport
import Testing
import Timeline

/// Biquads of the W3C's Audio EQ Cookbook (Note of 8 June 2021), as it writes them: direct form I, in
/// doubles, by libm.
private struct Cookbook {
    var b: [Double]
    var a: [Double]

    static func pass(_ frequency: Double, isHigh: Bool) -> Cookbook {
        let w = 2 * Double.pi * frequency / 48000
        let alpha = sin(w) / (2 * 0.5.squareRoot())
        let side = isHigh ? (1 + cos(w)) / 2 : (1 - cos(w)) / 2
        return Cookbook(
            b: [side, isHigh ? -2 * side : 2 * side, side], a: [1 + alpha, -2 * cos(w), 1 - alpha])
    }

    init(b: [Double], a: [Double]) { (self.b, self.a) = (b, a) }

    init(_ band: Equaliser.Band) {
        let (A, w) = (pow(10, band.gain / 40), 2 * Double.pi * band.frequency / 48000)
        let alpha = sin(w) / (2 * band.q)
        switch band.type {
        case .bell:
            (b, a) = (
                [1 + alpha * A, -2 * cos(w), 1 - alpha * A], [1 + alpha / A, -2 * cos(w), 1 - alpha / A]
            )
        case .lowshelf, .highshelf:
            let (sign, root) = (band.type == .lowshelf ? 1.0 : -1.0, 2 * A.squareRoot() * alpha)
            b = [
                A * ((A + 1) - sign * (A - 1) * cos(w) + root),
                sign * 2 * A * ((A - 1) - sign * (A + 1) * cos(w)),
                A * ((A + 1) - sign * (A - 1) * cos(w) - root),
            ]
            a = [
                (A + 1) + sign * (A - 1) * cos(w) + root, -sign * 2 * ((A - 1) + sign * (A + 1) * cos(w)),
                (A + 1) + sign * (A - 1) * cos(w) - root,
            ]
        }
    }

    func run(_ x: [Double]) -> [Double] {
        var y = x
        for n in x.indices {
            func at(_ list: [Double], _ back: Int) -> Double { n >= back ? list[n - back] : 0 }
            y[n] =
                (b[0] * x[n] + b[1] * at(x, 1) + b[2] * at(x, 2) - a[1] * at(y, 1) - a[2] * at(y, 2)) / a[0]
        }
        return y
    }
}

@Suite struct EqualiserTests {
    private let folder = TemporaryFolder()

    private func noise(_ n: Int) -> Float {
        var random = Seeded(state: UInt64(n))
        return Float(Int(random.next() >> 44) - (1 << 19)) / 0x1p21
    }

    private func session(_ equaliser: Equaliser, isBus: Bool = false) throws -> Session {
        try folder.file("a.wav", frames: 96000) { n in (noise(n), noise(n + 1_000_000)) }
        var session = try Session.of("a.wav")
        session.addBus(named: "bus")
        if isBus {
            session.tracks[0].strip.output = .bus(session.buses[0].id)
            session[.bus(1)].equaliser = equaliser
        } else {
            session.tracks[0].strip.equaliser = equaliser
        }
        return session
    }

    private func random(_ dice: inout Seeded) -> Equaliser {
        var equaliser = Equaliser()
        func frequency() -> Double { pow(10, Double.random(in: 1.3...4.3, using: &dice)) }
        if Bool.random(using: &dice) {
            equaliser.highPass = Equaliser.Pass(
                frequency: frequency() / 10, slope: .allCases.randomElement(using: &dice)!)
        }
        if Bool.random(using: &dice) {
            equaliser.lowPass = Equaliser.Pass(
                frequency: frequency(), slope: .allCases.randomElement(using: &dice)!)
        }
        for band in 0..<4 where Bool.random(using: &dice) {
            equaliser.bands[band].frequency = frequency()
            equaliser.bands[band].gain = Double.random(in: -18...12, using: &dice)
            equaliser.bands[band].type = Equaliser.types(ofBand: band).randomElement(using: &dice)!
            if Bool.random(using: &dice) {
                equaliser.bands[band].quality = Double.random(in: 0.3...6, using: &dice)
            }
        }
        return equaliser
    }

    private func cookbook(_ equaliser: Equaliser, _ samples: [Double]) -> [Double] {
        var filters: [Cookbook] = []
        for (pass, isHigh) in [(equaliser.highPass, true), (equaliser.lowPass, false)] {
            guard let pass else { continue }
            for _ in 0..<(pass.slope == .steep ? 2 : 1) {
                filters.append(.pass(pass.frequency, isHigh: isHigh))
            }
        }
        filters += equaliser.bands.filter { $0.gain != 0 }.map { Cookbook($0) }
        return equaliser.isOn ? filters.reduce(samples) { $1.run($0) } : samples
    }

    @Test(arguments: UInt64(1)...40) func bandsAreAsTheCookbookSays(seed: UInt64) throws {
        var dice = Seeded(state: seed)
        let equaliser = random(&dice)
        let stepper = Stepper(playing: try session(equaliser, isBus: seed % 2 == 0), folder)
        while stepper.left.count < 20000 { stepper.render(Int.random(in: 1...1500, using: &dice)) }
        for (heard, offset) in [(stepper.left, 0), (stepper.right, 1_000_000)] {
            let expected = cookbook(equaliser, (0..<20000).map { Double(noise($0 + offset)) })
            let worst = expected.indices.map { abs(Double(heard[$0]) - expected[$0]) }.max()!
            #expect(worst < 1e-6, "seed \(seed): \(worst)")
        }
    }

    /// Random hands and locates: whatever the blocks are, the samples are the same; nothing clicks; and
    /// behind each locate it is what it is when playing begins there.
    @Test(arguments: UInt64(1)...20) func handsAndLocatesGiveTheSameInAnyBlocks(seed: UInt64) throws {
        func play(_ blocks: Int) throws -> (heard: [Float], places: [(frame: Int, position: Int, Session)]) {
            var (hands, sizes) = (Seeded(state: seed), Seeded(state: UInt64(blocks)))
            var session = try session(random(&hands), isBus: seed % 2 == 0)
            let stepper = Stepper(playing: session, folder)
            var places: [(Int, Int, Session)] = []
            for _ in 0..<12 {
                switch Int.random(in: 0..<3, using: &hands) {
                case 0:
                    let position = Int.random(in: 0...40000, using: &hands)
                    stepper.engine.locate(Int64(position))
                    places.append((stepper.left.count, position, session))
                case 1:
                    let next = random(&hands)
                    if seed % 2 == 0 {
                        session[.bus(1)].equaliser = next
                    } else {
                        session.tracks[0].strip.equaliser = next
                    }
                    stepper.engine.apply(session, library: folder.library)
                default:
                    let place = seed % 2 == 0 ? StripPlace.bus(1) : .track(1)
                    session[place].equaliser?.isOn.toggle()
                    stepper.engine.apply(session, library: folder.library)
                }
                stepper.settle()
                let end = stepper.left.count + 2000
                while stepper.left.count < end {
                    stepper.render(min(end - stepper.left.count, Int.random(in: 1...blocks, using: &sizes)))
                }
            }
            return (stepper.left, places)
        }
        let (heard, places) = try play(2000)
        for blocks in [7, 300] { #expect(try play(blocks).heard == heard, "seed \(seed)") }
        #expect(heard.allSatisfy { abs($0) < 20 })
        // A track's sound does not know what was played before.
        if seed % 2 == 0 { return }
        for (frame, position, session) in places {
            let alone = Stepper()
            alone.engine.apply(session, library: folder.library)
            alone.engine.locate(Int64(position))
            alone.settle()
            alone.engine.play()
            for _ in 0..<2 { alone.render(1000) }
            #expect(
                Array(heard[frame + 240..<frame + 2000]) == Array(alone.left[240..<2000]),
                "seed \(seed): a locate to \(position)")
        }
    }

    /// Between two settings nothing jumps: the glide is where the one goes over into the other.
    @Test func aKnobThatIsTurnedDoesNotClick() throws {
        try folder.file("tone.wav", frames: 96000) { n in
            (Float(sin(Double(n) * 2 * .pi * 200 / 48000)) * 0.25, 0)
        }
        var session = try Session.of("tone.wav")
        session.tracks[0].strip.equaliser = Equaliser()
        let stepper = Stepper(playing: session, folder)
        stepper.render(2000)
        for gain in [12.0, -12, 0, 24, -24, 6] {
            session.tracks[0].strip.equaliser!.bands[1].gain = gain
            session.tracks[0].strip.equaliser!.bands[1].frequency = 250 + gain * 8
            session.tracks[0].strip.equaliser!.highPass =
                gain > 5 ? Equaliser.Pass(frequency: 80, slope: .steep) : nil
            stepper.engine.apply(session, library: folder.library)
            stepper.render(3000)
        }
        // What a tone of 200 Hz at 24 dB more does from frame to frame, and from one difference to the next.
        let steps = zip(stepper.left.dropFirst(), stepper.left).map { $0 - $1 }
        let second = zip(steps.dropFirst(), steps).map { abs($0 - $1) }.max()!
        #expect(second < 0.02, "\(second)")
    }

    @Test func aFlatEqualiserChangesNothing() throws {
        var equaliser = Equaliser()
        equaliser.bands[2].frequency = 3000
        let stepper = Stepper(playing: try session(equaliser), folder)
        for _ in 0..<10 { stepper.render(700) }
        #expect(stepper.left.indices.allSatisfy { stepper.left[$0] == noise($0) })
    }

    /// A stop lets nothing ring, and nothing breaks off.
    @Test func aStopFadesTheRingOfTheEqualiser() throws {
        var equaliser = Equaliser()
        (equaliser.bands[0].gain, equaliser.bands[0].frequency, equaliser.bands[0].quality) = (24, 60, 30)
        for isBus in [false, true] {
            let stepper = Stepper(playing: try session(equaliser, isBus: isBus), folder)
            stepper.render(9600)
            stepper.engine.stop()
            stepper.render(1000)
            let tail = stepper.left[9600...]
            #expect(tail.dropFirst(240).allSatisfy { $0 == 0 } && abs(tail[9600 + 239]) < 0.05)
        }
    }

    @Test func aPartWithItsLeadIsWhatTheWholeIs() throws {
        var equaliser = Equaliser()
        (equaliser.highPass, equaliser.bands[1].gain) = (Equaliser.Pass(frequency: 60), -6)
        let session = try session(equaliser, isBus: true)
        func rendered(_ frames: Range<Int64>, leadIn: Int64 = 0, jobs: Int = 1) throws -> [Float] {
            var render = OfflineRender(session, library: folder.library, frames: frames)
            (render.leadIn, render.jobs) = (leadIn, jobs)
            var samples: [Float] = []
            try render.mixSides { left, _, count, _ in
                samples += UnsafeBufferPointer(start: left, count: count)
                return true
            }
            return samples
        }
        let whole = try rendered(0..<96000)
        #expect(try rendered(0..<96000, jobs: 4) == whole)
        #expect(try rendered(60000..<90000, leadIn: 60000) == Array(whole[60000..<90000]))
        #expect(try rendered(60000..<90000, leadIn: 480_000) == Array(whole[60000..<90000]))
    }

    // MARK: - Nothing jumps, wherever it is

    enum Place: CaseIterable { case track, bus, master }

    /// A low tone through a track, a bus and the master, one of which has the equaliser.
    private func tone(_ place: Place, _ equaliser: Equaliser) throws -> Session {
        try folder.file("tone.wav", frames: 192_000) { n in
            (Float(sin(Double(n) * 2 * .pi * 50 / 48000)) * 0.25, 0)
        }
        var session = try Session.of("tone.wav")
        session.addBus(named: "bus")
        session.tracks[0].strip.output = .bus(session.buses[0].id)
        session[strip(place)].equaliser = equaliser
        return session
    }

    private func strip(_ place: Place) -> StripPlace {
        switch place {
        case .track: .track(1)
        case .bus: .bus(1)
        case .master: .master
        }
    }

    private var dull: Equaliser {
        var equaliser = Equaliser()
        equaliser.lowPass = Equaliser.Pass(frequency: 100, slope: .steep)
        return equaliser
    }

    /// One that rings for seconds at what the tone is.
    private var ringing: Equaliser {
        var equaliser = Equaliser()
        (equaliser.bands[0].frequency, equaliser.bands[0].gain, equaliser.bands[0].quality) = (50, 12, 10)
        return equaliser
    }

    /// The largest difference of a frame from the one before.
    private func step(_ samples: ArraySlice<Float>) -> Float {
        zip(samples.dropFirst(), samples).map { abs($0 - $1) }.max()!
    }

    @Test(arguments: Place.allCases) func aLocateDoesNotClick(place: Place) throws {
        // At several phases: where the tone is near 0 a jump to nothing would not be seen.
        for frame in [9600, 9840, 10080, 10321] {
            let stepper = Stepper(playing: try tone(place, dull), folder)
            stepper.render(frame)
            stepper.engine.locate(Int64(96000 + frame % 960))
            stepper.settle()
            stepper.render(2400)
            #expect(step(stepper.left[(frame - 10)...]) < 0.003, "\(place) at \(frame)")
        }
    }

    @Test(arguments: Place.allCases) func inputsThatComeAndGoDoNotClick(place: Place) throws {
        var session = try tone(place, dull)
        let stepper = Stepper(playing: session, folder)
        stepper.render(10100)
        func take(_ change: (inout Session) -> Void) {
            change(&session)
            stepper.engine.apply(session, library: folder.library)
            stepper.settle()
            stepper.render(2567)
        }
        if place == .track {
            take {
                $0.tracks[0].monitor = .auto
                $0.tracks[0].input = Input(channels: 2)
            }
            take { $0.tracks[0].monitor = .clips }
            take { $0.tracks[0].monitor = .auto }
        } else {
            take { session in
                var track = Track(name: "mic")
                (track.input, track.strip.output) = (Input(channels: 2), .bus(session.buses[0].id))
                session.append(track)
            }
        }
        take { $0.tracks[$0.tracks.count - 1].input = nil }
        #expect(step(stepper.left[9000...]) < 0.003, "\(place)")
    }

    @Test(arguments: Place.allCases) func aStopFadesTheRingAndPlayBeginsWithoutIt(place: Place) throws {
        for gap in [100, 300, 1000] {
            let stepper = Stepper(playing: try tone(place, ringing), folder)
            stepper.render(48240)
            let natural = step(stepper.left[24000...])
            stepper.engine.stop()
            stepper.render(gap)
            #expect(
                stepper.left.dropFirst(48480).prefix(max(0, gap - 240)).allSatisfy { $0 == 0 }, "\(place)")
            stepper.engine.play()
            stepper.settle()
            stepper.render(2400)
            #expect(step(stepper.left[48230...]) < natural * 2, "\(place), \(gap)")
        }
    }

    @Test(arguments: Place.allCases) func anEqualiserThatIsSwitchedOffForgets(place: Place) throws {
        var session = try tone(place, ringing)
        let stepper = Stepper(playing: session, folder)
        stepper.render(48240)
        stepper.engine.stop()
        for isOn in [false, true] {
            stepper.render(1000)
            session[strip(place)].equaliser!.isOn = isOn
            stepper.engine.apply(session, library: folder.library)
        }
        stepper.render(2000)
        #expect(stepper.left.suffix(2500).allSatisfy { $0 == 0 }, "\(place)")
    }

    /// What is no number, or too large for one, is over when it is over.
    @Test(arguments: Place.allCases) func samplesThatAreNoNumbersPassAndAreForgotten(place: Place) throws {
        try folder.file("huge.wav", frames: 96000) { n in (n == 1000 ? 3e38 : noise(n), noise(n)) }
        var session = try tone(place, dull)
        session.tracks[0].clips = [Clip(file: "huge.wav")]
        session.tracks[0].strip.trim = 4
        let stepper = Stepper(playing: session, folder)
        for _ in 0..<20 { stepper.render(1000) }
        #expect(
            stepper.left[1001...].allSatisfy { $0.isFinite } && stepper.left[5000...].contains { $0 != 0 },
            "\(place)")
    }
}
