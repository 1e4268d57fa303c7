import Timeline
import XML

/// A clip of a DAWproject, whose content may be clips again, looped, warped, or sound: what of which file is
/// heard, and when.
struct DAWClip {
    /// A stretch of a file. Times are seconds.
    struct Piece {
        var file = ""
        var isExternal = false
        /// What its file holds at the most, by its length, rate and channels.
        var maximumBytes: UInt64 = 0
        /// On the timeline.
        var at = 0.0
        var duration = 0.0
        /// In the file.
        var from = 0.0
        /// Seconds of the file a second.
        var speed = 1.0
        var gain = 1.0
        var fadeIn = 0.0
        var fadeOut = 0.0
        var crossfade = 0.0

        /// As it is heard so many times faster, of what goes on from one place at another.
        func paced(by factor: Double, from place: (Double, Double)) -> Piece {
            var paced = self
            (paced.at, paced.duration, paced.speed) = (
                place.0 + (at - place.1) / factor, duration / factor, speed * factor
            )
            return paced
        }

        /// What of it lies on the timeline, and in its file; nil: nothing.
        var onTimeline: Piece? {
            let early = max(0, -at, -from / speed)
            guard at.isFinite, duration - early > 0, at + duration <= MediaTime.latest.seconds,
                from + duration * speed <= MediaTime.latest.seconds
            else { return nil }
            if early == 0 { return self }
            var rest = self
            (rest.at, rest.from, rest.duration, rest.fadeIn, rest.crossfade) = (
                at + early, from + early * speed, duration - early, 0, 0
            )
            return rest
        }
    }

    private(set) var pieces: [Piece] = []
    private(set) var losses: [String] = []
    private let clock: Clock
    private let timelines: [String: XMLElement]
    private let budget: Budget
    /// What is being read refers to these already.
    private var open: Set<String> = []

    /// How much work a file may ask for: clips that refer to each other, and loops in loops, could ask for
    /// any.
    final class Budget {
        private var left: Int
        private let share: Int
        private var own = 0
        init(_ most: Int) { (left, share) = (most, most / 8) }

        /// The next clip has a share of its own, so that one that asks for too much does not take away all
        /// others.
        func begin() { own = share }

        /// Whether there is so much left.
        func spend(_ count: Int = 1) -> Bool {
            guard count <= min(left, own) else { return false }
            (left, own) = (left - count, own - count)
            return true
        }
    }

    /// Seconds that are none.
    private static let nothing = 1e-9
    /// Clips in each other lie no deeper.
    private static let deepest = 20

    init(_ clip: XMLElement, unit: String, clock: Clock, timelines: [String: XMLElement], budget: Budget) {
        (self.clock, self.timelines, self.budget) = (clock, timelines, budget)
        budget.begin()
        pieces = pieces(of: clip, unit: unit, depth: 0)
    }

    private func number(_ element: XMLElement, _ name: String) -> Double? {
        element[name].flatMap(Double.init).flatMap { $0.isFinite ? $0 : nil }
    }

    /// What a clip plays, on the timeline that it lies on.
    private mutating func pieces(of clip: XMLElement, unit: String, depth: Int) -> [Piece] {
        let name = clip["name"] ?? "a clip"
        guard depth < Self.deepest else {
            return lose("\"\(name)\" is left out: clips lie too deep in each other")
        }
        if clip["enable"] == "false" { return lose("\"\(name)\" is left out: it is switched off") }
        guard let time = number(clip, "time") else {
            return lose("\"\(name)\" lies nowhere, and is left out")
        }
        guard budget.spend() else {
            return lose("there are more clips in it than are read: what is behind \"\(name)\" is left out")
        }
        let reference = clip.children.isEmpty ? clip["reference"] : nil
        if let reference, !open.insert(reference).inserted {
            return lose("\"\(name)\" is left out: it plays itself")
        }
        defer { if let reference { open.remove(reference) } }
        guard let inner = clip.children.first ?? reference.flatMap({ timelines[$0] }) else {
            return lose("\"\(name)\" is empty, and is left out")
        }
        let content = clip["contentTimeUnit"] ?? unit
        let all = sounds(in: inner, unit: content, depth: depth)
        let passage = passage(of: clip, at: clock.seconds(time, unit), all, unit: unit, content: content)
        if let problem = passage.problem { return lose("\"\(name)\" \(problem), and is left out") }
        return faded(rounds(passage, all, name), passage)
    }

