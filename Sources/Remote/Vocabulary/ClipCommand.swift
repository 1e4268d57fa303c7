import OSC
import Speakers
import Timeline

/// What can be done with the clips of a track; they count from 1.
public enum ClipCommand: Equatable, Sendable {
    case list
    /// Where it has no clip for at least so long, from that time on.
    case gaps(atLeast: TimeSpec?, from: TimeSpec?)
    /// Where the track ends.
    case append(file: String, from: TimeSpec?, duration: TimeSpec?, crossfade: Crossfade?)
    /// One file behind the other, where the track ends; a folder is all files in it that can be played.
    case playlist([String], crossfade: Crossfade?)
    case split(Place)
    case move(Int, to: Place, push: Bool, crossfade: Crossfade?)
    /// What its samples are multiplied by before all else.
    case gain(Int, Double)
    /// How it plays its file: it begins where it did.
    case pace(Int, ClipPace, ControlValue)
    /// Moves its gain, speed or pitch from where it stands.
    case step(Int, ClipNumber, Step)
    /// Takes it away; what lies behind stays.
    case remove(Int)
    /// Has it begin and end elsewhere; what is heard in between stays where it is.
    case trim(Int, from: TimeSpec, to: TimeSpec)
    case fade(Int, ClipEdge, TimeSpec, Curve)
    /// Takes out the pauses.
    case stripSilence(StripSilence)
    /// Plays it so many times more, each where the one before ends.
    case `repeat`(Int, times: Int, push: Bool)
    /// Opens a silence; what lies behind moves back.
    case silence(at: TimeSpec, duration: TimeSpec)
    /// Takes out a range; what lies behind closes the gap unless that is kept. Of all tracks it is taken out
    /// of automation and markers too, unless those are kept.
    case removeRange(from: TimeSpec, to: TimeSpec, keepsGap: Bool, keepsAutomation: Bool)
}
