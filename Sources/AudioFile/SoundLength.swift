/// How long a sound is, in frames at its own rate.
public enum SoundLength: Equatable, Sendable {
    /// Exact.
    case known(Int64)
    /// A guess, as long as not all of it has been decoded. It does for what is shown, and for what is played
    /// meanwhile; what is cut or placed by it would be wrong.
    case estimate(Int64)

    /// The exact length; nil where there is but a guess.
    public var known: Int64? { if case .known(let frames) = self { frames } else { nil } }

    /// The exact length, or the guess.
    public var presumed: Int64 {
        switch self {
        case .known(let frames), .estimate(let frames): frames
        }
    }

    /// A guess that is no shorter than what is there already.
    func atLeast(_ frames: Int64) -> SoundLength {
        if case .estimate(let guess) = self { .estimate(max(guess, frames)) } else { self }
    }

    /// The length of what is made of the sound.
    func map(_ change: (Int64) -> Int64) -> SoundLength {
        switch self {
        case .known(let frames): .known(change(frames))
        case .estimate(let frames): .estimate(change(frames))
        }
    }
}
