import Foundation
import TestSupport
import Testing
import Timeline
import Engine

/// The contract's sentences as slow, obvious code: what a session sounds like at frame n, from rational times.
private struct Reference {
    let session: Session
    let files: [String: (frames: Int, sample: (Int) -> (Float, Float))]

    func range(_ clip: Clip) -> TimeRange {
        let whole = MediaTime(frame: Int64(files[clip.file]!.frames), rate: 48000)
        return TimeRange(start: clip.at, duration: clip.duration ?? whole - clip.from)
    }

    func automation(_ automation: VolumeAutomation, _ t: MediaTime) -> Double {
        var value = 1.0
        for event in automation.events where event.start <= t {
            switch event.kind {
            case .point(let volume, _): value = volume
            case .ramp(let v0, let v1, let range, let curve):
                let p = min(1, (t - range.start).seconds / range.duration.seconds)
                let d = v1 - v0
                switch curve {
                case .linear: value = v0 + d * p
                case .scurve: value = v0 + d * (1 - cos(.pi * p)) / 2
                case .equalpower: value = d >= 0 ? v0 + d * sin(.pi * p / 2) : v0 + d * (1 - cos(.pi * p / 2))
                case .exponential: value = v0 * pow(v1 / v0, p)
                }
            }
        }
        return value
    }

    func duck(_ duck: Duck, _ t: MediaTime) -> Double {
        let clips = session.tracks[session.index(of: duck.under)!].clips.map(range).sorted { $0.start < $1.start }
        var held: [TimeRange] = []
        for clip in clips {
            if let last = held.last, clip.start - last.end < duck.attack + duck.release {
                held[held.count - 1] = TimeRange(start: last.start, end: max(last.end, clip.end))
            } else {
                held.append(clip)
            }
        }
        for range in held {
            if t >= range.start, t < range.end { return duck.to }
            if t < range.start, t >= range.start - duck.attack { return 1 + (duck.to - 1) * (1 - (range.start - t).seconds / duck.attack.seconds) }
            if t >= range.end, t < range.end + duck.release { return duck.to + (1 - duck.to) * (t - range.end).seconds / duck.release.seconds }
        }
        return 1
    }

    func frame(_ n: Int) -> (Double, Double) {
        let t = MediaTime(frame: Int64(n), rate: 48000)
        var (left, right) = (0.0, 0.0)
        for track in session.tracks where session.isAudible(track) {
            var sample: (Float, Float) = (0, 0)
            for clip in track.clips {
                let (range, file) = (range(clip), files[clip.file]!)
                let (start, end) = (Int(range.start.frame(atRate: 48000)), Int(range.end.frame(atRate: 48000)))
                let source = n - start + Int(clip.from.frame(atRate: 48000))
                if n >= start, n < end, source < file.frames { sample = file.sample(source) }
            }
            var gain = automation(track.automation, t) * track.fader * session.master.fader
            if let first = track.clips.map({ range($0).start }).min(), track.fadeIn > .zero {
                gain *= max(0, min(1, (t - first).seconds / track.fadeIn.seconds))
            }
            if let last = track.clips.map({ range($0).end }).max(), track.fadeOut > .zero {
                gain *= max(0, min(1, (last - t).seconds / track.fadeOut.seconds))
            }
            for item in session.ducks where item.track == track.id { gain *= duck(item, t) }
            left += Double(sample.0) * gain * min(1, 1 - track.pan)
            right += Double(sample.1) * gain * min(1, 1 + track.pan)
        }
        return (left, right)
    }
}

