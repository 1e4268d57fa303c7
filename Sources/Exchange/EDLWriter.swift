import JSON
import AudioFile
import Engine
import Files
import Timeline

/// A session as a decision list (CMX 3600): an event for each clip, a channel for each track, times in frames
/// of picture.
struct EDLWriter {
    private let outline: Outline
    private let movie: Movie?
    private let rate: PictureRate
    private let title: String

    init(_ outline: Outline, _ movie: Movie?, _ rate: PictureRate, title: String, _ losses: Losses) {
        (self.outline, self.movie, self.rate, self.title) = (outline, movie, rate, title)
        let session = outline.session
        let pieces = outline.pieces.flatMap { $0 }
        rate.sayWhatIsOff(outline, losses)
        losses.say(
            session, but: [.markers, .video, .pace],
            instead: [.crossfadeCurves: "the curves of crossfades are left to whoever reads it"])
        losses.say(session.tracks.dropFirst(4).map(\.name), "its channel is behind A4, where CMX 3600 ends")
        if pieces.isEmpty, !session.markers.isEmpty {
            losses.say("markers are left out: they belong to events, and there are none")
        }
    }

    private struct Event {
        let begin: Int64
        var lines: [String]
    }

    /// The file: its lines end as the format has them.
    var text: String {
        var events: [Event] = []
        let reels = reels
        for (track, pieces) in outline.pieces.enumerated() {
            let channel = track == 0 ? "A" : "A\(track + 1)"
            for (index, piece) in pieces.enumerated() {
                events.append(
                    event(
                        piece, before: index > 0 ? pieces[index - 1] : nil,
                        behind: index + 1 < pieces.count ? pieces[index + 1] : nil, channel, reels))
            }
        }
        if let movie {
            let (begin, end, from) = (
                rate.frame(movie.frames.lowerBound, atRate: outline.rate),
                rate.frame(movie.frames.upperBound, atRate: outline.rate),
                Int64((movie.from * rate.perSecond).rounded())
            )
            events.append(
                Event(
                    begin: begin,
                    lines: [
                        line("MOVIE", "V", "C", from, end - begin, begin, end),
                        "* FROM CLIP NAME: \(Self.plain(Path.name(of: movie.path)))",
                    ]))
        }
        events.sort { $0.begin < $1.begin }
        for marker in outline.session.markers where !events.isEmpty {
            // A locator stands with the event that it lies in.
            let frame = rate.frame(outline.frame(marker.at), atRate: outline.rate)
            events[events.lastIndex { $0.begin <= frame } ?? 0].lines.append(
                "* LOC: \(rate.timecode(frame)) GREEN   \(marker.name)")
        }
        var lines = ["TITLE: \(Self.plain(title))", "FCM: NON-DROP FRAME", ""]
        for (index, event) in events.enumerated() {
            let number = zeroPadded(index + 1, 3)
            lines +=
                event.lines.map { $0.hasPrefix("*") || $0.hasPrefix("M2") ? $0 : "\(number)  \($0)" } + [""]
        }
        return lines.joined(separator: "\r\n")
    }

    /// Names of eight letters for the files, no two alike.
    private var reels: [FilePath: String] {
        var (reels, taken): ([FilePath: String], Set<String>) = ([:], ["MOVIE"])
        for piece in outline.pieces.flatMap({ $0 }) where reels[piece.place.file] == nil {
            let letters = Path.stem(of: piece.place.path).uppercased().filter {
                $0.isASCII && ($0.isLetter || $0.isNumber)
            }
            var (name, number) = (String(letters.prefix(8)), 1)
            while name.isEmpty || !taken.insert(name).inserted {
                number += 1
                name = letters.prefix(8 - "\(number)".count) + "\(number)"
            }
            reels[piece.place.file] = name
        }
        return reels
    }

