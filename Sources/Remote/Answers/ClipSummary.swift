import JSON
import Timeline

/// A clip with where it ends.
public struct ClipSummary: Equatable, Sendable, JSONCoded {
    public let clip: Clip
    /// nil: nobody knows.
    public let end: MediaTime?
    /// The end is a guess: the file is still being decoded.
    public let isEstimated: Bool

    public init(_ clip: Clip, end: MediaTime?, isEstimated: Bool = false) {
        (self.clip, self.end, self.isEstimated) = (clip, end, isEstimated)
    }

    public var json: JSONValue {
        guard var object = clip.json.objectValue else { return .null }
        object["end"] = end.json
        if isEstimated { object["estimated"] = true }
        return .object(object)
    }

    public init?(json: JSONValue) {
        guard let object = json.objectValue, let end = MediaTime?(json: object["end"] ?? .null),
            let clip = Clip(json: .object(object.without(["end", "estimated"])))
        else { return nil }
        self.init(clip, end: end, isEstimated: object["estimated"] == true)
    }
}
