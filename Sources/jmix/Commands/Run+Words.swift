import Console
import Dialects
import Files
import Glibc
import Loop
import MixerControl
import OSC
import Remote
import Web

/// What a mixer that begins says of itself.
extension Run {
    /// Options that do nothing here are said, and stop nobody.
    func sayIdle() {
        if period != nil, !dummy, !orDummy {
            inform("jmix: --period is for the private server: the JACK server has its own period")
        }
        for folder in media where !Path.isFolder(folder) {
            inform("jmix: --media \(folder): there is no such folder")
        }
    }

    func sayDesks(_ servers: [(model: DeskModel, server: OSCServer)]) {
        for (model, server) in servers {
            let name = model == .x32 ? "an X32" : "an X-Air"
            inform("jmix: remotes of \(name) find the mixer on \(oscBind) port \(server.port)")
            if server.isLocal {
                inform("jmix: only those of this computer: --osc-bind 0.0.0.0 lets in others, and finds all")
            }
        }
    }

    /// Says what plays where, and who gets in.
    /// - Returns: where it is reached.
    func sayPlace(
        _ console: Console, _ link: ServerLink, _ osc: OSCServer, _ web: WebServer?,
        _ manager: SessionManager?
    ) -> String {
        let allowed = oscAllow.isEmpty ? "" : " for \(oscAllow.joined(separator: ", ")) only"
        let place =
            """
            JACK server '\(link.serverName)' at \(link.sampleRate) Hz, OSC on \(oscBind) port \
            \(osc.port)\(allowed)
            """
        let managed = manager.map { ", managed by \($0.name)" } ?? ""
        inform("jmix \(programVersion): \(console.sessionPath ?? "new session"), \(place)\(managed)")
        if oscAllow.isEmpty, !osc.isLocal {
            inform(
                """
                jmix: every computer that reaches \(oscBind) port \(osc.port) may move the faders; \
                --osc-allow 192.168.1.0/24 lets in only some
                """
            )
        }
        if let web {
            // Who may read a journal is not who may move the faders, or look.
            let isInJournal = getenv("JOURNAL_STREAM") != nil
            if isInJournal {
                inform(
                    """
                    jmix: the page is \(web.bareAddress); who asks for it needs the token \
                    that \(WebTokens.path("web-token") ?? "no file") holds: \(web.bareAddress)?token=...
                    """
                )
            } else {
                inform("jmix: the page is \(web.address)")
            }
            if let address = web.guestAddress {
                let file = WebTokens.path("web-guest-token") ?? "no file"
                let text = isInJournal ? "\(web.bareAddress)?token=... of \(file)" : address
                inform("jmix: for guests, who look and change nothing: \(text)")
            }
        }
        return place
    }
}
