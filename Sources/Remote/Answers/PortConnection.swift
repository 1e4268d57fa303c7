import JSON

/// A port of the mixer and what it plays into.
public struct PortConnection: Equatable, Sendable, JSONForm {
    public private(set) var port = ""
    public private(set) var other = ""
    /// Connected now; false: waiting for the other port.
    public private(set) var isMade = false

    public init() {}

    public init(port: String, other: String, isMade: Bool) {
        (self.port, self.other, self.isMade) = (port, other, isMade)
    }

    public static let fields: [JSONField<Self>] = [
        JSONField("port", \.port), JSONField("other", \.other), JSONField("connected", \.isMade),
    ]
}

extension Answer {
    public static let connections = AnswerKind("/connections", .document) { (made: [PortConnection]) in
        if made.isEmpty { return ["nothing is connected"] }
        return table(["port", "to", ""], made.map { [$0.port, $0.other, $0.isMade ? "" : "not there yet"] })
    }
}
