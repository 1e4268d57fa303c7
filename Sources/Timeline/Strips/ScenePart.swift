import JSON

/// What of a strip a scene can set by itself.
public enum ScenePart: String, CaseIterable, Sendable {
    /// The faders.
    case volume
    /// The balances.
    case pan
    /// Who is muted.
    case mute
    /// Levels, balances and mutes of sends that are there.
    case sends
    /// Gates, equalisers, compressors, delays and limiters; whose level they go by stays.
    case processors
    /// Trims and polarities.
    case trim
    /// Where tracks and buses go.
    case output
    /// Who is on solo.
    case solo
    /// What hangs on DCAs.
    case members
}
