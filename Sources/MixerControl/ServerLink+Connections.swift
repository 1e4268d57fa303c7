import Console
import Engine
import JackDriver
import Logging
import Remote
import Timeline

/// The connections of the session, and what the ports say of their latency.
extension ServerLink {
    package var connections: [PortConnection] {
        let present = client.map { $0.isServerGone ? [] : $0.connections } ?? []
        let waiting = (console?.session.links ?? []).filter { client == nil || !strips.patchbay.isMade($0) }
            .compactMap { link in
                console?.session.port(of: link).map { Connection(port: $0, other: link.other) }
            }
        return present.union(missing).union(client == nil ? made : []).union(waiting).map {
            PortConnection(port: $0.port, other: $0.other, isMade: present.contains($0))
        }
        .sorted { ($0.port, $0.other) < ($1.port, $1.other) }
    }

    package var ports: [ServerPort] {
        guard let client, !client.isServerGone else { return [] }
        let prefix = "\(client.name):"
        return [(JackClient.Medium.sound, ServerPort.Medium.sound), (.midi, .midi)].flatMap {
            carried, medium in
            [(false, ServerPort.Direction.output), (true, .input)].flatMap { takes, direction in
                client.ports(taking: takes, carried).map { name in
                    let isOwn = name.hasPrefix(prefix)
                    return ServerPort(
                        name: isOwn ? String(name.dropFirst(prefix.count)) : name, direction: direction,
                        medium: medium, isOwn: isOwn)
                }
            }
        }
    }

    package func problem(_ other: String, asInput: Bool, isMIDI: Bool) -> String? {
        client.flatMap {
            $0.isServerGone ? nil : $0.problem(other, asInput: asInput, isMIDI ? .midi : .sound)
        }
    }

    /// Connects at once what can be; what is late by that is known at once too.
    package func follow(_ session: Session) {
        guard let client, !client.isServerGone else { return }
        strips.patchbay.follow(session, client)
        sayLatency()
    }

    /// Tells the console when others than its session have connected a port of the monitor. That holds as
    /// long as the session is open: a solo does not go into the mix because a program at the other end has
    /// ended.
    func watchMonitor(_ console: Console) {
        let isPatched = isMonitorPatched(console.session)
        let isKnown = monitorOpenings == console.document.openings
        monitorOpenings = console.document.openings
        if isKnown, !isPatched { return }
        if let text = console.noteMonitor(isPatched: isPatched) { log.notice("\(text)") }
    }

    private func isMonitorPatched(_ session: Session) -> Bool {
        // Asked four times a second: the name is looked for only where there may be such ports.
        let likely = made.filter { $0.port.hasPrefix(StripName.monitor) }
        if likely.isEmpty { return false }
        let ports = "\(session.monitorName)_"
        return likely.contains {
            $0.port.hasPrefix(ports) && session.end(ofPort: $0.port)?.strip == .monitor
                && !strips.patchbay.hasMade($0, session)
        }
    }

    package func hasSource(_ port: String) -> Bool {
        client.map {
            $0.isServerGone
                ? false : !Patchbay.candidates(for: port, among: $0.ports(taking: false, .sound)).isEmpty
        } ?? false
    }

    package var directOuts: DirectOutMode { settings.directOuts }

    package func isMade(_ link: PortLink) -> Bool {
        client?.isServerGone == false && strips.patchbay.isMade(link)
    }

    package func disconnect(_ connection: PortConnection) {
        let connection = Connection(port: connection.port, other: connection.other)
        client?.disconnect(connection)
        missing.remove(connection)
        made.remove(connection)
    }

    /// Ports of single strips follow the strips.
    func givePorts(_ client: JackClient, _ console: Console) {
        if client.followMIDI(units: console.session.midi.pairs) {
            strips.patchbay.begin([.init(.midi, isInput: true), .init(.midi, isInput: false)])
        }
        if strips.follow(
            console.heard, of: console.document.number, outs: console.directOuts.tap, client, console.engine
        ) {
            lookAt = 0
        }
        let refused = client.refusedStrips
        if refused > 0, refused != portsRefused {
            log.warning(
                """
                ports of strips are not there (strips: \(refused)): others are called so, which `jmix check` \
                says, or the JACK server has no more
                """)
        }
        portsRefused = refused
    }

    /// Has all clients say anew how late they are: whoever is about to record needs it as it is now.
    package func sayLatency() {
        guard let client, let console, !client.isServerGone else { return }
        strips.sayLatency(console.heard, client, console.engine)
    }
}
