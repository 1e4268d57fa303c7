import Timeline

/// Everything that the mixer says to whoever asks. How it travels, as OSC or as JSON, is the affair of the
/// edge that asked.
public enum Answer: Equatable, Sendable {
    case control(StripPlace, Control, ControlValue)
    case automation(StripPlace, Control, Automation)
    /// Tracks count from 1.
    case clips(track: Int, [ClipSummary])
    /// A new strip, of a kind that counts from 1.
    case added(StripPlace)
    case buses([BusSummary])
    case dcas([DCASummary])
    case sends(StripPlace, [SendSummary])
    /// nil: there is none.
    case equaliser(StripPlace, Equaliser?)
    /// In LUFS over 400 ms, over 3 s and since the reset, and in dBTP; negative infinity for silence.
    case loudness(StripPlace, momentary: Double, shortTerm: Double, integrated: Double, truePeak: Double)
    /// In LU.
    case loudnessRange(StripPlace, Double)
    /// In dB, from 20 Hz on, a sixth of an octave apart.
    case spectrum(StripPlace, [Float])
    /// The highest absolute sample since the reset, linear, and how often it was above full scale.
    case peak(StripPlace, Float, overs: Int)
    /// nil: there is none.
    case dynamics(StripPlace, DynamicsKind, ProcessorSummary?)
    case soloMode(SoloMode)
    case directOuts(DirectOutMode)
    case muteGroups([MuteGroupSummary])
    case monitoring(MonitorControl, ControlValue)
    /// nil: it shares nothing out.
    case automix(StripPlace, AutomixSummary?)
    /// Inputs are replaced by what they have recorded.
    case soundcheck(Bool)
    /// A panic holds.
    case silenced(Bool)
    /// A new track with an input; it counts from 1.
    case addedInput(track: Int)
    /// nil: none.
    case input(track: Int, Input?)
    /// What armed tracks record while the transport rolls, in seconds where that is less than all.
    case record(isOn: Bool, ClosedRange<Double>?)
    /// Whether any is being recorded.
    case recording(Bool)
    /// In seconds; nil: no loop.
    case loop(ClosedRange<Double>?)
    /// The frame is at the session's rate.
    case position(frame: Int64, seconds: Double)
    case state(isRolling: Bool)
    case stopsAtEnd(Bool)
    case connections([PortConnection])
    case ports([ServerPort])
    case tracks([TrackSummary])
    case status(MixerStatus)
    /// The mixer's name and its version: "jmix 0.1.0".
    case version(String)
    case sessions([String])
    case midi(MIDISummary)
    case ducks([DuckSummary])
    /// The message that has come.
    case learned(MIDISource)
    case scenes([String])
    /// nil: there is none.
    case video(Video?)
    case markers([Marker])
    case collection(CollectionState)
    case missing([MissingFile])
    /// What was taken back, and what was made again.
    case undone(String)
    case redone(String)
    /// Oldest first; those taken back come last.
    case history([HistoryStep])
    /// A number that grows whenever the timeline, the markers, the scenes or the strips change, and what undo
    /// would take back and redo make again; empty for nothing.
    case edition(Int, undo: String, redo: String)
    case pong(Int32?)
    /// What else whoever asked should know: the command is done, but not all of it, or more than it says.
    case note(String)
    /// What all who have subscribed should know, with its level: warning or error.
    case notice(level: String, String)
}
