import AudioFile
import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// A cable from the mixer's output to an input, as long as its latency says: what is recorded is what was
/// played, in the place where it was played.
private final class Cable {
    let engine = PlaybackEngine(sampleRate: 48000)
    let folder = TemporaryFolder()
    let latency: Int
    private var session: Session
    private var played: [Float]

    /// - Parameter told: what the engine is told of it.
    init(latency: Int, told: Int? = nil) throws {
        self.latency = latency
        try folder.file("a.wav", frames: 400_000) { numbered($0) }
        session = try .of("a.wav")
        var mic = Track(name: "mic")
        (mic.input, mic.monitor, mic.isArmed) = (Input(), .clips, true)
        session.append(mic)
        played = [Float](repeating: 0, count: latency)
        engine.takesFolder = folder("takes")
        engine.setLatency(told ?? latency, ofTrack: session.tracks[1].id)
        engine.apply(session, library: folder.library)
    }

    deinit { engine.close() }

    func tell(_ latency: Int) { engine.setLatency(latency, ofTrack: session.tracks[1].id) }

    func arm(_ flag: Bool) {
        session.tracks[1].isArmed = flag
        engine.apply(session, library: folder.library)
    }

    func render(_ frames: Int, period: Int = 256) {
        for start in stride(from: 0, to: frames, by: period) {
            engine.waitUntilFilled()
            let count = min(period, frames - start)
            var incoming = Array(
                played[played.count - latency..<played.count - latency + min(count, latency)])
            if latency < count { incoming = [Float](repeating: 0, count: count) }
            var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
            incoming.withUnsafeMutableBufferPointer { incoming in
                var direct = [DirectIn(engine.stripHandle(session.tracks[1].id)!)]
                (direct[0].buffers[0], direct[0].buffers[1]) = (incoming.baseAddress!, incoming.baseAddress!)
                direct.withUnsafeMutableBufferPointer {
                    engine.mixer.audioSide.render(
                        &left, &right, count, waits: true, ins: DirectIns($0.baseAddress!, count: 1))
                }
            }
            played += left
            engine.poll()
        }
    }

    /// Where the takes lie, once each is found to hold what was played there.
    func takes() throws -> [Range<Int>] {
        engine.close()
        return try engine.takeFinishedTakes().map { take in
            let reader = try ChannelReader(path: take.path, channels: nil, sampleRate: 48000)
            var (left, right) = (
                [Float](repeating: 0, count: Int(take.frames)), [Float](repeating: 0, count: Int(take.frames))
            )
            try reader.read(from: 0, count: left.count, left: &left, right: &right)
            let wrong = left.indices.first { left[$0] != numbered(Int(take.start) + $0).0 }
            #expect(
                wrong == nil && take.lost == 0,
                """
                the take at \(take.start): frame \(wrong ?? -1) of \(take.frames) holds \
                \((left[wrong ?? 0] * 0x1p20)), \(take.lost) lost
                """
            )
            return Int(take.start)..<Int(take.start + take.frames)
        }
    }
}

