import JSON

/// All that a strip's sound goes through behind its trim; what is there.
public struct Processors: Equatable, Sendable {
    /// What lowers it where it is quiet; nil: nothing.
    public var gate: Gate?
    /// What it is filtered by; nil: nothing.
    public var equaliser: Equaliser?
    /// What lowers it where it is loud; nil: nothing.
    public var compressor: Compressor?
    /// How much later it is heard, 0 to 2 s.
    public var delay = MediaTime.zero
    /// What keeps its peaks under a level; nil: nothing.
    public var limiter: Limiter?
    /// Fields of a scene in a file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// There is none.
    public var isEmpty: Bool { self == Processors() }
}
