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
        return json ? [document.prettyText()] : lines(first) ?? plainLines
    }

    /// The lines of answers of the kind of the first, which have a form of their own; nil for plain values.
    private func lines(_ first: Answer) -> [String]? {
        switch first {
        case .status(let status): Self.lines(status)
        case .position: position
        case .record(let isOn, let range): [Self.recording(isOn, range)]
        case .loudness: loudness
        case .peak: peaks
        case .control(_, .meter, _): meters
        case .video(let video): [Self.line(video)]
        case .midi(let map): Self.lines(map)
        case .input, .equaliser, .dynamics, .automix, .clips, .automation: answers.flatMap(named)
        default: listLines(first)
        }
    }

    /// The lines of an answer about a strip; of several answers each says of which.
    private func named(_ answer: Answer) -> [String] {
        let lines = Self.lines(ofStrip: answer)
        guard answers.count > 1, let place = answer.place else { return lines }
        return lines.count == 1
            ? ["\(label(place))  \(lines[0])"] : [label(place)] + lines.map { "    \($0)" }
    }

    private static func lines(ofStrip answer: Answer) -> [String] {
        switch answer {
        case .input(_, let input): [line(input)]
        case .equaliser(_, let equaliser): lines(equaliser)
        case .dynamics(_, let kind, let processor): [line(kind, processor)]
        case .automix(_, let automix): lines(automix)
        case .clips(_, let clips): lines(clips)
        case .automation(_, let control, let automation): lines(automation.events, of: control)
        default: []
        }
    }

    /// The same of lists, all of whose elements are printed together.
    private func listLines(_ first: Answer) -> [String]? {
        switch first {
        case .tracks: Self.lines(items { if case .tracks(let tracks) = $0 { tracks } else { nil } })
        case .buses: Self.lines(items { if case .buses(let buses) = $0 { buses } else { nil } })
        case .dcas: Self.lines(items { if case .dcas(let dcas) = $0 { dcas } else { nil } })
        case .sends: Self.lines(items { if case .sends(_, let sends) = $0 { sends } else { nil } })
        case .muteGroups(let groups): groups.map(Self.line)
        case .ducks(let ducks): Self.lines(ducks)
        case .sessions(let names), .scenes(let names): names
        case .history(let steps): Self.lines(steps)
        case .markers(let markers):
            markers.map { "\(Readable.clock($0.at.seconds).padded(11)) \($0.name)" }
        case .connections(let connections): Self.lines(connections)
        case .ports(let ports): Self.lines(ports)
        case .missing(let files): files.flatMap(Self.lines)
        default: nil
        }
    }

    /// What is taken from each answer that has it.
    func all<Item>(_ take: (Answer) -> Item?) -> [Item] { answers.compactMap(take) }

    /// The elements of all lists.
    private func items<Item>(_ take: (Answer) -> [Item]?) -> [Item] { all(take).flatMap { $0 } }

    /// One answer by itself is its values; of several each begins with its strip.
    private var plainLines: [String] {
        answers.map { answer in
            let values = answer.values.map(\.text).joined(separator: "  ") + level(of: answer)
            return answers.count == 1 ? values : "\(answer.place.map(label) ?? "")  \(values)"
        }
    }

    /// A strip as the shell takes it, and what it is called.
    func label(_ place: StripPlace) -> String { place.word + (names[place].map { "  \($0)" } ?? "") }

    /// Beside a fader's value a person reads its level; a script that takes the line reads the value alone.
    private func level(of answer: Answer) -> String {
        guard case .control(_, let control, .number(let gain)) = answer, control.entry.kind == .volume,
            isatty(1) == 1
        else { return "" }
        return "  \(Readable.level(gain: gain))"
    }
}

extension StripPlace {
    /// The strip as the shell takes it: "2", "bus:1", "master".
    var word: String {
        switch self {
        case .track(let number): "\(number)"
        case .bus, .dca: "\(kind.rawValue):\(number)"
        case .master: "master"
        }
    }
}
