import Engine
import Foundation
import TestSupport
import Testing
import Timeline

/// How a sequence is played.
struct DuelWay {
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
final class Duel {
    static let rate: Int32 = 8000
    static let fade = 40

    let engine: PlaybackEngine
    let oracle = Oracle(fade: Duel.fade)
    let library: MediaLibrary
    let way: DuelWay
    /// It has buses, sends and DCAs; else tracks alone.
    let hasDesk: Bool
    /// Its tracks have inputs.
    let hasInputs: Bool
    /// What comes in for the tracks that there ever were.
    var ins: [(id: StripID, strip: StripHandle)] = []
    /// Taps that change nothing are on its tracks: what they are given is what goes on.
    let taps: [TrackTap]
    var random: Seeded
    var session = Session()
    var earlier: [Session] = []
    var at = 0
    var nextTurn = 0
    var log: [String] = []
    var frames = 0
    /// Nothing is asked any more, and the disk delivers.
    var isDraining = false
    /// Until when what has run dry may be softer than it should.
    var softUntil = 0
    var dropouts = 0
    /// What was wrong beside what is heard.
    var fault: String?

    init(seed: UInt64, way: DuelWay, library: MediaLibrary) {
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
        engine = PlaybackEngine(sampleRate: Duel.rate, readAhead: readAhead)
        engine.period = way.period
        session.sampleRate = Duel.rate
        for _ in 0..<Int.random(in: 1...3, using: &random) { addTrack() }
    }

    deinit { engine.close() }

    func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    // MARK: - What is asked

    func ask() {
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
            let holds = pick(0...2) == 0
            note("fall silent in \(length)\(holds ? ", and stay so" : "")")
            engine.fallSilent(over: time(length), holds: holds)
            oracle.fallSilent(frames: length, holds: holds, at: at)
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
                Double(pick(0...8)) / 8, [0, Duel.fade, pick(0...600)].randomElement(using: &random)!
            )
            let curve = Curve.allCases.randomElement(using: &random)!
            note("fade \(id.rawValue) to \(volume) in \(length), \(curve)")
            engine.fade(id, to: volume, over: time(length), curve: curve)
            oracle.fade(id, volume, frames: length, curve, at: at)
        }
    }

    func note(_ text: String) { log.append(at > 0 ? "\(text) @\(at)" : text) }

    func step() {
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
    func look() { if !engine.isFilling { oracle.wantedIsThere() } }

    func turnDisk() {
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
    func poll() {
        let wasSilent = engine.isFallingSilent
        engine.poll()
        if wasSilent, !engine.isFallingSilent {
            note("sounds again")
            if !oracle.isStanding || oracle.wantsRolling { fault = "it sounds again before it stands still" }
            if oracle.holdsSilence { fault = "it sounds again, and nobody has said so" }
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
                !engine.isFallingSilent || oracle.wantsRolling || oracle.hearsInputs || oracle.holdsSilence,
                dropouts == 0 || oracle.clock > softUntil + 500
            {
                break
            }
        }
        if softUntil >= oracle.clock { return "what ran dry has not come back\n" + tail }
        if engine.isFallingSilent, oracle.isStanding, !oracle.wantsRolling, !oracle.hearsInputs,
            !oracle.holdsSilence
        {
            return "it stands still, and stays silent\n" + tail
        }
        return engine.hasArrived ? nil : "it does not come to rest\n" + tail
    }

    var tail: String { log.suffix(60).joined(separator: ", ") }

    func callback(_ count: Int) -> String? {
        turnDisk()
        poll()
        return render(count).map { "\($0)\n\(tail)" }
    }

    /// One callback, in which something comes in for all tracks that ever were.
    func hear(_ count: Int, _ left: inout [Float], _ right: inout [Float]) {
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

    func render(_ count: Int) -> String? {
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
