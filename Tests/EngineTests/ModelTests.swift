import Engine
import Foundation
import TestSupport
import Testing
import Timeline

private let rate: Int32 = 8000
private let fade = 40

/// How a sequence is played.
private struct Way {
    var period = 300
    var disk = Disk.prompt

    enum Disk {
        /// All that is wanted is there at once.
        case prompt
        /// All of it, but only once in so many frames.
        case everySoOften(Int)
        /// A few pieces at a time, now and then none for long: streams run dry. What is heard then is no more
        /// than what belongs, and where it belongs.
        case stalling
    }
}

/// The engine and the oracle side by side: whatever is asked is asked of both, and every sample is compared.
private final class Duel {
    let engine: PlaybackEngine
    let oracle = Oracle(fade: fade)
    let library: MediaLibrary
    private let way: Way
    /// It has buses, sends and DCAs; else tracks alone.
    private let hasDesk: Bool
    /// Its tracks have inputs.
    private let hasInputs: Bool
    /// What comes in for the tracks that there ever were.
    private var ins: [(id: StripID, strip: StripHandle)] = []
    /// Taps that change nothing are on its tracks: what they are given is what goes on.
    private let taps: [TrackTap]
    private var random: Seeded
    private var session = Session()
    private var earlier: [Session] = []
    private var at = 0
    private var nextTurn = 0
    private var log: [String] = []
    private(set) var frames = 0
    /// Nothing is asked any more, and the disk delivers.
    private var isDraining = false
    /// Until when what has run dry may be softer than it should.
    private var softUntil = 0
    private var dropouts = 0
    /// What was wrong beside what is heard.
    private var fault: String?

    init(seed: UInt64, way: Way, library: MediaLibrary) {
        random = Seeded(state: seed)
        self.way = way
        // Independent of each other, and of the way that it is played.
        hasDesk = seed / 6 % 2 == 0
        hasInputs = seed / 12 % 5 < 2
        taps =
            seed / 60 % 4 == 3
            ? [TrackTap(.preFader) { _, _, _, _ in }, TrackTap(.postFader) { _, _, _, _ in }] : []
        self.library = library
        var readAhead = ReadAhead(threads: 0)
        // A few periods where streams run dry anyway. Where nothing may be late a ring has to hold, beside a
        // piece, what is given back late, and what is played before a plan for later is taken.
        if case .stalling = way.disk { readAhead.frames = 1024 } else { readAhead.frames = 2048 }
        readAhead.piece = 256
        engine = PlaybackEngine(sampleRate: rate, readAhead: readAhead)
        engine.period = way.period
        session.sampleRate = rate
        for _ in 0..<Int.random(in: 1...3, using: &random) { addTrack() }
    }

    deinit { engine.end() }

    private func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    // MARK: - Edits

    private func apply() {
        engine.apply(session, library: library)
        for track in session.tracks {
            guard let strip = engine.stripHandle(track.id), !ins.contains(where: { $0.strip === strip })
            else { continue }
            ins.append((track.id, strip))
        }
    }

    private func addTrack() {
        var track = Track(name: session.freeName("t"))
        track.clips = clips()
        track.pan = [0, 0, -1, 0.5].randomElement(using: &random)!
        if hasInputs { track.input = pick(0...2) == 0 ? nil : Input() }
        session.append(track)
    }

    private func clips() -> [Clip] {
        var clips: [Clip] = []
        var end = [0, 0, pick(0...500)].randomElement(using: &random)!
        for _ in 0..<[1, 1, 1, 0, 2, 3].randomElement(using: &random)! {
            var clip = Clip(file: "\(pick(0...2)).wav")
            clip.at = time(end)
            let length = [8000, pick(1...1500)].randomElement(using: &random)!
            clip.from = time(pick(0...3000))
            clip.duration = time(length)
            clip.gain = [1, 1, 0, 0.5, Double(pick(1...8)) / 4].randomElement(using: &random)!
            func fade() -> ClipFade {
                ClipFade(
                    time([0, 0, 1, pick(1...800)].randomElement(using: &random)!),
                    curve: [.linear, .scurve, .equalpower].randomElement(using: &random)!)
            }
            (clip.fadeIn, clip.fadeOut) = (fade(), fade())
            // Over the clip before as far as both go on beside it.
            if let before = clips.last, end == Int((before.at + before.duration!).frame(atRate: rate)),
                pick(0...1) == 0
            {
                let room = min(
                    length, Int((before.duration! - before.crossfade.duration).frame(atRate: rate)) - 1)
                if room > 0 {
                    clip.crossfade = ClipFade(
                        time(pick(1...room)),
                        curve: [.linear, .scurve, .equalpower].randomElement(using: &random)!)
                    clip.at = clip.at - clip.crossfade.duration
                    end = Int(clip.at.frame(atRate: rate))
                }
            }
            clips.append(clip)
            end += length + [0, pick(0...300)].randomElement(using: &random)!
        }
        return clips
    }

