import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// A desk with all that remembers, on all kinds of strips, beside two of its kind: one is never sent
/// elsewhere, and one begins where it is sent. What is heard is the one, then the other, and 5 ms of both.
private final class LocateDuel {
    private var dice: Seeded
    private let library: MediaLibrary
    private var session: Session
    /// Something is heard live: what remembers it longer than an equaliser or a limiter is left out then, for
    /// that goes on wherever playing goes.
    private let hearsInputs: Bool
    private let edits: Bool
    /// What is sent elsewhere; what goes on as if it had not been; what begins where it is sent.
    private let moving: LiveDesk
    private var stays: LiveDesk
    private var said: [String] = []
    private static let fade = 240

    /// - Parameter edits: with each locate something of the desk changes.
    init(seed: UInt64, library: MediaLibrary, edits: Bool) throws {
        (dice, self.library, self.edits) = (Seeded(state: seed), library, edits)
        hearsInputs = Bool.random(using: &dice)
        var session = try Self.desk(hearsInputs: hearsInputs, hasKeys: !edits, &dice)
        // Where the old ways and the new ones together would be a loop they change in two steps; and what is
        // set of a duck, and how late its key is, changes at once.
        if edits {
            for bus in 1...3 { session[.bus(bus)].automix = nil }
            session.ducks = []
        }
        self.session = session
        moving = Self.playing(session, library, from: 0, at: 0)
        stays = Self.playing(session, library, from: 0, at: 0)
    }

    /// A desk that begins to be played where nothing was heard before, and is given what comes in from one
    /// frame of the test's clock on.
    private static func playing(
        _ session: Session, _ library: MediaLibrary, from frame: Int64, at clock: Int
    ) -> LiveDesk {
        let desk = LiveDesk(session, library) { _, n in n < 0 ? 0 : Oracle.sample(3, clock + n) / 2 }
        desk.engine.locate(frame)
        // Until nothing is crossed over.
        desk.render(3000)
        desk.forget()
        desk.engine.play()
        return desk
    }

    /// The first frame that is not as it should be, or nil.
    func play(locates: Int) throws -> String? {
        for _ in 0..<locates {
            for _ in 0..<Int.random(in: 1...6, using: &dice) { render([moving, stays]) }
            let place = Int64.random(in: 0..<40_000, using: &dice)
            let (start, since) = (moving.count, stays.count)
            said.append("@\(start) locate \(place)")
            if edits { try edit() }
            moving.engine.together {
                if edits { moving.engine.apply(session, library: library) }
                moving.engine.locate(place)
            }
            let begins = Self.playing(session, library, from: place, at: start)
            let lag = begins.engine.lag
            while moving.count < start + lag + Self.fade + 2000 { render([moving, stays, begins]) }
            for i in 0..<moving.count - start {
                let share = Float(max(0, min(Self.fade, lag + Self.fade - i))) / Float(Self.fade)
                for side in edits ? 0..<2 : moving.heard.indices {
                    let (now, before) = (begins.heard[side][i], stays.heard[side][since + i])
                    let (heard, wanted) = (moving.heard[side][start + i], now + (before - now) * share)
                    // Another order of adding up rounds otherwise.
                    if edits ? abs(heard - wanted) > 1e-6 : heard != wanted {
                        return "frame \(i) behind it, of a lag of \(lag), at \(side), is \(heard), "
                            + "not \(wanted): \(said)"
                    }
                }
            }
            stays = begins
        }
        return nil
    }

