import JSON
import Timeline

/// What stands beside the clips, and how times are written.
extension OTIOReader {
    func sayEffects(of item: JSONValue, _ place: String) {
        for effect in item["effects"]?.arrayValue ?? [] where Self.schema(effect) != "LinearTimeWarp" {
            losses.say(
                """
                \(place): the effect "\(effect["effect_name"]?.stringValue ?? Self.schema(effect))" is left \
                out
                """
            )
        }
    }

    mutating func add(_ marker: JSONValue, from start: MediaTime) {
        guard let place = Self.time(marker["marked_range"]?["start_time"]), (start + place).isOnTimeline
        else {
            return losses.say("marker \"\(marker["name"]?.stringValue ?? "")\" lies nowhere, and is left out")
        }
        let own = Self.own(marker)?["at"]?.stringValue.flatMap {
            try? TimeSpec(parsing: $0).time(atRate: 48000)
        }
        // It lies where it was written, which was on a frame.
        let isOwn =
            own.map { own in
                start == .zero
                    && (marker["marked_range"]?["start_time"]?["rate"]?.doubleValue).map {
                        abs(own.seconds - place.seconds) * $0 <= 0.5001
                    } ?? false
            } ?? false
        let name = marker["name"]?.stringValue ?? ""
        draft.addMarker(name, at: isOwn ? own! : start + place, Self.own(marker) ?? [:])
    }

    /// What it is, without its version.
    static func schema(_ value: JSONValue) -> String {
        String(value["OTIO_SCHEMA"]?.stringValue?.prefix { $0 != "." } ?? "")
    }
    static func own(_ value: JSONValue) -> JSONObject? { value["metadata"]?["jmix"]?.objectValue }

    /// A rational time, whose rate may be written as a decimal of what it is.
    static func time(_ value: JSONValue?) -> MediaTime? {
        guard let count = value?["value"]?.doubleValue, let rate = value?["rate"]?.doubleValue,
            abs(count) < 1e15, let parts = PictureRate(nearest: rate)
        else { return nil }
        if let whole = Int64(exactly: count) {
            return MediaTime(value: whole * Int64(parts.denominator), timescale: parts.numerator)
        }
        return MediaTime(seconds: count * Double(parts.denominator) / Double(parts.numerator))
    }

    /// How long an item is, by its range or by what is in it.
    static func duration(_ item: JSONValue, depth: Int = 0) -> MediaTime? {
        if depth > 100 { return nil }
        if let own = time(item["source_range"]?["duration"]) { return own }
        let children = item["children"]?.arrayValue ?? []
        switch schema(item) {
        case "Track":
            return children.filter { schema($0) != "Transition" }.reduce(.zero) { sum, child in
                sum.flatMap { sum in duration(child, depth: depth + 1).map { sum + $0 } }
            }
        case "Stack": return children.compactMap { duration($0, depth: depth + 1) }.max() ?? .zero
        default:
            return time(reference(item)?["available_range"]?["duration"])
        }
    }
}
