import OSC
import Speakers
import Timeline

/// Everything that a person or a controller can ask of the mixer. The shell, the REPL and OSC only translate
/// to and from it.
public enum Command: Equatable, Sendable {
    // The controls of strips.
    case ask(StripReference, Control)
    case set(StripReference, Control, ControlValue)
    /// The fader glides, or another control that can.
    case fade(StripReference, Control, to: Double, over: TimeSpec, curve: Curve)
    /// The same to where a step leads from where it stands.
    case fadeBy(StripReference, Control, Step, over: TimeSpec, curve: Curve)
    /// A control moves from where it stands, to the end of its range at the most.
    case nudge(StripReference, Control, by: Step)

    // The timeline: points and ramps of a control.
    case point(StripReference, Control, value: Double, at: TimeSpec, replace: Bool)
    case ramp(
        StripReference, Control, from: Double, to: Double, start: TimeSpec, end: TimeSpec, curve: Curve,
        replace: Bool)
    case automation(StripReference, Control)
    /// Without times: all of it.
    case clearAutomation(StripReference, Control, from: TimeSpec?, to: TimeSpec?)
    /// The event of that number, from 1.
    case removeEvent(StripReference, Control, Int)
    case moveEvent(StripReference, Control, Int, to: TimeSpec, replace: Bool)
    case duck(StripReference, under: StripReference, to: Double, attack: TimeSpec?, release: TimeSpec?)
    /// The same by the level of a strip.
    case duckBySignal(StripReference, under: StripReference, to: Double, SignalDuckWords)
    /// A button that lowers it: the control `duck`.
    case duckByHand(StripReference, to: Double, attack: TimeSpec?, release: TimeSpec?)

    // Buses, sends, DCAs.
    case buses
    /// A bus of that name, with those channels.
    case addBus(String, SpeakerLayout)
    case sends(StripReference)
    /// Some of the level, the tap and the matrix of a send at once.
    case send(StripReference, Selector, [SendSetting])
    case removeSend(StripReference, Selector)
    case askEqualiser(StripReference)
    case equalise(StripReference, EqualiserChange)
    /// What a bus or the master measures; or from now on.
    case askLoudness(StripReference)
    case resetLoudness(StripReference)
    /// In LU, between soft and loud parts.
    case askLoudnessRange(StripReference)
    /// Levels at frequencies a sixth of an octave apart.
    case askSpectrum(StripReference)
    /// The highest peak since the reset, and how often it was above full scale.
    case askPeak(StripReference)
    case resetPeak(StripReference)
    case askDynamics(StripReference, DynamicsKind)
    case setDynamics(StripReference, DynamicsKind, DynamicsChange)
    case dcas
    /// What solo does; nil asks.
    case soloMode(SoloMode?)
    case directOuts(DirectOutMode?)
    case muteGroups
    case ducks
    /// One of that name.
    case muteGroup(String, MuteGroupChange)
    case askAutomix(StripReference)
    /// These settings of a bus, or of what goes there, as one step.
    case automix(StripReference, member: StripReference?, [AutomixSetting])
    case clearAutomix(StripReference)
    /// The sound in the control room; nil asks.
    case monitoring(MonitorControl, ControlValue?)
    case nudgeMonitor(MonitorControl, by: Step)
    /// Whether inputs are replaced by what they have recorded; nil asks.
    case soundcheck(Bool?)
    /// A DCA of that name, with what hangs on it.
    case addDCA(String, [StripReference])
    /// Hangs strips on a DCA, or takes them off.
    case assign(StripReference, [StripReference], Bool)

    // Inputs.
    /// A track of that name that hears these ports.
    case addInput(String, InputPorts)
    case askInput(StripReference)
    /// nil takes it away.
    case input(StripReference, InputPorts?)
    /// Whether armed tracks record; nil asks.
    case record(Recording?)
    /// Whether any does so at this moment.
    case recording

    // Tracks and clips.
    case add(file: String, at: Place?)
    /// With `push` what lies there and behind makes room.
    case insert(
        StripReference, file: String, at: Place, from: TimeSpec?, duration: TimeSpec?, push: Bool,
        crossfade: Crossfade?)
    case clips(StripReference, ClipCommand)
    case remove(StripReference)

    // The transport.
    case play
    /// With a time the sum of all fades to silence first; the faders stay.
    case stop(over: TimeSpec?)
    /// The same, and what waits for its time is forgotten.
    case panic(over: TimeSpec?)
    /// Whether a panic holds; false ends it, nil asks.
    case silenced(Bool?)
    case locate(Place)
    case loop(from: TimeSpec, to: TimeSpec)
    /// From the start of the timeline to the end of the last clip.
    case loopOn
    case loopOff
    case askLoop
    /// Whether it stops where the last clip ends; nil asks.
    case stopAtEnd(Bool?)
    case position
    case state

    // The ports on the server.
    case connections
    case ports
    /// A port of the mixer, as "master_1", to another client's: now, or when that is there.
    case connect(port: String, to: String)
    /// From one other port, or from all.
    case disconnect(port: String, from: String?)

    // The whole.
    case tracks
    case status
    case version
    case save(String?)
    case load(String)
    /// The sessions beside this one.
    case sessions
    /// An empty session, not saved yet.
    case new
    /// Copies the session and all its files to a folder; nil asks how far that is.
    case collect(String?)
    /// Files that are missing, and where files of their names are.
    case missing
    /// Every clip of the first file plays the second.
    case relink(String, to: String)
    /// The mixer ends, as it does by Ctrl-C.
    case quit
    case undo
    case redo
    /// The steps that can be taken back or made again.
    case history
    /// Which state of the timeline this is, and what undo and redo would do.
    case edition
    case scene(SceneCommand)
    case marker(MarkerCommand)
    case video(VideoCommand)
    case midi(MIDICommand)
    /// What one line of the shell says that is several commands.
    indirect case several([Command])
    /// Answered when all that came before it is done.
    case ping(Int32?)
    /// Changes of what matches the pattern go to whoever asks, for a while; without a pattern all.
    case subscribe(pattern: String, rate: Int?)
    /// Without a pattern: all subscriptions of whoever asks.
    case unsubscribe(pattern: String?)
    /// Forgets what waits for its time.
    case clear
    /// What an address is for; without one all of them.
    case help(String?)
    case miniMix(MiniMixCommand)
    /// A button was let go.
    case nothing

    // Only for scripts: the shell itself carries them out.
    case wait(TimeSpec)
    /// Until the playhead is there.
    case waitUntil(TimeSpec)
}

extension Command {
    /// Sets or, without a value, asks.
    static func control(_ strip: StripReference, _ control: Control, _ value: ControlValue?) -> Command {
        value.map { .set(strip, control, $0) } ?? .ask(strip, control)
    }
}

/// The version of both programs.
public let programVersion = "0.1.0"