    private func time(_ frame: Int) -> MediaTime { MediaTime(frame: Int64(frame), rate: rate) }

    private func edit() {
        earlier.append(session)
        let place = session.tracks.isEmpty ? nil : session.tracks.indices.randomElement(using: &random)
        if hasDesk, pick(0...1) == 0 {
            editDesk()
            apply()
            return oracle.edit(session, at: at)
        }
        switch pick(0...(hasInputs ? 13 : 11)) {
        case 12:
            if let place { session.tracks[place].input = session.tracks[place].input == nil ? Input() : nil }
        case 13:
            if let place { session.tracks[place].monitor = Monitor.allCases.randomElement(using: &random)! }
        case 10: session.master.mute.toggle()
        case 11: session.master.fader = Double(pick(0...4)) / 4
        case 0 where session.tracks.count < 4: addTrack()
        case 1 where place != nil: session.removeTrack(at: place!)
        case 2, 3: session = earlier.randomElement(using: &random)!
        case 4, 5: if let place { session.tracks[place].clips = clips() }
        case 6: if let place { session.tracks[place].mute.toggle() }
        case 7: if let place { session.tracks[place].fader = Double(pick(0...4)) / 4 }
        default:
            guard let place else { break }
            let (from, length) = (pick(0...4000), pick(0...800))
            if length < 100 {
                try? session.tracks[place].automation.setValue(Double(pick(0...4)) / 4, at: time(from))
            } else {
                try? session.tracks[place].automation.setRamp(
                    from: Double(pick(0...4)) / 4, to: Double(pick(0...4)) / 4,
                    over: TimeRange(start: time(from), duration: time(length)),
                    curve: Curve.allCases.randomElement(using: &random)!)
            }
        }
        apply()
        oracle.edit(session, at: at)
        if let tap = taps.randomElement(using: &random),
            let track = session.tracks.randomElement(using: &random)
        {
            engine.setTap(pick(0...2) == 0 ? nil : tap, on: track.id)
        }
    }

