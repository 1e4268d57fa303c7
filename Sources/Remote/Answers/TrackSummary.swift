import JSON
import Timeline

/// A track at a glance.
@dynamicMemberLookup
public struct TrackSummary: Equatable, Sendable, JSONForm {
    private var strip = StripSummary()
    public private(set) var fadeIn = MediaTime.zero
    public private(set) var fadeOut = MediaTime.zero
    /// nil: none.
    public private(set) var input: Input?
    public private(set) var monitor = Monitor.auto
    public private(set) var isArmed = false
    /// How many clips it has.
    public private(set) var clips = 0
    /// Those of its first clips.
    public private(set) var files: [String] = []

    /// The files of so many clips are named.
    private static let maximumFiles = 16

    public init() {}

    public init(number: Int, track: Track, fader: Double, output: String) {
        strip = StripSummary(number: number, strip: track.strip, fader: fader, output: output)
        (fadeIn, fadeOut) = (track.fadeIn, track.fadeOut)
        (input, monitor, isArmed) = (track.input, track.monitor, track.isArmed)
        clips = track.clips.count
        files = track.clips.prefix(Self.maximumFiles).map(\.file.text)
    }

    public subscript<Value>(dynamicMember path: KeyPath<StripSummary, Value>) -> Value {
        strip[keyPath: path]
    }

    public static let fields: [JSONField<Self>] =
        StripSummary.fields.map { $0.of(\.strip) } + [
            JSONField("fadeIn", \.fadeIn), JSONField("fadeOut", \.fadeOut), JSONField("input", \.input),
            JSONField("monitor", \.monitor), JSONField("arm", \.isArmed),
            JSONField("channels", \.strip.channels), JSONField("clips", \.clips),
            JSONField("events", \.strip.events),
            JSONField("files", \.files).described("Those of its first \(maximumFiles) clips."),
        ]
}

extension Answer {
    public static let tracks = AnswerKind("/tracks", .document) { (tracks: [TrackSummary]) in
        let hasInputs = tracks.contains { $0.input != nil }
        let isRouted = tracks.contains { $0.output != "master" || $0.sends > 0 }
        return table(
            ["#", "name", "fader", "level", "pan", "mute", "solo", "clips", "events"]
                + (hasInputs ? ["input", "arm"] : []) + (isRouted ? ["output", "sends"] : []),
            tracks.map { track in
                track.columns + (hasInputs ? [track.inputPorts, track.isArmed.word] : [])
                    + (isRouted ? [track.output, "\(track.sends)"] : [])
            })
    }
}

extension TrackSummary {
    /// What each track has.
    fileprivate var columns: [String] {
        faderColumns(strip.number, strip.name, strip.fader)
            + [strip.pan.short, strip.mute.word, strip.solo.word, "\(clips)", "\(strip.events)"]
    }

    /// The ports that it is connected to, or how many channels wait for one.
    fileprivate var inputPorts: String {
        guard let input else { return "" }
        let ports = input.connect.filter { !$0.isEmpty }
        return ports.isEmpty ? "\(input.channels) unconnected" : ports.joined(separator: ", ")
    }
}
