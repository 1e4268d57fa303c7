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
            let length = max(0, end - begin)
            events.append(
                Event(
                    begin: begin,
                    lines: [
                        line(
                            "MOVIE", "V", "C",
                            Times(source: from..<from + length, record: begin..<begin + length)),
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

    /// When something is: in its file, and on the timeline, in frames of picture.
    private struct Times {
        var source: Range<Int64>
        var record: Range<Int64>
    }

    /// An event without its number: what of which reel, and when.
    private func line(_ reel: String, _ channel: String, _ transition: String, _ times: Times) -> String {
        let words = [padded(reel, 8), padded(channel, 5), padded(transition, 8)]
        let frames = [times.source, times.record].flatMap { [$0.lowerBound, $0.upperBound] }
        return (words + frames.map { rate.timecode($0) }).joined(separator: " ")
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func event(
        _ piece: Outline.Piece, before: Outline.Piece?, behind: Outline.Piece?, _ channel: String,
        _ reels: [FilePath: String]
    ) -> Event {
        let (begin, reel) = (frame(piece.frames.lowerBound), reels[piece.place.file]!)
        // It ends where the next one begins to rise over it.
        let end = frame(min(behind?.frames.lowerBound ?? .max, piece.frames.upperBound))
        let speed = piece.clip.speed
        // What is played backwards is named from its beginning in the file, too.
        let source = Self.source(of: piece, at: piece.clip.isReversed ? end - begin : 0, rate, outline.rate)
        let length = Int64((Double(end - begin) * speed).rounded())
        let times = Times(source: source..<source + length, record: begin..<end)
        var lines: [String] = []
        var comments = ["* FROM CLIP NAME: \(Self.name(piece))"]
        let crossed = frame(piece.frames.lowerBound + piece.crossed) - begin
        if let before, crossed > 0 {
            lines = [
                line(reels[before.place.file]!, channel, "C", standing(before, at: begin)),
                line(reel, channel, "D    \(zeroPadded(crossed, 3))", times),
            ]
            comments = [
                "* FROM CLIP NAME: \(Self.name(before))", "* TO CLIP NAME: \(Self.name(piece))",
            ]
        } else {
            lines = [line(reel, channel, "C", times)]
        }
        if speed != 1 || piece.clip.isReversed { lines.append(pace(piece, reel, source)) }
        return Event(begin: begin, lines: lines + comments)
    }

    /// What a dissolve rises over, for no time at all.
    private func standing(_ piece: Outline.Piece, at frame: Int64) -> Times {
        let offset = frame - self.frame(piece.frames.lowerBound)
        let source = Self.source(of: piece, at: offset, rate, outline.rate)
        return Times(source: source..<source, record: frame..<frame)
    }

    /// The frame of picture of a frame of sound.
    private func frame(_ frame: Int64) -> Int64 { rate.frame(frame, atRate: outline.rate) }

    private static func name(_ piece: Outline.Piece) -> String {
        plain(Path.name(of: piece.clip.file.text))
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
