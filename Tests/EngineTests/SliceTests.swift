import AudioFile
import Engine
import Foundation
import Realtime
import TestSupport
import Testing
import Timeline

/// A render in slices on several cores: the same samples as in one go, and nothing goes on when it has been
/// ended.
@Suite struct SliceTests {
    private let folder = TemporaryFolder()
    private static let frames = 400_000

    private func session(_ dice: inout Seeded) throws -> Session {
        func time(_ range: ClosedRange<Int64>) -> MediaTime {
            MediaTime(value: Int64.random(in: range, using: &dice), timescale: 44100)
        }
        var session = Session()
        for number in 0..<3 {
            var noise = Seeded(state: UInt64(number))
            try folder.file("\(number).wav", frames: 150_000, rate: number == 2 ? 44100 : 48000) { _ in
                (Float.random(in: -0.5...0.5, using: &noise), Float.random(in: -0.5...0.5, using: &noise))
            }
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
            try track.automation.setRamp(
                from: 0.2, to: 1.3,
                over: TimeRange(start: time(0...100_000), duration: time(100_000...200_000)),
                curve: Curve.allCases.randomElement(using: &dice)!)
            session.append(track)
        }
        session.ducks = [Duck(track: session.tracks[0].id, under: session.tracks[1].id, to: 0.3)]
        return session
    }

    private func samples(_ render: OfflineRender) throws -> [Float] {
        var samples: [Float] = []
        try render.mixSides { left, right, count, done in
            samples += UnsafeBufferPointer(start: left, count: count)
            samples += UnsafeBufferPointer(start: right, count: count)
            return true
        }
        return samples
    }

    private struct Seen: BitwiseCopyable {
        var next: Int64 = 0
        var wrong = 0
    }

    /// A tap sees every frame once, in order, however many cores there are.
    @Test func aTapSeesEveryFrameInOrder() throws {
        try folder.file("n.wav", frames: Self.frames) { n in (Float(n) / 0x1p20, 0) }
        let session = try Session.of("n.wav")
        let tap = TrackTap(.preFader, keeping: Seen()) { state, left, _, count in
            let seen = state!.assumingMemoryBound(to: Seen.self)
            for i in 0..<count {
                if left[i] != Float(seen.pointee.next) / 0x1p20 { seen.pointee.wrong += 1 }
                seen.pointee.next += 1
            }
        }
        var render = OfflineRender(
            session, library: folder.library, frames: 0..<Int64(Self.frames),
            taps: [session.tracks[0].id: tap])
        render.jobs = 4
        _ = try samples(render)
        let seen = try #require(tap.withState(of: Seen.self) { $0.pointee })
        #expect(seen.next == Int64(Self.frames) && seen.wrong == 0)
    }

