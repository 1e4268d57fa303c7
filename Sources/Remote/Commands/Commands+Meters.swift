import OSC
import Timeline

/// What is measured.
extension CommandEntry {
    static let meters: [CommandEntry] = [
        .of(verb: .meters),
        .of(
            .track, .bus, .master, name: "peak", .nothing, .value("fi"),
            """
            the highest absolute sample since peak/reset, linear, and how often a sample was above full \
            scale: at the most once in 10 ms
            """
        ) { strip, _ in
            .askPeak(strip)
        } take: {
            if case .askPeak(let strip) = $0 { (strip, ()) } else { nil }
        }
        .ofEveryStrip
        .verb(.peaks),
        .of(
            .track, .bus, .master, name: "peak/reset", .nothing, .action(),
            "the peak is held, and overs are counted, from now on"
        ) { strip, _ in
            .resetPeak(strip)
        } take: {
            if case .resetPeak(let strip) = $0 { (strip, ()) } else { nil }
        }
        .ofEveryStrip,
        .of(
            .bus, .master, name: "loudness", .nothing, .value("ffff"),
            """
            momentary (400 ms), short-term (3 s) and integrated loudness in LUFS, true peak in dBTP; \
            measured from the first question on; -inf: silence
            """
        ) { strip, _ in
            .askLoudness(strip)
        } take: {
            if case .askLoudness(let strip) = $0 { (strip, ()) } else { nil }
        }
        .verb(.loudness),
        .of(
            .bus, .master, name: "loudness/range", .nothing, .value("f"),
            "loudness range in LU, by EBU Tech 3342; measured from the first question on, and from a reset"
        ) { strip, _ in
            .askLoudnessRange(strip)
        } take: {
            if case .askLoudnessRange(let strip) = $0 { (strip, ()) } else { nil }
        },
        .of(
            .bus, .master, name: "loudness/reset", .nothing, .action(), "all of it is measured from now on"
        ) { strip, _ in
            .resetLoudness(strip)
        } take: {
            if case .resetLoudness(let strip) = $0 { (strip, ()) } else { nil }
        },
        .of(
            .track, .bus, .master, name: "spectrum", .nothing, .value("f..."),
            """
            61 levels in dB of what leaves it, at 20 Hz and on in sixths of an octave to 20.48 kHz; measured \
            while it is asked for: 3 s long
            """
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
