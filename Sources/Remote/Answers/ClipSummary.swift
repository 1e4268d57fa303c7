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

    public static let schema = Clip.schema.with([
        JSONSchema.Property("end", MediaTime.schema.orNull),
        JSONSchema.Property("estimated", .one(of: [true]), isRequired: false),
    ])

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

extension Answer {
    public static let clips = AnswerKind("clips", .document, lines: ClipSummary.lines)
}

extension ClipSummary {
    fileprivate static func lines(_ clips: [ClipSummary]) -> [String] {
        if clips.isEmpty { return [] }
        let isShaped = clips.contains {
            $0.clip.gain != 1 || !fades(of: $0.clip).isEmpty
        }
        let isPaced = clips.contains { !pace(of: $0.clip).isEmpty }
        return table(
            ["#", "at", "end", "from"] + (isShaped ? ["gain", "fades"] : []) + (isPaced ? ["pace"] : [])
                + ["file"],
            clips.enumerated().map { index, placed in
                let clip = placed.clip
                return [
                    "\(index + 1)", Readable.clock(clip.at.seconds),
                    (placed.isEstimated ? "~" : "") + (placed.end.map { Readable.clock($0.seconds) } ?? "-"),
                    Readable.clock(clip.from.seconds),
                ] + (isShaped ? [Readable.level(gain: clip.gain), fades(of: clip)] : [])
                    + (isPaced ? [pace(of: clip)] : []) + [clip.file.text]
            })
    }

    private static func fades(of clip: Clip) -> String {
        [("in", clip.fadeIn), ("out", clip.fadeOut), ("crossfade", clip.crossfade)]
            .filter { $0.1.duration != .zero }.map { "\($0) \($1.duration)" }.joined(separator: ", ")
    }

    private static func pace(of clip: Clip) -> String {
        let plain = Clip(file: "")
        let parts: [String?] = [
            clip.speed == plain.speed ? nil : "\(clip.speed.short)x", clip.isTape ? "tape" : nil,
            clip.pitch == plain.pitch ? nil : "\(clip.pitch.short) st", clip.isReversed ? "reverse" : nil,
            clip.stretcher == plain.stretcher ? nil : clip.stretcher.rawValue,
        ]
        return parts.compactMap { $0 }.joined(separator: ", ")
    }
}
