import Foundation
import Timeline

/// What the contract says is heard, one frame at a time: slow, obvious code that knows of no plans, streams, blocks, queues or threads.
///
/// It is told what is asked, and when the disk has what was asked for; all else it works out by itself.
final class Oracle {
    /// From one value to another, p of the way: the contract's formulas. An exponential from or to silence is a line.
    static func way(_ v0: Double, _ v1: Double, _ p: Double, _ curve: Curve) -> Double {
        let d = v1 - v0
        return switch curve {
        case .exponential where v0 > 0 && v1 > 0: v0 * pow(v1 / v0, p)
        case .linear, .exponential: v0 + d * p
        case .scurve: v0 + d * (1 - cos(.pi * p)) / 2
        case .equalpower: d >= 0 ? v0 + d * sin(.pi * p / 2) : v0 + d * (1 - cos(.pi * p / 2))
        }
    }

    /// One of the strip's gains: from one value to another, on the clock.
    struct Gain {
        var from: Double
        var to: Double
        var start = 0
        var frames = 0
        var curve = Curve.linear

        init(_ value: Double) { (from, to) = (value, value) }

        func value(_ clock: Int) -> Double {
            if clock >= start + frames { return to }
            return Oracle.way(from, to, Double(clock - start) / Double(frames), curve)
        }

        mutating func move(_ target: Double, _ frames: Int, _ clock: Int, _ curve: Curve = .linear) {
            (from, to, start, self.frames, self.curve) = (value(clock), target, clock, frames, curve)
        }
    }

    final class Strip {
        var gains: [Part: Gain]
        /// What was asked last for at once: what was asked before it for a later moment does not count any more.
        var newest: [Part: Int] = [:]

        init(_ settings: [Part: Double]) { gains = settings.mapValues(Gain.init) }
    }

    enum Part: CaseIterable { case fader, gate, left, right, trim }

    /// A clip's fade.
    struct Shape {
        let frames: Int
        let curve: Curve

        /// So many frames after the clip's beginning.
        func rise(_ frame: Int) -> Double { frame >= frames ? 1 : Oracle.way(0, 1, Double(frame) / Double(frames), curve) }
        /// So many frames before its end.
        func fall(_ left: Int) -> Double { left >= frames ? 1 : Oracle.way(1, 0, Double(frames - left) / Double(frames), curve) }
    }

    struct Piece {
        let start: Int
        let end: Int
        let file: Int
        let from: Int
        let gain: Double
        let fadeIn: Shape
        let fadeOut: Shape
        let crossfade: Shape
    }

    /// What the timeline says of a strip or send beside its clips, and its gains that hands move.
    struct Level {
        let live: Strip
        let volume: SlowDesk.Lane
        let mute: SlowDesk.Lane
        let pan: SlowDesk.Lane

        private func live(_ part: Part, _ clock: Int) -> Double { live.gains[part]!.value(clock) }

        /// What multiplies both sides: all that a DCA has.
        func gain(_ frame: Int, _ clock: Int, _ fade: Int) -> Double {
            volume.value(frame) * mute.gate(frame, fade: fade) * live(.fader, clock) * live(.gate, clock)
        }

        /// Left and right, without DCAs.
        func gains(_ frame: Int, _ clock: Int, _ fade: Int) -> (Double, Double) {
            // Before its first event the timeline says nothing.
            let isOfHand = pan.events.first.map { frame < $0.from } ?? true
            let (left, right) = isOfHand ? (live(.left, clock), live(.right, clock)) : SlowDesk.sides(pan.value(frame))
            let both = gain(frame, clock, fade)
            return (both * left, both * right)
        }
    }

    /// A strip as it was at some moment.
    struct Voice {
        let id: StripID
        let level: Level
        let clips: [Piece]
        /// When its input is heard.
        let input: Track.InputUse
        let trim: SlowDesk.Lane
        /// The bus, or the master; nil for nowhere.
        let output: StripID?
        let sends: [(bus: StripID, isPre: Bool, level: Level)]
        let dcas: [Level]

