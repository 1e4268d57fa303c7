import AudioFile
import Speakers
import Timeline

/// Whose levels a line goes by.
struct LineKeys: Equatable {
    var gate: Key?
    var compressor: Key?
    /// Each under another.
    var ducks: [SignalDuck] = []
    /// What it shares with others by whose levels it goes; nil: nothing.
    var share: Share?

    /// How a strip takes part in an automix.
    struct Share: Equatable {
        /// The bus that shares out.
        let bus: StripID
        let weight: Double
        let pace: SharePace
    }

    /// A strip by whose level another goes.
    struct Key: Equatable {
        let strip: StripID
        /// For so many frames its level is held back, so that it comes with what goes by it.
        var wait: Int64 = 0
    }

    /// Those strips, each with how many frames earlier it is heard.
    var all: [(strip: StripID, lookahead: Int64)] {
        [gate, compressor].compactMap { $0.map { ($0.strip, 0) } }
            + ducks.map { ($0.key.strip, $0.lookahead) }
    }
}
