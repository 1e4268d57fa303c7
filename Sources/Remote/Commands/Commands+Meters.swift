import OSC
import Timeline

/// What is measured.
extension CommandEntry {
    static let meters: [CommandEntry] = [
        .of(verb: .meters),
        .of(
            .on(
                .track, .bus, .master, name: "peak", .value(Answer.peak),
                """
                the highest absolute sample since peak/reset, linear, and how often a sample was above full \
                scale: at the most once in 10 ms
                """), .nothing
        ) { strip, _ in
            .askPeak(strip)
        } take: {
            if case .askPeak(let strip) = $0 { (strip, ()) } else { nil }
        }
        .ofEveryStrip
        .verb(.peaks),
        .of(
            .on(
                .track, .bus, .master, name: "peak/reset", .action(),
                "forgets the peak and the number of overs, for all clients"), .nothing
        ) { strip, _ in
            .resetPeak(strip)
        } take: {
            if case .resetPeak(let strip) = $0 { (strip, ()) } else { nil }
        }
        .ofEveryStrip,
        .of(
            .on(
                .track, .bus, .master, name: "loudness", .value(Answer.loudness),
                """
                momentary (400 ms), short-term (3 s) and integrated loudness in LUFS, true peak in dBTP; \
                measured from the first question on, of at most 16 strips besides the master; -inf: silence
                """), .nothing
        ) { strip, _ in
            .askLoudness(strip)
        } take: {
            if case .askLoudness(let strip) = $0 { (strip, ()) } else { nil }
        }
        .ofEveryStrip
        .verb(.loudness),
        .of(
            .on(
                .track, .bus, .master, name: "loudness/range", .value(Answer.loudnessRange),
                """
                loudness range in LU, by EBU Tech 3342; \
                measured from the first question on, and from a reset
                """
            ), .nothing
        ) { strip, _ in
            .askLoudnessRange(strip)
        } take: {
            if case .askLoudnessRange(let strip) = $0 { (strip, ()) } else { nil }
        }
        .ofEveryStrip,
        .of(
            .on(
                .track, .bus, .master, name: "loudness/reset", .action(),
                "forgets what was measured, for all clients, and begins anew"),
            .nothing
        ) { strip, _ in
            .resetLoudness(strip)
        } take: {
            if case .resetLoudness(let strip) = $0 { (strip, ()) } else { nil }
        }
        .ofEveryStrip,
        .of(
            .on(
                .track, .bus, .master, name: "spectrum", .value(Answer.spectrum),
                """
                61 levels in dB at the strip's output, from 20 Hz to 20.48 kHz in sixths of an octave; of at \
                most 16 strips; the measurement ends 3 s after the last question
                """), .nothing
        ) { strip, _ in
            .askSpectrum(strip)
        } take: {
            if case .askSpectrum(let strip) = $0 { (strip, ()) } else { nil }
        }
        .verb(
            .meters, "spectrum",
            """
            the spectrum of what leaves a strip; 61 levels in dB, from 20 Hz on, a sixth of an octave apart; \
            the first question begins it: ask again
            """,
            example: "spectrum master"),
    ]
}

extension Answer {
    public static let loudness = AnswerKind("loudness", of: .loudness) { [$0.line] }

    /// In LU.
    public static let loudnessRange = AnswerKind("loudness/range", key: "range", .float)

    /// In dB, from 20 Hz on, a sixth of an octave apart.
    public static let spectrum = AnswerKind("spectrum", .floats(count: 61))

    public static let peak = AnswerKind("peak", of: .peak) { [$0.line] }
}
