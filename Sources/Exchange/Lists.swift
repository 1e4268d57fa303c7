import Files
import JSON
import Timeline

/// Lists of files and of places, a line each.
enum Lists {
    private static func lines(_ text: String) -> [(number: Int, text: String)] {
        var text = Substring(text)
        if text.hasPrefix("\u{feff}") { text.removeFirst() }
        return text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated().map {
            ($0 + 1, trimmed($1))
        }.filter { !$0.1.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// The labels of Audacity: begin, end and title, parted by tabs, in seconds; a line that begins with a
    /// backslash tells of frequencies.
    static func labels(_ text: String, _ losses: Losses) throws(ExchangeError) -> Draft {
        var (draft, ranges, isAny) = (Draft(), 0, false)
        var wrong: (number: Int, line: String)?
        for (number, line) in lines(text) where !line.hasPrefix("\\") {
            guard let (begin, end, title) = label(line) else {
                wrong = wrong ?? (number, line)
                losses.say("line \(number): \"\(line.prefix(60))\" is no label, and is left out")
                continue
            }
            isAny = true
            if end != begin { ranges += 1 }
            draft.addMarker(title, at: begin)
        }
        if !isAny { throw noLabels(wrong) }
        if ranges > 0 { sayEnds(of: ranges, losses) }
        return draft
    }

    private static func label(_ line: String) -> (begin: MediaTime, end: MediaTime, title: String)? {
        let fields = line.split(separator: "\t", maxSplits: 2, omittingEmptySubsequences: false).map(
            String.init)
        guard fields.count >= 2, let begin = time(fields[0]), let end = time(fields[1]) else { return nil }
        return (begin, end, fields.count == 3 ? fields[2] : "")
    }

    private static func sayEnds(of labels: Int, _ losses: Losses) {
        let (have, their) = labels == 1 ? (" has", "its") : ("s have", "their")
        losses.say(
            "\(labels) label\(have) an end of \(their) own, which is left out: a marker is a place")
    }

    /// What is said of a file without a label, by its first line that is none.
    private static func noLabels(_ wrong: (number: Int, line: String)?) -> ExchangeError {
        ExchangeError(
            wrong.map {
                """
                line \($0.number): "\($0.line.prefix(60))" is no label of Audacity: begin, end and title \
                with tabs between them, in seconds
                """
            } ?? "there are no labels in it")
    }

    private static func time(_ text: String) -> MediaTime? {
        // Some write decimal commas.
        let plain = String(text.map { $0 == "," ? "." : $0 })
        guard plain.first?.isNumber == true, let time = try? TimeSpec(parsing: plain).time(atRate: 48000)
        else { return nil }
        return time
    }

    /// The clip of a line of such a list; nil, and said: it does not lie on the timeline.
    private static func clip(
        _ words: [String], _ number: Int, _ losses: Losses
    ) throws(ExchangeError) -> JSONObject? {
        guard words.count >= 2 else { throw ExchangeError("line \(number): file names no file") }
        let offset = try offset(words, number)
        guard abs(offset) <= MediaTime.latest.seconds else {
            losses.say("line \(number): \(words[1]) is left out: it does not lie on the timeline")
            return nil
        }
        var clip: JSONObject = [
            "file": .string(words[1]), "at": .string(MediaTime(seconds: max(0, offset)).description),
        ]
        // What lies before the beginning is not heard.
        if offset < 0 { clip["from"] = .string(MediaTime(seconds: -offset).description) }
        return clip
    }

    /// A list of files: `file "NAME" offset 5.5`, each of them a track.
    static func lof(_ text: String, _ losses: Losses) throws(ExchangeError) -> Draft {
        var (draft, windows) = (Draft(), 0)
        for (number, line) in lines(text) where !line.hasPrefix("#") {
            let words = try words(of: line, number)
            switch words.first?.lowercased() {
            case "window": windows += 1
            case "file":
                guard let clip = try clip(words, number, losses) else { continue }
                _ = draft.addTrack(Path.stem(of: words[1]), ["clips": [.object(clip)]])
            default:
                throw ExchangeError("line \(number): \"\(line.prefix(60))\" is neither a window nor a file")
            }
        }
        if draft.tracks.isEmpty {
            throw ExchangeError("there are no files in it\(losses.sentences.first.map { ": \($0)" } ?? "")")
        }
        if windows > 1 { losses.say("\(windows) windows are one session") }
        return draft
    }

    /// Where a file begins, in seconds.
    private static func offset(_ words: [String], _ number: Int) throws(ExchangeError) -> Double {
        guard let place = words.firstIndex(where: { $0.lowercased() == "offset" }) else { return 0 }
        guard place + 1 < words.count, let offset = Double(words[place + 1]), offset.isFinite else {
            throw ExchangeError("line \(number): offset is no number of seconds")
        }
        return offset
    }

    private static func words(of line: String, _ number: Int) throws(ExchangeError) -> [String] {
        var (words, word, isQuoted, isOpen): ([String], String, Bool, Bool) = ([], "", false, false)
        for letter in line {
            if letter == "\"" {
                (isQuoted, isOpen) = (!isQuoted, true)
            } else if letter.isWhitespace, !isQuoted {
                if isOpen { words.append(word) }
                (word, isOpen) = ("", false)
            } else {
                word.append(letter)
                isOpen = true
            }
        }
        if isQuoted { throw ExchangeError("line \(number): a quotation mark is open") }
        return isOpen ? words + [word] : words
    }

    /// A playlist: a file a line, titles in lines before them (`#EXTINF:SECONDS,TITLE`). All of it is one
    /// track; `Import` puts one behind the other.
    static func playlist(_ text: String, _ losses: Losses) throws(ExchangeError) -> Draft {
        var (draft, clips): (Draft, [JSONValue]) = (Draft(), [])
        for (_, line) in lines(text) where !line.hasPrefix("#") {
            guard let path = OTIO.path(line) else {
                losses.say("\(line) is no file of this machine, and is left out")
                continue
            }
            clips.append(.object(["file": .string(path)]))
        }
        if clips.isEmpty { throw ExchangeError("there are no files in it") }
        _ = draft.addTrack("playlist", ["clips": .array(clips)])
        return draft
    }
}
