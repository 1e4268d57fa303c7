import Timeline

/// Losses that the log was told of. It is told once a second at most; times are in nanoseconds.
struct LoggedLosses {
    /// How many frames could not be recorded.
    var frames = 0
    /// When the log was told of them last.
    var framesAt: UInt64 = 0
    /// How many samples came in for tracks and were no numbers.
    var silenced: [StripID: Int] = [:]
    /// When it was looked for such samples last.
    var silencedAt: UInt64 = 0
}