    /// The frame of its file that a clip plays so many frames of picture after it has begun.
    private static func source(
        of piece: Outline.Piece, at offset: Int64, _ rate: PictureRate, _ soundRate: Int32
    ) -> Int64 {
        let speed = piece.clip.speed
        let heard = Double(offset) / rate.perSecond * speed
        if piece.isPlain { return rate.frame(piece.start, atRate: soundRate) + offset }
        // As long as it is heard it plays so much of its file.
        let played = Double(piece.count) / Double(soundRate) * speed
        let place = piece.clip.from.seconds + (piece.clip.isReversed ? played - heard : heard)
        return max(0, Int64((place * rate.perSecond).rounded()))
    }

    /// A name as it may stand in a line.
    private static func plain(_ name: String) -> String { String(name.map { $0.isNewline ? " " : $0 }) }

    /// An event without its number: what of which reel, and when.
    private func line(
        _ reel: String, _ channel: String, _ transition: String, _ source: Int64, _ count: Int64,
        _ begin: Int64, _ end: Int64
    ) -> String {
        """
        \(padded(reel, 8)) \(padded(channel, 5)) \(padded(transition, 8)) \(rate.timecode(source)) \
        \(rate.timecode(source + count)) \(rate.timecode(begin)) \(rate.timecode(end))
        """
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func event(
        _ piece: Outline.Piece, before: Outline.Piece?, behind: Outline.Piece?, _ channel: String,
        _ reels: [FilePath: String]
    ) -> Event {
        func frame(_ frame: Int64) -> Int64 { rate.frame(frame, atRate: outline.rate) }
        // It ends where the next one begins to rise over it.
        let (begin, end) = (
            frame(piece.frames.lowerBound),
            frame(
                behind.map { min($0.frames.lowerBound, piece.frames.upperBound) } ?? piece.frames.upperBound)
        )
        let speed = piece.clip.speed
        let length = Int64((Double(end - begin) * speed).rounded())
        // What is played backwards is named from its beginning in the file, too.
        let source = Self.source(of: piece, at: piece.clip.isReversed ? end - begin : 0, rate, outline.rate)
        func line(
            _ piece: Outline.Piece, _ transition: String, _ source: Int64, _ count: Int64, _ begin: Int64,
            _ end: Int64
        ) -> String {
            self.line(reels[piece.place.file]!, channel, transition, source, count, begin, end)
        }
        var (lines, comments): ([String], [String]) = ([], [])
        let crossed = frame(piece.frames.lowerBound + piece.crossed) - begin
        if let before, crossed > 0 {
            // What it rises over, for no time at all, and then the dissolve.
            lines.append(
                line(
                    before, "C",
                    Self.source(of: before, at: begin - frame(before.frames.lowerBound), rate, outline.rate),
                    0, begin, begin))
            lines.append(line(piece, "D    \(zeroPadded(crossed, 3))", source, length, begin, end))
            comments = [
                "* FROM CLIP NAME: \(Self.plain(Path.name(of: before.clip.file.text)))",
                "* TO CLIP NAME: \(Self.plain(Path.name(of: piece.clip.file.text)))",
            ]
        } else {
            lines.append(line(piece, "C", source, length, begin, end))
            comments = ["* FROM CLIP NAME: \(Self.plain(Path.name(of: piece.clip.file.text)))"]
        }
        if speed != 1 || piece.clip.isReversed { lines.append(pace(piece, reels[piece.place.file]!, source)) }
        return Event(begin: begin, lines: lines + comments)
    }

    /// How fast a clip is played, in frames of picture a second.
    private func pace(_ piece: Outline.Piece, _ reel: String, _ source: Int64) -> String {
        let tenths = Int((rate.perSecond * piece.clip.speed * 10).rounded())
        let sign = piece.clip.isReversed ? "-" : ""
        let framesPerSecond = "\(sign)\(zeroPadded(tenths / 10, 3)).\(tenths % 10)"
        let blank = String(repeating: " ", count: 16)
        return "M2   \(padded(reel, 8))       \(framesPerSecond)\(blank)\(rate.timecode(source))"
    }
}