    /// Which stretch of its content a clip plays, and where; all in seconds.
    private struct Passage {
        /// On the timeline that the clip lies on.
        var at: Double
        /// In the content.
        var start: Double
        var duration: Double
        /// Where the content goes round, if it does.
        var loop: (start: Double, end: Double)?
        var crossfade = 0.0
        var fadeIn = 0.0
        var fadeOut = 0.0

        var end: Double { at + duration }

        /// A fade in below zero is a crossfade: the clip begins so much earlier, if there is so much of it.
        mutating func fade(in fadeIn: Double, out fadeOut: Double) {
            (self.fadeIn, self.fadeOut) = (fadeIn, fadeOut)
            guard fadeIn < 0, start >= -fadeIn, duration > DAWClip.nothing else { return }
            crossfade = -fadeIn
            (at, start, duration) = (at + fadeIn, start + fadeIn, duration - fadeIn)
        }

        /// Why it is not heard; nil: it is.
        var problem: String? {
            if !(duration > DAWClip.nothing) { return "lasts for nothing" }
            return at.isFinite && end.isFinite && start.isFinite ? nil : "lies nowhere"
        }
    }

    private func passage(
        of clip: XMLElement, at: Double, _ sounds: [Piece], unit: String, content: String
    ) -> Passage {
        func time(_ name: String, _ unit: String) -> Double? {
            number(clip, name).map { clock.seconds($0, unit) }
        }
        let start = time("playStart", content) ?? 0
        let span = time("duration", unit) ?? time("playStop", content).map { $0 - start }
        let duration = span ?? (sounds.map { $0.at + $0.duration }.max() ?? 0) - start
        var passage = Passage(at: at, start: start, duration: duration)
        if let loop = time("loopStart", content), let end = time("loopEnd", content), end - loop > 1e-6 {
            passage.loop = (loop, end)
        }
        let fade = clip["fadeTimeUnit"] ?? unit
        passage.fade(in: time("fadeInTime", fade) ?? 0, out: time("fadeOutTime", fade) ?? 0)
        return passage
    }

    /// What is heard of a passage, round after round where its content goes round.
    private mutating func rounds(_ passage: Passage, _ sounds: [Piece], _ name: String) -> [Piece] {
        var (at, first, rest) = (passage.at, passage.start, passage.duration)
        var pieces: [Piece] = []
        while rest > Self.nothing {
            guard budget.spend(1 + sounds.count) else {
                losses.append("\"\(name)\" goes round more often than is read: what is behind is left out")
                break
            }
            let loop = passage.loop.flatMap { first < $0.end ? $0 : nil }
            let length = loop.map { min(rest, $0.end - first) } ?? rest
            pieces += sounds.compactMap { Self.cut($0, from: first, to: first + length, at: at) }
            guard let loop else { break }
            (at, rest, first) = (at + length, rest - length, loop.start)
        }
        return pieces
    }

    /// The fades of the whole are those of its ends, where anything is heard there.
    private func faded(_ pieces: [Piece], _ passage: Passage) -> [Piece] {
        pieces.map { piece in
            var piece = piece
            if abs(piece.at - passage.at) < Self.nothing {
                if passage.crossfade > 0 {
                    piece.crossfade = passage.crossfade
                } else if passage.fadeIn > 0 {
                    piece.fadeIn = passage.fadeIn
                }
            }
            if passage.fadeOut > 0, abs(piece.at + piece.duration - passage.end) < Self.nothing {
                piece.fadeOut = passage.fadeOut
            }
            return piece
        }
    }

    /// Samples of 64 bits, and as much beside them as descriptions and covers may take. Where a rate or a
    /// number of channels is missing the highest counts; numbers that cannot be are none.
    private func maximumBytes(_ audio: XMLElement, _ duration: Double) -> UInt64 {
        let rate = number(audio, "sampleRate") ?? Double(Session.sampleRates.upperBound)
        let samples = duration * rate * (number(audio, "channels") ?? 16)
        let isPossible = samples >= 0 && duration <= MediaTime.latest.seconds && samples < 1e15
        return (isPossible ? UInt64(samples * 8) : 0) + (64 << 20)
    }

    private mutating func lose(_ reason: String) -> [Piece] {
        losses.append(reason)
        return []
    }

