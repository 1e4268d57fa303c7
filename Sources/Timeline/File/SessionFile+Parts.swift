import JSON
import Speakers

/// Parts of a session that its file and answers say alike.
extension Clip: JSONCoded {
    public static let schema = SessionFile.clips.schema(Clip(file: ""))

    /// As the session's file has it.
    public var json: JSONValue { SessionFile.clips.json(self) }

    public init?(json: JSONValue) {
        guard let clip = SessionFile.clips.part(json, from: Clip(file: "")) else { return nil }
        self = clip
    }
}

extension Input: JSONCoded {
    public static let schema = SessionFile.inputs.schema(Input())

    /// As the session's file has it.
    public var json: JSONValue { SessionFile.inputs.json(self) }

    public init?(json: JSONValue) {
        guard let input = SessionFile.inputs.part(json, from: Input()) else { return nil }
        self = input
    }
}

extension Video: JSONCoded {
    public static let schema = SessionFile.videos.schema(Video(file: ""))

    /// As the session's file has it.
    public var json: JSONValue { SessionFile.videos.json(self) }

    public init?(json: JSONValue) {
        guard let video = SessionFile.videos.part(json, from: Video(file: "")) else { return nil }
        self = video
    }
}

extension Marker: JSONCoded {
    public static let schema = SessionFile.markers.schema(Marker(name: "", at: .zero))

    /// As the session's file has it.
    public var json: JSONValue { SessionFile.markers.json(self) }

    public init?(json: JSONValue) {
        guard let marker = SessionFile.markers.part(json, from: Marker(name: "", at: .zero)) else {
            return nil
        }
        self = marker
    }
}

extension Equaliser: JSONCoded {
    public static let schema = SessionFile.equalisers.schema(Equaliser())

    /// As the session's file has it.
    public var json: JSONValue { SessionFile.equalisers.json(self) }

    public init?(json: JSONValue) {
        guard let equaliser = SessionFile.equalisers.part(json, from: Equaliser()) else { return nil }
        self = equaliser
    }
}

extension MediaTime: JSONCoded {
    /// In seconds: 5s, 0.5s, 1/3.
    public static let schema = JSONSchema.text(like: "^-?[0-9]+(\\.[0-9]+|/[0-9]+)?s?$")
        .described("Exact, in seconds: 5s, 0.5s, 1/3.")

    /// As the session's file has it.
    public var json: JSONValue { .time(self) }

    public init?(json: JSONValue) {
        guard let text = json.stringValue, let time = try? TimeSpec.exact(text) else { return nil }
        self = time
    }
}

extension Monitor: JSONCoded {}

extension SpeakerLayout {
    /// How many channels it has.
    public static let schema = JSONSchema.one(of: allCases.map { .number($0.channels) })
}

extension Automation {
    /// Its points and ramps as the session's file has them.
    public var json: JSONValue { .array(events.map { SessionFile.json($0, of: control) }) }

    /// What `json` may say of a control.
    public static func schema(of control: Control) -> JSONSchema { .list(of: SessionFile.event(of: control)) }

    /// - Returns: nil if `json` is no list of points and ramps of `control`.
    public init?(json: JSONValue, of control: Control) {
        var reader = FieldReader(["events": json], place: "", sampleRate: SessionFile.anyRate)
        self.init(control)
        SessionFile.readEvents(&reader, "events", into: &self)
        if !reader.problems.isEmpty { return nil }
    }
}

extension FieldTable {
    /// What an object says by itself, outside a file.
    /// - Returns: nil if a field is missing, or is not what it should be.
    fileprivate func part(_ json: JSONValue, from new: Part) -> Part? {
        guard let object = json.objectValue else { return nil }
        var (reader, part) = (
            FieldReader(object, place: "", sampleRate: SessionFile.anyRate), new
        )
        return read(&reader, into: &part) && reader.problems.isEmpty ? part : nil
    }
}

extension SessionFile {
    /// What is written has no times in frames, which alone would ask for a rate.
    fileprivate static let anyRate: Int32 = 48000
}
