import JSON
import Remote
import Timeline

/// Processors, ducks, clips and automation as a person reads them.
extension Answers {
    /// A line for each part of it that does something.
    static func lines(_ equaliser: Equaliser?) -> [String] {
        guard let equaliser else { return ["no equaliser"] }
        let passes = [("high pass", equaliser.highPass), ("low pass", equaliser.lowPass)]
        return [equaliser.isOn.word]
            + passes.compactMap { name, pass in
                pass.map { "\(name)  \($0.frequency.short) Hz  \($0.slope.rawValue) dB/octave" }
            }
            + equaliser.bands.enumerated().filter { $0.element.gain != 0 }.map { index, band in
                """
                band \(index + 1)  \(band.type.rawValue)  \(band.frequency.short) Hz  \(band.gain.short) \
                dB\(band.quality.map { "  q \($0.short)" } ?? "")
                """
            }
    }

    /// A line for each member.
    static func lines(_ automix: AutomixSummary?) -> [String] {
        guard let automix else { return ["no automix"] }
        return ["\(automix.isOn.word)  attack \(automix.attack)  release \(automix.release)"]
            + automix.members.map { member in
                """
                \(member.name.padded(20)) \(member.isIn ? Readable.level(gain: member.gain) : "out")  \
                weight \(member.weight.short)  priority \(member.priority.short)
                """
            }
    }

    /// On one line, as it would be written in the shell.
    static func line(_ kind: DynamicsKind, _ processor: ProcessorSummary?) -> String {
        guard let processor else { return "no \(kind.name)" }
        let settings = processor.settings.fields.map { name, value in
            "\(name) \(value.stringValue ?? value.compactText)"
        }
        return ([processor.isOn.word] + settings).joined(separator: "  ")
    }

    static func lines(_ ducks: [DuckSummary]) -> [String] {
        if ducks.isEmpty { return ["there are no ducks"] }
        return table(
            ["strip", "under", "to", "by", "attack", "release"],
            ducks.map { duck in
                [
                    duck.track, duck.under.isEmpty ? "a hand" : duck.under.joined(separator: ", "),
                    Readable.level(gain: duck.to), duck.trigger.rawValue, "\(duck.attack)", "\(duck.release)",
                ]
            })
    }

    static func lines(_ clips: [ClipSummary]) -> [String] {
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

    static func lines(_ events: [Automation.Event], of control: Control) -> [String] {
        if events.isEmpty { return ["there is no automation of \(control.word)"] }
        return table(
            ["#", "event", control.word, "from", "to", "curve"],
            events.enumerated().map { index, event in
                switch event.kind {
                case .point(let value, let time):
                    [
                        "\(index + 1)", "point", level(value, of: control), Readable.clock(time.seconds), "",
                        "",
                    ]
                case .ramp(let first, let last, let range, let curve):
                    [
                        "\(index + 1)", "ramp", "\(level(first, of: control)) to \(level(last, of: control))",
                        Readable.clock(range.start.seconds), Readable.clock(range.end.seconds),
                        curve.rawValue,
                    ]
                }
            })
    }

    /// A value of the timeline; of a volume with its level.
    private static func level(_ value: Double, of control: Control) -> String {
        switch control.entry.kind {
        case .volume: "\(value.short) (\(Readable.level(gain: value)))"
        case .flag: (value == 1).word
        default: value.short
        }
    }
}
