import OSC
import Remote
import Timeline

/// The server that a mixer plays on, as its commands see it.
protocol MixerServer: AnyObject {
    var status: MixerStatus.Server { get }
    /// What the mixer's ports are connected to, and what they will be connected to when it is there.
    var connections: [PortConnection] { get }
    /// Why nothing can be connected to a port of that name, or nil.
    func problem(_ other: String) -> String?
    /// Makes the session's connections, as far as both ends are there.
    func follow(_ session: Session)
    func isMade(_ link: PortLink) -> Bool
    func disconnect(_ connection: PortConnection)
}

extension Console {
    /// Connections are the session's: kept when a strip is renamed, undone, and made whenever both ends are there.
    func runPorts(_ command: Command) throws(CommandError) -> [Answer] {
        switch command {
        case .connect(let port, let other):
            guard let (strip, side) = session.end(ofPort: port) else {
                throw CommandError("the mixer has no port \(port): strips have NAME_1 and NAME_2, as master_1")
            }
            if let problem = Self.problem(other) ?? server?.problem(other) { throw CommandError(problem) }
            let link = PortLink(strip: strip, side: side, other: other)
            try edit(.document) { session throws(CommandError) in
                if !session.addConnection(link) { throw CommandError("a session has at most \(PortLink.maximum) connections: disconnect some of them first") }
            }
            guard let server else { break }
            server.follow(session)
            if !server.isMade(link) {
                let hasPort = strip == .master || strip == .monitor && session.soloMode != .inPlace || session.place(of: strip).map { session[$0].output == .ports } == true
                notes.append(hasPort ? "there is no port \(other) yet: \(port) is connected to it when there is" : "\(port) is connected to \(other) when there are both: output \(port.dropLast(2)) ports makes its ports")
            }
        case .disconnect(let port, let other):
            let present = server?.connections.filter { $0.port == port } ?? []
            let leaving = present.filter { other == nil || $0.other == other }
            let links = session.connections.filter { session.port(of: $0) == port && (other == nil || $0.other == other) }
            guard !leaving.isEmpty || !links.isEmpty else {
                let known = present.isEmpty ? "to nothing" : "to \(present.map(\.other).joined(separator: ", "))"
                throw CommandError("\(port) is not connected\(other.map { " to \($0)" } ?? ""): it is connected \(known)")
            }
            try edit(.document) { session in session.connections.removeAll(where: links.contains) }
            server?.follow(session)
            for connection in leaving { server?.disconnect(connection) }
        default:
            guard let server else { throw CommandError("the mixer is on no JACK server") }
            return [.connections(server.connections)]
        }
        return []
    }

    /// Why that can be no port of another client, nor a pattern of such, or nil.
    private static func problem(_ other: String) -> String? {
        if OSCPattern.isPattern(other), OSCPattern(other) == nil { return "\"\(other)\" is a pattern whose bracket or brace does not close" }
        // As long as a port's name may be.
        return other.contains(":") && other.utf8.count < 320 ? nil : "\"\(other)\" is no port: write CLIENT:PORT, as system:playback_1"
    }
}