    /// Strips come and go, and lead elsewhere; DCAs come and go; the timeline says something else.
    private func edit() throws {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
        var next = session
        let buses = next.buses.map(\.id)
        if chance(3), next.tracks.count > 2, next.tracks[1].input == nil { next.removeTrack(at: 1) }
        if chance(3) {
            var track = Track(name: "n\(said.count)")
            track.clips = [Clip(file: "0.wav")]
            track.strip.automation = try Self.automation(0...1, &dice)
            Self.setProcessors(&track.strip.processors, isLive: false, &dice)
            next.append(track)
        }
        for index in next.tracks.indices where chance(2) {
            let place = StripPlace.track(index + 1)
            next[place].output = chance(2) ? .master : .bus(buses.randomElement(using: &dice)!)
            next[place].automation = try Self.automation(0...1, &dice)
            let bus = buses.randomElement(using: &dice)!
            if chance(2) { next.removeSend(of: place, to: bus) }
            let (volume, isPre) = (Double.random(in: 0...1, using: &dice), chance(2))
            let isThere = next[place].sends.contains { $0.bus == bus }
            if !isThere { next.setSend(of: place, to: bus) { ($0.volume, $0.isPre) = (volume, isPre) } }
        }
        if chance(3), !next.dcas.isEmpty { next.removeDCA(at: 0) }
        if chance(2) {
            let members = next.tracks.map(\.id).filter { _ in chance(2) }
            next.addDCA(named: "d\(said.count)", members: members)
            let place = StripPlace.dca(next.dcas.count)
            next[place].automation = try Self.automation(0...1, &dice)
            next[place].fader = Double.random(in: 0.3...1, using: &dice)
        }
        if Routing(next).loop == nil { session = next }
    }

    private func render(_ players: [LiveDesk]) {
        let count = [1, 64, Int.random(in: 1...300, using: &dice), 700, 1500].randomElement(using: &dice)!
        for player in players { player.render(count) }
    }

    // MARK: - The desk

    private static func time(_ longest: Int, _ dice: inout Seeded) -> MediaTime {
        MediaTime(value: Int64.random(in: 0...Int64(longest), using: &dice), timescale: 48000)
    }

    private static func desk(
        hearsInputs: Bool, hasKeys: Bool, _ dice: inout Seeded
    ) throws -> Session {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
        var session = Session()
        let buses = (0..<3).map { session.addBus(named: "b\($0)") }
        for number in 0..<4 {
            var track = Track(name: "t\(number)")
            var clip = Clip(file: "\(number).wav")
            clip.at = time(2000, &dice)
            if number == 3, hearsInputs {
                (track.input, track.monitor) = (Input(), .input)
            } else {
                track.clips = [clip]
            }
            session.append(track)
        }
        for place in session.places where place.kind != .dca {
            session[place].automation = try automation(0...1, &dice)
            if chance(2) { session[place][automation: .pan] = try automation(-1...1, &dice) }
            session[place].fader = Double.random(in: 0.2...1, using: &dice) / (hearsInputs ? 4 : 1)
            let id = session[place].id
            let isLive = hearsInputs && (place.kind != .track || id == session.tracks[3].id)
            setProcessors(&session[place].processors, isLive: isLive, &dice)
            if id == .master { continue }
            // A bus leads to those behind it.
            let own = buses.firstIndex(of: id).map { Array(buses[($0 + 1)...]) } ?? buses
            if let bus = own.randomElement(using: &dice), chance(2) { session[place].output = .bus(bus) }
            for bus in own where chance(3) {
                let (volume, isPre) = (Double.random(in: 0...1, using: &dice), chance(2))
                let said = try automation(0...1, &dice)
                session.setSend(of: place, to: bus) {
                    ($0.volume, $0.isPre, $0.automation) = (volume, isPre, said)
                }
            }
        }
        for index in 1...3 where !hearsInputs && chance(3) {
            session[.bus(index)].automix = Automix()
            // One in which what a member leaves leads to another is refused.
            if Routing(session).loop != nil { session[.bus(index)].automix = nil }
        }
        if !hearsInputs { addDucks(&session, buses, &dice) }
        if hasKeys, !hearsInputs { addKeys(&session, &dice) }
        // So that the master remembers in any case.
        session.master.processors.equaliser = Equaliser()
        session.master.processors.equaliser!.bands[1].gain = 6
        return session
    }

    private static func automation(_ range: ClosedRange<Double>, _ dice: inout Seeded) throws -> Automation {
        var automation = Automation()
        for _ in 0..<Int.random(in: 0...3, using: &dice) {
            let value = Double.random(in: range, using: &dice)
            try? automation.setValue(value, at: time(60_000, &dice))
        }
        return automation
    }

    private static func gate(_ dice: inout Seeded) -> Gate {
        var gate = Gate()
        gate.threshold = Double.random(in: -50 ... -10, using: &dice)
        (gate.hold, gate.release, gate.range) = (time(3000, &dice), time(3000, &dice), 30)
        return gate
    }