@Suite struct CableTests {
    @Test func eachTurnOfALoopIsATakeOfTheWholeLoop() throws {
        let cable = try Cable(latency: 2048)
        cable.engine.setLoop(96_000..<144_000)
        cable.engine.locate(96_000)
        cable.engine.record(0..<Int64.max)
        cable.engine.play()
        cable.render(3 * 48_000 + 10_000)
        cable.engine.stop()
        cable.render(8192)
        #expect(
            try cable.takes() == [96_000..<144_000, 96_000..<144_000, 96_000..<144_000, 96_000..<106_000])
    }

    @Test func turnsThatComeFasterThanTakesAreWrittenWaitForTheDisk() throws {
        let cable = try Cable(latency: 2048)
        cable.engine.setLoop(96_000..<96_480)
        cable.engine.locate(96_000)
        cable.engine.record(0..<Int64.max)
        cable.engine.play()
        cable.render(400 * 480, period: 1024)
        cable.engine.stop()
        cable.render(8192)
        #expect(try cable.takes() == Array(repeating: 96_000..<96_480, count: 400))
    }

    @Test func aTakeBeginsWherePlayingBeganAndEndsWhereItStopped() throws {
        let cable = try Cable(latency: 2048)
        cable.engine.locate(192_000)
        cable.engine.record(0..<Int64.max)
        cable.engine.play()
        cable.render(20_480)
        cable.engine.stop()
        cable.render(8192)
        #expect(try cable.takes() == [192_000..<212_480])
    }

    @Test func aDisarmedTrackIsRecordedAsFarAsItWasPlayed() throws {
        let cable = try Cable(latency: 2048)
        cable.engine.record(0..<Int64.max)
        cable.engine.play()
        cable.render(10_240)
        cable.arm(false)
        cable.render(1024)
        cable.arm(true)
        cable.render(10_240)
        cable.engine.record(nil)
        cable.render(10_240)
        #expect(try cable.takes() == [0..<10_240, 11_264..<21_504])
    }

    @Test func aPunchIsRecordedWhole() throws {
        let cable = try Cable(latency: 3000)
        cable.engine.record(1000..<9000)
        cable.engine.play()
        cable.render(30_000)
        #expect(try cable.takes() == [1000..<9000])
    }

    /// A second take from where the first one ends cuts nothing of it.
    @Test func takesInARowTouch() throws {
        let cable = try Cable(latency: 2048)
        for _ in 0..<2 {
            cable.engine.record(0..<Int64.max)
            cable.engine.play()
            cable.render(10_240)
            cable.engine.stop()
            cable.render(5120)
            cable.engine.locate(10_240)
            cable.render(256)
        }
        #expect(try cable.takes() == [0..<10_240, 10_240..<20_480])
    }

    /// A latency that is told late, as when a cable is plugged in meanwhile: from then on each frame lies
    /// where it was played, and none lies twice.
    @Test(arguments: [0, 4096]) func aLatencyThatIsToldLateCountsFromThenOn(told: Int) throws {
        let cable = try Cable(latency: 2048, told: told)
        cable.engine.record(0..<Int64.max)
        cable.engine.play()
        cable.render(10_240)
        cable.tell(2048)
        cable.render(20_480)
        cable.engine.close()
        let takes = cable.engine.takeFinishedTakes()
        #expect(takes.count == 1)
        // No disk was late: frames that had come in too late for one latency and too early for the other were
        // there for nobody.
        #expect(takes.first?.lost == 0)
        let reader = try ChannelReader(path: takes[0].path, channels: nil, sampleRate: 48000)
        let (count, start) = (Int(takes[0].frames), Int(takes[0].start))
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        try reader.read(from: 0, count: count, left: &left, right: &right)
        // What had come in before lies where it was told to.
        let known = 10_240 - told - start
        #expect(left[(known + 2048)...].indices.allSatisfy { left[$0] == numbered(start + $0).0 })
        #expect(start + count == 30_720 - 2048)
    }

    /// What is asked for a frame holds there, whatever has been asked since for an earlier one.
    @Test func armedAndDisarmedForFramesInAnyOrder() throws {
        let cable = try Cable(latency: 2048)
        cable.engine.record(0..<Int64.max)
        cable.engine.play()
        cable.render(256)
        cable.engine.together(at: 5000) { cable.arm(false) }
        cable.engine.together(at: 3000) { cable.arm(true) }
        cable.render(20_480)
        let takes = try cable.takes()
        #expect(takes == [0..<3000, 3000..<5000])
    }

    /// One comes in when the other has been whole for long: they are one step to undo.
    @Test func takesOfOnePassComeTogetherHoweverLateEachIs() throws {
        let folder = TemporaryFolder()
        let engine = PlaybackEngine(sampleRate: 48000)
        defer { engine.close() }
        var session = Session()
        for name in ["near", "far"] {
            var mic = Track(name: name)
            (mic.input, mic.monitor, mic.isArmed) = (Input(), .clips, true)
            session.append(mic)
        }
        engine.takesFolder = folder("takes")
        for (track, latency) in zip(session.tracks, [0, 24_000]) {
            engine.setLatency(latency, ofTrack: track.id)
        }
        engine.apply(session, library: folder.library)
        var takes: [Take] = []
        func render(_ frames: Int) {
            engine.waitUntilFilled()
            var samples = [[Float]](repeating: [Float](repeating: 0, count: frames), count: 3)
            samples.withUnsafeMutableBufferPointer { buffers in
                var ins = session.tracks.map { DirectIn(engine.stripHandle($0.id)!) }
                for index in ins.indices {
                    buffers[2].withUnsafeMutableBufferPointer {
                        (ins[index].buffers[0], ins[index].buffers[1]) = ($0.baseAddress!, $0.baseAddress!)
                    }
                }
                ins.withUnsafeMutableBufferPointer { ins in
                    engine.mixer.audioSide.render(
                        &buffers[0], &buffers[1], frames, waits: true,
                        ins: DirectIns(ins.baseAddress!, count: 2))
                }
            }
            engine.poll()
            takes += engine.takeFinishedTakes()
        }
        engine.record(1000..<5000)
        engine.play()
        for _ in 0..<100 { render(64) }
        let file = folder("takes/near-1.wav")
        let isWritten = waits { FileManager.default.fileExists(atPath: file) }
        #expect(isWritten, "the near one is written")
        for _ in 0..<20 {
            usleep(20_000)
            render(64)
        }
        #expect(takes.isEmpty, "the far one is still on its way")
        for _ in 0..<500 { render(64) }
        let areWhole = waits {
            render(64)
            return takes.count == 2
        }
        #expect(areWhole, "both are whole")
        #expect(
            takes.map(\.start) == [1000, 1000] && takes.map(\.frames) == [4000, 4000]
                && Set(takes.map(\.pass)).count == 1)
    }

    /// Asks again until it holds, for ten seconds at the most.
    private func waits(_ condition: () -> Bool) -> Bool {
        for _ in 0..<1000 {
            if condition() { return true }
            usleep(10_000)
        }
        return false
    }

    /// While nobody calls the audio thread, arming and disarming makes no more captures than there are
    /// strips.
    @Test func armingOverAndOverWithoutACallbackMakesOneCapture() throws {
        let engine = PlaybackEngine(sampleRate: 48000)
        defer { engine.close() }
        var session = Session()
        for number in 0..<400 {
            var track = Track(name: "mic\(number)")
            track.input = Input()
            session.append(track)
        }
        let library = MediaLibrary(folder: ".")
        for _ in 0..<5 {
            for index in session.tracks.indices {
                session.tracks[index].isArmed = true
                engine.apply(session, library: library)
                session.tracks[index].isArmed = false
                engine.apply(session, library: library)
            }
            engine.poll()
        }
        #expect(engine.captureCount <= 2 * Session.maximumArmed)
    }
}
