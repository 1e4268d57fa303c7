import OSC
import Speakers
import Timeline

/// What JackMiniMix understands; channels are tracks, from 1.
public enum MiniMixCommand: Equatable, Sendable {
    case count
    /// In dB; nil asks.
    case gain(Int, Double?)
    case label(Int, String?)
}
