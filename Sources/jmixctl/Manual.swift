import Remote

/// The manual page of jmixctl, from the table of verbs: `jmixctl help man`.
enum Manual {
    static var page: String {
        var lines = [
            ".TH JMIXCTL 1 \"\" \"jmix \(programVersion)\" \"User Commands\"", ".SH NAME",
            "jmixctl \\- drive a running jmix mixer", ".SH SYNOPSIS",
            ".B jmixctl",
            "[\\fB\\-\\-url\\fR \\fIosc.udp://HOST:PORT/\\fR] [\\fB\\-\\-json\\fR] \\fIVERB\\fR ...", ".br",
            ".B jmixctl", "[\\fB\\-f\\fR \\fIFILE\\fR] [\\fB\\-\\-keep\\-going\\fR]",
            ".br", ".B jmixctl watch", ".SH DESCRIPTION",
            """
            One verb to a running mixer; without a verb a prompt for many, with line editing, history and \
            completion, or a script from standard input. \\fBwatch\\fR shows the mixer as it plays, and keys \
            move it.
            """,
            ".PP",
            """
            TRACK is a number from 1, a name, or \\(lqmaster\\(rq where it makes sense. V is a volume: \
            linear, 0 to 4, 1 is unity, or a level such as \\-6dB, \\-inf.
            """,
            """
            T and TIME are exact: 2s 0.5s 500ms 1:30 1:02:03.25 96000/48000 96000f (frames); a bare number \
            is seconds. C is a curve: linear scurve equalpower exponential.
            """,
            ".SH VERBS",
        ]
        for (index, verb) in Verb.all.enumerated() {
            if index == 0 || Verb.all[index - 1].group != verb.group {
                lines.append(
                    ".SS \(Roff.text(verb.group.title.prefix(1).uppercased() + verb.group.title.dropFirst()))"
                )
            }
            lines += [
                ".TP", "\\fB\(Roff.text(verb.name))\\fR \(Roff.text(verb.arguments))",
                Roff.text(verb.summary) + ".", "As in: \\fBjmixctl \(Roff.text(verb.example))\\fR",
            ]
        }
        lines += [
            ".SH OPTIONS", ".TP", "\\fB\\-\\-url\\fR \\fIURL\\fR",
            """
            The mixer\\(aqs address, as osc.udp://127.0.0.1:7770/ or osc.tcp://127.0.0.1:7770/ (which it is \
            unless told).
            """,
            ".TP", "\\fB\\-\\-json\\fR", "Answers for machines.", ".TP", "\\fB\\-f\\fR \\fIFILE\\fR",
            """
            Verbs from a file, line by line; # begins a comment. Ends at the first line that fails, and \
            names it.
            """,
            ".TP", "\\fB\\-\\-keep\\-going\\fR", "Goes on after a line that failed.",
            ".SH ENVIRONMENT", ".TP", "JMIX_URL",
            "The mixer\\(aqs address where \\fB\\-\\-url\\fR is not given.", ".TP", "NO_COLOR",
            "No colours, if it is set and not empty.",
            ".TP", "XDG_STATE_HOME",
            "Where the prompt\\(aqs history is kept: jmix/history in it, else in ~/.local/state.",
            ".SH EXIT STATUS",
            "0 done, 1 refused, 2 usage, 3 no mixer. A script\\(aqs is that of its first line that failed.",
            ".SH SEE ALSO", ".BR jmix (1)",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
