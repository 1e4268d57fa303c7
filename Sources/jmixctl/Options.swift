import Glibc
import OSC
import Remote
import Shell

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
                script = try Self.value(of: word, "a file of verbs", &rest)
            } else if word == "--url" {
                address = try Self.value(of: word, "a value, as osc.udp://127.0.0.1:7770/", &rest)
            } else if word.hasPrefix("--url=") {
                address = String(word.dropFirst(6))
            } else {
                words.append(word)
            }
        }
        guard let address, !address.isEmpty else { return }
        url = try Self.url(address)
    }

    private static func value(
        of option: String, _ what: String, _ rest: inout ArraySlice<String>
    ) throws(CommandError) -> String {
        if let value = rest.popFirst() { return value }
        throw CommandError("\(option) needs \(what)")
    }

    private static func url(_ address: String) throws(CommandError) -> OSCURL {
        if let url = OSCURL(address) { return url }
        throw CommandError(
            "\"\(address)\" is not the address of a mixer: write osc.udp://HOST:PORT/ or osc.tcp://HOST:PORT/"
        )
    }
}