    /// - Parameter isLive: what comes in may be heard in it.
    private static func setProcessors(_ processors: inout Processors, isLive: Bool, _ dice: inout Seeded) {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
        if chance(3), !isLive { processors.gate = gate(&dice) }
        if chance(4) {
            processors.equaliser = Equaliser()
            processors.equaliser!.highPass = Equaliser.Pass(frequency: 90)
        }
        if chance(3), !isLive {
            processors.compressor = Compressor()
            (processors.compressor!.threshold, processors.compressor!.release) = (-30, time(20_000, &dice))
        }
        if chance(4), !isLive { processors.delay = time(9000, &dice) }
        if chance(4) {
            processors.limiter = Limiter()
            // What it limits rings a little before it comes: not where nothing was heard before.
            processors.limiter!.level = isLive ? 0 : -12
        }
    }

    /// Gates and compressors go by others, whose sound may be heard at another latency.
    private static func addKeys(_ session: inout Session, _ dice: inout Seeded) {
        for place in session.places where place.kind != .dca {
            let key = session[session.places.filter { $0 != .master }.randomElement(using: &dice)!].id
            var next = session
            if Bool.random(using: &dice) { next[place].processors.gate?.key = key }
            if Bool.random(using: &dice) { next[place].processors.compressor?.key = key }
            if session[place].id != key, Routing(next).loop == nil { session = next }
        }
    }

    private static func addDucks(_ session: inout Session, _ buses: [StripID], _ dice: inout Seeded) {
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
        for (track, under) in [(0, buses[0]), (1, buses[1]), (2, session.tracks[1].id)] where chance(3) {
            var duck = Duck(track: session.tracks[track].id, under: under, to: 0.3)
            duck.goBySignal()
            (duck.lookahead, duck.hold, duck.release) = (
                chance(2) ? .zero : time(700, &dice), time(2000, &dice), time(9000, &dice)
            )
            var next = session
            next.ducks.append(duck)
            if Routing(next).loop == nil { session = next }
        }
    }
}

/// A locate while it plays: what was heard before gives way to what is heard where playing begins there.
@Suite struct LocateModelTests {
    @Test(arguments: [false, true]) func aLocateForgetsWhatWasPlayedBefore(edits: Bool) throws {
        let count: UInt64 = environmentNumber("JMIX_LOCATE_DESKS") ?? 60
        let first = firstSeed("JMIX_LOCATE_SEED")
        try folder.sounds(4, frames: 80_000, gain: 0.5)
        var faults = 0
        for seed in first..<first + count {
            let duel = try LocateDuel(seed: seed, library: folder.library, edits: edits)
            guard let fault = try duel.play(locates: 3) else { continue }
            Issue.record("seed \(seed): \(fault)")
            faults += 1
            if faults == 5 { break }
        }
        print("\(count) desks sent elsewhere from seed \(first), edits: \(edits)")
    }

    /// A silent track, two buses, and four tracks that hear something: each goes to the master, to a bus or
    /// to one of `others`.
    private func microphones(to others: [Output], _ dice: inout Seeded) throws -> Session {
        try folder.file("z.wav", frames: 90_000) { _ in (0, 0) }
        var session = try Session.of("z.wav")
        let buses = (0..<2).map { session.addBus(named: "b\($0)") }
        for number in 0..<4 {
            var track = Track(name: "m\(number)")
            (track.input, track.monitor) = (Input(channels: 1), .input)
            let outputs = [.master, .bus(buses[0]), .bus(buses[1])] + others
            track.output = outputs.randomElement(using: &dice)!
            session.append(track)
        }
        return session
    }

