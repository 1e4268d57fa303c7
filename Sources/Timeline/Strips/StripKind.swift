import JSON
import Speakers

/// The kinds of strips. Each counts its own from 1.
public enum StripKind: String, CaseIterable, Sendable {
    /// A strip with clips.
    case track
    /// A sum of strips.
    case bus
    /// A fader that others hang on.
    case dca
    /// The sum of all that goes nowhere else.
    case master
}
