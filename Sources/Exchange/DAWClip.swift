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
        func take(_ count: Int = 1) -> Bool {
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
        let content = clip["contentTimeUnit"] ?? unit
        guard let time = number(clip, "time") else {
            return lose("\"\(name)\" lies nowhere, and is left out")
        }
        let start = number(clip, "playStart").map { clock.seconds($0, content) } ?? 0
        guard budget.take() else {
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
        let span =
            number(clip, "duration").map { clock.seconds($0, unit) }
            ?? number(clip, "playStop").map { clock.seconds($0, content) - start }
        let all = sounds(in: inner, unit: content, depth: depth)
        let duration = span ?? (all.map { $0.at + $0.duration }.max() ?? 0) - start
        guard duration > Self.nothing else { return lose("\"\(name)\" lasts for nothing, and is left out") }
        let fade = clip["fadeTimeUnit"] ?? unit
        func fading(_ name: String) -> Double { number(clip, name).map { clock.seconds($0, fade) } ?? 0 }
        // A fade in below zero is a crossfade: the clip begins so much earlier, if there is so much of it.
        let crossfade = fading("fadeInTime") < 0 && start >= -fading("fadeInTime") ? -fading("fadeInTime") : 0
        var (pieces, at, first, rest): ([Piece], Double, Double, Double) = (
            [], clock.seconds(time, unit) - crossfade, start - crossfade, duration + crossfade
        )
        let (begin, end) = (at, at + rest)
        guard begin.isFinite, end.isFinite, first.isFinite else {
            return lose("\"\(name)\" lies nowhere, and is left out")
        }
        let loop = number(clip, "loopStart").map { clock.seconds($0, content) }
        let loopEnd = number(clip, "loopEnd").map { clock.seconds($0, content) }
        while rest > Self.nothing {
            guard budget.take(1 + all.count) else {
                losses.append("\"\(name)\" goes round more often than is read: what is behind is left out")
                break
            }
            let isLooped = loop != nil && loopEnd != nil && loopEnd! - loop! > 1e-6 && first < loopEnd!
            let length = isLooped ? min(rest, loopEnd! - first) : rest
            pieces += all.compactMap { Self.cut($0, from: first, to: first + length, at: at) }
            (at, rest, first) = (at + length, rest - length, loop ?? 0)
            if !isLooped { break }
        }
        // The whole clip's fades are those of its ends, where anything is heard there.
        for index in pieces.indices where abs(pieces[index].at - begin) < Self.nothing {
            if crossfade > 0 {
                pieces[index].crossfade = crossfade
            } else if fading("fadeInTime") > 0 {
                pieces[index].fadeIn = fading("fadeInTime")
            }
        }
        for index in pieces.indices
        where fading("fadeOutTime") > 0 && abs(pieces[index].at + pieces[index].duration - end) < Self.nothing
        { pieces[index].fadeOut = fading("fadeOutTime") }
        return pieces
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
        case "Audio":
            guard let file = content.first("File"), let path = file["path"],
                let duration = number(content, "duration")
            else { return lose("a sound without a file is left out") }
            return [
                Piece(
                    file: path, isExternal: file["external"] == "true",
                    maximumBytes: maximumBytes(content, duration), duration: duration)
            ]
        case "Clips": return content.all("Clip").flatMap { pieces(of: $0, unit: unit, depth: depth + 1) }
        case "Lanes":
            let gains = content.all("Points").filter { $0.first("Target")?["expression"] == "gain" }
            let values = Set(gains.flatMap(\.children).compactMap { $0["value"] })
            if values.count > 1 { losses.append("gains that change within a clip are left out") }
            let others = content.children.filter { $0.name != "Points" }
            let gain = values.count == 1 ? values.first.flatMap(Double.init) ?? 1 : 1
            let inDecibels = gains.first?["unit"] == "decibel"
            if content.all("Points").count > gains.count {
                losses.append("expressions other than gain within a clip are left out")
            }
            return others.flatMap { sounds(in: $0, unit: unit, depth: depth) }.map { piece in
                var piece = piece
                piece.gain *= inDecibels ? Volume.gain(level: gain) : gain
                return piece
            }
        case "Warps":
            guard let inner = content.children.first(where: { $0.name != "Warp" }) else {
                return lose("warps without a sound are left out")
            }
            let points = content.all("Warp").compactMap { warp in
                number(warp, "time").flatMap { time in
                    number(warp, "contentTime").map {
                        (clock.seconds(time, unit), clock.seconds($0, content["contentTimeUnit"] ?? unit))
                    }
                }
            }.sorted { $0.0 < $1.0 }
            let all = sounds(in: inner, unit: content["contentTimeUnit"] ?? unit, depth: depth)
            guard points.count >= 2, points.last!.0 > points[0].0, points.last!.1 > points[0].1 else {
                return all
            }
            let (first, last) = (points[0], points.last!)
            let speed = (last.1 - first.1) / (last.0 - first.0)
            guard speed.isFinite, speed > 0 else {
                return lose("a clip whose warps lead nowhere is left out")
            }
            if points.contains(where: { abs(first.1 + ($0.0 - first.0) * speed - $0.1) > 1e-3 }) {
                losses.append(
                    "a clip that changes its speed plays at one, \((speed * 1000).rounded() / 1000)")
            }
            return all.map { piece in
                var piece = piece
                (piece.at, piece.duration, piece.speed) = (
                    first.0 + (piece.at - first.1) / speed, piece.duration / speed, piece.speed * speed
                )
                return piece
            }
        case "Notes": return lose("notes are left out: sound is read")
        default: return lose("what is called \(content.name) in a clip is left out")
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