@Suite struct ReferenceTests {
    /// Thousands of random sessions render to what the reference says, the first hundred at every frame, the others over a stretch; the seed of a failure is in its message.
    @Test func randomSessionsSoundAsTheContractSays() throws {
        let folder = TemporaryFolder()
        let lengths = [3000, 7001, 20000]
        var files: [String: (frames: Int, sample: (Int) -> (Float, Float))] = [:]
        for (index, length) in lengths.enumerated() {
            let sample = { (n: Int) in (sin(Float(n * (index + 3)) * 0.01), cos(Float(n * (index + 2)) * 0.017)) }
            files[try folder.file("\(index).wav", frames: length, sample)] = (length, sample)
        }
        for seed in UInt64(1)...4000 {
            var random = Seeded(state: seed)
            let session = randomSession(&random)
            let reference = Reference(session: session, files: files)
            let start = Int64.random(in: 0...(seed <= 100 ? 3000 : 30000), using: &random)
            let end = seed <= 100 ? nil : MediaTime(frame: start + 800, rate: 48000)
            let render = OfflineRender(session, library: folder.library, from: MediaTime(frame: start, rate: 48000), to: end)
            var worst = (error: 0.0, frame: 0)
            try render.mix { left, right, count, done in
                for i in 0..<count {
                    let n = Int(start) + done - count + i
                    let expected = reference.frame(n)
                    let error = max(abs(Double(left[i]) - expected.0), abs(Double(right[i]) - expected.1))
                    if error > worst.error { worst = (error, n) }
                }
                return true
            }
            // The sum of up to four tracks, each within 1e-6 at gains up to 4 x 4 and rounding of floats.
            #expect(worst.error < 4e-6, "seed \(seed): off by \(worst.error) at frame \(worst.frame) of \(SessionFile.text(session))")
            if worst.error >= 4e-6 { break }
        }
    }

    private func randomSession(_ random: inout Seeded) -> Session {
        func time(_ limit: Double) -> MediaTime {
            // Whole frames, and times between frames.
            let scale = [48000, 1000, 44100, 7].randomElement(using: &random)!
            return MediaTime(value: Int64.random(in: 0...Int64(limit * Double(scale)), using: &random), timescale: Int32(scale))
        }
        var session = Session()
        for index in 0..<Int.random(in: 1...4, using: &random) {
            var track = Track(name: "t\(index)")
            track.fader = Double.random(in: 0...1.5, using: &random)
            track.pan = Bool.random(using: &random) ? 0 : Double.random(in: -1...1, using: &random)
            track.mute = Int.random(in: 0..<8, using: &random) == 0
            track.solo = Int.random(in: 0..<8, using: &random) == 0
            if Bool.random(using: &random) { track.fadeIn = time(0.2) }
            if Bool.random(using: &random) { track.fadeOut = time(0.2) }
            var at = time(0.1)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                var clip = Clip(file: "\(Int.random(in: 0...2, using: &random)).wav")
                clip.at = at
                clip.from = MediaTime(frame: Int64.random(in: 0...2000, using: &random), rate: 48000)
                clip.duration = MediaTime(frame: Int64.random(in: 1...8000, using: &random), rate: 48000)
                track.clips.append(clip)
                // A frame apart at least: where clips touch between two frames the later one has it, which the reference does not know.
                at = at + clip.duration! + MediaTime(frame: 1, rate: 48000) + (Bool.random(using: &random) ? .zero : time(0.1))
            }
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                if Bool.random(using: &random) {
                    try? track.automation.setVolume(.random(in: 0...2, using: &random), at: time(0.6))
                } else {
                    try? track.automation.setVolumeRamp(
                        from: .random(in: 0.01...2, using: &random), to: .random(in: 0.01...2, using: &random),
                        over: TimeRange(start: time(0.6), duration: time(0.2)), curve: Curve.allCases.randomElement(using: &random)!)
                }
            }
            session.append(track)
        }
        if session.tracks.count > 1, Bool.random(using: &random) {
            var duck = Duck(track: session.tracks[0].id, under: session.tracks[1].id, to: .random(in: 0...1, using: &random))
            duck.attack = time(0.1)
            duck.release = time(0.1)
            session.ducks = [duck]
        }
        session.master.fader = .random(in: 0...1.5, using: &random)
        return session
    }

    @Test func aDayInTheLastFrameIsStillExact() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 48000) { n in (Float(n) / 0x1p20, 0.5) }
        let start = MediaTime(seconds: 86399)
        let session = try Session.of("a.wav") { session in
            session.tracks[0].clips[0].at = start
            try session.tracks[0].automation.setVolumeRamp(from: 0, to: 1, over: TimeRange(start: .zero, end: MediaTime(seconds: 86400)))
        }
        var samples: [Float] = []
        try OfflineRender(session, library: folder.library, from: start).mix { left, _, count, _ in
            samples += UnsafeBufferPointer(start: left, count: count)
            return true
        }
        #expect(samples.count == 48000)
        for n in [0, 1, 24000, 47999] {
            let gain = (86399.0 * 48000 + Double(n)) / (86400.0 * 48000)
            #expect(abs(Double(samples[n]) - Double(n) / 0x1p20 * gain) < 1e-8)
        }
    }
}
