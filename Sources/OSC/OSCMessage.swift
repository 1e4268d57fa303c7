/// An OSC message: an address and its arguments.
public struct OSCMessage: Equatable, Sendable {
    public var address: String
    public var arguments: [OSCArgument]

    public init(_ address: String, _ arguments: OSCArgument...) { self.init(address, arguments) }

    public init(_ address: String, _ arguments: [OSCArgument]) {
        self.address = address
        self.arguments = arguments
    }
}

extension OSCMessage {
    /// Whether it is what a mixer says of itself: two that refuse it to each other would never end.
    public var isAnswer: Bool { Self.answers.contains(address) }
    private static let answers: Set = ["/error", "/note", "/notice", "/pong"]
}

extension OSCMessage: CustomStringConvertible {
    public var description: String { ([address] + arguments.map { "\($0)" }).joined(separator: " ") }
}
