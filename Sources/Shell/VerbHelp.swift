import Glibc
import Remote

/// What there is to say of verbs, from the one table of them.
package enum VerbHelp {
    /// What stands behind every list of verbs.
    package static let words = """
        TRACK is a number from 1, a name, a pattern as 'v*' or '{1,3}' (in quotes, for the shell), or master \
        where that makes sense. V is linear (1 is unity) or as in -6dB. TIME: 2s 0.5s 500ms 1:30 1:02:03.25 \
        96000/48000 96000f. Curves: linear scurve equalpower exponential.
        """

    /// Prints what a verb does, or all verbs of a group.
    /// - Parameter program: how the example begins.
    /// - Returns: the exit code.
    package static func print(of name: String, as program: String) -> Int32 {
        let group = VerbGroup(rawValue: name)
        let verbs =
            [Verb.named(name)].compactMap { $0 } + Verb.all.filter { $0.group == group && $0.name != name }
        if verbs.isEmpty {
            complain(Verb.unknown(name))
            return 2
        }
        Swift.print(verbs.map { text(of: $0, program) }.joined(separator: "\n\n"))
        return 0
    }

    private static func text(of verb: Verb, _ program: String) -> String {
        let clauses = verb.summary.replacing("; ", with: "\n").split(separator: "\n").map(String.init)
        let lines =
            [wrapped(verb.usage, indent: 0, hanging: 8)]
            + clauses.map { wrapped($0, indent: 4, hanging: 6) }
            + [wrapped("as in: \(program) \(verb.example)", indent: 4, hanging: 6)]
        return lines.joined(separator: "\n")
    }

    /// The groups of some verbs, in each a line for each verb.
    package static func list(_ verbs: [Verb]) -> String {
        let width = verbs.map(\.name.count).max() ?? 0
        return VerbGroup.allCases.compactMap { group in
            let own = verbs.filter { $0.group == group }
            if own.isEmpty { return nil }
            let lines = own.map { verb in
                "  \(verb.name)\(String(repeating: " ", count: width - verb.name.count))  \(verb.line)"
            }
            return (["\(group.rawValue): \(group.title)"] + lines).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    // MARK: - Lines that fit

    /// A paragraph in lines that fit the terminal; as it is where that is none.
    /// - Parameters:
    ///   - indent: of its first line.
    ///   - hanging: of the others.
    package static func wrapped(_ text: String, indent: Int = 0, hanging: Int = 0) -> String {
        var lines = [String(repeating: " ", count: indent)]
        var isFirst = true
        let width = width
        for word in text.split(separator: " ") {
            if !isFirst, lines[lines.count - 1].count + 1 + word.count > width {
                lines.append(String(repeating: " ", count: hanging))
                isFirst = true
            }
            lines[lines.count - 1] += (isFirst ? "" : " ") + word
            isFirst = false
        }
        return lines.joined(separator: "\n")
    }

    /// In characters; no end of it where nobody reads.
    private static var width: Int {
        var window = winsize()
        guard isatty(1) == 1 else { return .max }
        return ioctl(1, UInt(TIOCGWINSZ), &window) == 0 && window.ws_col >= 20 ? Int(window.ws_col) : 80
    }
}
