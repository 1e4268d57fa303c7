/// A hand on a control.
public struct DeskHold: Equatable, Sendable {
    public let number: Int

    public init(_ number: Int) { self.number = number }
}