        /// What its clips and its input come to.
        func sound(_ frame: Int, _ clock: Int, _ levels: (clips: Double, standstill: Double)) -> (Double, Double) {
            let (left, right) = Oracle.input(id, clock)
            let clips = input == .always || levels.clips == 0 ? 0 : sound(frame) * levels.clips
            let share: Double = switch input {
            case .never: 0
            case .always: 1
            case .atStandstill: levels.standstill
            }
            return (clips + Double(left) * share, clips + Double(right) * share)
        }

        /// What its clips are at a frame.
        private func sound(_ frame: Int) -> Double {
            clips.indices.reduce(0.0) { sum, index in
                let clip = clips[index]
                guard clip.start <= frame, frame < clip.end else { return sum }
                // It falls while the next one rises.
                let next = index + 1 < clips.count ? clips[index + 1].crossfade : Shape(frames: 0, curve: .linear)
                let gain = clip.gain * clip.fadeIn.rise(frame - clip.start) * clip.crossfade.rise(frame - clip.start)
                    * clip.fadeOut.fall(clip.end - frame) * next.fall(clip.end - frame)
                return sum + Double(Oracle.sample(clip.file, clip.from + frame - clip.start)) * gain
            }
        }
    }

    /// What is played, and where it stands.
    struct Take {
        /// The master is the last.
        var voices: [Voice]
        var position = 0
        var loop: Range<Int>?
        /// It stays where it is until it is heard.
        var isLocate = false

        mutating func advance() {
            position += 1
            if let loop, position == loop.upperBound { position = loop.lowerBound }
        }

        /// Something of it is heard at a standstill too.
        var hasInputs: Bool { voices.contains { $0.input != .never } }

        /// What all of it comes to.
        func mix(_ clock: Int, _ fade: Int, _ levels: (clips: Double, standstill: Double)) -> (Double, Double) { voices.last.map { sound($0, clock, fade, levels).post } ?? (0, 0) }

        /// A strip before its gains and behind them.
        private func sound(_ voice: Voice, _ clock: Int, _ fade: Int, _ levels: (clips: Double, standstill: Double)) -> (pre: (Double, Double), post: (Double, Double)) {
            var (left, right) = voice.sound(position, clock, levels)
            for other in voices where other.output == voice.id || other.sends.contains(where: { $0.bus == voice.id }) {
                let from = sound(other, clock, fade, levels)
                if other.output == voice.id { (left, right) = (left + from.post.0, right + from.post.1) }
                for send in other.sends where send.bus == voice.id {
                    let (source, gains) = (send.isPre ? from.pre : from.post, send.level.gains(position, clock, fade))
                    (left, right) = (left + source.0 * gains.0, right + source.1 * gains.1)
                }
            }
            let trim = voice.level.live.gains[.trim]!.value(clock) * voice.trim.value(position)
            (left, right) = (left * trim, right * trim)
            let gains = voice.level.gains(position, clock, fade)
            let dcas = voice.dcas.reduce(1.0) { $0 * $1.gain(position, clock, fade) }
            return ((left, right), (left * gains.0 * dcas, right * gains.1 * dcas))
        }
    }

    private enum Order {
        case take(Take)
        case play
        case stop
        case gain(Strip, Part, Double, Int, Curve)
    }

    private enum Motion { case standing(fromStop: Bool), rolling, stopping }

    /// 5 ms.
    let fade: Int
    private(set) var clock = 0
    private var motion = Motion.standing(fromStop: false)
    /// Of all clips, and of inputs that give way to them.
    private var level = Gain(0)
    private var standstill = Gain(1)
    /// Inputs are heard by what was asked last.
    private var wantsInputs = false
    private var present = Take(voices: [])
    private var before: (take: Take, crossed: Int)?
    private static let unity: [Part: Double] = [.fader: 1, .gate: 1, .left: 1, .right: 1, .trim: 1]
    private let master = Strip(unity)
    private var strips: [StripID: Strip]
    private var roles: [StripID: String] = [:]
    private var settings: [StripID: [Part: Double]] = [.master: unity]

    /// What waits for its frame, or behind what waits: for strips, and for what is played and whether.
    private var forStrips: [Waiting] = []
    private var forPlaying: [Waiting] = []
    private var now: [Waiting] = []

    private struct Waiting {
        var order: Order
        let number: Int
        let frame: Int
        let isTimed: Bool
    }

