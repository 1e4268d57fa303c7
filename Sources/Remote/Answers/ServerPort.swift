import JSON

/// A port on the JACK server.
public struct ServerPort: Equatable, Sendable, JSONForm {
    public enum Medium: String, CaseIterable, Sendable, JSONCoded { case sound, midi }
    /// As JACK says it: an output gives, an input takes.
    public enum Direction: String, CaseIterable, Sendable, JSONCoded { case output, input }

    /// As `connect` takes it: of the mixer's own without the client's name.
    public private(set) var name = ""
    public private(set) var direction = Direction.output
    public private(set) var medium = Medium.sound
    public private(set) var isOwn = false
    /// The address of the strip whose port it is, or `/monitor`; nil for MIDI's, and for other programs'.
    public var owner: String?

    public init() {}

    public init(name: String, direction: Direction, medium: Medium, isOwn: Bool) {
        (self.name, self.direction, self.medium, self.isOwn) = (name, direction, medium, isOwn)
    }

    public static let fields: [JSONField<Self>] = [
        JSONField("port", \.name), JSONField("direction", \.direction), JSONField("medium", \.medium),
        JSONField("own", \.isOwn), JSONField("strip", ifAny: \.owner),
    ]
}

extension Answer {
    public static let ports = AnswerKind("/ports", .document) { (ports: [ServerPort]) in
        if ports.isEmpty { return ["there is no JACK server at present"] }
        return table(
            ["port", "", "carries", ""],
            ports.map {
                [$0.name, $0.direction.rawValue, $0.medium.rawValue, $0.isOwn ? "the mixer's" : ""]
            })
    }
}