    /// Buses, sends, outputs, DCAs, trims, solos, and the timeline of any control.
    private func editDesk() {
        let place = session.places.randomElement(using: &random)!
        let isFeeding = place.kind == .track || place.kind == .bus
        var next = session
        let kind = pick(0...16)
        log.append("desk \(kind)")
        switch kind {
        case 0, 1: if next.buses.count < 3 { next.addBus(named: next.freeName("b")) }
        case 2: if let index = next.buses.indices.randomElement(using: &random) { next.removeBus(at: index) }
        case 3, 4, 5:
            if isFeeding, let bus = next.buses.randomElement(using: &random) {
                let (volume, isPre) = (
                    [0, 1, Double(pick(1...8)) / 4].randomElement(using: &random)!, pick(0...1) == 0
                )
                next.setSend(of: place, to: bus.id) { ($0.volume, $0.isPre) = (volume, isPre) }
            }
        case 6:
            if let send = next[place].sends.randomElement(using: &random) {
                next.removeSend(of: place, to: send.bus)
            }
        case 7:
            if isFeeding {
                next[place].output = ([.master, .none, .ports] + next.buses.map { .bus($0.id) })
                    .randomElement(using: &random)!
            }
        case 8:
            if next.dcas.count < 2 { next.addDCA(named: next.freeName("d")) } else { next.removeDCA(at: 0) }
        case 9:
            if let index = next.dcas.indices.randomElement(using: &random) {
                next.setMembers(
                    next.strips.filter { strip in !next.dcas.contains { $0.id == strip.id } }.map(\.id).filter
                    { _ in pick(0...1) == 0 }, ofDCA: index)
            }
        case 10:
            // What runs dry is known to lie between silence and what belongs, which nothing that is turned
            // upside down does.
            let mayTurn = if case .stalling = way.disk { false } else { true }
            (next[place].trim, next[place].polarity) =
                place.kind == .dca ? (1, false) : (Double(pick(0...8)) / 4, mayTurn && pick(0...1) == 0)
        case 11:
            if place.kind == .dca {
                next[place].solo.toggle()
            } else if isFeeding {
                if pick(0...2) == 0 { next[place].soloSafe.toggle() } else { next[place].solo.toggle() }
            }
        case 12:
            if place.kind == .dca {
                next[place].fader = Double(pick(0...4)) / 4
            } else {
                next[place].pan = [0, -1, 1, 0.5, -0.25].randomElement(using: &random)!
            }
        case 14:
            // What runs dry lies between silence and what belongs, side by side, not across.
            if case .stalling = way.disk { break }
            if let send = next[place].sends.randomElement(using: &random) {
                let matrix = try? SendMatrix(
                    (0..<2).map { _ in (0..<2).map { _ in Double(pick(-2...4)) / 4 } })
                let isOwn = pick(0...3) > 0
                next.setSend(of: place, to: send.bus) { $0.matrix = isOwn ? matrix : nil }
            }
        case 13:
            if let send = next[place].sends.randomElement(using: &random) {
                let (pan, mute) = ([0, -1, 0.5].randomElement(using: &random)!, pick(0...1) == 0)
                next.setSend(of: place, to: send.bus) { ($0.pan, $0.mute) = (pan, mute) }
            }
        default:
            let controls: [Automation.Control] =
                place.kind == .dca ? [.volume, .mute] : [.volume, .pan, .trim, .mute]
            let bus = next[place].sends.randomElement(using: &random)?.bus
            let control = (bus == nil ? controls : [.volume, .pan, .mute]).randomElement(using: &random)!
            var automation =
                bus.map { next[place].send(to: $0)![automation: control] } ?? next[place][automation: control]
            event(on: &automation)
            if let bus {
                next.setSend(of: place, to: bus) { $0[automation: control] = automation }
            } else {
                next[place][automation: control] = automation
            }
        }
        log.append("(\(place)\(next == session ? ", nothing" : ""))")
        if Routing(next).loop == nil { session = next }
    }

    /// A point, a ramp, or nothing any more.
    private func event(on automation: inout Automation) {
        let (from, length) = (pick(0...4000), pick(0...800))
        func value() -> Double {
            switch automation.control {
            case .pan: Double(pick(-4...4)) / 4
            case .mute: Double(pick(0...1))
            default: Double(pick(0...4)) / 4
            }
        }
        if pick(0...9) == 0 {
            automation.clear()
        } else if length < 200 || automation.control == .mute {
            try? automation.setValue(value(), at: time(from), replace: true)
        } else {
            try? automation.setRamp(
                from: value(), to: value(), over: TimeRange(start: time(from), duration: time(length)),
                curve: Curve.allCases.randomElement(using: &random)!, replace: true)
        }
    }

    // MARK: - What is asked

    private func ask() {
        let kind = pick(0...14)
        switch kind {
        case 0, 1, 2:
            note("play")
            engine.soundAgain()
            engine.play()
            oracle.soundAgain(at: at)
            oracle.play(at: at)
        case 14:
            let length = pick(0...800)
            note("fall silent in \(length)")
            engine.fallSilent(over: time(length))
            oracle.fallSilent(frames: length, at: at)
        case 3, 4:
            note("stop")
            engine.stop()
            oracle.stop(at: at)
        case 5, 6, 7:
            // Often to where playing began, often backwards.
            let frame = [0, 0, pick(0...300), pick(0...6000), max(0, oracle.position - pick(0...500))]
                .randomElement(using: &random)!
            note("locate \(frame)")
            engine.locate(Int64(frame))
            oracle.locate(frame, at: at)
        case 8:
            let start = pick(0...3000)
            let loop = [
                nil, start..<start + pick(8...400), oracle.position..<oracle.position + pick(1...600),
            ].randomElement(using: &random)!
            note("loop \(loop.map { "\($0)" } ?? "off")")
            engine.setLoop(loop.map { Int64($0.lowerBound)..<Int64($0.upperBound) })
            oracle.setLoop(loop, at: at)
        case 9, 10, 11:
            note("edit")
            edit()
        default:
            let ids = session.strips.map(\.id) + session.strips.flatMap { $0.sends.map(\.id) }
            let id = pick(0...5) == 0 ? .master : ids.randomElement(using: &random)!
            let (volume, length) = (
                Double(pick(0...8)) / 8, [0, fade, pick(0...600)].randomElement(using: &random)!
            )
            let curve = Curve.allCases.randomElement(using: &random)!
            note("fade \(id.rawValue) to \(volume) in \(length), \(curve)")
            engine.fade(id, to: volume, over: time(length), curve: curve)
            oracle.fade(id, volume, frames: length, curve, at: at)
        }
    }

