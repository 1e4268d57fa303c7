import Engine
import Timeline

/// The ports that strips of a session have of their own on a server, and what they are connected to. They
/// follow the session; the server is told which inputs are heard where, and the engine by how much they are
/// late. Control thread.
public struct StripPorts {
    /// What the session has its ports keep.
    public var patchbay = Patchbay()
    /// For each track with an input the strips where it is heard, as the server was told.
    private var reach: [StripID: Set<StripID>] = [:]
    /// By how many frames what comes in is late where it leaves strips, as the server knows it.
    private var reachDelays: [StripID: Int] = [:]
    /// Some have come that are not connected yet.
    private var hasFreshInputs = false

    /// Of a session that has none yet.
    public init() {}

    /// Another server knows nothing of it.
    public mutating func leave() { reach = [:] }

    /// Makes there be the ports that the session asks for: those that inputs hear, of strips that go to
    /// ports, of all where `outs` says so, and of what is monitored.
    /// - Parameters:
    ///   - document: the document that they are strips of.
    ///   - outs: where all strips are heard by ports of their own; nil: only those that go to ports.
    /// - Returns: whether inputs have come that are not connected yet: `connect` is to follow soon.
    public mutating func follow(
        _ session: Session, of document: Int, outs: DirectOuts.Tap? = nil, _ client: JackClient,
        _ engine: PlaybackEngine
    ) -> Bool {
        let strips = Self.strips(session, outs)
        // How late what comes in by new ports is nobody knows before they are connected.
        for strip in strips where strip.isInput && !client.hasPorts(strip.side) {
            engine.setLatency(nil, ofTrack: strip.id)
        }
        let hasOthers = client.follow(strips, of: document, engine)
        let fresh = client.takeFreshPorts()
        patchbay.begin(fresh)
        if hasOthers { sayReach(session, client, engine, anew: true) }
        guard fresh.contains(where: \.isInput) else { return false }
        hasFreshInputs = true
        return true
    }

    /// Asked many times a second: what has no ports is not copied.
    private static func strips(_ session: Session, _ outs: DirectOuts.Tap?) -> [DirectStrip] {
        let strips = session.portHolders(all: outs != nil).map { holder in
            let strip = session[holder.place]
            if holder.isInput {
                return DirectStrip(id: strip.id, name: strip.name, .input(channels: holder.channels))
            }
            let tap = strip.output == .ports ? .post : outs ?? .post
            return DirectStrip(id: strip.id, name: strip.name, .out(tap, channels: holder.channels))
        }
        if !session.hasMonitor { return strips }
        return strips + [DirectStrip(id: .monitor, name: session.monitorName, .stereo)]
    }

    /// Connects what the session has them keep, and looks how late they are. It costs round trips to the
    /// server.
    /// - Parameter connects: false: others connect them.
    public mutating func connect(
        _ session: Session, _ client: JackClient, _ engine: PlaybackEngine, connects: Bool = true
    ) {
        sayReach(session, client, engine)
        // What is crossed over from stays connected until that is over.
        if !client.hasDepartingInputs {
            if connects { patchbay.follow(session, client) }
            // Behind what has just been connected.
            if hasFreshInputs { client.recomputeLatencies() }
            hasFreshInputs = false
        }
        tellLatency(session, client, engine)
    }

    /// Has all clients say anew how late they are: whoever is about to record needs it as it is now.
    public mutating func sayLatency(_ session: Session, _ client: JackClient, _ engine: PlaybackEngine) {
        sayReach(session, client, engine)
        // In a circle, as of a cable from the mixer back to it, whoever is asked first goes by what the last
        // one said the time before.
        for _ in 0..<2 { client.recomputeLatencies() }
        tellLatency(session, client, engine)
    }

    private mutating func sayReach(
        _ session: Session, _ client: JackClient, _ engine: PlaybackEngine, anew: Bool = false
    ) {
        let tracks = session.tracks.filter { $0.input != nil }
        guard !tracks.isEmpty || !reach.isEmpty || anew else { return }
        let routing = Routing(session)
        let monitor: Set<StripID> = session.hasMonitor ? [.monitor] : []
        let next = Dictionary(
            uniqueKeysWithValues: tracks.map {
                ($0.id, routing.heard($0.strip, in: session).union(monitor))
            })
        let delays = engine.delays
        if anew || next != reach || delays != reachDelays { client.setReach(next, delays) }
        (reach, reachDelays) = (next, delays)
    }

    private func tellLatency(_ session: Session, _ client: JackClient, _ engine: PlaybackEngine) {
        if client.isServerGone { return }
        let inputs = session.tracks.filter { $0.input != nil }.map(\.id).filter {
            client.hasPorts(DirectStrip.Side($0, isInput: true))
        }
        if inputs.isEmpty { return }
        for (id, latency) in client.latencies(ofInputs: inputs) { engine.setLatency(latency, ofTrack: id) }
    }
}
