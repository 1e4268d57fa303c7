import Glibc
import OSC
import Remote
import Shell

/// One command to a running mixer, or without a command the REPL.
@main
struct JmixCtl {
    /// Exit codes: 0 done, 1 refused, 2 usage, 3 no mixer.
    static func main() {
        signal(SIGPIPE, SIG_IGN)
        let options: Options
        do throws(CommandError) {
            options = try Options(Array(CommandLine.arguments.dropFirst()))
        } catch {
            complain("\(error)")
            exit(2)
        }
        if options.words.first == "--complete" {
            // For the shells' completions: what the last word may become.
            let words = Array(options.words.dropFirst())
            let found = Completion.candidates(
                for: words.last ?? "", after: Array(words.dropLast()), .live(options.url))
            for word in found { print(word) }
            exit(0)
        }
        if options.words == ["--version"] {
            print("jmixctl \(programVersion)")
            exit(0)
        }
        let shell = Shell(
            RemoteMixer(options.url, atWork: Voice(json: options.json).note), json: options.json,
            help: Help.print)
        if options.words.isEmpty {
            exit(
                Repl(
                    shell, script: options.script, keepsGoing: options.keepsGoing, sources: .live(options.url)
                ).run())
        } else if options.words == ["watch"] {
            exit(Watch(options.url, json: options.json).run())
        } else {
            exit(shell.run(options.words))
        }
    }
}

/// What stands on the command line beside the verb and its words. These options may stand anywhere.
struct Options {
    var url = OSCURL(transport: .tcp, host: "127.0.0.1", port: 7770)
    var json = false
    /// A file of verbs, line by line; standard input without one.
    var script: String?
    /// A script goes on after a line that failed.
    var keepsGoing = false
    var words: [String] = []

    /// - Throws: `CommandError` if `--url` or `$JMIX_URL` is no OSC URL.
    init(_ arguments: [String]) throws(CommandError) {
        var address = getenv("JMIX_URL").map { String(cString: $0) }
        var rest = arguments[...]
        while let word = rest.popFirst() {
            if words.first == "--complete", word != "--url" {
                words.append(word)
            } else if word == "--json" {
                json = true
            } else if word == "--keep-going" {
                keepsGoing = true
            } else if word == "-f" || word == "--file" {
                guard let value = rest.popFirst() else { throw CommandError("\(word) needs a file of verbs") }
                script = value
            } else if word == "--url" {
                guard let value = rest.popFirst() else {
                    throw CommandError("--url needs a value, as osc.udp://127.0.0.1:7770/")
                }
                address = value
            } else if word.hasPrefix("--url=") {
                address = String(word.dropFirst(6))
            } else {
                words.append(word)
            }
        }
        guard let address, !address.isEmpty else { return }
        guard let url = OSCURL(address) else {
            throw CommandError(
                """
                "\(address)" is not the address of a mixer: write osc.udp://HOST:PORT/ or osc.tcp://HOST:PORT/
                """
            )
        }
        self.url = url
    }
}
