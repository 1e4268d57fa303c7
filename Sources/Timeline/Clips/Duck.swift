import Files
import JSON
import Speakers

/// Lowers one strip while another has a clip, or is heard.
///
/// By signal it opens at a frame where the other's level, the greatest of its channels before its automation
/// and its fader, is at the threshold, and closes where that was so for the last time more than `hold` ago.
/// While it is open the gain goes towards `to` by (1 - to) / attack in each frame, from the opening one on;
/// else back towards 1 by (1 - to) / release. With a look-ahead it goes at each frame by what is heard of the
/// other so much later.
public struct Duck: Equatable, Sendable {
    /// Who is lowered.
    public var track: StripID
    /// Whose clips lower it, or whose level; by hand itself.
    public var under: StripID
    /// What lowers it.
    public var trigger = Trigger.clips
    /// The volume under the other, linear, 0 to 4.
    public var to: Double
    /// How long it goes down: up to where a clip begins, or from where the other is loud enough.
    public var attack = Duck.defaultTime
    /// How long it comes back: from where a clip ends, or from where the other has been quiet for `hold`.
    public var release = Duck.defaultTime
    /// In dB: the level from which on a duck by signal is open.
    public var threshold = -40.0
    /// For so long a duck by signal stays open.
    public var hold = MediaTime(value: 300, timescale: 1000)
    /// By clips: tracks beside `under`. It is one duck, which holds while any of them has a clip.
    public var others: [StripID] = []
    /// All that it goes under.
    public var keys: [StripID] { [under] + others }
    /// By so much a duck by signal hears the other earlier than it is heard.
    public var lookahead = MediaTime.zero

    /// What lowers it.
    public enum Trigger: String, CaseIterable, Sendable {
        /// Where the other has a clip.
        case clips
        /// Where the other is loud.
        case signal
        /// While a hand says so: the gain goes in the same way, by (1 - to) / attack in each frame, and back
        /// by (1 - to) / release.
        case hand
    }

    /// It goes by signal from now on, with the attack of such ducks unless told.
    public mutating func goBySignal() { (trigger, attack) = (.signal, Self.signalAttack) }

    /// 10 ms: speech is under way when it is heard first.
    public static let signalAttack = MediaTime(value: 10, timescale: 1000)
    /// In dB.
    public static let thresholds = -120.0...24.0
    /// The longest look-ahead.
    public static let longestLookahead = MediaTime(value: 1, timescale: 1)
    /// So many ducks by signal may lower one strip: each costs time on the audio thread.
    public static let maximumBySignal = 16
    /// So many tracks one duck may go under.
    public static let maximumKeys = 64
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// Half a second.
    public static let defaultTime = MediaTime(value: 500, timescale: 1000)

    /// With the default times.
    public init(track: StripID, under: StripID, to: Double) {
        self.track = track
        self.under = under
        self.to = to
    }
}
