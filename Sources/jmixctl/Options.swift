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