    private var asked = 0
    private var newestTransport = 0
    /// What is waited for until the disk has it.
    private var wanted: (take: Take, at: Int)?
    /// Plays, and stops for later, that wait for it.
    private var held: [(order: Order, at: Int)] = []
    private(set) var wantsRolling = false
    private var isHushed = false
    private var silentAt: Int?
    private var loop: Range<Int>?

    init(fade: Int) {
        self.fade = fade
        strips = [.master: master]
    }

    /// What comes in for a track.
    static func input(_ id: StripID, _ clock: Int) -> (Float, Float) { (sample(3 + id.rawValue % 5, clock), sample(8 + id.rawValue % 5, clock)) }

    static func sample(_ file: Int, _ frame: Int) -> Float { Float((frame * (2 * file + 3) * 37 + file * 1000) % 8191 + 1) / 16384 }

    // MARK: - What is asked; `at` is a frame of the clock, or 0 for at once

    func play(at: Int) {
        wantsRolling = true
        if wanted == nil { send(.play, at) } else { hold(.play, at) }
    }

    func stop(at: Int) {
        wantsRolling = false
        silentAt = nil
        // A stop for now ends whatever waits; one for later comes behind a play that waits.
        if at > 0, !held.isEmpty { return hold(.stop, at) }
        held = []
        send(.stop, at)
    }

    private func hold(_ order: Order, _ at: Int) {
        if held.count == 16 { held.removeFirst(2) }
        held.append((order, at))
    }

    /// The sum of all falls silent; who asks again waits no longer. When it stands still, or when that is taken back, the master is as it is set.
    func fallSilent(frames: Int, at: Int) {
        if isStill { return }
        let end = max(clock, at) + max(frames, fade)
        if let silentAt, silentAt <= end { return }
        (isHushed, silentAt) = (true, end)
        move(master, .gate, 0, max(frames, fade), at)
    }

    func soundAgain(at: Int) {
        silentAt = nil
        if !isHushed { return }
        isHushed = false
        move(master, .gate, settings[.master]![.gate]!, glide, at)
    }

    var hasFallenSilent: Bool { silentAt.map { clock >= $0 } ?? false }

    func locate(_ frame: Int, at: Int) {
        want(at) { take in
            take.position = frame
            take.isLocate = true
            take.loop = self.loop.flatMap { frame < $0.upperBound ? $0 : nil }
        }
    }

    func setLoop(_ range: Range<Int>?, at: Int) {
        // A loop of less than a millisecond is none.
        loop = range.flatMap { $0.count * 5 < fade ? nil : $0 }
        let range = loop
        want(at) { take in take.loop = range.flatMap { take.position < $0.upperBound ? $0 : nil } }
    }

    func edit(_ session: Session, at: Int) {
        for strip in session.strips {
            let (left, right) = SlowDesk.sides(strip.pan)
            set(strip.id, [.fader: strip.fader, .gate: SlowDesk.isHeard(strip, session) ? 1 : 0, .left: left, .right: right, .trim: strip.polarity ? -strip.trim : strip.trim], at: at)
            for send in strip.sends {
                let (left, right) = SlowDesk.sides(send.pan)
                set(send.id, [.fader: send.volume, .gate: send.mute ? 0 : 1, .left: left, .right: right, .trim: 1], at: at)
            }
        }
        // Who is another than the one of that id before begins anew: a track, a sum, or a send of one strip.
        var next: [StripID: String] = [:]
        for strip in session.strips { next[strip.id] = session.index(of: strip.id) == nil ? "sum" : "track" }
        for strip in session.strips {
            let isNew = roles[strip.id] != next[strip.id] && strip.id != .master
            for send in strip.sends { next[send.id] = isNew ? "\(strip.id) \(asked)" : (roles[send.id]?.hasPrefix("\(strip.id) ") == true ? roles[send.id]! : "\(strip.id) ") }
        }
        strips = strips.filter { next[$0.key] == roles[$0.key] || $0.key == .master }
        settings = settings.filter { next[$0.key] != nil }
        roles = next
        for id in next.keys where strips[id] == nil { strips[id] = Strip(settings[id]!) }
        let voices = voices(session)
        wantsInputs = voices.contains { $0.input != .never }
        want(at) { take in take.voices = voices }
    }