    private func note(_ text: String) { log.append(at > 0 ? "\(text) @\(at)" : text) }

    private func step() {
        if pick(0...6) == 0 {
            at = oracle.clock + pick(1...400)
            note("{")
            engine.together(at: Int64(at)) { for _ in 0..<pick(1...3) { ask() } }
            note("}")
            at = 0
        } else if pick(0...6) == 0 {
            note("{")
            engine.together { for _ in 0..<pick(2...4) { ask() } }
            note("}")
        } else {
            ask()
        }
        look()
    }

    /// Whether the disk has what is asked for is the one thing that the oracle is told.
    private func look() { if !engine.isFilling { oracle.wantedIsThere() } }

    private func turnDisk() {
        guard oracle.clock >= nextTurn else { return }
        switch way.disk {
        case .prompt: break
        case .everySoOften(let frames): nextTurn = oracle.clock + frames
        case .stalling:
            if !isDraining {
                if pick(0...20) == 0 { nextTurn = oracle.clock + pick(0...3000) }
                for _ in 0..<pick(0...6) { engine.pool.readPieces() }
                return
            }
        }
        repeat {
            while engine.pool.readPieces() {}
            let wasFilling = engine.isFilling
            poll()
            if !wasFilling || engine.isFilling { break }
        } while true
    }

    /// What the control thread does every few milliseconds.
    private func poll() {
        let wasSilent = engine.isFallingSilent
        engine.poll()
        if wasSilent, !engine.isFallingSilent {
            note("sounds again")
            if !oracle.isStanding || oracle.wantsRolling { fault = "it sounds again before it stands still" }
            oracle.soundAgain(at: 0)
        }
        look()
        if engine.hasFallenSilent != oracle.hasFallenSilent {
            fault = "it has \(engine.hasFallenSilent ? "" : "not ")fallen silent"
        }
        guard engine.hasFallenSilent else { return }
        note("stop, for it is silent")
        engine.stop()
        oracle.stop(at: 0)
    }

    // MARK: - The duel

    /// - Returns: what was wrong, or nil.
    func play(callbacks: Int) -> String? {
        apply()
        oracle.edit(session, at: 0)
        look()
        for _ in 0..<callbacks {
            for _ in 0..<[0, 0, 1, 1, 2, 3, 6, pick(0...40)].randomElement(using: &random)! { step() }
            if let fault = callback(
                [1, pick(1...64), 64, pick(1...way.period), way.period].randomElement(using: &random)!)
            {
                return fault
            }
        }
        // In the end all that was asked is done, and what has run dry is back in its place.
        isDraining = true
        nextTurn = 0
        for turn in 0..<60 {
            if let fault = callback(way.period) { return fault }
            if turn > 2, engine.hasArrived,
                !engine.isFallingSilent || oracle.wantsRolling || oracle.hearsInputs,
                dropouts == 0 || oracle.clock > softUntil + 500
            {
                break
            }
        }
        if softUntil >= oracle.clock { return "what ran dry has not come back\n" + tail }
        if engine.isFallingSilent, oracle.isStanding, !oracle.wantsRolling, !oracle.hearsInputs {
            return "it stands still, and stays silent\n" + tail
        }
        return engine.hasArrived ? nil : "it does not come to rest\n" + tail
    }

    private var tail: String { log.suffix(60).joined(separator: ", ") }

