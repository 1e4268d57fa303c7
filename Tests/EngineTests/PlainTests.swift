import Engine
import TestSupport
import Testing
import Timeline

/// Tracks that are only played go a shorter way through the mixer than those that have ports of their own,
/// too. What is heard of both is the same, to the bit, whatever hands, edits and locates do meanwhile.
@Suite struct PlainTests {
    private let folder = TemporaryFolder()

    @Test func portsOfTheirOwnLeaveTheMixAsItIs() throws {
        try folder.sounds(3, frames: 20_000, gain: 0.25)
        // Of some nothing is heard: they are muted, or stand.
        let seeds = UInt64(1)...60
        #expect(seeds.count { compare(seed: $0) } > 30)
    }

    /// - Returns: whether anything was heard.
    private func compare(seed: UInt64) -> Bool {
        var dice = Seeded(state: seed)
        var session = randomSession(&dice, touching: Bool.random(using: &dice))
        addBuses(to: &session, &dice)
        let plain = LiveDesk(session, folder.library, hasPorts: false)
        let ported = LiveDesk(session, folder.library)
        var said: [String] = []
        for _ in 0..<40 {
            said.append("@\(plain.count) \(act(on: [plain, ported], &session, &dice))")
            let count = Int.random(in: 1...1500, using: &dice)
            for desk in [plain, ported] { desk.render(count) }
        }
        for side in 0..<2 {
            let wrong = (0..<plain.count).first { plain.heard[side][$0] != ported.heard[side][$0] }
            #expect(
                wrong == nil,
                "seed \(seed), side \(side), frame \(wrong ?? 0): \(said.joined(separator: "; "))")
        }
        for strip in session.places.map({ session[$0].id }) {
            #expect(plain.engine.readMeter(strip) == ported.engine.readMeter(strip), "seed \(seed)")
        }
        for desk in [plain, ported] { #expect(desk.engine.dropouts == 0) }
        // In the mix, and at the first track's ports.
        return [0, 2].allSatisfy { side in ported.heard[side].contains { $0 != 0 } }
    }

    private func addBuses(to session: inout Session, _ dice: inout Seeded) {
        let buses = ["a", "b"].map { session.addBus(named: $0) }
        for track in session.tracks.indices {
            if Int.random(in: 0..<3, using: &dice) == 0 { session.tracks[track].output = .bus(buses[0]) }
            for bus in buses where Bool.random(using: &dice) {
                setSend(of: .track(track + 1), to: bus, in: &session, &dice)
            }
        }
    }

    private func setSend(
        of place: StripPlace, to bus: StripID, in session: inout Session, _ dice: inout Seeded
    ) {
        session.setSend(of: place, to: bus) {
            $0.volume = .random(in: 0...1, using: &dice)
            $0.isPre = Bool.random(using: &dice)
        }
    }

    /// Does one thing to both; what it was.
    private func act(on desks: [LiveDesk], _ session: inout Session, _ dice: inout Seeded) -> String {
        let index = Int.random(in: session.tracks.indices, using: &dice)
        let id = session.tracks[index].id
        switch Int.random(in: 0..<12, using: &dice) {
        case 0...3:
            for desk in desks { desk.engine.play() }
            return "play"
        case 4:
            let frame = Int64.random(in: 0..<25_000, using: &dice)
            for desk in desks { desk.engine.locate(frame) }
            return "locate \(frame)"
        case 5:
            for desk in desks { desk.engine.stop() }
            return "stop"
        case 6:
            let volume = Double.random(in: 0...1.5, using: &dice)
            let over = MediaTime(value: .random(in: 0...9000, using: &dice), timescale: 48000)
            for desk in desks { desk.engine.fade(id, to: volume, over: over, curve: .linear) }
            return "fader \(index) \(volume) in \(over)"
        case 7:
            session.tracks[index].mute.toggle()
            for desk in desks { desk.engine.applyStrips(session) }
            return "mute \(index)"
        case 8:
            let start = Int64.random(in: 0..<15_000, using: &dice)
            let loop =
                Bool.random(using: &dice) ? start..<start + .random(in: 2000...9000, using: &dice) : nil
            for desk in desks { desk.engine.setLoop(loop) }
            return "loop \(loop.map { "\($0)" } ?? "off")"
        default:
            edit(index, of: &session, &dice)
            for desk in desks { desk.engine.apply(session, library: folder.library) }
            return "edit \(index)"
        }
    }

    private func edit(_ index: Int, of session: inout Session, _ dice: inout Seeded) {
        let place = StripPlace.track(index + 1)
        switch Int.random(in: 0..<7, using: &dice) {
        case 0: try? session[place].automation.setValue(.random(in: 0...2, using: &dice), at: .zero)
        case 1: session[place].trim = Bool.random(using: &dice) ? 1 : 0.5
        case 2: session[place].output = Bool.random(using: &dice) ? .master : .none
        case 3: try? session[place][automation: .pan].setValue(.random(in: -1...1, using: &dice), at: .zero)
        case 4: setEqualiser(of: place, in: &session)
        case 5:
            if !session.dcas.isEmpty { return session.removeDCA(at: 0) }
            _ = session.addDCA(named: session.freeName("d"), members: [session[place].id])
            session[.dca(1)].fader = .random(in: 0...1, using: &dice)
        default: setSend(of: place, to: session.buses[1].id, in: &session, &dice)
        }
    }

    /// It has one then, or has it no more.
    private func setEqualiser(of place: StripPlace, in session: inout Session) {
        if session[place].processors.equaliser != nil { return session[place].processors.equaliser = nil }
        session[place].processors.equaliser = Equaliser()
        session[place].processors.equaliser?.bands[1].gain = 6
    }
}