    private func voices(_ session: Session) -> [Voice] {
        let rate = session.sampleRate
        func lane(_ automation: Automation) -> SlowDesk.Lane { SlowDesk.Lane(automation, rate: rate) }
        func level(_ strip: Timeline.Strip) -> Level {
            Level(live: strips[strip.id]!, volume: lane(strip.automation), mute: lane(strip[automation: .mute]), pan: lane(strip[automation: .pan]))
        }
        func voice(_ strip: Timeline.Strip, _ clips: [Piece] = [], _ input: Track.InputUse = .never) -> Voice {
            let output: StripID? = switch strip.output {
            case .master: .master
            case .bus(let id): id
            case .none, .ports: nil
            }
            return Voice(
                id: strip.id, level: level(strip), clips: clips, input: input, trim: lane(strip[automation: .trim]), output: output,
                sends: strip.sends.map { send in
                    (send.bus, send.isPre, Level(
                        live: strips[send.id]!, volume: lane(send.automation), mute: lane(send[automation: .mute]), pan: lane(send[automation: .pan])))
                },
                dcas: session.dcas.filter { $0.members.contains(strip.id) }.map { level($0.strip) })
        }
        let tracks = session.tracks.map { track in
            voice(track.strip, track.clips.map { clip in
                let (start, from) = (Int(clip.at.frame(atRate: rate)), Int(clip.from.frame(atRate: rate)))
                func shape(_ fade: ClipFade) -> Shape { Shape(frames: Int(fade.duration.frame(atRate: rate)), curve: fade.curve) }
                return Piece(
                    start: start, end: start + Int(clip.duration!.frame(atRate: rate)), file: Int(clip.file.prefix(1))!, from: from, gain: clip.gain,
                    fadeIn: shape(clip.fadeIn), fadeOut: shape(clip.fadeOut), crossfade: shape(clip.crossfade))
            }, track.inputUse)
        }
        return tracks + session.buses.map { voice($0) } + [voice(session.master)]
    }

    func set(_ id: StripID, _ values: [Part: Double], at: Int) {
        if let strip = strips[id] {
            for part in Part.allCases where values[part] != settings[id]![part] {
                // While the sum of all is silent, what the master is set to is not heard.
                if id != .master || part != .gate || !isHushed { move(strip, part, values[part]!, glide, at) }
            }
        }
        settings[id] = values
    }

    func fade(_ id: StripID, _ value: Double, frames: Int, _ curve: Curve, at: Int) {
        guard let strip = strips[id] else { return }
        settings[id]![.fader] = value
        move(strip, .fader, value, frames, at, curve)
    }

    /// Live changes glide over 5 ms; at a standstill they are made at once.
    private var glide: Int { isStill ? 0 : fade }

    /// Nothing is heard, nor will be.
    private var isStill: Bool { isStanding && !wantsRolling && !hearsInputs }

    /// Inputs are heard, are about to be, or were by what is still crossed over from.
    var hearsInputs: Bool { wantsInputs || present.hasInputs || before?.take.hasInputs == true || waiting.contains(where: \.hasInputs) }

    private func move(_ strip: Strip, _ part: Part, _ value: Double, _ frames: Int, _ at: Int, _ curve: Curve = .linear) {
        send(.gain(strip, part, value, frames, curve), at)
    }

    /// A change of what is played goes on from what was asked before it.
    private func want(_ at: Int, _ change: (inout Take) -> Void) {
        var take = wanted?.take ?? lastTake
        if wanted == nil { take.isLocate = false }
        change(&take)
        wanted = (take, max(at, wanted?.at ?? 0))
    }

    /// What has been sent and is not heard yet, in the order in which it was asked.
    private var waiting: [Take] { forPlaying.compactMap { if case .take(let take) = $0.order { take } else { nil } } }

    private var lastTake: Take { waiting.last ?? present }

    /// The disk has what is wanted.
    func wantedIsThere() {
        guard let (take, at) = wanted else { return }
        wanted = nil
        send(.take(take), at)
        for item in held { send(item.order, max(item.at, at)) }
        held = []
    }

