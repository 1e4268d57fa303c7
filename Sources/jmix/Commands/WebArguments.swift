import ArgumentParser
import OSC
import Web

/// What `jmix run` says of the web.
struct WebArguments: ParsableArguments {
    @Option(
        name: .customLong("web"),
        help: ArgumentHelp(
            """
            Serve the page, its WebSocket and OSCQuery on this port (\(WebOptions.standardPort) unless told; \
            0 for a free one).
            """,
            valueName: "port"))
    var port: UInt16?

    @Option(help: "The address to listen on for the web.")
    var webBind = "127.0.0.1"

    @Option(
        help:
            """
            Who may use the web, as 192.168.1.0/24; can be given again. All who reach the address and have \
            the token unless told.
            """
    )
    var webAllow: [String] = []

    @Option(
        help: "A name by which a proxy before the mixer is reached, as mixer.example.org; can be given again."
    )
    var webHost: [String] = []

    @Flag(help: "Print a second address, for guests: they look and listen, and change nothing.")
    var webGuest = false

    @Option(
        help:
            """
            The largest file that may be uploaded, in MiB, or off (default: \
            \(WebOptions.standardUpload >> 20)).
            """
    )
    var webUpload: String?

    @Flag(help: "Announce the mixer by mDNS also where it listens to this computer alone.")
    var announce = false

    func validate() throws {
        for range in webAllow where NetworkRange(range) == nil {
            throw ValidationError("--web-allow takes NET/BITS, as 192.168.1.0/24, not \"\(range)\"")
        }
        if let webUpload, webUpload != "off", Int(webUpload).map({ (1...1 << 20).contains($0) }) != true {
            throw ValidationError("--web-upload takes a number of MiB, or off, not \"\(webUpload)\"")
        }
    }

    /// nil: no web.
    var options: WebOptions? {
        guard let port else { return nil }
        var options = WebOptions()
        (options.address, options.port, options.allowed, options.hosts, options.hasGuests) = (
            webBind, port, webAllow.compactMap(NetworkRange.init), webHost, webGuest
        )
        (options.token, options.guestToken) = (
            WebTokens.stored("web-token"), webGuest ? WebTokens.stored("web-guest-token") : nil
        )
        if let webUpload { options.maximumUpload = (Int(webUpload) ?? 0) << 20 }
        return options
    }
}
