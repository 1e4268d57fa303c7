import Foundation
import Timeline

/// What the contract says is heard, one frame at a time: slow, obvious code that knows of no plans, streams,
/// blocks, queues or threads.
///
/// It is told what is asked, and when the disk has what was asked for; all else it works out by itself.
final class Oracle {
    /// From one value to another, p of the way: the contract's formulas. An exponential from or to silence is
    /// a line.
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
        var gains: Gains
        /// What was asked last for at once: what was asked before it for a later moment does not count any
        /// more.
        var newest: [Part: Int] = [:]

        init(_ settings: [Part: Double]) { gains = Gains(settings) }
    }

    enum Part: Int, CaseIterable { case fader, gate, left, right, trim }

    /// One for each part.
    struct Gains {
        private var all: [Gain]

        init(_ settings: [Part: Double]) { all = Part.allCases.map { Gain(settings[$0]!) } }

        subscript(_ part: Part) -> Gain {
            get { all[part.rawValue] }
            set { all[part.rawValue] = newValue }
        }
    }

    /// A clip's fade.
    struct Shape {
        let frames: Int
        let curve: Curve

        /// So many frames after the clip's beginning.
        func rise(_ frame: Int) -> Double {
            frame >= frames ? 1 : Oracle.way(0, 1, Double(frame) / Double(frames), curve)
        }
        /// So many frames before its end.
        func fall(_ left: Int) -> Double {
            left >= frames ? 1 : Oracle.way(1, 0, Double(frames - left) / Double(frames), curve)
        }
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

        private func live(_ part: Part, _ clock: Int) -> Double { live.gains[part].value(clock) }

        /// What the timeline says.
        func timed(_ frame: Int, _ fade: Int) -> Double { volume.value(frame) * mute.gate(frame, fade: fade) }

        /// What multiplies both sides: all that a DCA has.
        func gain(_ frame: Int, _ clock: Int, _ fade: Int) -> Double {
            timed(frame, fade) * live(.fader, clock) * live(.gate, clock)
        }

        /// The balance.
        func sides(_ frame: Int, _ clock: Int) -> (Double, Double) {
            // Before its first event the timeline says nothing.
            let isOfHand = pan.events.first.map { frame < $0.from } ?? true
            return isOfHand ? (live(.left, clock), live(.right, clock)) : SlowDesk.sides(pan.value(frame))
        }

        /// Left and right, without DCAs.
        func gains(_ frame: Int, _ clock: Int, _ fade: Int) -> (Double, Double) {
            let (both, (left, right)) = (gain(frame, clock, fade), sides(frame, clock))
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
        let sends: [(bus: StripID, isPre: Bool, level: Level, matrix: [[Double]]?)]
        let dcas: [Level]

        /// What its clips are at a frame, if its input is not heard in their place.
        func clips(_ frame: Int) -> Double { input == .always ? 0 : sound(frame) }

        /// How much of its input is heard.
        func inputShare(_ standstill: Double) -> Double {
            switch input {
            case .never: 0
            case .always: 1
            case .atStandstill: standstill
            }
        }

        private func sound(_ frame: Int) -> Double {
            clips.indices.reduce(0.0) { sum, index in
                let clip = clips[index]
                guard clip.start <= frame, frame < clip.end else { return sum }
                // It falls while the next one rises.
                let next =
                    index + 1 < clips.count ? clips[index + 1].crossfade : Shape(frames: 0, curve: .linear)
                let gain =
                    clip.gain * clip.fadeIn.rise(frame - clip.start) * clip.crossfade.rise(frame - clip.start)
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

        /// The live side of a strip: what makes it the same in two takes.
        func voice(_ live: Strip?) -> Voice? { voices.first { $0.level.live === live } }
        func live(_ id: StripID?) -> Strip? { voices.first { $0.id == id }?.level.live }
    }

    /// The strips of one take, or of two while the one gives way to the other, and who feeds whom.
    final class Wiring {
        /// From one strip to another, in one of the takes or both.
        struct Edge {
            let from: Int
            let isPre: Bool
            let inNow: Bool
            let inOld: Bool
            /// What the timeline says of a send.
            let now: Level?
            let old: Level?
            /// What it makes of left and right; nil: these.
            let matrix: [[Double]]?
        }

        let strips: [Strip]
        let now: [Voice?]
        let old: [Voice?]
        private(set) var into: [[Edge]]
        /// Whether an input is heard there, now or before.
        private(set) var hearsInputs: [Bool]
        let master: Int?

        init(_ now: [Voice], _ old: [Voice]) {
            let all =
                now.map(\.level.live)
                + old.map(\.level.live).filter { live in !now.contains { $0.level.live === live } }
            let (new, before) = (
                all.map { live in now.first { $0.level.live === live } },
                all.map { live in old.first { $0.level.live === live } }
            )
            (strips, self.now, self.old) = (all, new, before)
            master = now.isEmpty ? nil : now.count - 1
            into = all.map { _ in [] }
            hearsInputs = all.indices.map {
                (new[$0]?.input ?? .never) != .never || (before[$0]?.input ?? .never) != .never
            }
            for from in all.indices {
                let (waysNow, waysOld) = (Self.ways(new[from], now, all), Self.ways(before[from], old, all))
                for way in waysNow {
                    let same = waysOld.first { $0.isSame(way) }
                    into[way.target].append(
                        Edge(
                            from: from, isPre: way.isPre, inNow: true, inOld: same != nil, now: way.level,
                            old: same?.level, matrix: way.matrix))
                }
                for way in waysOld where !waysNow.contains(where: { $0.isSame(way) }) {
                    into[way.target].append(
                        Edge(
                            from: from, isPre: way.isPre, inNow: false, inOld: true, now: nil, old: way.level,
                            matrix: way.matrix)
                    )
                }
            }
            for _ in all {
                for target in all.indices where into[target].contains(where: { hearsInputs[$0.from] }) {
                    hearsInputs[target] = true
                }
            }
        }

        private struct Way {
            let target: Int
            let isPre: Bool
            let level: Level?
            var matrix: [[Double]]?

            func isSame(_ other: Way) -> Bool {
                target == other.target && isPre == other.isPre && level?.live === other.level?.live
                    && matrix == other.matrix
            }
        }

        private static func ways(_ voice: Voice?, _ take: [Voice], _ all: [Strip]) -> [Way] {
            guard let voice else { return [] }
            func place(_ id: StripID) -> Int? {
                take.first { $0.id == id }.flatMap { target in all.firstIndex { $0 === target.level.live } }
            }
            let output = voice.output.flatMap(place).map { [Way(target: $0, isPre: false, level: nil)] } ?? []
            return output
                + voice.sends.compactMap { send in
                    place(send.bus).map {
                        Way(target: $0, isPre: send.isPre, level: send.level, matrix: send.matrix)
                    }
                }
        }
    }

    /// What is heard of a frame: each thing that differs between two takes goes from what it was to what it
    /// is by itself, along a line.
    struct Mix {
        let wiring: Wiring
        let position: Int
        let positionBefore: Int
        /// How much of the old is left.
        let left: Double
        /// Playing began from a standstill meanwhile: clips begin as they are, and only what inputs are heard
        /// in goes on giving way.
        let isOfInputs: Bool
        let clock: Int
        let fade: Int
        let levels: (clips: Double, standstill: Double)
        private typealias Sound = (pre: (Double, Double), post: (Double, Double))

        /// The master's sum.
        func sound() -> (Double, Double) {
            var known = [Sound?](repeating: nil, count: wiring.strips.count)
            return wiring.master.map { sound($0, &known).post } ?? (0, 0)
        }

        /// How much is left of what a strip was.
        private func left(_ strip: Int) -> Double { isOfInputs && !wiring.hearsInputs[strip] ? 0 : left }

        /// From what it was to what it is; of what only one of the two has, that.
        private func way(_ strip: Int, _ value: (Voice, Int) -> Double) -> Double {
            guard let new = wiring.now[strip] else { return value(wiring.old[strip]!, positionBefore) }
            let now = value(new, position)
            guard left(strip) > 0, let old = wiring.old[strip] else { return now }
            return now + (value(old, positionBefore) - now) * left(strip)
        }

        /// A strip before its gains and behind them.
        private func sound(_ strip: Int, _ known: inout [Sound?]) -> Sound {
            if let sound = known[strip] { return sound }
            let (new, old, live) = (wiring.now[strip], wiring.old[strip], wiring.strips[strip])
            if new == nil, left(strip) == 0 { return ((0, 0), (0, 0)) }
            // Old clips that were silent are not heard.
            let clips =
                levels.clips
                * (isOfInputs
                    ? (new?.clips(position) ?? 0) : levels.clips == 0 ? 0 : way(strip) { $0.clips($1) })
            let share = way(strip) { voice, _ in voice.inputShare(levels.standstill) }
            let input = share > 0 ? Oracle.input((new ?? old)!.id, clock) : (0, 0)
            var (leftSide, rightSide) = (clips + Double(input.0) * share, clips + Double(input.1) * share)
            for edge in wiring.into[strip] {
                let stays = new != nil && old != nil
                let s = left(edge.from)
                if !edge.inNow, s == 0 { continue }
                let weight = edge.inNow && edge.inOld || !stays ? 1 : edge.inNow ? 1 - s : s
                let from = sound(edge.from, &known)
                var (source, gains) = (edge.isPre ? from.pre : from.post, gains(edge, s))
                if let rows = edge.matrix {
                    source = (
                        source.0 * rows[0][0] + source.1 * rows[0][1],
                        source.0 * rows[1][0] + source.1 * rows[1][1]
                    )
                }
                (leftSide, rightSide) = (
                    leftSide + source.0 * weight * gains.0, rightSide + source.1 * weight * gains.1
                )
            }
            let trim = live.gains[.trim].value(clock) * way(strip) { $0.trim.value($1) }
            (leftSide, rightSide) = (leftSide * trim, rightSide * trim)
            let volume = way(strip) { voice, frame in
                voice.level.timed(frame, fade) * voice.dcas.reduce(1.0) { $0 * $1.gain(frame, clock, fade) }
            }
            let hands = volume * live.gains[.fader].value(clock) * live.gains[.gate].value(clock)
            let sides = (
                way(strip) { $0.level.sides($1, clock).0 }, way(strip) { $0.level.sides($1, clock).1 }
            )
            let sound: Sound = (
                (leftSide, rightSide), (leftSide * hands * sides.0, rightSide * hands * sides.1)
            )
            known[strip] = sound
            return sound
        }

        /// A send on its way from what the timeline said of it to what it says; an output leaves all as it
        /// is.
        private func gains(_ edge: Wiring.Edge, _ s: Double) -> (Double, Double) {
            guard let now = edge.now else { return edge.old?.gains(positionBefore, clock, fade) ?? (1, 1) }
            guard s > 0, let old = edge.old else { return now.gains(position, clock, fade) }
            func way(_ a: Double, _ b: Double) -> Double { a + (b - a) * s }
            let both =
                way(now.timed(position, fade), old.timed(positionBefore, fade))
                * now.live.gains[.fader].value(clock) * now.live.gains[.gate].value(clock)
            let (sides, sidesBefore) = (now.sides(position, clock), old.sides(positionBefore, clock))
            return (both * way(sides.0, sidesBefore.0), both * way(sides.1, sidesBefore.1))
        }
    }

    private enum Order {
        case take(Take)
        case play
        case stop
        case gain(Strip, Part, Double, Int, Curve)
    }

    private enum Motion {
        case standing(fromStop: Bool)
        case rolling, stopping
    }

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
    private var before: (take: Take, crossed: Int, isOfInputs: Bool)?
    /// Of the two.
    private var wiring = Wiring([], [])
    private static let unity: [Part: Double] = [.fader: 1, .gate: 1, .left: 1, .right: 1, .trim: 1]
    private let master = Strip(unity)
    /// Of the ports of single strips while all is silent.
    private let hush = Strip(unity)
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
        present = Take(voices: voices(Session()))
        settle()
    }

    /// What comes in for a track.
    static func input(_ id: StripID, _ clock: Int) -> (Float, Float) {
        (sample(3 + id.rawValue % 5, clock), sample(8 + id.rawValue % 5, clock))
    }

    static func sample(_ file: Int, _ frame: Int) -> Float {
        Float((frame * (2 * file + 3) * 37 + file * 1000) % 8191 + 1) / 16384
    }

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

    /// The sum of all falls silent; who asks again waits no longer. When it stands still, or when that is
    /// taken back, the master is as it is set.
    func fallSilent(frames: Int, at: Int) {
        if isStill { return }
        let end = max(clock, at) + max(frames, fade)
        if let silentAt, silentAt <= end { return }
        (isHushed, silentAt) = (true, end)
        for strip in [master, hush] { move(strip, .gate, 0, max(frames, fade), at) }
    }

    func soundAgain(at: Int) {
        silentAt = nil
        if !isHushed { return }
        isHushed = false
        move(master, .gate, settings[.master]![.gate]!, glide, at)
        move(hush, .gate, 1, glide, at)
    }

    var hasFallenSilent: Bool { silentAt.map { clock >= $0 && hush.gains[.gate].value(clock) == 0 } ?? false }

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
            set(
                strip.id,
                [
                    .fader: strip.fader, .gate: SlowDesk.isHeard(strip, session) ? 1 : 0, .left: left,
                    .right: right, .trim: strip.polarity ? -strip.trim : strip.trim,
                ], at: at)
            for send in strip.sends {
                let (left, right) = SlowDesk.sides(send.pan)
                set(
                    send.id,
                    [.fader: send.volume, .gate: send.mute ? 0 : 1, .left: left, .right: right, .trim: 1],
                    at: at)
            }
        }
        // Who is another than the one of that id before begins anew: a track, a sum, or a send of one strip.
        var next: [StripID: String] = [:]
        for strip in session.strips { next[strip.id] = session.index(of: strip.id) == nil ? "sum" : "track" }
        for strip in session.strips {
            let isNew = roles[strip.id] != next[strip.id] && strip.id != .master
            for send in strip.sends {
                next[send.id] =
                    isNew
                    ? "\(strip.id) \(asked)"
                    : (roles[send.id]?.hasPrefix("\(strip.id) ") == true ? roles[send.id]! : "\(strip.id) ")
            }
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
            Level(
                live: strips[strip.id]!, volume: lane(strip.automation), mute: lane(strip[automation: .mute]),
                pan: lane(strip[automation: .pan]))
        }
        func voice(_ strip: Timeline.Strip, _ clips: [Piece] = [], _ input: Track.InputUse = .never) -> Voice
        {
            let output: StripID? =
                switch strip.output {
                case .master: .master
                case .bus(let id): id
                case .none, .ports: nil
                }
            return Voice(
                id: strip.id, level: level(strip), clips: clips, input: input,
                trim: lane(strip[automation: .trim]), output: output,
                sends: strip.sends.map { send in
                    (
                        send.bus, send.isPre,
                        Level(
                            live: strips[send.id]!, volume: lane(send.automation),
                            mute: lane(send[automation: .mute]), pan: lane(send[automation: .pan])),
                        send.matrix?.gains
                    )
                },
                dcas: session.dcas.filter { $0.members.contains(strip.id) }.map { level($0.strip) })
        }
        let tracks = session.tracks.map { track in
            voice(
                track.strip,
                track.clips.map { clip in
                    let (start, from) = (Int(clip.at.frame(atRate: rate)), Int(clip.from.frame(atRate: rate)))
                    func shape(_ fade: ClipFade) -> Shape {
                        Shape(frames: Int(fade.duration.frame(atRate: rate)), curve: fade.curve)
                    }
                    return Piece(
                        start: start, end: start + Int(clip.duration!.frame(atRate: rate)),
                        file: Int(clip.file.text.prefix(1))!, from: from, gain: clip.gain,
                        fadeIn: shape(clip.fadeIn), fadeOut: shape(clip.fadeOut),
                        crossfade: shape(clip.crossfade))
                }, track.inputUse())
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
    var hearsInputs: Bool {
        wantsInputs || present.hasInputs || before?.take.hasInputs == true
            || waiting.contains(where: \.hasInputs)
    }

    private func move(
        _ strip: Strip, _ part: Part, _ value: Double, _ frames: Int, _ at: Int, _ curve: Curve = .linear
    ) {
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
    private var waiting: [Take] {
        forPlaying.compactMap { if case .take(let take) = $0.order { take } else { nil } }
    }

    private var lastTake: Take { waiting.last ?? present }

    /// The disk has what is wanted.
    func wantedIsThere() {
        guard let (take, at) = wanted else { return }
        wanted = nil
        // Where old edges and new ones together would make a loop, the old ones close first.
        let between = closed(take, after: lastTake)
        if let between { send(.take(between), at) }
        var next = take
        if between != nil { next.isLocate = false }
        send(.take(next), at)
        for item in held { send(item.order, max(item.at, at)) }
        held = []
    }

    /// A take with no edge that is new; nil where all edges may be there together.
    private func closed(_ take: Take, after old: Take) -> Take? {
        func edges(_ take: Take) -> [(Strip, Strip)] {
            take.voices.flatMap { voice in
                ([voice.output].compactMap { $0 } + voice.sends.map(\.bus)).compactMap { id in
                    take.live(id).map { (voice.level.live, $0) }
                }
            }
        }
        let both = edges(take) + edges(old)
        func comesTo(_ strip: Strip, _ target: Strip, _ steps: Int) -> Bool {
            steps > 0
                && both.contains { $0.0 === strip && ($0.1 === target || comesTo($0.1, target, steps - 1)) }
        }
        if !take.voices.contains(where: { comesTo($0.level.live, $0.level.live, 12) }) { return nil }
        var closed = take
        closed.voices = take.voices.map { voice in
            let was = old.voice(voice.level.live)
            let staysOut = was != nil && take.live(voice.output) === old.live(was!.output)
            return Voice(
                id: voice.id, level: voice.level, clips: voice.clips, input: voice.input, trim: voice.trim,
                output: staysOut ? voice.output : nil,
                sends: voice.sends.filter { send in
                    was?.sends.contains {
                        $0.level.live === send.level.live && $0.isPre == send.isPre
                            && old.live($0.bus) === take.live(send.bus)
                    } ?? false
                }, dcas: voice.dcas)
        }
        return closed
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
        func insert(_ list: inout [Waiting]) {
            list.insert(item, at: list.firstIndex { $0.frame > frame } ?? list.count)
        }
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
            // On its way from what was played before to what is played now.
            let share = Double(fade - (before?.crossed ?? fade)) / Double(fade)
            (left, right) = Mix(
                wiring: wiring, position: present.position, positionBefore: before?.take.position ?? 0,
                left: share, isOfInputs: before?.isOfInputs ?? false, clock: clock, fade: fade,
                levels: levels
            ).sound()
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
        if before?.crossed == fade { settle() }
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
        if !present.hasInputs, before?.take.hasInputs != true { settle() }
    }

    /// Nothing is left of what was before.
    private func settle() {
        before = nil
        wiring = Wiring(present.voices, [])
    }

    private func obey() {
        for item in now { obey(item) }
        now = []
        while let first = forStrips.first, first.frame <= clock { obey(forStrips.removeFirst()) }
        while let first = forPlaying.first, first.frame <= clock, !mustWait(first.order) {
            obey(forPlaying.removeFirst())
        }
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
            if !isStanding || present.hasInputs || take.hasInputs { before = (present, 0, false) }
            present = take
            present.isLocate = false
            wiring = Wiring(present.voices, before?.take.voices ?? [])
        case .play, .stop:
            if number < newestTransport { return }
            if !isTimed { newestTransport = number }
            if case .play = item.order { play() } else { stop() }
        case .gain(let strip, let part, let value, let frames, let curve):
            if isTimed, number < strip.newest[part, default: 0] { return }
            if !isTimed { strip.newest[part] = number }
            strip.gains[part].move(value, frames, clock, curve)
        }
    }

    private func play() {
        switch motion {
        case .rolling: return
        case .standing(let fromStop):
            level = Gain(fromStop ? 0 : 1)
            before?.isOfInputs = true
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
