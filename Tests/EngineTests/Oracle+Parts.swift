import Foundation
import Timeline

/// What the oracle works with.
extension Oracle {
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
    /// A reference, and so is `Voice`: copies for each frame took a third of the time of all sequences.
    final class Level {
        let live: Strip
        let volume: SlowDesk.Lane
        let mute: SlowDesk.Lane
        let pan: SlowDesk.Lane
        /// The mutes of its strip, and of DCAs, that close a send before the strip's gains too.
        let closings: [SlowDesk.Lane]

        init(
            live: Strip, volume: SlowDesk.Lane, mute: SlowDesk.Lane, pan: SlowDesk.Lane,
            closings: [SlowDesk.Lane] = []
        ) {
            (self.live, self.volume, self.mute, self.pan) = (live, volume, mute, pan)
            self.closings = closings
        }

        private func live(_ part: Part, _ clock: Int) -> Double { live.gains[part].value(clock) }

        /// What the timeline says.
        func timed(_ frame: Int, _ fade: Int) -> Double {
            closings.reduce(volume.value(frame) * mute.gate(frame, fade: fade)) {
                $0 * $1.gate(frame, fade: fade)
            }
        }

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
    final class Voice {
        typealias Send = (bus: StripID, isPre: Bool, level: Level, matrix: [[Double]]?)

        let id: StripID
        let level: Level
        let clips: [Piece]
        /// When its input is heard.
        let input: Track.InputUse
        let trim: SlowDesk.Lane
        /// The bus, or the master; nil for nowhere.
        let output: StripID?
        let sends: [Send]
        let dcas: [Level]

        init(
            id: StripID, level: Level, clips: [Piece], input: Track.InputUse, trim: SlowDesk.Lane,
            output: StripID?, sends: [Send], dcas: [Level]
        ) {
            (self.id, self.level, self.clips, self.input) = (id, level, clips, input)
            (self.trim, self.output, self.sends, self.dcas) = (trim, output, sends, dcas)
        }

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

}
