import Timeline

/// Losses that the log was told of. It is told once a second at most: of each kind there is the time when it
/// was looked at last, in nanoseconds.
struct LoggedLosses {
    /// How many frames could not be recorded.
    var frames = 0
    var framesAt: UInt64 = 0
    /// How many samples came in for tracks and were no numbers.
    var silenced: [StripID: Int] = [:]
    var silencedAt: UInt64 = 0
}
