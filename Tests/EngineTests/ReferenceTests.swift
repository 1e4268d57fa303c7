import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// The contract's sentences as slow, obvious code: what a session sounds like at frame n, from rational
/// times.
private struct Reference {
    let session: Session
    let files: [String: (frames: Int, sample: (Int) -> (Float, Float))]

    func range(_ clip: Clip) -> TimeRange {
        let whole = MediaTime(frame: Int64(files[clip.file.text]!.frames), rate: 48000)
        return TimeRange(start: clip.at, duration: clip.duration ?? whole - clip.from)
    }

    func automation(_ automation: Automation, _ t: MediaTime) -> Double {
        var value = 1.0
        for event in automation.events where event.start <= t {
            switch event.kind {
            case .point(let volume, _): value = volume
            case .ramp(let v0, let v1, let range, let curve):
                let p = min(1, (t - range.start).seconds / range.duration.seconds)
                value = Oracle.way(v0, v1, p, curve)
            }
        }
        return value
    }

    func duck(_ duck: Duck, _ t: MediaTime) -> Double {
        let clips = session.tracks[session.index(of: duck.under)!].clips.map(range).sorted {
            $0.start < $1.start
        }
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
            if t < range.start, t >= range.start - duck.attack {
                return 1 + (duck.to - 1) * (1 - (range.start - t).seconds / duck.attack.seconds)
            }
            if t >= range.end, t < range.end + duck.release {
                return duck.to + (1 - duck.to) * (t - range.end).seconds / duck.release.seconds
            }
        }
        return 1
    }

    func frame(_ n: Int) -> (Double, Double) {
        let t = MediaTime(frame: Int64(n), rate: 48000)
        var (left, right) = (0.0, 0.0)
        for track in session.tracks where SlowDesk.isHeard(track.strip, session) {
            var sample: (Float, Float) = (0, 0)
            for clip in track.clips {
                let (range, file) = (range(clip), files[clip.file.text]!)
                let (start, end) = (
                    Int(range.start.frame(atRate: 48000)), Int(range.end.frame(atRate: 48000))
                )
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
    /// Random sessions render to what the reference says, the first hundred at every frame, the others over a
    /// stretch; every second has clips that touch, and that last no whole number of frames. The seed of a
    /// failure is in its message.
    @Test func randomSessionsSoundAsTheContractSays() throws {
        let folder = TemporaryFolder()
        let lengths = [3000, 7001, 20000]
        var files: [String: (frames: Int, sample: (Int) -> (Float, Float))] = [:]
        for (index, length) in lengths.enumerated() {
            let sample = { (n: Int) in
                (sin(Float(n * (index + 3)) * 0.01), cos(Float(n * (index + 2)) * 0.017))
            }
            files[try folder.file("\(index).wav", frames: length, sample)] = (length, sample)
        }
        for seed in UInt64(1)...400 {
            var random = Seeded(state: seed)
            let session = randomSession(&random, touching: seed.isMultiple(of: 2))
            let reference = Reference(session: session, files: files)
            let start = Int64.random(in: 0...(seed <= 100 ? 3000 : 30000), using: &random)
            let end = seed <= 100 ? nil : MediaTime(frame: start + 800, rate: 48000)
            let render = OfflineRender(
                session, library: folder.library, from: MediaTime(frame: start, rate: 48000), to: end)
            var worst = (error: 0.0, frame: 0)
            try render.mixSides { left, right, count, done in
                for i in 0..<count {
                    let n = Int(start) + done - count + i
                    let expected = reference.frame(n)
                    let error = max(abs(Double(left[i]) - expected.0), abs(Double(right[i]) - expected.1))
                    if error > worst.error { worst = (error, n) }
                }
                return true
            }
            // The sum of up to four tracks, each within 1e-6 at gains up to 4 x 4 and rounding of floats.
            #expect(
                worst.error < 4e-6,
                "seed \(seed): off by \(worst.error) at frame \(worst.frame) of \(SessionFile.text(session))")
            if worst.error >= 4e-6 { break }
        }
    }

    @Test func aDayInTheLastFrameIsStillExact() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 48000) { n in (Float(n) / 0x1p20, 0.5) }
        let start = MediaTime(seconds: 86399)
        let session = try Session.of("a.wav") { session in
            session.tracks[0].clips[0].at = start
            try session.tracks[0].automation.setRamp(
                from: 0, to: 1, over: TimeRange(start: .zero, end: MediaTime(seconds: 86400)))
        }
        var samples: [Float] = []
        try OfflineRender(session, library: folder.library, from: start).mixSides { left, _, count, _ in
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

/// Mixes that begin at the very frame where something else does.
@Suite struct BorderTests {
    private func first(_ session: Session, _ library: MediaLibrary, from frame: Int64) throws -> Float {
        var value: Float = -1
        try OfflineRender(session, library: library, frames: frame..<frame + 8).mixSides { left, _, _, _ in
            value = left[0]
            return true
        }
        return value
    }

    @Test func aMixThatBeginsAtAnEventHasItsVolume() throws {
        let folder = TemporaryFolder()
        try folder.file("one.wav", frames: 4000) { _ in (1, 1) }
        var session = Session()
        var track = Track(name: "t")
        track.clips = [Clip(file: "one.wav")]
        for n in 0..<30 {
            try track.automation.setValue(Double(n) / 32, at: MediaTime(frame: Int64(100 * n), rate: 48000))
        }
        session.append(track)
        for n in Int64(1)..<30 {
            #expect(try first(session, folder.library, from: 100 * n) == Float(n) / 32)
            #expect(try first(session, folder.library, from: 100 * n - 1) == Float(n - 1) / 32)
        }
    }

    /// A clip that begins just behind a frame has that frame: its gain alone does not silence it, a fade
    /// does.
    @Test func aClipBetweenFramesBeginsWithItsFirstSample() throws {
        let folder = TemporaryFolder()
        try folder.file("one.wav", frames: 4000) { _ in (1, 1) }
        var session = Session()
        var track = Track(name: "t")
        var clip = Clip(file: "one.wav")
        (clip.at, clip.gain) = (MediaTime(value: 1001, timescale: 480_000), 0.5)
        track.clips = [clip]
        session.append(track)
        #expect(try first(session, folder.library, from: 100) == 0.5)
        session.tracks[0].clips[0].fadeIn.duration = .milliseconds(1)
        #expect(try first(session, folder.library, from: 100) == 0)
    }
}
