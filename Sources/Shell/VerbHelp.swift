import Remote

/// What there is to say of verbs, from the one table of them.
package enum VerbHelp {
    /// What stands in every list of verbs behind them.
    package static let words = """
        TRACK is a number from 1, a name, a pattern as 'v*' or '{1,3}' (quoted, for the shell), or "master" \
        where it makes sense. V is linear (1 is unity) or as in -6dB.
        TIME: 2s 0.5s 500ms 1:30 1:02:03.25 96000/48000 96000f. Curves: linear scurve equalpower exponential.
        """

    /// Prints what a verb does.
    /// - Parameter program: how the example begins.
    /// - Returns: the exit code.
    package static func print(of name: String, as program: String) -> Int32 {
        guard let verb = Verb.named(name) else {
            complain(Verb.unknown(name))
            return 2
        }
        Swift.print("\(verb.usage)\n    \(verb.summary)\n    as in: \(program) \(verb.example)")
        return 0
    }

    /// A line for each verb.
    package static func list(_ verbs: [Verb]) -> String {
        let width = verbs.map(\.usage.count).max() ?? 0
        return verbs.map {
            "  \($0.usage)\(String(repeating: " ", count: width - $0.usage.count))  \($0.summary)"
        }.joined(separator: "\n")
    }
}
