import AudioFile
import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// A render in slices on several cores: the same samples as in one go, and nothing goes on when it has been ended.
@Suite struct SliceTests {
    private let folder = TemporaryFolder()
    private static let frames = 400_000

    private func session(_ dice: inout Seeded) throws -> Session {
        func time(_ range: ClosedRange<Int64>) -> MediaTime { MediaTime(value: Int64.random(in: range, using: &dice), timescale: 44100) }
        var session = Session()
        for number in 0..<3 {
            var noise = Seeded(state: UInt64(number))
            try folder.file("\(number).wav", frames: 150_000, rate: number == 2 ? 44100 : 48000) { _ in (Float.random(in: -0.5...0.5, using: &noise), Float.random(in: -0.5...0.5, using: &noise)) }
            var track = Track(name: "t\(number)")
            track.fader = Double.random(in: 0.1...1, using: &dice)
            track.pan = Double.random(in: -1...1, using: &dice)
            (track.fadeIn, track.fadeOut) = (time(0...90_000), time(0...90_000))
            var clip = Clip(file: "\(number).wav")
            clip.at = time(0...60_000)
            clip.isReversed = Bool.random(using: &dice)
            var next = clip
            next.at = clip.at + MediaTime(seconds: 4)
            next.fadeIn = ClipFade(time(1...40_000))
            track.clips = [clip, next]
            try track.automation.setVolumeRamp(from: 0.2, to: 1.3, over: TimeRange(start: time(0...100_000), duration: time(100_000...200_000)), curve: Curve.allCases.randomElement(using: &dice)!)
            session.append(track)
        }
        session.ducks = [Duck(track: session.tracks[0].id, under: session.tracks[1].id, to: 0.3)]
        return session
    }

    private func samples(_ render: OfflineRender) throws -> [Float] {
        var samples: [Float] = []
        try render.mix { left, right, count, done in
            samples += UnsafeBufferPointer(start: left, count: count)
            samples += UnsafeBufferPointer(start: right, count: count)
            return done <= Self.frames
        }
        return samples
    }

    @Test func slicesJoin() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var dice = Seeded(state: seed)
        for _ in 0..<3 {
            let session = try session(&dice)
            let start = Int64.random(in: 0...5000, using: &dice)
            var render = OfflineRender(session, library: folder.library, frames: start..<start + Int64(Self.frames))
            render.jobs = 1
            let whole = try samples(render)
            #expect(whole.count == 2 * Self.frames && whole.contains { $0 != 0 })
            for jobs in [2, 3, 6] {
                render.jobs = jobs
                #expect(try samples(render) == whole, "\(jobs) at once")
            }
        }
    }

    @Test func whoHasEnoughEndsIt() throws {
        var dice = Seeded(state: 1)
        var render = OfflineRender(try session(&dice), library: folder.library, frames: 0..<Int64(Self.frames))
        render.jobs = 4
        for last in [1, 60_000, 200_000] {
            var given = 0
            try render.mix { _, _, count, _ in
                given += count
                return given < last
            }
            #expect(given >= last && given < last + 8192)
        }
    }
}
