import Remote
import Speakers
import Timeline

/// The server that a mixer plays on, as its commands see it.
package protocol MixerServer: AnyObject {
    var status: MixerStatus.Server { get }
    /// What the mixer's client is called there.
    var clientName: String { get }
    /// Frames between the mix and what is heard, as far as the server knows.
    var latency: Int { get }
    /// What the mixer's ports are connected to, and what they will be connected to when it is there.
    var connections: [PortConnection] { get }
    /// All ports that there are, the mixer's own among them; none without a server.
    var ports: [ServerPort] { get }
    /// Why nothing can be connected to a port of that name, or nil.
    /// - Parameters:
    ///   - asInput: the mixer's port is one that it hears.
    ///   - isMIDI: the mixer's port is one for MIDI.
    func problem(_ other: String, asInput: Bool, isMIDI: Bool) -> String?
    /// Which ports strips have where the session does not say.
    var directOuts: DirectOutMode { get }
    /// Makes the session's connections, as far as both ends are there.
    func follow(_ session: Session)
    /// Whether there is a port that gives what an input is to hear, by its name or a pattern.
    func hasSource(_ port: String) -> Bool
    /// Tells the engine by how much what armed tracks hear is late.
    func sayLatency()
    func isMade(_ link: PortLink) -> Bool
    func disconnect(_ connection: PortConnection)
}
