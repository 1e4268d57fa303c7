import JSON
import Speakers
import Timeline

extension Control {
    /// What kind of value it has, with its range.
    public enum Kind: Equatable, Sendable {
        /// A linear gain, 0 to 4: `Volume.range`.
        case volume
        /// The same gain on another scale.
        case scale(FaderScale)
        case number(ClosedRange<Double>)
        /// A number that moves by itself: only to be asked.
        case reading(ClosedRange<Double>)
        case flag
        case text
        /// Where a strip's sound goes: a bus by its name, `master`, `none` or `ports`.
        case place
        /// One of these words.
        case choice([String])
        /// How many channels a layout has.
        case channels
        /// Gains of a send's channels: `SendMatrix.text`, or `standard`.
        case matrix
        /// Names of strips.
        case names
        case duration
        /// A duration up to 2 s, or the time that sound takes for so many metres or feet.
        case delay
        /// Peaks and RMS of all channels; only to be asked.
        case levels
    }
}

extension Control.Kind {
    /// It has a value that can be moved from where it stands.
    var isMoved: Bool {
        switch self {
        case .volume, .number, .delay, .duration: true
        default: false
        }
    }

    /// What a step of it takes.
    var step: String {
        switch self {
        case .volume: "f · +DB · ±f"
        case .delay, .duration: "f · ±DURATION"
        default: "f"
        }
    }

    var stepSummary: String {
        switch self {
        case .volume:
            """
            moves the gain by this number of dB, to +12 dB at most; a step up from silence starts at -60 dB \
            if one strip is meant; a text without dB, such as -0.05, moves the linear value; if one of \
            several strips would pass +12 dB, none moves
            """
        case .delay, .duration: "moves the value by this step (a number is seconds), to the end of its range"
        default: "moves the value by this step, to the end of its range"
        }
    }

    /// How the shell moves it, as help says it.
    var moves: String {
        switch self {
        case .volume: "+1dB, --by -1dB or --by -0.05: from where it stands"
        case .delay, .duration: "+5ms or -5ms, or --by: from where it stands"
        case .number(let range) where range.lowerBound >= 0: "+N or -N, or --by: from where it stands"
        default: "+N, or --by -N: from where it stands"
        }
    }

    /// What setting it takes, as help says it.
    var arguments: String {
        switch self {
        case .volume: "V"
        case .scale, .number: "f"
        case .flag: "switch"
        case .text: "s"
        case .place: "BUS · master · none · ports"
        case .choice(let words): words.joined(separator: " · ")
        case .matrix: "MATRIX · standard"
        case .channels: SpeakerLayout.allCases.map { "\($0.channels)" }.joined(separator: " · ")
        case .names: "NAME ..."
        case .duration: "DURATION"
        case .delay: "DELAY"
        case .levels, .reading: ""
        }
    }

    /// The same in the shell.
    var words: String {
        switch self {
        case .volume: "V"
        case .scale: "f"
        case .number(let range): "\(Int(range.lowerBound))..\(Int(range.upperBound))"
        case .flag: "on|off"
        case .text: "NEW"
        case .place: "BUS|master|none|ports"
        case .choice(let words): words.joined(separator: "|")
        case .matrix: "MATRIX|standard"
        case .channels: SpeakerLayout.allCases.map { "\($0.channels)" }.joined(separator: "|")
        case .names: "STRIP ..."
        case .duration: "DURATION"
        case .delay: "DELAY"
        case .levels, .reading: ""
        }
    }

    /// The OSC types of the answer.
    var answer: String {
        switch self {
        case .volume, .scale, .number, .reading: "f"
        case .flag, .channels: "i"
        case .text, .place, .choice, .matrix, .duration, .delay: "s"
        case .names: "s..."
        case .levels: "ffff[ff...]"
        }
    }

    /// What it is in JSON.
    var schema: JSONSchema {
        switch self {
        case .volume: .number(in: Volume.range)
        case .scale: .number.orNull
        case .number(let range), .reading(let range): .number(in: range)
        case .flag: .flag
        case .text, .place, .matrix: .text
        case .choice(let words): .one(of: words.map { .string($0) })
        case .channels: SpeakerLayout.schema
        case .names: .list(of: .text)
        case .duration, .delay: MediaTime.schema
        case .levels: .list(of: .number)
        }
    }

    /// Refuses what is none of the words that there are, and what is no matrix.
    func check(_ word: String, _ name: String) throws(CommandError) -> String {
        if case .matrix = self { return try Words.matrix(word)?.text ?? SendMatrix.standardWord }
        guard case .choice(let words) = self, !words.contains(word) else { return word }
        throw CommandError("\"\(word)\" is no \(name): \(words.joined(separator: ", "))")
    }

    /// Refuses what is out of range; never clamps.
    public func check(_ number: Double, _ name: String) throws(CommandError) -> Double {
        guard case .number(let range) = self else { return number }
        guard range.contains(number) else {
            throw CommandError(
                "\(number) is not a \(name): it goes from \(range.lowerBound) to \(range.upperBound)")
        }
        return number + 0  // -0 becomes 0
    }
}
