import Engine
import Foundation
import Realtime
import TestSupport
import Testing
import Timeline

@Suite struct GraphTests {
    private func constant() throws -> (TemporaryFolder, Session) {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 48000) { _ in (0.25, 0.25) }
        return (folder, try .of("a.wav"))
    }

    /// One file goes on in the next clip, by another of its channels.
    @Test func theNextClipHearsItsOwnChannel() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 48000, numbered)
        var session = try Session.of("a.wav")
        func time(_ frame: Int64) -> MediaTime { MediaTime(frame: frame, rate: 48000) }
        session.tracks[0].clips = (0..<2).map { index in
            var clip = Clip(file: "a.wav")
            (clip.at, clip.from, clip.duration) = (
                time(Int64(20_000 * index)), time(Int64(20_000 * index)), time(20_000)
            )
            clip.channels = ChannelPair(left: 1 + index, right: 1 + index)
            return clip
        }
        let stepper = Stepper(playing: session, folder)
        stepper.render(40_000)
        #expect(stepper.left == (0..<40_000).map { $0 < 20_000 ? numbered($0).0 : numbered($0).1 })
    }

    /// A file that has been cut since the plan was made, and before it was opened, is a failure and no
    /// silence.
    @Test func aFileThatIsShorterByNowIsSaid() throws {
        let folder = TemporaryFolder()
        try folder.file("a.wav", frames: 48000, numbered)
        let stepper = Stepper(diskThreads: 0)
        stepper.engine.apply(try Session.of("a.wav"), library: folder.library)
        try folder.file("a.wav", frames: 1000, numbered)
        while stepper.engine.pool.readPieces() {}
        let failures = stepper.engine.takeFailures()
        #expect(failures.map(\.reason) == ["the file is shorter than it was"])
    }

    @Test func aBusDucksUnderAClip() throws {
        var (folder, session) = try constant()
        try folder.file("key.wav", frames: 10_000) { _ in (0, 0) }
        let bus = session.addBus(named: "b")
        session.tracks[0].output = .bus(bus)
        var key = Track(name: "key")
        key.clips = [Clip(file: "key.wav")]
        session.append(key)
        var duck = Duck(track: bus, under: session.tracks[1].id, to: 0.5)
        (duck.attack, duck.release) = (
            MediaTime(value: 1, timescale: 1000), MediaTime(value: 1, timescale: 1000)
        )
        session.ducks = [duck]
        let stepper = Stepper(playing: session, folder)
        stepper.render(20_000)
        #expect([stepper.left[5000], stepper.left[15_000]] == [0.125, 0.25])
    }

    /// What another timeline says of a DCA crosses over as any other edit does, and so does one that has gone
    /// and come back before anybody heard it.
    @Test(arguments: [true, false]) func aDCAThatChangesCrossesOver(comesBack: Bool) throws {
        var (folder, session) = try constant()
        let dca = session.addDCA(named: "all", members: [session.tracks[0].id])
        let stepper = Stepper(playing: session, folder)
        stepper.render(1000)
        if comesBack {
            var without = session
            without.removeDCA(at: 0)
            session[.dca(1)].fader = 0.5
            stepper.engine.together {
                stepper.engine.apply(without, library: folder.library)
                stepper.engine.apply(session, library: folder.library)
            }
        } else {
            try session[.dca(1)].automation.setValue(0.5, at: .zero)
            stepper.engine.apply(session, library: folder.library)
        }
        #expect(session.dcas[0].id == dca)
        stepper.settle()
        let before = stepper.left.count
        stepper.render(2000)
        let heard = stepper.left[before...]
        #expect(heard.first == 0.25 && heard.last == 0.125)
        let steps = zip(heard, heard.dropFirst()).map { abs($0 - $1) }
        #expect(steps.max()! < 0.001, "the greatest step is \(steps.max()!)")
    }

    /// A track with a tap, on its way to a bus that goes: it is heard as before.
    @Test(arguments: [TrackTap.Place.preFader, .postFader]) func aTapStaysWhereItsBusGoes(
        place: TrackTap.Place
    ) throws {
        var (folder, session) = try constant()
        let bus = session.addBus(named: "b")
        session.tracks[0].output = .bus(bus)
        let stepper = Stepper(playing: session, folder)
        stepper.engine.setTap(TrackTap(place) { _, _, _, _ in }, on: session.tracks[0].id)
        stepper.render(1000)
        session.removeBus(at: 0)
        try session.tracks[0].automation.setValue(1, at: MediaTime(seconds: 50))
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        stepper.render(1000)
        #expect(stepper.left.allSatisfy { $0 == 0.25 } && stepper.right.allSatisfy { $0 == 0.25 })
    }

    /// What is muted from the start on is silent from its first frame on.
    @Test func aMuteAtTheBeginningHasBeenThereBefore() throws {
        var (folder, session) = try constant()
        try session.tracks[0].strip[automation: .mute].setValue(1, at: .zero)
        try session.tracks[0].strip[automation: .mute].setValue(0, at: MediaTime(frame: 1000, rate: 48000))
        let stepper = Stepper(playing: session, folder)
        stepper.render(2000)
        #expect(
            stepper.left[..<1001].allSatisfy { $0 == 0 } && stepper.left[1240...].allSatisfy { $0 == 0.25 })
        #expect(abs(stepper.left[1120] - 0.125) < 1e-6)
    }

    /// More sends than there are slots for, for a while: those of the plan before and of this one.
    @Test func sendsComeAndGoByTheDozen() throws {
        var (folder, session) = try constant()
        session.tracks[0].output = .none
        let buses = (0..<64).map { session.addBus(named: "b\($0)") }
        let stepper = Stepper(playing: session, folder)
        for round in 0..<6 {
            for bus in buses { session.removeSend(of: .track(1), to: bus) }
            for bus in buses {
                session.setSend(of: .track(1), to: bus) { ($0.volume, $0.isPre) = (1.0 / 64, round % 2 == 0) }
            }
            stepper.engine.apply(session, library: folder.library)
            stepper.settle()
            stepper.render(64)
        }
        stepper.render(2000)
        #expect(stepper.left[2000...].allSatisfy { abs($0 - 0.25) < 1e-6 })
    }

    /// The same bits whatever the block, with everything that there is at once.
    @Test func aDeskIsTheSameForEveryBlockSize() throws {
        let folder = TemporaryFolder()
        for (n, name) in ["a.wav", "b.wav"].enumerated() {
            try folder.file(name, frames: 20000) { i in
                (Float((i * (n + 3)) % 977) / 977, -Float((i * (n + 5)) % 991) / 991)
            }
        }
        var session = try Session.of("a.wav", "b.wav")
        let (hall, band) = (session.addBus(named: "hall"), session.addBus(named: "band"))
        session[.bus(1)].output = .bus(band)
        session.tracks[0].output = .bus(band)
        (session.tracks[0].trim, session.tracks[1].polarity, session.tracks[1].pan) = (0.3, true, -0.3)
        session.setSend(of: .track(1), to: hall) { ($0.volume, $0.isPre) = (0.7, true) }
        session.setSend(of: .track(2), to: hall) { ($0.volume, $0.pan) = (0.3, 0.2) }
        let all = session.addDCA(named: "all", members: [session.tracks[1].id, band])
        func time(_ frame: Int64) -> MediaTime { MediaTime(frame: frame, rate: 48000) }
        for place in session.places {
            for control in [Automation.Control.volume, .pan, .trim, .mute]
            where place.kind != .dca || control == .volume || control == .mute {
                if control == .mute {
                    try session[place][automation: control].setValue(1, at: time(3001))
                    try session[place][automation: control].setValue(0, at: time(3500))
                } else {
                    try session[place][automation: control].setRamp(
                        from: 0.9, to: 0.1, over: TimeRange(start: time(777), end: time(5555)), curve: .scurve
                    )
                }
            }
        }
        #expect(session.name(of: all) == "all")
        let sizes = [64, 1, 1023, 300, 8192]
        let renders = sizes.map { size in
            let stepper = Stepper(playing: session, folder)
            while stepper.left.count < 12000 { stepper.render(min(size, 12000 - stepper.left.count)) }
            return (stepper.left, stepper.right)
        }
        for (size, render) in zip(sizes, renders) { #expect(render == renders[0], "blocks of \(size)") }
    }
}
