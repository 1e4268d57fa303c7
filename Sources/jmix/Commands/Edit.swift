import ArgumentParser
import Console
import Engine
import Files
import Glibc
import Loop
import OSC
import Remote
import Shell
import Timeline

struct Edit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Change a session without playing it: the verbs of jmixctl, one, a script or a prompt.",
        discussion:
            """
            What has changed is saved at the end; if a line fails, nothing is. If a mixer that runs has the \
            session open, it is asked to do it, line by line.
            """
    )

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Argument(
        help:
            """
            A verb and its words, as jmixctl has them; help lists them. None: a prompt, or lines from \
            standard input.
            """
    )
    var words: [String] = []

    @Option(name: .shortAndLong, help: "A file of verbs, line by line.")
    var file: String?

    @Flag(help: "Go on after a line that failed, and save what the others did.")
    var keepGoing = false

    @Flag(help: "Answers for machines.")
    var json = false

    @OptionGroup var unsaved: UnsavedOptions

    func validate() throws {
        if file != nil, !words.isEmpty { throw ValidationError("--file and a verb: one or the other") }
    }

    /// The arguments with the options of `edit` first and a verb's words behind `--`: -inf is a volume, and
    /// --replace the verb's affair.
    static func withWords(_ arguments: [String]) -> [String] {
        guard arguments.first == "edit", !arguments.contains("--") else { return arguments }
        var (own, words): ([String], [String]) = (["edit"], [])
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            if ["--keep-going", "--json", "--recover", "--discard", "--help", "-h"].contains(word)
                || word.hasPrefix("--file=")
            {
                own.append(word)
            } else if word == "-f" || word == "--file" {
                own += [word] + (rest.popFirst().map { [$0] } ?? [])
            } else {
                words.append(word)
            }
        }
        return own + (words.isEmpty ? [] : ["--"] + words)
    }

    func run() throws {
        if words.first == "help" { throw ExitStatus(Self.help(words.dropFirst().first)) }
        guard let edited = try EditedSession(opening: session, unsaved) else {
            return try ask(SessionStore(session))
        }
        // What a person does at a prompt is done line by line.
        edited.isWhole = isScript && !keepGoing
        let status = carryOut(EditTarget(edited))
        if status == 0 || keepGoing {
            try edited.save()
        } else {
            if edited.isChanged { inform("jmix: \(edited.path) is left as it was") }
            edited.abandon()
        }
        if status != 0 { throw ExitStatus(status) }
    }

    private var isScript: Bool { words.isEmpty && (file != nil || isatty(0) != 1 || isatty(1) != 1) }

    private func carryOut(_ target: any CommandTarget) -> Int32 {
        let shell = Shell(target, json: json, help: Self.help)
        if !words.isEmpty { return shell.run(words) }
        return Repl(shell, script: file, keepsGoing: keepGoing, sources: .of(target)).run()
    }

    /// A mixer has the session open: what another program saved it would save over.
    private func ask(_ store: SessionStore) throws {
        guard let address = Journal.address(of: store), let url = OSCURL(address) else {
            throw Failure(
                """
                another jmix has \(store.path ?? session) open, and does not say where it listens: change it \
                there, with jmixctl
                """
            )
        }
        inform(
            """
            jmix: the mixer at \(address) has \(store.path ?? session) open: it is changed there, and saved \
            when that saves it (jmixctl save)
            """
        )
        let status = carryOut(RemoteMixer(url, atWork: Voice(json: json).note))
        if status != 0 { throw ExitStatus(status) }
    }

    /// Only what needs no mixer.
    private static func help(_ name: String?) -> Int32 {
        if let name, name != "help", !name.hasPrefix("-") {
            return VerbHelp.print(of: name, as: "jmix edit SESSION")
        }
        let verbs = Verb.all.filter { verb in
            (try? LineWords.split(verb.example)).flatMap { try? Command(words: $0) }.map { !$0.needsMixer }
                ?? false
        }
        print(
            """
            usage: jmix edit SESSION [VERB ... | -f FILE]

            \(VerbHelp.list(verbs))

            \(VerbHelp.wrapped(VerbHelp.words))

            \(VerbHelp.wrapped("help VERB says how a verb is written and all that it does."))
            """)
        return 0
    }
}

extension EditedSession {
    /// A session that is there, with what an earlier run has left of it, as the options have it.
    /// - Returns: nil: a mixer has it open.
    /// - Throws: `Failure`: it cannot be read.
    convenience init?(opening name: String, _ unsaved: UnsavedOptions) throws {
        let first = try OpenedSession(name)
        let lock = JournalLock.waited(for: first.store)
        if lock.isHeldByAnother {
            lock.release()
            return nil
        }
        let locked = try LockedSession(first, lock, [.missingFile, .file])
        let session = try unsaved.decide(locked.journal, locked.opened.store, saved: locked.saved)
        self.init(
            session, saved: locked.saved, store: locked.opened.store, library: locked.opened.library,
            journal: locked.journal)
    }
}

/// The program's end with a code and nothing to say.
struct ExitStatus: Error {
    let code: Int32
    init(_ code: Int32) { self.code = code }
}

/// A session that is edited, as the shell sees it.
private final class EditTarget: CommandTarget {
    private let edited: EditedSession
    let isRunning = false

    init(_ edited: EditedSession) { self.edited = edited }

    func greeting() throws(CommandFailure) -> String {
        "jmix \(programVersion) on \(edited.path): what has changed is saved at the end"
    }

    func run(_ command: Command) throws(CommandFailure) -> [Answer] {
        do throws(CommandError) { return try edited.run(command) } catch {
            throw .refused(error.description)
        }
    }
}
