import CJack

/// Why the mixer is not, or not any more, a client of a JACK server: what was asked, why not, what to do.
public enum JackError: Error, Equatable, CustomStringConvertible {
    case noServer(name: String)
    case nameTaken(name: String, server: String)
    case refused(name: String, status: Int)
    case portRefused(name: String)
    case cannotStart(command: String, reason: String)

    public var description: String {
        switch self {
        case .noServer(let name):
            """
            no JACK server '\(name)' is running: start one with \
            'jackd\(name == "default" ? "" : " -n \(name)") -d alsa' (or your desktop's JACK settings), or \
            use --dummy; on a desktop of PipeWire's: pw-jack jmix run ...
            """
        case .nameTaken(let name, let server):
            """
            the name '\(name)' is taken on JACK server '\(server)': is another jmix running? Use --name to \
            choose another
            """
        case .refused(let name, let status):
            "JACK server '\(name)' refused the mixer (status 0x\(String(status, radix: 16)))"
        case .portRefused(let name): "the JACK server gave no port '\(name)'"
        case .cannotStart(let command, let reason):
            "cannot start a private JACK server: \(reason); the command was '\(command)'"
        }
    }
}