    /// What sounds of a content's own time, from its zero on.
    private mutating func sounds(in content: XMLElement, unit: String, depth: Int) -> [Piece] {
        let unit = content["timeUnit"] ?? unit
        switch content.name {
        case "Audio": return sound(content)
        case "Clips": return content.all("Clip").flatMap { pieces(of: $0, unit: unit, depth: depth + 1) }
        case "Lanes": return lanes(content, unit: unit, depth: depth)
        case "Warps": return warped(content, unit: unit, depth: depth)
        case "Notes": return lose("notes are left out: sound is read")
        default: return lose("what is called \(content.name) in a clip is left out")
        }
    }

    private mutating func sound(_ audio: XMLElement) -> [Piece] {
        guard let file = audio.first("File"), let path = file["path"],
            let duration = number(audio, "duration")
        else { return lose("a sound without a file is left out") }
        return [
            Piece(
                file: path, isExternal: file["external"] == "true",
                maximumBytes: maximumBytes(audio, duration), duration: duration)
        ]
    }

    /// Several contents at once, and a gain for all of them.
    private mutating func lanes(_ content: XMLElement, unit: String, depth: Int) -> [Piece] {
        let gain = gain(content)
        let others = content.children.filter { $0.name != "Points" }
        return others.flatMap { sounds(in: $0, unit: unit, depth: depth) }.map { piece in
            var piece = piece
            piece.gain *= gain
            return piece
        }
    }

    private mutating func gain(_ content: XMLElement) -> Double {
        let gains = content.all("Points").filter { $0.first("Target")?["expression"] == "gain" }
        let values = Set(gains.flatMap(\.children).compactMap { $0["value"] })
        if values.count > 1 { losses.append("gains that change within a clip are left out") }
        if content.all("Points").count > gains.count {
            losses.append("expressions other than gain within a clip are left out")
        }
        let gain = values.count == 1 ? values.first.flatMap(Double.init) ?? 1 : 1
        return gains.first?["unit"] == "decibel" ? Volume.gain(level: gain) : gain
    }

    /// Where on the timeline which place of a content is, both in seconds.
    private func warps(of content: XMLElement, _ unit: String, _ innerUnit: String) -> [(Double, Double)] {
        content.all("Warp").compactMap { warp in
            number(warp, "time").flatMap { time in
                number(warp, "contentTime").map {
                    (clock.seconds(time, unit), clock.seconds($0, innerUnit))
                }
            }
        }.sorted { $0.0 < $1.0 }
    }

    /// A content at the speed that its first and its last warp tell.
    private mutating func warped(_ content: XMLElement, unit: String, depth: Int) -> [Piece] {
        guard let inner = content.children.first(where: { $0.name != "Warp" }) else {
            return lose("warps without a sound are left out")
        }
        let innerUnit = content["contentTimeUnit"] ?? unit
        let points = warps(of: content, unit, innerUnit)
        let all = sounds(in: inner, unit: innerUnit, depth: depth)
        guard let first = points.first, let last = points.last, last.0 > first.0, last.1 > first.1 else {
            return all
        }
        let speed = (last.1 - first.1) / (last.0 - first.0)
        guard speed.isFinite, speed > 0 else { return lose("a clip whose warps lead nowhere is left out") }
        sayIfUneven(points, speed)
        return all.map { $0.paced(by: speed, from: first) }
    }

    private mutating func sayIfUneven(_ points: [(Double, Double)], _ speed: Double) {
        let first = points[0]
        if points.contains(where: { abs(first.1 + ($0.0 - first.0) * speed - $0.1) > 1e-3 }) {
            losses.append("a clip that changes its speed plays at one, \((speed * 1000).rounded() / 1000)")
        }
    }

    /// What of a sound lies in a stretch of its content, on the timeline.
    private static func cut(_ piece: Piece, from first: Double, to last: Double, at: Double) -> Piece? {
        let (begin, end) = (max(first, piece.at), min(last, piece.at + piece.duration))
        guard end - begin > nothing else { return nil }
        var cut = piece
        (cut.from, cut.at, cut.duration) = (
            piece.from + (begin - piece.at) * piece.speed, at + begin - first, end - begin
        )
        if begin > piece.at { cut.fadeIn = 0 }
        if end < piece.at + piece.duration { cut.fadeOut = 0 }
        return cut
    }
}
