import JSON
import Timeline
import XML

/// Values: levels and balances in the units that a project has them in.
extension DAWProjectReader {
    func number(_ element: XMLElement, _ name: String) -> Double? {
        element[name].flatMap(Double.init).flatMap { $0.isNaN ? nil : $0 }
    }

    func level(_ element: XMLElement) -> Double? {
        number(element, "value").map { linear($0, element["unit"] ?? "linear") }
    }

    func linear(_ value: Double, _ unit: String) -> Double {
        switch unit {
        case "decibel": value == -.infinity ? 0 : Volume.gain(level: value)
        case "percent": value / 100
        default: value
        }
    }

    /// A clip that another crosses over with falls by that, and not once more by a fade of its own.
    static func crossed(_ pieces: [DAWClip.Piece]) -> [DAWClip.Piece] {
        var pieces = pieces.sorted { $0.at < $1.at }
        for index in pieces.indices.dropFirst()
        where pieces[index].crossfade > 0 && abs(pieces[index - 1].fadeOut - pieces[index].crossfade) < 1e-6 {
            pieces[index - 1].fadeOut = 0
        }
        return pieces
    }

    func hasSound(_ track: XMLElement) -> Bool {
        track.first("Channel")?["audioChannels"] != nil && !(track["contentType"] ?? "").contains("notes")
    }

    func balance(_ pan: XMLElement) -> JSONValue? {
        number(pan, "value").map { .number(balance($0, pan["unit"] ?? "normalized")) }
    }

    /// From -1 to 1, whatever is said.
    func balance(_ value: Double, _ unit: String) -> Double {
        let balance =
            switch unit {
            case "normalized": 2 * value - 1
            case "percent": value / 50 - 1
            default: value
            }
        return min(1, max(-1, balance))
    }

    /// A volume as fader and trim: what is beyond the fader's end is the trim's.
    func faderAndTrim(_ value: Double, _ name: String) -> JSONObject {
        let over = max(1, value / Volume.range.upperBound)
        return over > 1
            ? ["fader": volumeField(value / over, name), "trim": volumeField(over, name)]
            : ["fader": volumeField(value, name)]
    }

    func volumeField(_ value: Double, _ name: String) -> JSONValue { .number(volume(value, name)) }

    func volume(_ value: Double, _ name: String) -> Double {
        if !Volume.range.contains(value) {
            losses.say(
                [name],
                "a volume of \(value) is not one from 0 to \(Volume.range.upperBound), and is taken there")
        }
        return min(max(value, Volume.range.lowerBound), Volume.range.upperBound)
    }
}
