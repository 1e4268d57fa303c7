import Glibc
import JSON
import Remote
import Timeline

/// Turns answers into what a person reads, or with `--json` into what a script reads.
struct Answers {
    let answers: [Answer]
    /// What strips are called: told beside their numbers.
    let names: [StripPlace: String]
    /// They are of all strips that a pattern means: a list, however many these are.
    let isOfPattern: Bool

    init(_ answers: [Answer], names: [StripPlace: String] = [:], isOfPattern: Bool = false) {
        (self.answers, self.names, self.isOfPattern) = (answers, names, isOfPattern)
    }

    /// The lines to print; none for a command that only sets.
    func text(json: Bool) -> [String] {
        guard let first = answers.first else { return json && isOfPattern ? ["[]"] : [] }
        return json ? [document.prettyText()] : tableLines(first) ?? position ?? answers.flatMap(named)
    }

    /// The lines of what is printed together, whichever strips it is of; nil for all else.
    private func tableLines(_ first: Answer) -> [String]? {
        if case .control(_, .meter, _) = first { return meters }
        if first[Answer.sends] == nil { return nil }
        return SendSummary.lines(answers.flatMap { $0[Answer.sends] ?? [] })
    }

    /// The lines of an answer; of several answers each says of which strip.
    private func named(_ answer: Answer) -> [String] {
        let lines = answer.lines.map { $0 + level(of: answer) }
        guard answers.count > 1, let place = answer.place else { return lines }
        return lines.count == 1
            ? ["\(label(place))  \(lines[0])"] : [label(place)] + lines.map { "    \($0)" }
    }

    /// A strip as the shell takes it, and what it is called.
    private func label(_ place: StripPlace) -> String {
        place.word + (names[place].map { "  \($0)" } ?? "")
    }

    /// Beside a fader's value a person reads its level; a script that takes the line reads the value alone.
    private func level(of answer: Answer) -> String {
        guard case .control(_, let control, .number(let gain)) = answer, control.entry.kind == .volume,
            isatty(1) == 1
        else { return "" }
        return "  \(Readable.level(gain: gain))"
    }

    /// In dBFS.
    private var meters: [String] {
        table(
            ["strip", "name", "peak L", "peak R", "RMS L", "RMS R"],
            answers.compactMap { answer in
                guard case .control(let place, .meter, .levels(let peaks, let rms)) = answer else {
                    return nil
                }
                return [place.word, names[place] ?? ""]
                    + (peaks.prefix(2) + rms.prefix(2)).map { Readable.decibels(gain: Double($0)) }
            })
    }

    /// Where it plays, which two answers say; nil where they are not there.
    var present: (position: TransportPosition, state: TransportWord)? {
        guard answers.count == 2, let position = answers[0][Answer.position],
            let state = answers[1][Answer.state]
        else { return nil }
        return (position, state)
    }

    private var position: [String]? {
        present.map { position, state in
            ["\(Readable.clock(position.seconds))  \(state.rawValue)  frame \(position.frame)"]
        }
    }
}

extension StripPlace {
    /// The strip as the shell takes it: "2", "bus:1", "master".
    fileprivate var word: String {
        switch self {
        case .track(let number): "\(number)"
        case .bus, .dca: "\(kind.rawValue):\(number)"
        case .master: "master"
        }
    }
}
