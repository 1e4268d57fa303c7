import Timeline

/// Losses that the log was told of, each with the time, in nanoseconds: they are told once a second at most.
struct LoggedLosses {
    /// How many frames could not be recorded.
    var frames = 0
    var framesAt: UInt64 = 0
    /// How many samples came in for tracks and were no numbers.
    var silenced: [StripID: Int] = [:]
    var silencedAt: UInt64 = 0
}