    private func callback(_ count: Int) -> String? {
        turnDisk()
        poll()
        return render(count).map { "\($0)\n\(tail)" }
    }

    /// One callback, in which something comes in for all tracks that ever were.
    private func hear(_ count: Int, _ left: inout [Float], _ right: inout [Float]) {
        if !hasInputs { return engine.mixer.audioSide.render(&left, &right, count, waits: false) }
        let buffers = ins.map { item in
            let samples = (oracle.clock..<oracle.clock + count).map { Oracle.input(item.id, $0) }
            let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 2 * count)
            for i in 0..<count { (buffer[i], buffer[count + i]) = samples[i] }
            return buffer
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        var direct = zip(ins, buffers).map { item, buffer in
            var direct = DirectIn(item.strip)
            (direct.buffers[0], direct.buffers[1]) = (buffer, buffer + count)
            return direct
        }
        direct.withUnsafeMutableBufferPointer { direct in
            engine.mixer.audioSide.render(
                &left, &right, count, waits: false, ins: DirectIns(direct.baseAddress!, count: direct.count))
        }
    }

    private func render(_ count: Int) -> String? {
        var (left, right) = ([Float](repeating: 9, count: count), [Float](repeating: 9, count: count))
        hear(count, &left, &right)
        log.append("[\(count)]")
        frames += count
        for i in 0..<count {
            let (clock, position) = (oracle.clock, oracle.position)
            let expected = oracle.next()
            let isSoft = engine.dropouts > dropouts || clock < softUntil
            let least = isSoft ? (-4e-6, -4e-6) : (expected.0 - 4e-6, expected.1 - 4e-6)
            if Double(left[i]) < least.0 || Double(right[i]) < least.1 || Double(left[i]) > expected.0 + 4e-6
                || Double(right[i]) > expected.1 + 4e-6
            {
                return
                    """
                    frame \(i) of \(count), clock \(clock), position \(position): (\(left[i]), \(right[i])) \
                    where (\(expected.0), \(expected.1)) belongs, dropouts \(engine.dropouts)
                    """
            }
        }
        if engine.dropouts > dropouts {
            dropouts = engine.dropouts
            // A stream that is late goes on a little ahead, and comes back when it has some to spare.
            softUntil = .max
        }
        if dropouts > 0 {
            guard case .stalling = way.disk else { return "a dropout, though the disk delivers" }
            if isDraining, softUntil == .max { softUntil = oracle.clock + 3000 }
        }
        poll()
        if let fault { return fault }
        if engine.frame != oracle.position {
            return "the position is said to be \(engine.frame) where it is \(oracle.position)"
        }
        return nil
    }
}

/// Random orders, any number of them between two callbacks of any size, on disks fast and slow, against the
/// contract in slow code.
@Suite struct ModelTests {
    private static let environment = ProcessInfo.processInfo.environment

    /// As many sequences as `JMIX_MODEL_SEQUENCES` says, from the seed `JMIX_MODEL_SEED` on, in two parts at
    /// once.
    @Test(arguments: [0, 1]) func whatIsHeardIsWhatTheContractSaysWhateverIsAskedInWhateverOrder(
        part: Int
    ) throws {
        let count = (Self.environment["JMIX_MODEL_SEQUENCES"].flatMap(Int.init) ?? 20_000) / 2
        let first = (Self.environment["JMIX_MODEL_SEED"].flatMap(UInt64.init) ?? 1) + UInt64(part * count)
        let folder = TemporaryFolder()
        for file in 0..<3 {
            try folder.file("\(file).wav", frames: 12000, rate: rate) { n in
                (Oracle.sample(file, n), Oracle.sample(file, n))
            }
        }
        let library = folder.library
        var (faults, frames) = (0, 0)
        for seed in first..<first + UInt64(count) {
            let way = Way(
                period: [64, 300][Int(seed % 2)],
                disk: [.prompt, .everySoOften(160), .stalling][Int(seed % 3)])
            let duel = Duel(seed: seed, way: way, library: library)
            if let fault = duel.play(callbacks: 40) {
                faults += 1
                Issue.record("seed \(seed): \(fault)")
                if faults == 5 { break }
            }
            frames += duel.frames
        }
        print("\(count) sequences from seed \(first), \(frames) frames compared")
    }
}
