import JmixPlayer
import TestSupport
import Testing

/// Whatever a composition is asked for, it either says why not and stays as it was, or has a session whose
/// file is read again as it was written.
@Suite struct Extremes {
    let folder = TemporaryFolder()

    private static let times: [MediaTime] = [
        .invalid, .indefinite, .positiveInfinity, .negativeInfinity, .zero, MediaTime(seconds: 1), .latest,
        MediaTime(value: -1, timescale: 48000), MediaTime(value: 1, timescale: .max),
        .latest + MediaTime(value: 1, timescale: 48000), MediaTime(value: .max, timescale: 1),
        MediaTime(value: .max, timescale: .max), MediaTime(value: .min, timescale: 1),
    ]
    private static let numbers: [Double] = [
        .nan, .infinity, -.infinity, -1, -0.0, 0, .leastNonzeroMagnitude, 1, 4, 4.0000001, 60_000, 1e300,
    ]

    private enum Asked: CaseIterable {
        case insert, push, range, part, silence, remove, split, move, scale, stretch, pitch, fader, pan, trim
        case send, panOfSend, delay, fades, duck, duckBySignal, marker, point, ramp, gate, compressor, limiter
        case equaliser
    }

    /// Two tracks with a clip each, and a bus.
    private func start() throws -> (Composition, Asset, track: StripID, voice: StripID, bus: StripID) {
        try folder.file("a.wav", frames: 96000) { n in (Float(n) / 0x1p20, 0) }
        let asset = try Asset(folder("a.wav"))
        var start = try Composition(folder: folder(""))
        let (track, voice) = (try start.addTrack(named: "a"), try start.addTrack(named: "voice"))
        try start.insert(of: asset, at: MediaTime(seconds: 1), on: track)
        try start.insert(of: asset, at: MediaTime(seconds: 2), on: voice)
        let bus = try start.addBus(named: "hall")
        return (start, asset, track, voice, bus)
    }

    @Test func aCompositionRefusesWhatNoFileCanHold() throws {
        let (start, asset, track, voice, bus) = try start()

        // In a file a processor's times are milliseconds: of less than a nanosecond nothing is left.
        func spoken(_ time: MediaTime) -> MediaTime { time.timescale == .max ? .zero : time }

        func ask(
            _ asked: Asked, of composition: inout Composition, _ first: MediaTime, _ second: MediaTime,
            _ number: Double
        ) throws {
            let range = TimeRange(start: first, end: second)
            switch asked {
            case .insert: try composition.insert(of: asset, at: first, on: track)
            case .push: try composition.insert(of: asset, at: first, on: track, push: true)
            case .range: try composition.insert(range, of: asset, at: .zero, on: track)
            case .part:
                let part = TimeRange(start: first, duration: second)
                try composition.insert(part, of: asset, at: .zero, on: track)
            case .silence: try composition.insertSilence(range, on: track)
            case .remove: try composition.remove(range, from: track)
            case .split:
                try composition.split(track, at: first + MediaTime(value: 1, timescale: 20))
            case .move: try composition.moveClip(0, of: track, to: first)
            case .scale: try composition.scale(range, to: second, on: track)
            case .stretch:
                let whole = TimeRange(start: MediaTime(seconds: 1), duration: asset.duration)
                try composition.scale(whole, to: first, on: track)
            case .pitch: try composition.setPitch(number, ofClip: 0, on: track)
            case .fader: try composition.setFader(number, of: track)
            case .pan: try composition.setPan(number, of: bus)
            case .trim: try composition.setTrim(number, of: track)
            case .send: try composition.setSend(number, of: track, to: bus)
            case .panOfSend: try composition.setSend(1, of: track, to: bus, pan: number)
            case .delay: try composition.setDelay(first, of: track)
            case .fades: try composition.setFades(in: first, out: second, of: track)
            case .duck:
                // A duck to 1 is none.
                try composition.duck(
                    track, under: voice, to: number == 1 ? 0.5 : number, attack: first, release: second)
            case .duckBySignal:
                var times = DuckTimes()
                (times.attack, times.release) = (first, second)
                try composition.duckBySignal(track, under: voice, to: 0.5, threshold: number, times: times)
            case .marker: try composition.setMarker("m", at: first)
            case .point: try composition.automate(track) { try $0.setVolume(number, at: first) }
            case .ramp:
                try composition.automate(track) { try $0.setVolumeRamp(from: 1, to: number, over: range) }
            case .gate:
                var gate = Gate()
                (gate.threshold, gate.hold) = (number, spoken(first))
                try composition.setGate(gate, of: track)
            case .compressor:
                var compressor = Compressor()
                (compressor.ratio, compressor.release) = (number, spoken(first))
                try composition.setCompressor(compressor, of: bus)
            case .limiter:
                var limiter = Limiter()
                limiter.level = number
                try composition.setLimiter(limiter, of: bus)
            case .equaliser:
                var equaliser = Equaliser()
                equaliser.bands[0].frequency = 100 * number
                equaliser.bands[1].gain = number
                equaliser.bands[2].quality = number
                equaliser.highPass = Equaliser.Pass(frequency: 100 * number)
                try composition.setEqualiser(equaliser, of: bus)
            }
        }

        /// Asks, and says whether it was taken.
        func isTaken(
            _ asked: Asked, _ first: MediaTime, _ second: MediaTime, _ number: Double
        ) throws -> Bool {
            var composition = start
            do { try ask(asked, of: &composition, first, second, number) } catch {
                #expect(composition.session == start.session, "\(asked) \(first) \(second) \(number)")
                return false
            }
            try composition.write(to: folder("s.json"))
            var problem = ""
            do {
                let read = try Composition(contentsOf: folder("s.json"))
                if read.session != composition.session { problem = "it is another" }
            } catch { problem = "\(error)" }
            #expect(problem.isEmpty, "\(asked) \(first) \(second) \(number): \(problem)")
            return true
        }

        for asked in Asked.allCases {
            var (taken, refused) = (0, 0)
            func note(_ isTaken: Bool) { if isTaken { taken += 1 } else { refused += 1 } }
            for (first, second) in Self.times.flatMap({ first in Self.times.map { (first, $0) } }) {
                note(try isTaken(asked, first, second, 1))
            }
            for number in Self.numbers {
                note(try isTaken(asked, MediaTime(seconds: 1), MediaTime(seconds: 1), number))
            }
            #expect(taken > 0 && refused > 0, "\(asked): \(taken) taken, \(refused) refused")
        }
    }
}
