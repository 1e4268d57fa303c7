import Engine
import Foundation
import Realtime
import TestSupport
import Testing
import Timeline

private let fade = 240  // 5 ms at 48 kHz

@Suite struct MixerTests {
    @Test func atUnityTheOutputIsTheFileWhateverTheBlock() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 30000, numbered)
        for blocks in [[64], [1024], [1, 7, 300, 5000], [8192]] {
            let stepper = Stepper(playing: try .of("a.wav"), folder)
            var turn = 0
            while stepper.left.count < 31000 {
                stepper.render(blocks[turn % blocks.count])
                turn += 1
            }
            #expect(Array(stepper.left[..<30000]) == (0..<30000).map { numbered($0).0 })
            #expect(Array(stepper.right[..<30000]) == (0..<30000).map { numbered($0).1 })
            #expect(stepper.left[30000..<31000].allSatisfy { $0 == 0 })
        }
    }

    @Test func everyGainIsTheSameForEveryBlockSize() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 48000) { n in (sin(Float(n) * 0.1), cos(Float(n) * 0.13)) }
        let session = try Session.of("a.wav", "a.wav") { session in
            session.tracks[0].fadeIn = MediaTime(value: 1, timescale: 7)
            session.tracks[0].fadeOut = MediaTime(value: 1, timescale: 3)
            session.tracks[0].fader = 0.7
            session.tracks[0].pan = 0.3
            for (index, curve) in Curve.allCases.enumerated() {
                let range = TimeRange(
                    start: MediaTime(value: Int64(index * 2 + 1), timescale: 11),
                    duration: MediaTime(value: 1, timescale: 13))
                try session.tracks[0].automation.setRamp(
                    from: 0.2, to: index % 2 == 0 ? 1.3 : 0.1, over: range, curve: curve)
            }
            session.tracks[1].clips[0].at = MediaTime(value: 1, timescale: 10)
            session.tracks[1].clips[0].duration = MediaTime(value: 3, timescale: 10)
            session.ducks = [Duck(track: session.tracks[0].id, under: session.tracks[1].id, to: 0.3)]
        }
        func mix(_ block: Int) -> Stepper {
            let stepper = Stepper(playing: session, folder)
            while stepper.left.count < 48000 { stepper.render(min(block, 48000 - stepper.left.count)) }
            return stepper
        }
        let reference = mix(4096)
        for block in [17, 64, 1000] {
            let other = mix(block)
            #expect(other.left == reference.left && other.right == reference.right, "block \(block)")
        }
    }

    @Test func stopFadesOutAndPlayResumesThereWithAFade() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 20000) { _ in (1, 1) }
        let stepper = Stepper()
        stepper.engine.apply(try .of("a.wav"), library: folder.library)
        stepper.settle()
        stepper.render(100)
        #expect(stepper.left.allSatisfy { $0 == 0 })
        stepper.engine.play()
        stepper.render(100)
        #expect(stepper.left[100...].allSatisfy { $0 == 1 })  // from the first frame, at full level
        stepper.engine.stop()
        stepper.render(500)
        for i in 0..<fade { #expect(abs(stepper.left[200 + i] - (1 - Float(i) / Float(fade))) < 1e-6) }
        #expect(stepper.left[(200 + fade)...].allSatisfy { $0 == 0 })
        #expect(stepper.engine.frame == Int64(100 + fade))
        stepper.engine.play()
        stepper.render(500)
        for i in 0..<fade { #expect(abs(stepper.left[700 + i] - Float(i) / Float(fade)) < 1e-6) }
        #expect(stepper.engine.frame == Int64(100 + fade + 500))
    }

    @Test func aLocateWhileRollingCrossesOverToTheVeryFrame() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 100_000, numbered)
        let stepper = Stepper(playing: try .of("a.wav"), folder)
        stepper.render(1000)
        stepper.engine.locate(50000)
        stepper.settle()
        stepper.render(1000)
        for i in 0..<1000 {
            let (old, new) = (numbered(1000 + i).0, numbered(50000 + i).0)
            let share = max(0, Float(fade - i) / Float(fade))
            #expect(abs(stepper.left[1000 + i] - (new + (old - new) * share)) < 1e-7)
        }
        #expect(Array(stepper.left[(1000 + fade)...]) == (fade..<1000).map { numbered(50000 + $0).0 })
        #expect(stepper.engine.frame == 51000)
    }

    @Test func aLoopIsGaplessAndCanBeSetAndLeftWhilePlaying() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 100_000, numbered)
        let stepper = Stepper(playing: try .of("a.wav"), folder)
        stepper.render(700)
        stepper.engine.setLoop(500..<1777)
        stepper.settle()
        for _ in 0..<20 { stepper.render(333) }
        var expected = Array(0..<1777)
        while expected.count < stepper.left.count { expected += Array(500..<1777) }
        #expect(stepper.left == expected[..<stepper.left.count].map { numbered($0).0 })
        let place = Int(stepper.engine.frame)
        stepper.engine.setLoop(nil)
        stepper.settle()
        let before = stepper.left.count
        stepper.render(5000)
        #expect(Array(stepper.left[before...]) == (place..<place + 5000).map { numbered($0).0 })
    }

    @Test func anEditElsewhereIsNotHeard() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 60000, numbered)
        var session = Session.of("a.wav", "a.wav") { $0.tracks[1].mute = true }
        let stepper = Stepper(playing: session, folder)
        stepper.render(5000)
        // A ramp ahead, a clip cut behind the playhead's reach, a track gone: what plays now must not change
        // by a bit.
        try session.tracks[0].automation.setRamp(
            from: 1, to: 0, over: TimeRange(start: MediaTime(seconds: 1), duration: MediaTime(seconds: 1)))
        stepper.engine.apply(session, library: folder.library)
        stepper.render(5000)
        session.tracks[0].clips[0].duration = MediaTime(seconds: 1)
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        stepper.render(5000)
        session.removeTrack(at: 1)
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        while stepper.left.count < 60000 { stepper.render(5000) }
        #expect(Array(stepper.left[..<48000]) == (0..<48000).map { numbered($0).0 })
        #expect(stepper.left[48000..<60000].allSatisfy { $0 == 0 })
    }

    @Test func anEditThatIsHeardCrossesOver() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 60000) { _ in (1, 1) }
        var session = try Session.of("a.wav")
        let stepper = Stepper(playing: session, folder)
        stepper.render(1000)
        try session.tracks[0].automation.setValue(0.5, at: .zero)
        stepper.engine.apply(session, library: folder.library)
        stepper.render(1000)
        for i in 0..<fade { #expect(abs(stepper.left[1000 + i] - (1 - 0.5 * Float(i) / Float(fade))) < 1e-6) }
        #expect(stepper.left[(1000 + fade)...].allSatisfy { $0 == 0.5 })
    }

    @Test(arguments: [1, 0.5]) func aStreamThatCannotDeliverFadesIsCountedAndReturnsInTheRightPlace(
        volume: Double
    ) throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 400_000, numbered)
        let stepper = Stepper(diskThreads: 0)  // the disk is stepped by hand
        let disk = stepper.engine.pool
        var session = try Session.of("a.wav")
        if volume != 1 { try session.tracks[0].automation.setValue(volume, at: .zero) }
        stepper.engine.apply(session, library: folder.library)
        while disk.readPieces() {}
        stepper.engine.poll()
        stepper.engine.play()
        // Far more than is read ahead, while the disk stands still: the stream runs dry.
        for _ in 0..<20 { stepper.render(8192) }
        #expect(stepper.engine.dropouts == 1)
        let dry = ReadAhead().frames
        #expect(
            Array(stepper.left[..<(dry - 2 * 1024)])
                == (0..<(dry - 2 * 1024)).map { numbered($0).0 * Float(volume) })
        #expect(stepper.left[dry...].allSatisfy { $0 == 0 })
        // The disk is back: one piece is not enough to come back on, three are.
        disk.readPieces()
        stepper.render(256)
        let silent = stepper.left.count
        disk.readPieces()
        disk.readPieces()
        for _ in 0..<40 { stepper.render(256) }
        let heard = try #require(stepper.left[silent...].firstIndex { $0 != 0 })
        #expect(
            Array(stepper.left[(heard + fade)..<(heard + 4000)])
                == ((heard + fade)..<(heard + 4000)).map { numbered($0).0 * Float(volume) })
        // No click: no step between neighbours beyond the slope of a fade.
        let slope = stepper.left.max()! / Float(fade)
        #expect(zip(stepper.left, stepper.left.dropFirst()).allSatisfy { abs($1 - $0) < 1.1 * slope })
    }

    @Test func aFileThatIsNotThereIsSilentAndNoFailure() throws {
        let folder = TemporaryFolder()
        var session = try Session.of("gone.wav")
        session.tracks[0].clips[0].duration = MediaTime(seconds: 1)
        let stepper = Stepper(playing: session, folder)
        stepper.render(10_000)
        #expect(
            stepper.left.allSatisfy { $0 == 0 } && stepper.engine.takeFailures() == []
                && stepper.engine.dropouts == 0)
    }

    @Test func aStreamThatIsMadeAnewWhileTimeGoesOnIsHeardOnlyWhenItHasWhatIsWanted() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 100_000, numbered)
        var session = try Session.of("a.wav")
        for late in [1, 40, 100] {  // blocks of 64 that pass before the disk has a moment
            let stepper = Stepper(diskThreads: 0)
            stepper.engine.period = 64
            stepper.engine.apply(session, library: folder.library)
            while stepper.engine.pool.readPieces() {}
            stepper.engine.poll()
            stepper.engine.play()
            stepper.render(1000)
            session.tracks[0].clips[0].duration = MediaTime(frame: 90_000 + Int64(late), rate: 48000)
            stepper.engine.apply(session, library: folder.library)
            for _ in 0..<late { stepper.render(64) }
            while stepper.engine.isFilling {
                stepper.engine.pool.readPieces()
                stepper.render(64)
            }
            while stepper.left.count < 50_000 {
                stepper.engine.pool.readPieces()
                stepper.render(1000)
            }
            #expect(stepper.engine.dropouts == 0)
            #expect(stepper.left == (0..<stepper.left.count).map { numbered($0).0 })
        }
    }

    @Test func aStreamThatFailsBeforeItIsHeardIsSilentWhateverItsMemoryHeldBefore() throws {
        let folder = TemporaryFolder()
        try folder.file("silence.wav", frames: 200_000) { _ in (0, 0) }
        try folder.file("lost.wav", frames: 200_000) { _ in (0.5, 0.5) }
        let stepper = Stepper(diskThreads: 0)
        stepper.engine.period = 64
        var session = try Session.of("silence.wav")
        stepper.engine.apply(session, library: folder.library)
        while stepper.engine.pool.readPieces() {}
        stepper.engine.poll()
        stepper.engine.play()
        stepper.render(1000)
        // What others have played lies where the new stream's frames are to lie.
        let pieces = (0..<16).map { _ in LockedMemory.allocate(Float.self, 2 * 65536) }
        for piece in pieces { piece.initialize(repeating: 1, count: 2 * 65536) }
        for piece in pieces { LockedMemory.free(piece, 2 * 65536) }
        session.append(try Session.of("lost.wav").tracks[0])
        stepper.engine.apply(session, library: folder.library)
        try FileManager.default.removeItem(atPath: folder.path + "/lost.wav")
        // The disk stands still for so long that the stream has to go on further ahead, and then fails.
        for _ in 0..<100 { stepper.render(64) }
        while stepper.engine.pool.readPieces() {}
        for _ in 0..<400 { stepper.render(64) }
        #expect(stepper.engine.takeFailures().count == 1)
        #expect(stepper.left.allSatisfy { $0 == 0 })
    }

    @Test func anAudioThreadThatStoodStillIsToldEverythingInTheEnd() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 60000) { _ in (1, 1) }
        let session = try Session.of("a.wav")
        let id = session.tracks[0].id
        let stepper = Stepper()
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        stepper.render(64)
        for i in 0..<50_000 { stepper.engine.setFader(id, to: Double(i % 100) / 100) }
        stepper.engine.setFader(id, to: 0.25)
        stepper.engine.play()
        for _ in 0..<20 { stepper.render(1000) }
        #expect(stepper.left.last == 0.25)
    }

    @Test func anEditRightBehindALocateBelongsToTheNewPlace() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 100_000, numbered)
        var session = try Session.of("a.wav")
        let stepper = Stepper(playing: session, folder)
        for _ in 0..<30 { stepper.render(1000) }
        stepper.engine.stop()
        stepper.render(1000)
        // The audio thread has not taken the locate yet when the clip is cut: a new stream, for the new
        // place.
        stepper.engine.locate(5000)
        stepper.settle()
        session.tracks[0].clips[0].duration = MediaTime(frame: 60_000, rate: 48000)
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        stepper.engine.play()
        let start = stepper.left.count
        stepper.render(2000)
        #expect(Array(stepper.left[start...]) == (5000..<7000).map { numbered($0).0 })
    }

    @Test func aTrackThatIsAddedMovedAndRemovedAtOnceLeavesNoOrderBehind() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 60000, numbered)
        var session = try Session.of("a.wav")
        let stepper = Stepper(playing: session, folder)
        stepper.render(1000)
        for _ in 0..<200 {
            var track = Track(name: "b")
            track.clips = [Clip(file: "a.wav")]
            track.clips[0].at = MediaTime(seconds: 1000)  // not heard here
            let id = session.append(track)
            stepper.engine.apply(session, library: folder.library)
            stepper.engine.setFader(id, to: 0.5)
            session.removeTrack(at: 1)
            stepper.engine.apply(session, library: folder.library)
            stepper.engine.poll()
            stepper.render(64)
        }
        let isUndisturbed = stepper.left == (0..<stepper.left.count).map { numbered($0).0 }
        #expect(isUndisturbed)
    }

    @Test func changesMadeTogetherTakeEffectAtOneFrame() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 60000) { _ in (1, -1) }
        let session = try Session.of("a.wav", "a.wav")
        let stepper = Stepper(playing: session, folder)
        stepper.render(100)
        stepper.engine.together {
            stepper.engine.setFader(session.tracks[0].id, to: 0)
            stepper.render(100)  // the audio thread comes in between and finds nothing yet
            stepper.engine.setFader(session.tracks[1].id, to: 3)
        }
        stepper.render(500)
        #expect(stepper.left[..<200].allSatisfy { $0 == 2 })
        for i in 0..<fade { #expect(abs(stepper.left[200 + i] - (2 + Float(i) / Float(fade))) < 1e-5) }
        #expect(stepper.left[(200 + fade)...].allSatisfy { $0 == 3 })
    }

    @Test func mutedAndUnsoloedTracksAreSilentAndMetersTellTheLevel() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 60000) { n in (n % 2 == 0 ? 0.5 : -0.5, 0.25) }
        let session = Session.of("a.wav", "a.wav", "a.wav") { session in
            session.tracks[0].solo = true
            session.tracks[1].solo = true
            session.tracks[1].mute = true
        }
        let stepper = Stepper(playing: session, folder)
        for _ in 0..<20 { stepper.render(1000) }
        #expect(stepper.left[..<20000].allSatisfy { abs($0) == 0.5 })
        let meter = stepper.engine.readMeter(session.tracks[0].id)
        #expect(meter.peaks == [0.5, 0.25])
        #expect(abs(meter.rms[0] - 0.5) < 1e-4 && abs(meter.rms[1] - 0.25) < 1e-4)
        #expect(stepper.engine.readMeter(session.tracks[0].id).peaks == [0, 0])
        #expect(stepper.engine.readMeter(session.tracks[1].id).peaks == [0, 0])
        #expect(stepper.engine.readMeter(session.tracks[2].id).peaks == [0, 0])
    }
}
