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

extension OSCMessage: CustomStringConvertible {
    public var description: String { ([address] + arguments.map { "\($0)" }).joined(separator: " ") }
}
