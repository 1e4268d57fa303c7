import AudioFile
import Engine
import Foundation
import Realtime
import TestSupport
import Testing
import Timeline

private let rate = AiredShow.rate

@Suite struct AiredTests {
    private func mix(
        _ session: Session, _ folder: TemporaryFolder, _ frames: Range<Int64>
    ) throws -> (
        left: [Float], right: [Float]
    ) {
        let aired = AiredSession(session, library: folder.library)
        #expect(aired.missing.isEmpty)
        var sides: (left: [Float], right: [Float]) = ([], [])
        var render = OfflineRender(aired.session, library: aired.library, frames: frames)
        render.recalls = aired.recalls
        try render.mixSides {
            left, right, count, _ in
            sides.left += UnsafeBufferPointer(start: left, count: count)
            sides.right += UnsafeBufferPointer(start: right, count: count)
            return true
        }
        return sides
    }

    /// Whatever the latencies, from the first frame to the last.
    @Test(arguments: 0..<40) func aShowRendersAsItWasAired(number: UInt64) throws {
        var seed = Seeded(state: 4711 &+ number &* 7919)
        let show = try AiredShow(&seed)
        let start = Int64([0, 3000].randomElement(using: &seed)!)
        show.engine.locate(start)
        show.render(8192)
        show.engine.record(0..<Int64.max)
        show.engine.play()
        show.render(12_800)
        let end = show.engine.frame
        show.engine.stop()
        show.render(8192)
        var session = try show.recorded()
        // A cut changes nothing of what is heard.
        let cut = MediaTime(frame: Int64.random(in: start + 1..<end, using: &seed), rate: rate)
        for index in session.tracks.indices where session.tracks[index].input != nil {
            _ = try session.tracks[index].split(at: cut, ruler: show.folder.library.ruler(atRate: rate))
        }
        let lag = show.engine.lag
        let (left, right) = try mix(session, show.folder, start..<end - Int64(lag))
        let wrong = left.indices.first {
            left[$0] != show.aired.left[$0 + lag] || right[$0] != show.aired.right[$0 + lag]
        }
        let place = wrong ?? 0
        #expect(
            wrong == nil,
            """
            seed \(number), lag \(lag), latencies \(show.takes.map(\.aired)): frame \(place) of \
            \(left.count) \
            is \(left[place]), \(right[place]); on air it was \(show.aired.left[place + lag]), \
            \(show.aired.right[place + lag])
            """)
    }

    /// How a show comes to be recorded.
    enum Beginning: CaseIterable {
        /// Playing begins where it stands, or was just sent to; or goes on where it was stopped.
        case play, locateAndPlay, playOn
        /// While it plays: all of it, or from a frame on.
        case record, punch
    }

    /// Whatever remembers what it heard before: `JMIX_SHOWS` says how many shows; `JMIX_SEED` where they
    /// begin.
    @Test(arguments: Beginning.allCases) func aShowWithProcessorsRendersAsItWasAired(
        beginning: Beginning
    ) throws {
        let number: UInt64 = environmentNumber("JMIX_SHOWS") ?? 40
        let first = firstSeed("JMIX_SEED")
        for seed in first..<first + number { try compare(seed, beginning) }
    }

    private func compare(_ number: UInt64, _ beginning: Beginning) throws {
        var seed = Seeded(state: number)
        let show = try AiredShow(&seed, hasProcessors: true)
        var start = Int64([0, 3000].randomElement(using: &seed)!)
        if beginning != .locateAndPlay { show.engine.locate(start) }
        show.render(8192)
        var settles: Int64 = 0
        switch beginning {
        case .play: show.engine.record(0..<Int64.max)
        case .locateAndPlay:
            show.engine.record(0..<Int64.max)
            start = 5000
            show.engine.locate(start)
            // Sounds that go on wherever playing goes cross over together with those that are late.
            settles = 240 + Int64(show.engine.lag)
        case .playOn:
            show.engine.play()
            show.render(Int.random(in: 1...5000, using: &seed))
            show.engine.stop()
            show.render(8192)
            start = show.engine.frame
            show.engine.record(0..<Int64.max)
            settles = 240
        case .record, .punch: break
        }
        show.forget()
        show.engine.play()
        let origin = start
        if beginning == .record || beginning == .punch {
            let rolled = Int.random(in: 1...3000, using: &seed)
            start += Int64(rolled)
            if beginning == .punch { show.engine.record(start..<Int64.max) }
            show.render(rolled)
            if beginning == .record { show.engine.record(0..<Int64.max) }
        }
        show.render(12_800)
        let end = show.engine.frame
        show.engine.stop()
        show.render(8192)
        let session = try show.recorded()
        let lag = show.engine.lag
        let from = [start, 0, start + 5000].randomElement(using: &seed)!
        let (left, right) = try mix(session, show.folder, from..<end - Int64(lag))
        let wrong = (max(from, start + settles)..<end - Int64(lag)).first { frame in
            let (place, aired) = (Int(frame - from), Int(frame - origin) + lag)
            return left[place] != show.aired.left[aired] || right[place] != show.aired.right[aired]
        }
        #expect(
            wrong == nil,
            "\(beginning), seed \(number), lag \(lag), recorded from \(start), mixed from \(from)")
    }

    /// A show that is recorded again from the same frame, but not as far: what was heard last counts, though
    /// the rest of the take before lies behind it.
    @Test func aSecondPassRendersAsItWasAiredLast() throws {
        let first = UInt64.random(in: 0...UInt64(UInt32.max))
        for number in first..<first + 40 {
            var seed = Seeded(state: number)
            let show = try AiredShow(&seed, hasProcessors: true)
            var end: Int64 = 0
            for length in [12_800, 9_600] {
                show.render(4096 + Int.random(in: 0...3000, using: &seed))
                show.engine.locate(2000)
                show.render(2048)
                show.engine.record(0..<Int64.max)
                show.forget()
                show.engine.play()
                show.render(length)
                end = show.engine.frame
                show.engine.stop()
                show.render(8192)
                show.engine.record(nil)
            }
            let lag = show.engine.lag
            let (left, right) = try mix(try show.recorded(), show.folder, 2000..<end - Int64(lag))
            let wrong = left.indices.first {
                left[$0] != show.aired.left[$0 + lag] || right[$0] != show.aired.right[$0 + lag]
            }
            #expect(wrong == nil, "seed \(number), lag \(lag)")
        }
    }

    /// What a long delay holds is not written once for each track, however short the turns of a loop are.
    @Test(arguments: [6000, 40_000]) func aLongMemoryIsWrittenByOneTakeOfAPass(frames: Int) throws {
        var seed = Seeded(state: 7)
        var show = try AiredShow(&seed, latency: 0)
        while show.session.tracks.count(where: \.isArmed) < 2 { show = try AiredShow(&seed, latency: 0) }
        show.session.master.delay = MediaTime(value: 30_000, timescale: rate)
        show.engine.apply(show.session, library: show.folder.library)
        show.render(32_768)
        show.engine.record(0..<Int64(frames))
        show.engine.play()
        show.render(frames + 8192)
        show.engine.stop()
        show.render(8192)
        _ = try show.recorded()
        let sizes = try show.takes.map { take in
            let bytes = try Data(contentsOf: URL(fileURLWithPath: take.path))
            let chunk = try #require(bytes.range(of: Data("jmxm".utf8)))
            return bytes[chunk.upperBound..<chunk.upperBound + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        // Of the second there are its own words and the head: it has no processors.
        let sound = 2 * 4 * min(30_000, frames)
        #expect(sizes.filter { $0 > sound }.count == 1 && sizes.min()! < 1000, "\(sizes)")
    }

    /// Whatever stands in the place of what strips remembered: it is passed over, or heard as numbers.
    @Test func brokenMemoryOfATakeTrapsNowhere() throws {
        let first = UInt64.random(in: 0...UInt64(UInt32.max))
        for number in first..<first + 60 {
            var seed = Seeded(state: number)
            let show = try AiredShow(&seed, hasProcessors: true)
            show.render(2048)
            show.engine.record(0..<Int64.max)
            show.engine.play()
            show.render(4096)
            show.engine.stop()
            show.render(8192)
            let session = try show.recorded()
            let file = URL(fileURLWithPath: try #require(show.takes.first).path)
            var bytes = try Data(contentsOf: file)
            guard let chunk = bytes.range(of: Data("jmxm".utf8)) else { continue }
            for _ in 0..<Int.random(in: 1...40, using: &seed) {
                let place = Int.random(in: chunk.upperBound + 4..<bytes.count, using: &seed)
                bytes[place] = [0, 0x7f, 0xff, UInt8.random(in: 0...255, using: &seed)].randomElement(
                    using: &seed)!
            }
            try bytes.write(to: file)
            let (left, _) = try mix(session, show.folder, 0..<4000)
            #expect(left.count == 4000, "seed \(number)")
            // One that is gone is told of.
            bytes.replaceSubrange(chunk, with: Data("none".utf8))
            try bytes.write(to: file)
            let forgetful = AiredSession(session, library: show.folder.library).forgetful
            let isLate =
                show.takes.first!.aired > 0
                && session.tracks.first { $0.id == show.takes.first!.track }!.monitor != .clips
            #expect(forgetful.isEmpty != isLate, "seed \(number)")
        }
    }

    /// A punch in the middle of a show.
    @Test(arguments: [0, 700, 3000]) func aPunchRendersAsItWasAired(latency: Int) throws {
        var seed = Seeded(state: UInt64(latency))
        let show = try AiredShow(&seed)
        show.engine.record(4000..<9000)
        show.engine.play()
        show.render(20_480)
        show.engine.stop()
        show.render(8192)
        let lag = show.engine.lag
        let (left, right) = try mix(try show.recorded(), show.folder, 4000..<9000)
        #expect(left == Array(show.aired.left[4000 + lag..<9000 + lag]))
        #expect(right == Array(show.aired.right[4000 + lag..<9000 + lag]))
    }

    /// A pass that is over before anything that was played in it has come in.
    @Test(arguments: [100, 1024, 2047]) func aPassThatIsShorterThanTheLatency(frames: Int) throws {
        var seed = Seeded(state: 3)
        let show = try AiredShow(&seed, latency: 2048)
        show.engine.record(4000..<4000 + Int64(frames))
        show.engine.play()
        show.render(20_480)
        show.engine.stop()
        show.render(8192)
        let lag = show.engine.lag
        let (left, right) = try mix(try show.recorded(), show.folder, 4000..<4000 + Int64(frames))
        #expect(left == Array(show.aired.left[4000 + lag..<4000 + frames + lag]))
        #expect(right == Array(show.aired.right[4000 + lag..<4000 + frames + lag]))
    }

    /// A take that holds nothing of what came before it says so, and is silent there.
    @Test func framesThatAFileLacksAreSilentAndReported() throws {
        let folder = TemporaryFolder()
        try folder.file("mic.wav", frames: 4000) { numbered($0) }
        var session = Session()
        var (track, clip) = (Track(name: "mic"), Clip(file: "mic.wav"))
        (track.input, clip.aired) = (Input(), MediaTime(frame: 1000, rate: rate))
        track.clips = [clip]
        session.append(track)
        let aired = AiredSession(session, library: folder.library)
        #expect(aired.missing.map(\.file) == ["mic.wav"] && aired.missing.map(\.frames) == [1000])
        let length = aired.session.tracks[0].clips[0].duration
        #expect(length == MediaTime(frame: 4000, rate: rate))
        var left: [Float] = []
        try OfflineRender(aired.session, library: aired.library, frames: 0..<4000).mixSides {
            samples, _, count, _ in
            left += UnsafeBufferPointer(start: samples, count: count)
            return true
        }
        #expect(left == (0..<4000).map { $0 < 1000 ? 0 : numbered($0 - 1000).0 })
    }

    /// The file of a take is what it is without its lead: other programs read the take alone.
    @Test func aLeadIsNoPartOfTheSound() throws {
        let folder = TemporaryFolder()
        for (number, count) in [(1, 3), (2, 100_000)] {
            let lead = (0..<2 * count).map { Float($0) / 0x1p20 }
            let writer = try TakeWriter(
                in: .init(folder.path), name: "mic", places: [0, 1], sampleRate: rate, start: 5, lead: lead)
            let block = (0..<1000).map { Float($0) }
            try writer.write(left: block, right: block, count: 1000)
            try writer.finish()
            #expect(writer.path == folder("mic-\(number).wav"))
            let file = try SoundFile(path: writer.path)
            #expect(file.frames == 1000)
            let (source, missing) = try AiredTake.source(writer.path) { _ in Int64(count) }
            #expect(missing == 0 && source.frames == Int64(count + 1000))
            var samples = [Float](repeating: 0, count: 2 * (count + 1000))
            let done = try source.read(from: 0, count: count + 1000, into: &samples)
            #expect(done == count + 1000 && Array(samples[..<(2 * count)]) == lead)
            #expect(samples[(2 * count)...].enumerated().allSatisfy { $1 == Float($0 / 2) })
            // As its header says it is as long as it is.
            let bytes = try Data(contentsOf: URL(fileURLWithPath: writer.path))
            let length = bytes[4..<8].enumerated().reduce(0) { $0 | Int($1.1) << (8 * $1.0) }
            #expect(bytes.count == length + 8)
        }
    }
}
