import Timeline

/// Verbs that say several commands, or write one otherwise than its fields: what is measured.
extension Verb {
    static let meters = Verb(
        .meters, "meters",
        "levels of all strips; peak since last asked and RMS of tracks, buses and the master, in dBFS",
        example: "meters"
    ) { _ throws(CommandError) in
        .ask(.track(.pattern("*")), .meter)
    }
    .answering([.control(.meter)])

    static let peaks = Verb(
        .meters, "peaks [STRIP] [reset]",
        """
        highest peaks, and how often they were above full scale; of a strip, or of all; reset: from now \
        on
        """, example: "peaks voice"
    ) { words throws(CommandError) in
        let isOfAll = words.isEmpty || words.first == "reset"
        let strip = isOfAll ? StripReference.track(.pattern("*")) : try words.strip()
        if words.isEmpty { return .askPeak(strip) }
        guard try words.word("reset") == "reset" else {
            throw CommandError("peaks STRIP takes nothing, or reset", isUsage: true)
        }
        return .resetPeak(strip)
    }

    static let loudness = Verb(
        .meters, "loudness [STRIP] [range | reset]",
        """
        the loudness of a strip, or of the master: momentary, short-term and integrated in LUFS, true peak \
        in dBTP; measured from the first question on; range: loudness range (LRA) in LU; reset: from now on
        """, example: "loudness master"
    ) { words throws(CommandError) in
        let isOfMaster = words.isEmpty || ["range", "reset"].contains(words.first)
        let strip = isOfMaster ? StripReference.master : try words.strip()
        if words.isEmpty { return .askLoudness(strip) }
        return switch try words.word("range or reset") {
        case "range": .askLoudnessRange(strip)
        case "reset": .resetLoudness(strip)
        default: throw CommandError("loudness STRIP takes nothing, range, or reset", isUsage: true)
        }
    }
    .answering([.kind(Answer.loudnessRange)])
}
