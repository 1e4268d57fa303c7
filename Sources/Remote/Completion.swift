import Timeline

/// What may come next in a line of verbs, from the one table of them: for the REPL's Tab and for the shells'
/// completions.
public struct Completion: Sendable {
    /// What has names that only the mixer knows.
    public enum Named: Sendable { case tracks, buses, dcas, markers, scenes, sessions }

    /// What only the mixer, or the folder one is in, knows.
    public struct Sources {
        /// The names of all that are there.
        public var names: (Named) -> [String]
        /// The files that a beginning of a path may become; folders end in /.
        public var files: (String) -> [String]

        public init(names: @escaping (Named) -> [String], files: @escaping (String) -> [String]) {
            (self.names, self.files) = (names, files)
        }
    }

    /// The words that `partial`, which follows `words`, may become.
    public static func candidates(for partial: String, after words: [String], _ sources: Sources) -> [String]
    {
        guard let name = words.first else {
            return (Verb.all.map(\.name) + ["help", "watch"]).filter { $0.hasPrefix(partial) }
        }
        if name == "help" { return words.count == 1 ? topics(beginning: partial) : [] }
        guard let verb = Verb.named(name) else { return [] }
        if partial.hasPrefix("-"), Double(partial) == nil {
            return (verb.options.all + ["--json"]).filter {
                $0.hasPrefix(partial) && !words.contains($0)
            }
        }
        if let option = words.last, verb.options.valued.contains(option) {
            return values(
                ["--curve": "CURVE", "--under": "TRACK", "--of": "CONTROL"][option] ?? "", verb, partial,
                sources)
        }
        return verb.tokens(after: positional(Array(words.dropFirst()), verb)).flatMap {
            values($0, verb, partial, sources)
        }
    }

    /// What `help` explains.
    private static func topics(beginning partial: String) -> [String] {
        (Verb.all.map(\.name) + VerbGroup.allCases.map(\.rawValue) + ["osc", "schema", "man", "watch"]).filter
        {
            $0.hasPrefix(partial)
        }
    }

    /// The words that are neither options nor their values.
    private static func positional(_ words: [String], _ verb: Verb) -> [String] {
        var kept: [String] = []
        var rest = words[...]
        while let word = rest.popFirst() {
            if verb.options.valued.contains(word) {
                _ = rest.popFirst()
            } else if !word.hasPrefix("--") {
                kept.append(word)
            }
        }
        return kept
    }

    /// What a word of a usage stands for.
    private static func values(
        _ token: String, _ verb: Verb, _ partial: String, _ sources: Sources
    ) -> [String] {
        let all: [String] =
            switch token {
            case "TRACK": sources.names(.tracks) + ["*"]
            case "STRIP":
                StripKind.allCases.filter(verb.kinds.contains).flatMap { strips($0, sources) } + ["*"]
            case "BUS": sources.names(.buses)
            case "CONTROL": controls(sources)
            case "FILE", "FOLDER": sources.files(partial)
            case "PLACE": sources.names(.markers) + ["here", "end"]
            case "NAME": names(verb, sources)
            case "CURVE": Curve.allCases.map(\.rawValue)
            // A word to be written as it is.
            default: Verb.isLiteral(token) ? [token] : []
            }
        return all.filter { $0.hasPrefix(partial) }
    }

    private static func strips(_ kind: StripKind, _ sources: Sources) -> [String] {
        switch kind {
        case .track: sources.names(.tracks)
        case .bus: sources.names(.buses)
        case .dca: sources.names(.dcas)
        case .master: ["master"]
        }
    }

    /// What a lane may move.
    private static func controls(_ sources: Sources) -> [String] {
        Control.plain.filter { $0.automation != nil }.map(\.path)
            + sources.names(.buses).flatMap { bus in ["volume", "pan", "mute"].map { "send/\(bus)/\($0)" } }
    }

    /// What a verb's NAME may be.
    private static func names(_ verb: Verb, _ sources: Sources) -> [String] {
        switch verb.name {
        case "dca": sources.names(.dcas)
        case "scene": sources.names(.scenes)
        case "marker": sources.names(.markers)
        case "load": sources.names(.sessions)
        default: []
        }
    }
}

extension Verb {
    /// The kinds of strips that it is for.
    fileprivate var kinds: Set<StripKind> {
        if let control = Control.plain.first(where: { $0.entry.verb?.name == name }) {
            return control.entry.kinds
        }
        return ["send", "sends", "duck"].contains(name)
            ? Control.output.entry.kinds
            : name == "remove" ? Control.name.entry.kinds : Set(StripKind.allCases)
    }

    /// The words of the usage that may stand behind `words`, which follow the name: "TRACK", "on", "FILE".
    func tokens(after words: [String]) -> [String] {
        var found: [String] = []
        for form in forms where form.count > words.count {
            let fits = zip(form, words).allSatisfy { tokens, word in
                tokens.contains { !Self.isLiteral($0) || $0 == word }
            }
            if fits { for token in form[words.count] where !found.contains(token) { found.append(token) } }
        }
        return found
    }

    /// The ways in which the arguments can be written: `a | b` are two, which share what stands before the
    /// first word to be written as it is.
    private var forms: [[[String]]] {
        let plain = arguments.split(separator: " ").map { $0.filter { $0 != "[" && $0 != "]" } }
        var alternatives: [[String]] = [[]]
        var skipsValue = false
        for word in plain {
            if skipsValue {
                skipsValue = false
            } else if word == "|" {
                alternatives.append([])
            } else if word.hasPrefix("--") {
                skipsValue = options.valued.contains(word)
            } else {
                alternatives[alternatives.count - 1].append(word)
            }
        }
        let literal = alternatives[0].firstIndex(where: Self.isLiteral)
        let shared = Array(alternatives[0][..<(literal ?? 0)])
        return alternatives.enumerated().map { index, words in
            ((index == 0 ? [] : shared) + words).map { $0.split(separator: "|").map(String.init) }
        }
    }

    /// Whether it is to be written as it is, and does not stand for something.
    static func isLiteral(_ token: String) -> Bool { token == token.lowercased() && token.first!.isLetter }

    /// Whoever slips is not led to what takes something away.
    private static let neverGuessed: Set = [
        "remove", "remove-range", "strip-silence", "new", "load", "relink",
    ]

    /// The verb that someone who wrote `name` may have meant: one that begins so, or is a slip away.
    static func nearest(to name: String) -> String? {
        nearest(to: name, among: all.map(\.name).filter { !neverGuessed.contains($0) })
    }

    /// The same of any words.
    package static func nearest(to name: String, among words: [String]) -> String? {
        if let longer = words.first(where: { name.count > 1 && $0.hasPrefix(name) }) { return longer }
        return Spelling.nearest(to: name, among: words, slips: max(1, name.count / 2))
    }
}

extension LineWords {
    /// The beginning of a line as completion sees it.
    public struct Beginning: Equatable, Sendable {
        /// The words that are whole.
        public let words: [String]
        /// The word that is being written: what it says, as it is written, and the quote that is open.
        public let partial: String
        public let written: String
        public let quote: Character?

        public init(words: [String], partial: String, written: String, quote: Character?) {
            (self.words, self.partial, self.written, self.quote) = (words, partial, written, quote)
        }
    }

    /// A word as it is written in a line: what would part or change it gets a backslash, or stands in the
    /// quotes that are open.
    public static func written(_ word: String, in quote: Character?) -> String {
        if let quote { return "\(quote)\(word)" }
        return String(word.flatMap { $0.isWhitespace || "\"'\\#".contains($0) ? ["\\", $0] : [$0] })
    }
}
