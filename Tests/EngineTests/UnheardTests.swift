import AudioFile
import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// What nobody hears makes nothing late: neither a limiter there, nor a duck that looks ahead, nor a bus.
@Suite struct UnheardTests {
    private let folder = TemporaryFolder()

    private func time(_ longest: Int64, _ dice: inout Seeded) -> MediaTime {
        MediaTime(value: Int64.random(in: 1...longest, using: &dice), timescale: 48000)
    }

    /// A desk some of whose sound is late, or none.
    private func desk(_ dice: inout Seeded) throws -> Session {
        try folder.sounds(3, frames: 60_000, gain: 0.25)
        var session = try Session.of("0.wav", "1.wav", "2.wav")
        let bus = session.addBus(named: "heard")
        for index in 0..<3 {
            session.tracks[index].fader = Double.random(in: 0.2...1, using: &dice)
            if Bool.random(using: &dice) { session.tracks[index].output = .bus(bus) }
        }
        if Bool.random(using: &dice) { session[.bus(1)].limiter = Limiter() }
        if Bool.random(using: &dice) {
            add(duckOf: session.tracks[1].id, under: session.tracks[0].id, to: &session, &dice)
        }
        return session
    }

    private func add(duckOf id: StripID, under: StripID, to session: inout Session, _ dice: inout Seeded) {
        var duck = Duck(track: id, under: under, to: 0.5)
        duck.goBySignal()
        duck.lookahead = time(900, &dice)
        session.ducks.append(duck)
    }

    /// The same with strips that nobody hears.
    private func addUnheard(to session: inout Session, _ dice: inout Seeded) {
        var track = Track(name: "alone")
        (track.clips, track.output) = ([Clip(file: "1.wav")], .none)
        track.limiter = Limiter()
        session.append(track)
        let buses = ["a", "b"].map { session.addBus(named: $0) }
        (session[.bus(2)].output, session[.bus(3)].output) = (.bus(buses[1]), .none)
        for number in 2...3 where Bool.random(using: &dice) {
            session[.bus(number)].limiter = Limiter()
            add(duckOf: session.buses[number - 1].id, under: session.tracks[0].id, to: &session, &dice)
        }
        if Bool.random(using: &dice) { session[.bus(3)].automix = Automix() }
        for place in [StripPlace.track(1), .track(4)] where Bool.random(using: &dice) {
            session.setSend(of: place, to: buses[0]) { $0.volume = 0.7 }
        }
        add(duckOf: track.id, under: session.tracks[2].id, to: &session, &dice)
    }

    @Test(arguments: UInt64(1)...40) func unheardStripsLeaveTheMixAsItIs(seed: UInt64) throws {
        var dice = Seeded(state: seed)
        let plain = try desk(&dice)
        var session = plain
        addUnheard(to: &session, &dice)
        let (alone, beside) = (Stepper(playing: plain, folder), Stepper(playing: plain, folder))
        #expect(Routing(session).loop == nil)
        var changes: [Int] = []
        for part in 0..<3 {
            // They come while it plays.
            if part == 1 {
                beside.engine.apply(session, library: folder.library)
                beside.settle()
            }
            changes.append(alone.left.count)
            if part == 2 {
                for stepper in [alone, beside] {
                    stepper.engine.locate(20_000)
                    stepper.settle()
                }
            }
            for _ in 0..<20 {
                let count = Int.random(in: 1...700, using: &dice)
                alone.render(count)
                beside.render(count)
            }
        }
        #expect(alone.engine.lag == beside.engine.lag)
        // What is crossed over rounds otherwise where rings have become longer, or limiters have come.
        func crosses(_ frame: Int) -> Bool { changes.contains { (0..<2500).contains(frame - $0) } }
        let wrong = alone.left.indices.first { frame in
            let error = max(
                abs(alone.left[frame] - beside.left[frame]), abs(alone.right[frame] - beside.right[frame]))
            return error > (crosses(frame) ? 1e-6 : 0)
        }
        #expect(
            wrong == nil, "frame \(wrong ?? 0): \(beside.left[wrong ?? 0]), not \(alone.left[wrong ?? 0])")
    }

    /// What is rendered of one by itself is what it is where it is heard.
    @Test(arguments: UInt64(1)...10) func anUnheardStripSoundsAsWhereItIsHeard(seed: UInt64) throws {
        var dice = Seeded(state: seed)
        var session = try desk(&dice)
        addUnheard(to: &session, &dice)
        var heard = session
        heard.tracks[3].output = .master
        heard[.bus(3)].output = .master
        for id in [session.tracks[3].id, session.buses[1].id, session.buses[2].id] {
            let (own, others) = (try mix(session, of: id), try mix(heard, of: id))
            #expect(own == others, "\(id)")
        }
    }

    private func mix(_ session: Session, of id: StripID) throws -> [Float] {
        var left: [Float] = []
        var render = OfflineRender(session, library: folder.library, frames: 0..<20_000)
        render.strip = id
        try render.mixSides { samples, _, count, _ in
            left += UnsafeBufferPointer(start: samples, count: count)
            return true
        }
        return left
    }
}
