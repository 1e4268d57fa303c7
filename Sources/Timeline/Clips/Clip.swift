import Files
import JSON
import Speakers

/// A range of a file, placed on a track.
public struct Clip: Equatable, Sendable {
    /// As written in the session: relative to its folder, or absolute.
    public var file: FilePath
    /// Where it begins on the timeline.
    public var at = MediaTime.zero
    /// Where in the file begins what it plays, in the file's time.
    public var from = MediaTime.zero
    /// How much of the file it plays, in the file's time; nil is to the end of the file.
    public var duration: MediaTime?
    /// Which channels of the file are left and right, from 1; nil takes a mono file to both sides, a stereo
    /// one as it is.
    public var channels: ChannelPair?
    /// Which sound of its file, from 1: a movie may have several.
    public var stream = 1
    /// How fast it plays its file, one of `speeds`, in millionths.
    public var speed: Double {
        get { Double(millionths) / 1_000_000 }
        set {
            millionths =
                newValue.isNaN
                ? 1_000_000
                : Int32(
                    (min(max(newValue, Self.speeds.lowerBound), Self.speeds.upperBound) * 1_000_000).rounded()
                )
        }
    }
    /// The same, as it is counted.
    public private(set) var millionths: Int32 = 1_000_000
    /// By how many semitones it is higher than its file, one of `pitches`.
    public var pitch = 0.0
    /// Its pitch goes with its speed, as a tape's does.
    public var isTape = false
    /// What it plays of its file is heard from the end to the beginning.
    public var isReversed = false
    /// What changes its speed and its pitch, unless that is a tape.
    public var stretcher = Stretcher.soundtouch
    /// What its samples are multiplied by before all else: linear, 0 to 4.
    public var gain = 1.0
    /// From silence, beginning where the clip begins.
    public var fadeIn = ClipFade()
    /// To silence, ending where the clip ends.
    public var fadeOut = ClipFade()
    /// By how much later on the timeline it was heard live than it lies: of a take, which lies where the
    /// sound was played to that it came in with. Zero for what was not recorded here.
    public var aired = MediaTime.zero
    /// No latency is longer.
    public static let longestAired = MediaTime(seconds: 20)
    /// By how much it overlaps the clip before it, which falls while this one rises; zero: it does not.
    public var crossfade = ClipFade(curve: .equalpower)
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// All of a file, from zero on.
    public init(file: FilePath) { self.file = file }
    /// All of a file, from zero on, by its name.
    public init(file: String) { self.init(file: FilePath(file)) }
}
