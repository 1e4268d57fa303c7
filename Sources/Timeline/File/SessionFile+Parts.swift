import JSON

/// Parts of a session that its file and answers say alike.
extension Clip: JSONCoded {
    /// As the session's file has it.
    public var json: JSONValue { SessionFile.clips.json(self) }

    public init?(json: JSONValue) {
        guard let clip = SessionFile.clips.part(json, from: Clip(file: "")) else { return nil }
        self = clip
    }
}

extension Input: JSONCoded {
    /// As the session's file has it.
    public var json: JSONValue { SessionFile.inputs.json(self) }

    public init?(json: JSONValue) {
        guard let input = SessionFile.inputs.part(json, from: Input()) else { return nil }
        self = input
    }
}

extension Video: JSONCoded {
    /// As the session's file has it.
    public var json: JSONValue { SessionFile.videos.json(self) }

    public init?(json: JSONValue) {
        guard let video = SessionFile.videos.part(json, from: Video(file: "")) else { return nil }
        self = video
    }
}

extension Marker: JSONCoded {
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
    /// As the session's file has it.
    public var json: JSONValue { SessionFile.equalisers.json(self) }

    public init?(json: JSONValue) {
        guard let equaliser = SessionFile.equalisers.part(json, from: Equaliser()) else { return nil }
        self = equaliser
    }
}

extension MediaTime: JSONCoded {
    /// As the session's file has it.
    public var json: JSONValue { .time(self) }

    public init?(json: JSONValue) {
        guard let text = json.stringValue, let time = try? TimeSpec.exact(text) else { return nil }
        self = time
    }
}

extension Monitor: JSONCoded {}

extension Automation {
    /// Its points and ramps as the session's file has them.
    public var json: JSONValue { .array(events.map { SessionFile.json($0, of: control) }) }

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
