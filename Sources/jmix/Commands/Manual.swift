import ArgumentParser
import Remote

/// The manual page of jmix, from the help of its commands: `jmix manual`, for scripts/install.
struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Print the manual page.", shouldDisplay: false)

    func run() {
        var lines = [
            ".TH JMIX 1 \"\" \"jmix \(programVersion)\" \"User Commands\"", ".SH NAME",
            "jmix \\- a scriptable audio mixer for JACK", ".SH SYNOPSIS", ".B jmix",
            "[\\fBrun\\fR] [\\fISESSION\\fR] [\\fIOPTION\\fR]...", ".br", ".B jmix", "\\fICOMMAND\\fR ...",
            ".SH DESCRIPTION",
            """
            A JACK client that streams tracks from disk and mixes them with volume automation exact to the \
            frame, driven over OSC: by \\fBjmixctl\\fR(1), by controllers, by scripts. The \
            same session renders to a file, sample for sample what is heard live.
            """,
            ".PP",
            """
            On a desktop of PipeWire's it is started as pw-jack jmix run SESSION. Under a session manager \
            (NSM_URL is set) and without a SESSION it opens what the manager says. \
            With NOTIFY_SOCKET set it tells systemd when it is ready.
            """,
        ]
        for command in Jmix.configuration.subcommands where command.configuration.shouldDisplay {
            lines += [".SH \(command._commandName.uppercased())", ".nf"]
            lines += Jmix.helpMessage(for: command, columns: 76).split(
                separator: "\n", omittingEmptySubsequences: false
            ).map { Roff.text(String($0)) }
            lines.append(".fi")
        }
        lines += [
            ".SH EXIT STATUS",
            """
            0 done, 1 refused, 2 usage, 3 no JACK server, 4 rendered, but not as loud as asked, 130 \
            interrupted.
            """,
            ".SH ENVIRONMENT",
            """
            JMIX_URL is where jmixctl finds the mixer. JACK_DEFAULT_SERVER names the JACK server. NSM_URL \
            and \
            NOTIFY_SOCKET are set by who starts the mixer. XDG_CONFIG_HOME, XDG_STATE_HOME and \
            XDG_CACHE_HOME \
            say where settings, tokens and decoded sounds lie, else ~/.config, ~/.local/state and ~/.cache. \
            TMPDIR is where a mix is made that goes to standard output.
            """,
            ".SH FILES",
            """
            A session is a JSON file, or session.json in a folder. Beside it lie .NAME.journal, what has not \
            been saved, .NAME.mixer, where the mixer that has it open listens, and NAME~, the version before.
            """,
            ".SH SEE ALSO", ".BR jmixctl (1)",
        ]
        print(lines.joined(separator: "\n"))
    }
}
