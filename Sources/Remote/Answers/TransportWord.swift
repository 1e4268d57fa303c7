import JSON

/// The transport in a word.
public enum TransportWord: String, CaseIterable, Sendable, JSONCoded {
    case rolling, stopped

    public init(isRolling: Bool) { self = isRolling ? .rolling : .stopped }
}
