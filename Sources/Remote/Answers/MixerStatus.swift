import JSON
import Timeline

/// The mixer at a glance.
public struct MixerStatus: Equatable, Sendable, JSONForm {
    /// How the audio thread keeps time.
    public struct Callback: Equatable, Sendable {
        public var periods = 0
        public var late = 0
        public var times = Times()

        public init() {}

        /// How long it takes, in microseconds.
        public struct Times: Equatable, Sendable, JSONForm {
            public var median = 0
            /// 999 of 1000 take no longer.
            public var percentile999 = 0
            public var longest = 0.0

            public init() {}

            public static let fields: [JSONField<Self>] = [
                JSONField("median", \.median), JSONField("percentile999", \.percentile999),
                JSONField("longest", \.longest),
            ]
        }
    }

    /// The JACK server that it plays on.
    public struct Server: Equatable, Sendable {
        public var isRunning = false
        public var name = ""
        public var sampleRate: Int32 = 0
        public var period = 0
        public var xruns = 0
        public var callback = Callback()
        /// Frames until what leaves the ports is heard.
        public var latency = 0
        /// The audio thread has real-time priority.
        public var isRealtime = false

        public init() {}
    }

    /// How a track's stream fares.
    public struct Stream: Equatable, Sendable, JSONForm {
        /// The number of the track.
        public private(set) var track = 0
        public private(set) var dropouts = 0
        /// The fewest frames that were read ahead when they were wanted.
        public private(set) var lowestFill = 0

        public init() {}

        public init(track: Int, dropouts: Int, lowestFill: Int) {
            (self.track, self.dropouts, self.lowestFill) = (track, dropouts, lowestFill)
        }

        public static let fields: [JSONField<Self>] = [
            JSONField("track", \.track), JSONField("dropouts", \.dropouts),
            JSONField("lowestFill", \.lowestFill),
        ]
    }

    /// A file whose sound is still being decoded.
    public struct Decoding: Equatable, Sendable, JSONForm {
        public private(set) var path = ""
        /// What can be played by now, 0 to 1.
        public private(set) var share = 0.0

        public init() {}

        public init(path: String, share: Double) { (self.path, self.share) = (path, share) }

        public static let fields: [JSONField<Self>] = [
            JSONField("file", \.path), JSONField("done", \.share),
        ]
    }

    public var server = Server()
    public var decoding: [Decoding] = []
    /// Edits that wait until it is known how long those files are.
    public var waitingEdits = 0
    public var isRolling = false
    /// At the session's rate.
    public var frame: Int64 = 0
    public var seconds = 0.0
    public var dropouts = 0
    public var isMemoryLocked = false
    /// nil: not saved yet.
    public var session: String?
    public var hasUnsavedChanges = false
    /// Where the last clip ends, in seconds.
    public var end = 0.0
    public var sessionRate: Int32 = 0
    public var tracks = 0
    public var buses = 0
    public var dcas = 0
    /// Armed tracks record while it rolls.
    public var isRecording = false
    /// A panic holds the mix silent.
    public var isSilenced = false
    /// What inputs have recorded is heard in their place.
    public var isSoundcheck = false
    /// Frames that could not be recorded because the disk was late.
    public var lostFrames = 0
    /// Samples that came in and were no numbers: silence is in their place.
    public var silencedSamples = 0
    /// What the disk has left that takes go to; nil: it has not said so yet.
    public var freeBytes: Int64?
    /// How many seconds fit there of the armed tracks, or of all inputs if none is armed; nil without inputs.
    public var recordingSeconds: Double?
    /// The mixer's.
    public var version = ""
    /// One for each track.
    public var streams: [Stream] = []

    public init() {}

