import JSON

/// A port of a strip, and what it is connected to whenever that is there.
public struct PortLink: Sendable {
    /// A track, a bus, the master, or what is on solo.
    public internal(set) var strip: StripID
    /// 1 is left, 2 right.
    public internal(set) var side: Int
    /// A port of another client, as "system:playback_1", or a pattern of such: `?` `*` `[]` `{}`.
    public internal(set) var other: String
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// A bound for what a remote control may make the mixer look for.
    public static let maximum = 1024

    /// Of a strip's left port, 1, or its right one, 2.
    public init(strip: StripID, side: Int, other: String) { (self.strip, self.side, self.other) = (strip, side, other) }
}

extension PortLink: Hashable {
    /// Two ends are what makes a connection.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(strip)
        hasher.combine(side)
        hasher.combine(other)
    }

    /// The same two ends, and the same unknown fields.
    public static func == (a: PortLink, b: PortLink) -> Bool { a.strip == b.strip && a.side == b.side && a.other == b.other && a.unknown == b.unknown }
}

extension Session {
    /// What a link's port is called without the client's name, as "voice_1"; nil for a strip that is not there.
    public func port(of link: PortLink) -> String? { StripNames(self).port(of: link) }

    /// Whose port has that name, or would have it if its strip had ports.
    public func end(ofPort port: String) -> (strip: StripID, side: Int)? { StripNames(self).end(ofPort: port) }

    /// Connects a port, if it is not; false where there are as many connections as there may be.
    public mutating func addConnection(_ link: PortLink) -> Bool {
        if connections.contains(where: { $0.strip == link.strip && $0.side == link.side && $0.other == link.other }) { return true }
        if connections.count >= PortLink.maximum { return false }
        connections.append(link)
        return true
    }
}
