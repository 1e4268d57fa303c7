import Timeline

/// One word of the shell: how it is written, what it does, and the command it becomes. `Verb.all` comes from
/// the tables of commands and of controls: the shell, the REPL and help all read it.
public struct Verb: Sendable {
    public let group: VerbGroup
    public let name: String
    /// What follows the name.
    public let arguments: String
    /// Both.
    public let usage: String
    /// What it does, clause by clause, with "; " between: the first by itself says it in a line.
    public let summary: String
    public let example: String
    /// What it prints; nothing: it only sets.
    package var answers: [VerbAnswer] { listAnswers() }
    private var listAnswers: @Sendable () -> [VerbAnswer] = { [] }
    let options: WordOptions
    let parse: @Sendable (inout Words) throws(CommandError) -> Command

    /// The first clause of that, up to a semicolon or a colon.
    public var line: String { String(summary.prefix { $0 != ";" && $0 != ":" }) }

    /// - Parameter usage: the name, and what follows it.
    init(
        _ group: VerbGroup, _ usage: String, _ summary: String, example: String,
        options: WordOptions = WordOptions(),
        parse: @escaping @Sendable (inout Words) throws(CommandError) -> Command
    ) {
        (self.group, self.usage, self.summary, self.example) = (group, usage, summary, example)
        (self.options, self.parse) = (options, parse)
        name = String(usage.prefix { $0 != " " })
        arguments = String(usage.dropFirst(name.count + 1))
    }

    /// The same, which prints these too.
    func answering(_ more: @escaping @Sendable @autoclosure () -> [VerbAnswer]) -> Verb {
        var verb = self
        let listAnswers = listAnswers
        verb.listAnswers = { listAnswers() + more() }
        return verb
    }

    /// What to say of a verb that is not there.
    public static func unknown(_ name: String) -> String {
        if programs.contains(name) { return "\(name) needs no running mixer: jmix \(name)" }
        return
            """
            there is no verb "\(name)": \(nearest(to: name).map { "did you mean \($0)? " } ?? "")help lists \
            them
            """
    }

    /// What `jmix` does that is no verb.
    private static let programs = [
        "run", "new", "edit", "render", "join", "check", "inspect", "plot", "layout", "export", "import",
    ]

    public static func named(_ name: String) -> Verb? { all.first { $0.name == name } }

    /// Group by group.
    public static let all: [Verb] = VerbGroup.allCases.flatMap { group in
        (CommandEntry.all.compactMap(\.verb) + controls).filter { $0.group == group }
    }

    /// What is no more than a control, from the one table.
    private static let controls: [Verb] = Control.plain.compactMap { control in
        let entry = control.entry
        guard let verb = entry.verb else { return nil }
        let edge = ClipEdge(rawValue: control.path)
        let ofClip = edge == nil ? ("", "") : (" [--clip N [--curve C]]", "; --clip: of that clip alone")
        let nudge = entry.kind.isMoved ? (" [--by STEP]", "; \(entry.kind.moves)") : ("", "")
        let strip = entry.kinds == [.track] ? "TRACK" : "STRIP"
        return Verb(
            verb.group, "\(verb.name) \(strip) [\(entry.kind.words)]\(ofClip.0)\(nudge.0)",
            "\(verb.summary); without a value: print it\(ofClip.1)\(nudge.1)",
            example: verb.example,
            options: WordOptions(
                valued: (edge == nil ? [] : ["--clip", "--curve"]) + (entry.kind.isMoved ? ["--by"] : []))
        ) { words throws(CommandError) in
            let strip = try words.strip()
            if let step = try words.step(entry.kind, of: control.word) {
                return .nudge(strip, control, by: step)
            }
            if let edge, let clip = words.text("--clip") {
                return .clips(
                    strip,
                    .fade(
                        try Words.index(clip, "the number of a clip"), edge, try words.time(),
                        try words.fadeCurve()))
            }
            return .control(strip, control, words.isEmpty ? nil : try words.value(of: control))
        }
        .answering([.control(control)])
    }
}

/// What a verb prints.
package enum VerbAnswer: Sendable {
    case kind(any AnyAnswerKind)
    /// Where a control of a strip stands.
    case control(Control)
    /// The same of any that the timeline moves.
    case controlOfTimeline
    /// The events of any control on the timeline.
    case automation
}

extension Command {
    /// Reads a command from the words of a shell or REPL line.
    /// - Throws: `CommandError`: no such verb, too few or too many words, something that is not what it
    ///   should be.
    public init(words: [String]) throws(CommandError) {
        guard let name = words.first else { throw CommandError("a verb is missing: try help", isUsage: true) }
        guard let verb = Verb.named(name) else { throw CommandError(Verb.unknown(name), isUsage: true) }
        var rest = try Words(
            Array(words.dropFirst()), verb.options, usage: verb.usage)
        self = try verb.parse(&rest)
        try rest.expectEnd()
    }
}
