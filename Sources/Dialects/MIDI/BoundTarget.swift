import Remote
import Timeline

/// A binding as it is at present: the strip that it is of has a number.
public struct BoundTarget: Equatable, Sendable {
    public enum Action: Equatable, Sendable {
        case control(StripPlace, Control)
        case command(Command)
    }

    public let source: MIDISource
    public let action: Action
    public let mode: MIDIBinding.Mode

    public init(_ source: MIDISource, _ action: Action, _ mode: MIDIBinding.Mode) {
        (self.source, self.action, self.mode) = (source, action, mode)
    }
}

extension BoundTarget: Hashable {
    /// By the message, of which there is mostly one.
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}
