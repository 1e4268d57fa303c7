import JSON

/// A port of a strip, and what it is connected to whenever that is there.
public struct PortLink: Sendable {
    /// A track, a bus, the master, what is on solo, or MIDI.
    public internal(set) var strip: StripID
    /// Which of its channels, from 1: as those of its layout, 1 is left, 2 right.
    public internal(set) var side: Int
    /// It is a port that the strip hears, and not one that it is heard by.
    public internal(set) var isInput: Bool
    /// A port of another client, as "system:playback_1", or a pattern of such: `?` `*` `[]` `{}`.
    public internal(set) var other: String
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// A bound for what a remote control may make the mixer look for.
    public static let maximum = 1024

    /// Of one of a strip's ports.
    public init(strip: StripID, side: Int, isInput: Bool = false, other: String) {
        (self.strip, self.side, self.isInput, self.other) = (strip, side, isInput, other)
    }

    /// Whether it is of the same two ends.
    func joins(_ link: PortLink) -> Bool {
        strip == link.strip && side == link.side && isInput == link.isInput && other == link.other
    }
}

extension PortLink {
    /// Which port of the mixer's own it is.
    public typealias End = (strip: StripID, side: Int, isInput: Bool)
}

extension PortLink: Hashable {
    /// Two ends are what makes a connection.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(strip)
        hasher.combine(side)
        hasher.combine(isInput)
        hasher.combine(other)
    }

    /// The same two ends, and the same unknown fields.
    public static func == (a: PortLink, b: PortLink) -> Bool { a.joins(b) && a.unknown == b.unknown }
}

extension Session {
    /// All that its ports are to be connected to: what inputs say, and what was connected beside that.
    public var links: [PortLink] {
        var links: [PortLink] = []
        // Asked often: a track without an input is not copied.
        for index in tracks.indices {
            guard let connect = tracks[index].input?.connect else { continue }
            for (side, other) in connect.enumerated() where !other.isEmpty {
                links.append(PortLink(strip: tracks[index].id, side: side + 1, isInput: true, other: other))
            }
        }
        return links + connections
    }

    /// Takes away a connection, wherever it is said.
    public mutating func removeConnection(_ link: PortLink) {
        connections.removeAll { $0.joins(link) }
        guard link.isInput, let index = index(of: link.strip), let input = tracks[index].input,
            input.connect.indices.contains(link.side - 1), input.connect[link.side - 1] == link.other
        else { return }
        tracks[index].input?.connect[link.side - 1] = ""
    }

    /// Takes a track's input away, with all that it was connected to; it is not armed any more.
    public mutating func removeInput(ofTrack index: Int) {
        let id = tracks[index].id
        connections.removeAll { $0.isInput && $0.strip == id }
        (tracks[index].input, tracks[index].isArmed) = (nil, false)
    }

    /// What a link's port is called without the client's name, as "voice_1" or "mic_in_1"; nil for a strip
    /// that is not there.
    public func port(of link: PortLink) -> String? { StripNames(self).port(of: link) }

    /// Whose port has that name, or would have it if its strip had ports.
    public func end(ofPort port: String) -> PortLink.End? {
        StripNames(self).end(ofPort: port).flatMap {
            hasPort(PortLink(strip: $0.strip, side: $0.side, isInput: $0.isInput, other: "")) ? $0 : nil
        }
    }

    /// Whether its strip has so many channels, or its input; two may be connected of any.
    func hasPort(_ link: PortLink) -> Bool {
        if link.strip == .midi { return link.side <= 1 + MIDIMap.maximumUnits }
        let input = index(of: link.strip).flatMap { tracks[$0].input?.channels } ?? 2
        return link.side <= max(2, link.isInput ? input : layout(of: link.strip).channels)
    }

    /// Connects a port, if it is not; false where there are as many connections as there may be.
    public mutating func addConnection(_ link: PortLink) -> Bool {
        if links.contains(where: link.joins) { return true }
        if connections.count >= PortLink.maximum { return false }
        connections.append(link)
        return true
    }
}