    /// What comes in is heard on as it is: through a delay, a limiter, a tap and what looks ahead, in the mix
    /// and at ports that leave later than it, wherever playing goes.
    @Test(arguments: UInt64(1)...20) func anInputGoesOnThroughALocate(seed: UInt64) throws {
        var dice = Seeded(state: seed)
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
        var session = try microphones(to: [.ports], &dice)
        if chance(2) {
            var duck = Duck(track: session.tracks[1].id, under: session.tracks[0].id, to: 1)
            duck.goBySignal()
            duck.lookahead = MediaTime(value: Int64.random(in: 1...900, using: &dice), timescale: 48000)
            session.ducks = [duck]
        }
        for place in session.places where session[place].id != session.tracks[0].id {
            if chance(3) { session[place].delay = MediaTime(value: 700, timescale: 48000) }
            if chance(2) { session[place].limiter = Limiter() }
        }
        let live = LiveDesk(session, folder.library) { mic, _ in Float(mic + 1) / 16 }
        live.render(4000)
        let first = live.heard.map { $0.last! }
        #expect(first[0] != 0 || session.tracks[1...].allSatisfy { $0.output == .ports })
        let tap = TrackTap(.postFader) { _, _, _, _ in }
        if chance(2) { live.engine.setTap(tap, on: session.tracks[2].id) }
        var said: [String] = []
        for _ in 0..<12 {
            let (rolls, goes) = (chance(2), Int64.random(in: 0..<60_000, using: &dice))
            said.append("\(rolls ? "play" : "stop") \(goes)")
            live.engine.together {
                live.engine.locate(goes)
                if rolls { live.engine.play() } else if chance(2) { live.engine.stop() }
            }
            live.render(Int.random(in: 1...2500, using: &dice))
        }
        for (place, side) in live.heard.enumerated() {
            let wrong = side.indices.dropFirst(4000).first { abs(side[$0] - first[place]) > 1e-6 }
            #expect(wrong == nil, "\(place) is \(side[wrong ?? 0]), not \(first[place]): \(said)")
        }
    }

    /// What hands and edits do while playing goes elsewhere, in the same packet and within the time that this
    /// takes, makes no step in what comes in.
    @Test(arguments: UInt64(1)...30) func ordersWithinALocateMakeNoStep(seed: UInt64) throws {
        var dice = Seeded(state: seed)
        func chance(_ of: Int) -> Bool { Int.random(in: 0..<of, using: &dice) == 0 }
        func time(_ longest: Int64) -> MediaTime {
            MediaTime(value: Int64.random(in: 1...longest, using: &dice), timescale: 48000)
        }
        var session = try microphones(to: [], &dice)
        func look(_ session: inout Session) {
            session.ducks = []
            for target in [session.tracks[1].id, session.buses[1].id] where chance(2) {
                var duck = Duck(track: target, under: session.tracks[0].id, to: 1)
                duck.goBySignal()
                duck.lookahead = time(9000)
                session.ducks.append(duck)
            }
        }
        look(&session)
        let live = LiveDesk(session, folder.library) { mic, n in
            0.2 * Float(sin(2 * Double.pi * Double(n < 0 ? 0 : n) * Double(30 + 7 * mic) / 48000))
        }
        live.forget()
        live.render(12_000)
        let tap = TrackTap(.postFader) { _, _, _, _ in }
        var said: [String] = []
        for _ in 0..<40 {
            let (before, goes) = (session, Int64.random(in: 0..<60_000, using: &dice))
            let place = session.places.randomElement(using: &dice)!
            let kind = Int.random(in: 0..<7, using: &dice)
            switch kind {
            case 0: session[place].delay = chance(2) ? .zero : time(3000)
            case 1: session[place].limiter = chance(2) ? nil : Limiter()
            case 2: look(&session)
            case 3: live.engine.setTap(chance(2) ? nil : tap, on: session.tracks[1].id)
            case 4: session[place].gate = chance(2) ? nil : Gate()
            default: break
            }
            let locates = chance(2)
            said.append("@\(live.count) \(kind) \(place)\(locates ? ", locate \(goes)" : "")")
            live.engine.together {
                if session != before {
                    live.engine.apply(session, library: folder.library)
                }
                if locates { live.engine.locate(goes) }
                if chance(4) {
                    live.engine.play(); said.append("play")
                } else if chance(6) {
                    live.engine.stop(); said.append("stop")
                }
            }
            said.append("lag \(live.engine.lag)")
            live.render(Int.random(in: 1...4000, using: &dice))
        }
        // Five sounds of 0.2, each on several ways: over 5 ms none changes by more than all of it.
        for (place, side) in live.heard.enumerated() {
            let wrong = side.indices.dropFirst(12_001).first { abs(side[$0] - side[$0 - 1]) > 0.03 }
            guard let wrong else { continue }
            Issue.record("at \(place), frame \(wrong): \(side[wrong - 1]), then \(side[wrong]): \(said)")
            return
        }
    }

    private let folder = TemporaryFolder()
}
