import Remote
import Speakers
import Timeline

extension Console {
    /// Connections are the session's: kept when a strip is renamed, undone, and made whenever both ends are
    /// there.
    func runPorts(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .connect(let port, let other): try connect(own(port), to: other)
        case .disconnect(let port, let other): try disconnect(own(port), from: other)
        case .directOuts(nil): return [.directOuts(directOuts)]
        case .directOuts(let mode?): try edit(.timeline) { $0.directOuts = mode }
        default:
            guard let server else { throw CommandError("the mixer is on no JACK server") }
            return [command == .ports ? .ports(server.ports.map(owned)) : .connections(server.connections)]
        }
        return []
    }

    /// A port of the mixer without its client's name.
    private func own(_ port: String) -> String {
        let client = "\(server?.clientName ?? "jmix"):"
        return port.hasPrefix(client) ? String(port.dropFirst(client.count)) : port
    }

    private func connect(_ port: String, to other: String) throws(CommandError) {
        guard let end = session.end(ofPort: port) else {
            throw CommandError(
                """
                the mixer has no port \(port): strips have NAME_1 and on, one for each channel, as \
                master_1, inputs NAME_in_1 and on, MIDI midi_in and midi_out
                """
            )
        }
        if let problem = Self.portProblem(other)
            ?? server?.problem(other, asInput: end.isInput, isMIDI: end.strip == .midi)
        {
            throw CommandError(problem)
        }
        let link = PortLink(strip: end.strip, side: end.side, isInput: end.isInput, other: other)
        try add(link)
        guard let server else { return }
        server.follow(session)
        if server.isMade(link) { return }
        request.notes.append(
            hasPort(end)
                ? "there is no port \(other) yet: \(port) is connected to it when there is"
                : "\(port) is connected to \(other) when there are both: \(Self.maker(of: port, end))"
        )
    }

    private func add(_ link: PortLink) throws(CommandError) {
        let soloMode = heard.soloMode
        try edit(.document) { session throws(CommandError) in
            if !session.addConnection(link) {
                throw CommandError(
                    "a session has at most \(PortLink.maximum) connections: disconnect some of them first"
                )
            }
        }
        if heard.soloMode != soloMode { request.notes.append(Self.monitoringBegins) }
    }

    private func disconnect(_ port: String, from other: String?) throws(CommandError) {
        let present = server?.connections.filter { $0.port == port } ?? []
        let leaving = present.filter { other == nil || $0.other == other }
        let links = session.links.filter {
            session.port(of: $0) == port && (other == nil || $0.other == other)
        }
        guard !leaving.isEmpty || !links.isEmpty else {
            let known =
                present.isEmpty ? "to nothing" : "to \(present.map(\.other).joined(separator: ", "))"
            throw CommandError(
                "\(port) is not connected\(other.map { " to \($0)" } ?? ""): it is connected \(known)")
        }
        try edit(.document) { session in
            for link in links { session.removeConnection(link) }
        }
        server?.follow(session)
        for connection in leaving { server?.disconnect(connection) }
    }

    /// A port, and whose it is.
    private func owned(_ port: ServerPort) -> ServerPort {
        var port = port
        if port.isOwn, let strip = session.end(ofPort: port.name)?.strip {
            port.owner = strip == .monitor ? "/monitor" : session.place(of: strip)?.address
        }
        return port
    }

    private static let monitoringBegins =
        """
        what is on solo is heard on the monitor from now on, and the mix stays as it is (solo-mode afl): \
        solo-mode in-place takes that back
        """

    /// Whether the session or somebody else has connected a port of the monitor: another patchbay, or the
    /// program's options. Solo goes there then, as long as nobody has said what it does.
    var isMonitorConnected: Bool { isMonitorPatched || session.connections.contains { $0.strip == .monitor } }

    /// Notes whether others than the session connect a port of the monitor.
    /// - Returns: what is to be said of that.
    package func noteMonitor(isPatched: Bool) -> String? {
        if isPatched == isMonitorPatched { return nil }
        let soloMode = heard.soloMode
        isMonitorPatched = isPatched
        hearAnew()
        if heard.soloMode == soloMode { return nil }
        applyTimeline()
        return heard.soloMode == .inPlace ? nil : Self.monitoringBegins
    }

    /// As the session says, else the program's options.
    package var directOuts: DirectOutMode { session.directOuts ?? server?.directOuts ?? .off }

    /// Whether the mixer has that port, or is about to.
    private func hasPort(_ end: PortLink.End) -> Bool {
        if end.strip == .master { return true }
        if end.strip == .midi { return end.side <= 1 + session.midi.pairs }
        if end.strip == .monitor { return heard.hasMonitor }
        if end.isInput {
            return session.index(of: end.strip).flatMap { session.tracks[$0].input }.map {
                end.side <= $0.channels
            } ?? false
        }
        return session.place(of: end.strip).map {
            session[$0].output == .ports && end.side <= session.layout(of: end.strip).channels
        } ?? false
    }

    /// What makes a port that there is not.
    private static func maker(of port: String, _ end: PortLink.End) -> String {
        if end.strip == .midi {
            return "midi map mackie\(end.side > 2 ? " \(end.side - 1)" : "") makes its ports"
        }
        if end.strip == .monitor { return "solo-mode afl or pfl makes its ports, as monitor source does" }
        let name = port[..<(port.lastIndex(of: "_") ?? port.endIndex)]
        if !end.isInput { return "output \(name) ports makes its ports, as direct-outs does for all" }
        let width =
            end.side == 2
            ? " --stereo"
            : end.side > 2
                ? " --channels \(SpeakerLayout.allCases.first { $0.channels >= end.side }?.channels ?? 12)"
                : ""
        return "input \(name.dropLast(StripName.inputSuffix.count))\(width) makes its ports"
    }

    /// Why that can be no port of another client, nor a pattern of such, or nil.
    static func portProblem(_ other: String) -> String? {
        if OSCPattern.isPattern(other), OSCPattern(other) == nil {
            return "\"\(other)\" is a pattern whose bracket or brace does not close"
        }
        // As long as a port's name may be.
        return other.contains(":") && other.utf8.count < 320
            ? nil : "\"\(other)\" is no port: write CLIENT:PORT, as system:playback_1"
    }
}
