import JSON
import Timeline

/// A track at a glance.
public struct TrackSummary: Equatable, Sendable, JSONForm {
    public private(set) var number = 0
    public private(set) var name = ""
    /// Where the fader stands at this moment, which a fade may be moving.
    public private(set) var fader = 1.0
    public private(set) var pan = 0.0
    public private(set) var mute = false
    public private(set) var solo = false
    /// Where its sound goes: a bus by its name, `master`, `none` or `ports`.
    public private(set) var output = ""
    /// How many sends it has.
    public private(set) var sends = 0
    public private(set) var trim = 1.0
    public private(set) var polarity = false
    public private(set) var soloSafe = false
    public private(set) var fadeIn = MediaTime.zero
    public private(set) var fadeOut = MediaTime.zero
    /// nil: none.
    public private(set) var input: Input?
    public private(set) var monitor = Monitor.auto
    public private(set) var isArmed = false
    public private(set) var channels = 0
    /// How many clips it has, and how many points and ramps of its volume.
    public private(set) var clips = 0
    public private(set) var events = 0
    /// Those of its first clips.
    public private(set) var files: [String] = []

    /// Files of so many clips are named.
    private static let maximumFiles = 16

    public init() {}

    public init(number: Int, track: Track, fader: Double, output: String) {
        (self.number, self.fader, self.output) = (number, fader, output)
        (name, pan, mute, solo) = (track.name, track.pan, track.mute, track.solo)
        (sends, trim, polarity, soloSafe) = (track.sends.count, track.trim, track.polarity, track.soloSafe)
        (fadeIn, fadeOut) = (track.fadeIn, track.fadeOut)
        (input, monitor, isArmed) = (track.input, track.monitor, track.isArmed)
        (channels, clips, events) = (
            track.layout.channels, track.clips.count, track.automation.events.count
        )
        files = track.clips.prefix(Self.maximumFiles).map(\.file.text)
    }

    public static let fields: [JSONField<Self>] = [
        JSONField("number", \.number), JSONField("name", \.name), JSONField("fader", \.fader),
        JSONField("pan", \.pan), JSONField("mute", \.mute), JSONField("solo", \.solo),
        JSONField("output", \.output), JSONField("sends", \.sends), JSONField("trim", \.trim),
        JSONField("polarity", \.polarity), JSONField("soloSafe", \.soloSafe), JSONField("fadeIn", \.fadeIn),
        JSONField("fadeOut", \.fadeOut), JSONField("input", \.input), JSONField("monitor", \.monitor),
        JSONField("arm", \.isArmed), JSONField("channels", \.channels), JSONField("clips", \.clips),
        JSONField("events", \.events), JSONField("files", \.files),
    ]
}