    @Test func slicesJoin() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var dice = Seeded(state: seed)
        for _ in 0..<3 {
            let session = try session(&dice)
            let start = Int64.random(in: 0...5000, using: &dice)
            var render = OfflineRender(
                session, library: folder.library, frames: start..<start + Int64(Self.frames))
            render.jobs = 1
            let whole = try samples(render)
            #expect(whole.count == 2 * Self.frames && whole.contains { $0 != 0 })
            for jobs in [2, 3, 6] {
                render.jobs = jobs
                #expect(try samples(render) == whole, "\(jobs) at once")
            }
        }
    }

    /// The header of a FLAC tells of all its frames: that some are gone shows where they are wanted, here in
    /// a slice further on.
    @Test(arguments: [1, 2, 6]) func aFailureInALaterSliceIsReported(jobs: Int) throws {
        var (noise, session) = (Seeded(state: 3), Session())
        try folder.file("cut.flac", frames: Self.frames, rate: 48000) { _ in
            (Float.random(in: -0.5...0.5, using: &noise), 0)
        }
        var track = Track(name: "t")
        track.clips = [Clip(file: "cut.flac")]
        session.append(track)
        var render = OfflineRender(session, library: folder.library, frames: 0..<Int64(Self.frames))
        render.jobs = jobs
        let whole = try samples(render)
        #expect(whole.count == 2 * Self.frames)
        let size = try FileManager.default.attributesOfItem(atPath: folder("cut.flac"))[.size] as! Int
        #expect(truncate(folder("cut.flac"), off_t(size * 7 / 10)) == 0)
        var given = 0
        #expect {
            try render.mixSides { left, _, count, done in
                for i in 0..<count where left[i] != whole[2 * given + i] {
                    Issue.record("frame \(given + i) is another")
                }
                given = done
                return true
            }
        } throws: { "\($0)".contains("cut.flac: cannot read frame 27") }
        #expect(given <= Self.frames * 7 / 10)
    }

    @Test func aReaderThatStopsEndsTheSlices() throws {
        var dice = Seeded(state: 1)
        var render = OfflineRender(
            try session(&dice), library: folder.library, frames: 0..<Int64(Self.frames))
        render.jobs = 4
        for last in [1, 60_000, 200_000] {
            var given = 0
            try render.mixSides { _, _, count, _ in
                given += count
                return given < last
            }
            #expect(given >= last && given < last + 8192)
        }
    }

    /// The rings are small: what the mixer waits for must find room whatever it has not given back yet, at
    /// every rate and in pieces of any size.
    @Test(arguments: rates) func aRenderInSlicesComesToItsEnd(rate: Int32) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var dice = Seeded(state: seed)
        let count = 60_000
        let name = try folder.file("numbered-\(rate).wav", frames: count, rate: rate) { numbered($0) }
        var session = Session.of(name, name, name, name, name) {
            for track in 1..<5 { $0.tracks[track].mute = true }
        }
        session.sampleRate = rate
        let sizes = (0..<count).map { _ in
            Int.random(in: 1...(Bool.random(using: &dice) ? 700 : 9000), using: &dice)
        }
        nonisolated(unsafe) let mix = OfflineMix(session, library: folder.library, frames: 0..<Int64(count))
        let ended = Awaited<[Float]?>(nil)
        let reading = Thread {
            var samples = [Float](repeating: 9, count: count)
            var other = samples
            for size in sizes where mix.done < count {
                let done = mix.done
                samples.withUnsafeMutableBufferPointer { left in
                    other.withUnsafeMutableBufferPointer { right in
                        let block = Channels(left.baseAddress! + done, right.baseAddress! + done)
                        _ = try? mix.read(into: block, count: min(size, count - done))
                    }
                }
            }
            let all = samples
            ended.change { $0 = all }
        }
        reading.start()
        for _ in 0..<600 where ended.read({ $0 == nil }) { usleep(100_000) }
        let left = ended.read { $0 }
        #expect(left != nil, "the mix at \(rate) Hz stands still after \(mix.done) frames")
        #expect(left == (0..<count).map { numbered($0).0 })
    }

    /// On both sides of where rings have to be larger, and at the ends.
    private static let rates: [Int32] = [
        8000, 44100, 48000, 88_200, 96_000, 102_400, 102_600, 192_000, 204_800, 205_200, 384_000, 768_000,
    ]

    /// The same in slices, where on two cores nobody reads but who mixes.
    @Test(.timeLimit(.minutes(5)), arguments: rates) func slicesComeToTheirEnd(rate: Int32) throws {
        let name = try folder.file("numbered-\(rate).wav", frames: Self.frames, rate: rate) { numbered($0) }
        var session = Session.of(name, name, name, name, name) {
            for track in 1..<5 { $0.tracks[track].mute = true }
        }
        session.sampleRate = rate
        var render = OfflineRender(session, library: folder.library, frames: 0..<Int64(Self.frames))
        render.jobs = max(2, render.jobs)
        var place = 0
        try render.mixSides { left, _, count, done in
            for i in 0..<count where left[i] != numbered(place + i).0 {
                Issue.record("frame \(place + i) is another")
                return false
            }
            place = done
            return true
        }
        #expect(place == Self.frames)
    }

    /// Where it takes long to begin elsewhere slices are longer; the last may be longer still.
    @Test(arguments: [300_000, 1 << 18, 1 << 18 + 1 << 17 - 1, 1 << 18 + 1 << 17, 700_000])
    func slicesOfAnOggJoin(frames: Int) throws {
        var noise = Seeded(state: 4)
        try folder.file("a.ogg", frames: frames, rate: 48000) { _ in
            (Float.random(in: -0.5...0.5, using: &noise), Float.random(in: -0.5...0.5, using: &noise))
        }
        var (session, track) = (Session(), Track(name: "t"))
        track.clips = [Clip(file: "a.ogg")]
        session.append(track)
        var render = OfflineRender(session, library: folder.library, frames: 0..<Int64(frames))
        render.jobs = 1
        let whole = try samples(render)
        #expect(whole.count == 2 * frames && whole.contains { $0 != 0 })
        for jobs in [2, 5] {
            render.jobs = jobs
            #expect(try samples(render) == whole, "\(jobs) at once")
        }
    }

    /// Slices take over each other's open files, and do not gather them.
    @Test func fewFilesAreOpen() throws {
        var session = Session()
        for track in 0..<3 {
            var clips: [Clip] = []
            for number in 0..<60 {
                var clip = Clip(
                    file: try folder.file("\(track)-\(number).wav", frames: 9000) { _ in (0.125, 0.25) })
                clip.at = MediaTime(value: Int64(number) * 9000, timescale: 48000)
                clips.append(clip)
            }
            var strip = Track(name: "t\(track)")
            strip.clips = clips
            session.append(strip)
        }
        func open() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)"))?
                    .hasPrefix(folder.path) == true
            }.count
        }
        var render = OfflineRender(session, library: folder.library, frames: 0..<540_000)
        render.jobs = 2
        var (most, sum) = (0, 0.0)
        try render.mixSides { left, right, count, _ in
            most = max(most, (try? open()) ?? .max)
            sum += Double(left[0]) + Double(right[count - 1])
            return true
        }
        #expect(sum > 0 && most > 0 && most <= 2 * 4 * 3, "\(most) were open")
        #expect(try open() == 0)
    }
}
