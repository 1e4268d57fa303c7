import Remote
import Shell
import TerminalPicture

/// What `jmixctl help` prints.
enum Help {
    /// - Returns: the exit code.
    static func print(_ name: String?) -> Int32 {
        switch name {
        case "osc": Swift.print(OSCReference.markdown, terminator: "")
        case "schema": Swift.print(AnswerSchema.document.prettyText())
        case "man": Swift.print(Manual.page, terminator: "")
        case "watch":
            Swift.print(
                """
                watch\n    a live picture of the mixer; without a terminal a line a second, with --json as \
                JSON\n    behind a strip: M muted, S solo, and what hands write: T touch, L latch, W write, \
                - off\n    \(WatchPicture.keys)
                """
            )
        case let verb? where verb != "help" && !verb.hasPrefix("-"):
            return VerbHelp.print(of: verb, as: "jmixctl")
        default: Swift.print(overview)
        }
        return 0
    }

    private static var overview: String {
        """
        usage: jmixctl [--url osc.udp://HOST:PORT/] [--json] VERB ...
               jmixctl watch                     a live picture, whose keys move faders
               jmixctl [-f FILE] [--keep-going]  many verbs, line by line: from a file,
                                                 from standard input, or at a prompt

        \(VerbHelp.list(Verb.all))

        \(VerbHelp.wrapped(VerbHelp.words))

        \(VerbHelp.wrapped(more))
        """
    }

    private static let more = """
        help VERB says how a verb is written and all that it does, help GROUP does so of all verbs of a \
        group; \
        help osc lists the OSC addresses, help schema says in JSON Schema what --json prints, help man is \
        the manual page. jmix edit SESSION VERB does most of \
        it \
        without a running mixer. Exit codes: 0 done, 1 refused, 2 usage, 3 no mixer. The mixer's address is \
        also taken from $JMIX_URL.
        """
}
