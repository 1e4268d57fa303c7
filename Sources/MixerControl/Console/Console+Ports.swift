import Remote

/// The server that a mixer plays on, as its commands see it.
protocol MixerServer: AnyObject {
    var status: MixerStatus.Server { get }
    /// What the mixer's ports are connected to, and what they will be connected to when it is there.
    var connections: [PortConnection] { get }
    /// Connects now or, where the other port is not there yet, when it is.
    /// - Returns: whether it is connected now.
    func connect(_ port: String, to other: String) throws(CommandError) -> Bool
    /// Takes away one connection, or all of the port.
    func disconnect(_ port: String, from other: String?) throws(CommandError)
}

extension Console {
    func runPorts(_ command: Command) throws(CommandError) -> [Answer] {
        guard let server else { throw CommandError("the mixer is on no JACK server") }
        switch command {
        case .connect(let port, let other):
            if try !server.connect(port, to: other) { notes.append("there is no port \(other) yet: \(port) is connected to it when there is") }
        case .disconnect(let port, let other): try server.disconnect(port, from: other)
        default: return [.connections(server.connections)]
        }
        return []
    }
}