    public static let fields: [JSONField<Self>] = [
        JSONField("state", \.state), JSONField("frame", \.frame), JSONField("seconds", \.seconds),
        JSONField("sampleRate", \.server.sampleRate).described("The server's."),
        JSONField("period", \.server.period),
        JSONField("latency", \.server.latency), JSONField("xruns", \.server.xruns),
        JSONField("dropouts", \.dropouts), JSONField("periods", \.server.callback.periods),
        JSONField("latePeriods", \.server.callback.late),
        JSONField("callbackMicroseconds", \.server.callback.times),
        JSONField("realtime", \.server.isRealtime), JSONField("memoryLocked", \.isMemoryLocked),
        JSONField("tracks", \.tracks), JSONField("buses", \.buses), JSONField("dcas", \.dcas),
        JSONField("recording", \.isRecording).described(
            "Armed tracks record while it rolls; /recording says whether any does now."),
        JSONField("soundcheck", \.isSoundcheck).described(
            "What inputs have recorded is heard in their place."),
        JSONField("silenced", \.isSilenced).described("A panic holds the mix silent."),
        JSONField("lostFrames", \.lostFrames).described(
            "Frames that could not be recorded because the disk was late."),
        JSONField("silencedSamples", \.silencedSamples).described(
            "Samples that came in and were no numbers: silence is in their place."),
        JSONField("freeBytes", \.freeBytes).described(
            "What the disk has left that takes go to; null until it has said so."),
        JSONField("recordingSeconds", \.recordingSeconds).described(
            "How long what is armed can be recorded, or else all inputs; null without inputs."),
        JSONField("server", \.server.isRunning),
        JSONField("serverName", \.server.name), JSONField("session", \.session),
        JSONField("unsaved", \.hasUnsavedChanges), JSONField("end", \.end),
        JSONField("sessionRate", \.sessionRate), JSONField("version", \.version),
        JSONField("decoding", \.decoding).described(
            "Files whose sound is being decoded, and the share that can be played by now."),
        JSONField("waitingEdits", \.waitingEdits).described(
            "Edits that wait until it is known how long those files are."),
        JSONField("streams", \.streams),
    ]

    private var state: TransportWord {
        get { TransportWord(isRolling: isRolling) }
        set { isRolling = newValue == .rolling }
    }
}

extension Answer {
    public static let status = AnswerKind("/status", .document, lines: MixerStatus.lines)
}

extension MixerStatus {
    /// As a person reads it.
    fileprivate static func lines(_ status: MixerStatus) -> [String] {
        let times = status.server.callback.times
        // A track that has nothing but an input reads nothing ahead.
        let fill = status.streams.filter { $0.lowestFill > 0 || $0.dropouts > 0 }.map(\.lowestFill).min()
        let session =
            (status.session ?? "not saved yet") + (status.hasUnsavedChanges ? ", with unsaved changes" : "")
        let (word, place) = (TransportWord(isRolling: status.isRolling), Readable.clock(status.seconds))
        let transport = "\(word.rawValue) at \(place) of \(Readable.clock(status.end))"
        let recording = status.isRecording ? "armed tracks, while it rolls" : "off"
        let (tail, longest) = (times.percentile999, times.longest.short)
        let callback = "\(times.median) us, 999 of 1000 within \(tail), the longest \(longest)"
        let realtime = "\(status.server.isRealtime.word), memory locked: \(status.isMemoryLocked.word)"
        let lines =
            [
                ("mixer", "jmix \(status.version)"), ("JACK server", line(status.server)),
                ("session", session), ("transport", transport),
                ("tracks", "\(status.tracks)" + (fill.map { ", at least \($0) frames read ahead" } ?? "")),
                ("recording", ([recording] + disk(status)).joined(separator: ", ")),
                ("dropouts", "\(status.dropouts), and \(status.server.xruns) xruns of the server"),
                ("callback", callback),
                ("periods", "\(status.server.callback.periods), \(status.server.callback.late) of them late"),
                ("realtime", realtime),
            ] + passing(status)
        return lines.map { "\($0.padded(13))\($1)" }
    }

    private static func line(_ server: MixerStatus.Server) -> String {
        if !server.isRunning { return "waiting for '\(server.name)'" }
        return
            """
            '\(server.name)', \(server.sampleRate) Hz, \(server.period) frames a period, heard \
            \(server.latency) frames later
            """
    }

    /// What is said while it lasts.
    private static func passing(_ status: MixerStatus) -> [(String, String)] {
        var lines: [(String, String)] = []
        if !status.decoding.isEmpty {
            let files = status.decoding.map { "\($0.path) (\(percent($0.share)))" }
            lines.append(("decoding", files.joined(separator: ", ")))
        }
        if status.waitingEdits > 0 {
            let edits = "\(status.waitingEdits) \(status.waitingEdits == 1 ? "edit" : "edits")"
            lines.append(("waiting", "\(edits), until that is decoded"))
        }
        if status.isSilenced {
            lines.append(("mix", "silenced by a panic: play, stop or panic off ends that"))
        }
        return lines
    }

    /// What is free where takes go, and for how long that is enough; empty where nobody knows.
    private static func disk(_ status: MixerStatus) -> [String] {
        guard let bytes = status.freeBytes else { return [] }
        let free = "\((Double(bytes) / 1e8).rounded() / 10) GB free"
        guard let seconds = status.recordingSeconds else { return [free] }
        let minutes = Int(max(0, min(seconds, MediaTime.latest.seconds)) / 60)
        return ["\(free), enough to record for \(minutes / 60) h \(minutes % 60) min"]
    }
}
