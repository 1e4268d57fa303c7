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
            exit(Voice(json: CommandLine.arguments.contains("--json")).refuse("\(error)", code: 2))
        }
        if options.words.first == "--complete" { complete(options) }
        exit(run(options))
    }

    private static func run(_ options: Options) -> Int32 {
        if options.words == ["--version"] {
            print("jmixctl \(programVersion)")
            return 0
        }
        if options.words == ["watch"] { return Watch(options.url, json: options.json).run() }
        let shell = Shell(
            RemoteMixer(options.url, atWork: Voice(json: options.json).note), json: options.json,
            help: Help.print)
        if !options.words.isEmpty { return shell.run(options.words) }
        return Repl(
            shell, script: options.script, keepsGoing: options.keepsGoing, sources: .live(options.url)
        ).run()
    }

    /// For the shells' completions: what the last word may become.
    private static func complete(_ options: Options) -> Never {
        let words = Array(options.words.dropFirst())
        let found = Completion.candidates(
            for: words.last ?? "", after: Array(words.dropLast()), .live(options.url))
        for word in found { print(word) }
        exit(0)
    }
}
