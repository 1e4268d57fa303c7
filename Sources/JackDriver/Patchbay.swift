import Timeline

/// The connections that a session has its ports keep: made whenever both ends are there, also where the other
/// comes back under another number. What others connect or take away is theirs: a port is connected once each
/// time that it appears.
public struct Patchbay {
    /// For each link the ports of others that it has been connected to since they appeared.
    private var met: [PortLink: Set<String>] = [:]

    /// One that has connected nothing yet.
    public init() {}

    /// Looks what there is to be connected, and connects it; what the session has no more is taken away.
    /// - Parameter isNew: nothing is known of the server.
    public mutating func follow(_ session: Session, _ client: JackClient, isNew: Bool = false) {
        if isNew { met = [:] }
        let links = session.links
        if links.isEmpty, met.isEmpty { return }
        let wanted = Set(links)
        forget(besides: wanted, session, client)
        if wanted.isEmpty { return }
        let (takers, givers) = (client.ports(taking: true, .sound), client.ports(taking: false, .sound))
        let isMIDI = links.contains { $0.strip == .midi }
        let midiTakers = isMIDI ? client.ports(taking: true, .midi) : []
        let midiGivers = isMIDI ? client.ports(taking: false, .midi) : []
        let own = Set(client.ownPorts)
        for link in links {
            guard let port = session.port(of: link), own.contains(port) else {
                met[link] = []
                continue
            }
            let others =
                link.strip == .midi
                ? (link.isInput ? midiGivers : midiTakers) : (link.isInput ? givers : takers)
            connect(link, port, among: others, client)
        }
    }

    /// Takes apart what was connected and is wanted no more.
    private mutating func forget(besides wanted: Set<PortLink>, _ session: Session, _ client: JackClient) {
        for (link, others) in met where !wanted.contains(link) {
            if let port = session.port(of: link) {
                for other in others { client.disconnect(Connection(port: port, other: other)) }
            }
            met[link] = nil
        }
    }

    /// Connects a port with those that a link means, but for those that it has met: what somebody has taken
    /// apart stays so.
    private mutating func connect(
        _ link: PortLink, _ port: String, among others: [String], _ client: JackClient
    ) {
        let candidates = Self.candidates(for: link.other, among: others)
        var known = (met[link] ?? []).intersection(candidates)
        for other in candidates
        where !known.contains(other) && client.connect(Connection(port: port, other: other)) {
            known.insert(other)
        }
        met[link] = known
    }

    /// Ports that are new begin anew.
    public mutating func begin(_ sides: Set<DirectStrip.Side>) {
        for link in met.keys where sides.contains(DirectStrip.Side(link.strip, isInput: link.isInput)) {
            met[link] = []
        }
    }

    /// Whether a link has what it is for.
    public func isMade(_ link: PortLink) -> Bool { met[link]?.isEmpty == false }

    /// Whether a connection is one that a session has its ports keep.
    public func hasMade(_ connection: Connection, _ session: Session) -> Bool {
        met.contains { link, others in
            others.contains(connection.other) && session.port(of: link) == connection.port
        }
    }

    /// The ports that `other` means: that one, all that match a pattern, or where there is none that of a
    /// client of the same name with another number, as `vm-01:to_slave_1` for `vm:to_slave_1`.
    public static func candidates(for other: String, among ports: [String]) -> [String] {
        if ports.contains(other) { return [other] }
        if OSCPattern.isPattern(other), let pattern = OSCPattern(other) {
            return ports.filter { pattern.matches($0) }
        }
        guard let wanted = parts(other) else { return [] }
        let base = unnumbered(wanted.client)
        return Array(
            ports.filter { port in
                guard let there = parts(port) else { return false }
                return there.port == wanted.port && unnumbered(there.client) == base
            }.prefix(1))
    }

    private static func parts(_ port: String) -> (client: Substring, port: Substring)? {
        port.firstIndex(of: ":").map { (port[..<$0], port[port.index(after: $0)...]) }
    }

    /// `vm` of `vm-01`.
    private static func unnumbered(_ client: Substring) -> Substring {
        guard let dash = client.lastIndex(of: "-") else { return client }
        let number = client[client.index(after: dash)...]
        return !number.isEmpty && number.allSatisfy(\.isNumber) ? client[..<dash] : client
    }
}