    private func send(_ order: Order, _ at: Int) {
        asked += 1
        var frame = max(at, clock)
        // Changes of what is played keep their order.
        if case .take = order {
            for item in forPlaying { if case .take = item.order { frame = max(frame, item.frame) } }
        }
        let item = Waiting(order: order, number: asked, frame: frame, isTimed: at > 0)
        // A stop for now waits for nothing.
        if case .stop = order, at == 0 { return now.append(item) }
        func insert(_ list: inout [Waiting]) { list.insert(item, at: list.firstIndex { $0.frame > frame } ?? list.count) }
        if case .gain = order { insert(&forStrips) } else { insert(&forPlaying) }
    }

    // MARK: - What is heard

    /// The frame that is played next; where a locate goes, from the moment on when it was asked for.
    var position: Int {
        let goesElsewhere = waiting.contains { $0.isLocate } || wanted?.take.isLocate == true
        return goesElsewhere ? (wanted?.take ?? lastTake).position : present.position
    }
    var isStanding: Bool { if case .standing = motion { true } else { false } }

    /// The next frame.
    func next() -> (Double, Double) {
        obey()
        var (left, right) = (0.0, 0.0)
        let levels = (clips: isStanding ? 0 : level.value(clock), standstill: standstill.value(clock))
        if !isStanding || present.hasInputs || before != nil {
            (left, right) = present.mix(clock, fade, levels)
            if let before {
                // On its way from what was played before to what is played now.
                let (share, old) = (Double(fade - before.crossed) / Double(fade), before.take.mix(clock, fade, levels))
                (left, right) = (left + (old.0 - left) * share, right + (old.1 - right) * share)
            }
        }
        advance()
        return (left, right)
    }

    private func advance() {
        if !isStanding {
            present.advance()
            before?.take.advance()
            moveWaiting()
        }
        before?.crossed += 1
        if before?.crossed == fade { before = nil }
        clock += 1
        if case .stopping = motion, level.value(clock) == 0 { stand() }
    }

    /// What waits goes along with what is played, up to the first that is to begin elsewhere.
    private func moveWaiting() {
        for i in forPlaying.indices {
            guard case .take(var take) = forPlaying[i].order else { continue }
            if take.isLocate { return }
            take.advance()
            forPlaying[i].order = .take(take)
        }
        if wanted?.take.isLocate == false { wanted!.take.advance() }
    }

    private func stand() {
        motion = .standing(fromStop: true)
        // Inputs cross over at a standstill too.
        if !present.hasInputs, before?.take.hasInputs != true { before = nil }
    }

    private func obey() {
        for item in now { obey(item) }
        now = []
        while let first = forStrips.first, first.frame <= clock { obey(forStrips.removeFirst()) }
        while let first = forPlaying.first, first.frame <= clock, !mustWait(first.order) { obey(forPlaying.removeFirst()) }
    }

    private func mustWait(_ order: Order) -> Bool {
        guard case .take = order else { return false }
        if case .stopping = motion { return true }
        return before != nil
    }

    private func obey(_ item: Waiting) {
        let (number, isTimed) = (item.number, item.isTimed)
        switch item.order {
        case .take(let take):
            if isStanding, take.isLocate { motion = .standing(fromStop: false) }
            if !isStanding || present.hasInputs || take.hasInputs { before = (present, 0) }
            present = take
            present.isLocate = false
        case .play, .stop:
            if number < newestTransport { return }
            if !isTimed { newestTransport = number }
            if case .play = item.order { play() } else { stop() }
        case .gain(let strip, let part, let value, let frames, let curve):
            if isTimed, number < strip.newest[part, default: 0] { return }
            if !isTimed { strip.newest[part] = number }
            strip.gains[part]!.move(value, frames, clock, curve)
        }
    }

    private func play() {
        switch motion {
        case .rolling: return
        case .standing(let fromStop):
            level = Gain(fromStop ? 0 : 1)
            before = nil
        case .stopping: break
        }
        level.move(1, fade, clock)
        standstill.move(0, fade, clock)
        motion = .rolling
    }

    private func stop() {
        guard case .rolling = motion else { return }
        standstill.move(1, fade, clock)
        if level.value(clock) == 0 { return stand() }
        level.move(0, fade, clock)
        motion = .stopping
    }
}
