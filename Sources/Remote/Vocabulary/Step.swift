import OSC
import Timeline

/// How far a control is to be moved from where it stands.
public enum Step: Equatable, Sendable {
    /// Of a gain, in dB.
    case decibels(Double)
    /// In the control's own unit: of a gain its linear value, of a delay and a fade seconds.
    case amount(Double)

    /// Where a gain of `gain` is moved to. Silence, from which no number of dB leads away, counts as -60 dB
    /// for what goes up.
    /// - Parameter leavesSilence: no: silence stays silence, as where several keep what they are to each
    ///   other.
    public func applied(toGain gain: Double, leavesSilence: Bool = true) -> Double {
        switch self {
        case .decibels(let decibels):
            let from = gain == 0 && decibels > 0 && leavesSilence ? Volume.gain(level: -60) : gain
            return from * Volume.gain(level: decibels)
        case .amount(let amount): return max(0, gain + amount)
        }
    }

    /// Where any other number is moved to.
    public func applied(to number: Double) -> Double {
        switch self {
        case .decibels(let change), .amount(let change): number + change
        }
    }

    /// Where a control of that kind is moved to, to the end of its range at the most; nil: it has none.
    public func applied(
        to present: Double, of kind: Control.Kind, leavesSilence: Bool = true
    ) -> Double? {
        switch kind {
        case .volume: min(Volume.range.upperBound, applied(toGain: present, leavesSilence: leavesSilence))
        case .number(let range): min(range.upperBound, max(range.lowerBound, applied(to: present)))
        default: nil
        }
    }

    /// Reads a step of a control, with or without a sign: of a gain `+1dB`, or `+0.05` of its linear value;
    /// of a delay or a fade a time, `-1ms`; else a number.
    /// - Parameter units: what may stand behind a number, in small letters.
    init(
        _ text: String, of kind: Control.Kind, _ name: String, units: [String] = []
    ) throws(CommandError) {
        switch kind {
        case .volume: self = try Self.gain(text)
        case .delay, .duration: self = .amount(try Self.seconds(text, name))
        default:
            let unit = units.first(where: text.lowercased().hasSuffix)
            guard let number = Volume.number(String(text.dropLast(unit?.count ?? 0))) else {
                throw CommandError("\"\(text)\" is no number to move \(name) by", isUsage: true)
            }
            self = .amount(number)
        }
    }

    /// A whole number is refused: nobody means four times as loud, but 1 dB.
    private static func gain(_ text: String) throws(CommandError) -> Step {
        if text.lowercased().hasSuffix("db"), let decibels = Volume.decibels(text) {
            return .decibels(decibels)
        }
        guard let amount = Volume.number(text) else {
            throw CommandError("\"\(text)\" is no step of a level: write +1dB, --by -0.5dB, or --by -0.05")
        }
        guard abs(amount) < 1 else {
            throw CommandError(
                """
                "\(text)" is no step of a level: write --by \(text)dB, or a step of its linear value below \
                1, as --by -0.05
                """)
        }
        return .amount(amount)
    }

    private static func seconds(_ text: String, _ name: String) throws(CommandError) -> Double {
        let isDown = text.hasPrefix("-")
        let digits = text.hasPrefix("+") || isDown ? String(text.dropFirst()) : text
        guard case .time(let time) = try Words.time(digits) else {
            throw CommandError("\"\(text)\" is no time to move \(name) by: write 12ms or 0.5s", isUsage: true)
        }
        return isDown ? -time.seconds : time.seconds
    }

    /// For people: "6.0 dB more", "0.05 less".
    public var readable: String {
        switch self {
        case .decibels(let change): "\(abs(change)) dB \(change < 0 ? "less" : "more")"
        case .amount(let change): "\(abs(change)) \(change < 0 ? "less" : "more")"
        }
    }

    /// As a message says it: dB as a number, a part of a gain's linear value as a text.
    func argument(of kind: Control.Kind) -> OSCArgument {
        switch self {
        case .decibels(let decibels): ControlValue.number(decibels).exactArguments[0]
        case .amount(let amount) where kind == .volume: .string("\(amount)")
        case .amount(let amount): ControlValue.number(amount).exactArguments[0]
        }
    }
}

extension Words {
    /// How far a control is to be moved: behind `--by`, or as the last word with a plus before it, or with a
    /// minus where there is nothing below zero to set it to; nil: it is to be set.
    mutating func step(
        _ kind: Control.Kind, of name: String, units: [String] = []
    ) throws(CommandError) -> Step? {
        guard kind.isMoved else {
            if text("--by") != nil { throw CommandError("\(name) does not move by steps", isUsage: true) }
            return nil
        }
        if kind == .volume { try checkNotBelowSilence() }
        let isSigned = count == 1 && first.map { $0.hasPrefix("+") || isStepDown($0, kind) } ?? false
        guard let text = try stepText(orWord: isSigned) else { return nil }
        return try Step(text, of: kind, name, units: units)
    }

    /// A level below 0 there is none; who writes one may mean a step.
    private func checkNotBelowSilence() throws(CommandError) {
        guard count == 1, let text = first, let number = Volume.number(text), number < 0 else { return }
        do throws(VolumeError) { _ = try Volume.parse(text) } catch {
            let step = "--by \(text)\(number > -1 ? "" : "dB")"
            throw CommandError("\(error); \(step) moves it from where it stands")
        }
    }

    /// What stands behind `--by`, or the next word if that is a step.
    private mutating func stepText(orWord isStep: Bool) throws(CommandError) -> String? {
        var text = text("--by")
        if text == nil, isStep { text = try word("the step") }
        if text != nil { try checkStepAlone() }
        return text
    }

    /// What else is asked for would not be done.
    private func checkStepAlone() throws(CommandError) {
        if let other = options.keys.sorted().first(where: { $0 != "--by" && $0 != "--of" }) {
            throw CommandError("\(other) does not go with a step: say it by itself", isUsage: true)
        }
    }

    /// `--by STEP` of a processor, `--of` one of its controls, or one number with a plus; nil: it is to be
    /// set.
    /// - Parameter standard: the control that is meant unless told; nil: it has to be told.
    mutating func step(
        of strip: StripReference, among controls: [(word: String, control: Control)], standard: String?
    ) throws(CommandError) -> Command? {
        let isPlus = standard != nil && count == 1 && first?.hasPrefix("+") == true
        guard let text = try stepText(orWord: isPlus) else {
            if self.text("--of") == nil { return nil }
            throw CommandError("--of belongs to --by: it names what is moved", isUsage: true)
        }
        let (word, control) = try moved(among: controls, self.text("--of") ?? standard)
        let step = try Step(text, of: control.entry.kind, word, units: ["db", "hz", "ms"])
        return .nudge(strip, control, by: step)
    }

    private func moved(
        among controls: [(word: String, control: Control)], _ wanted: String?
    ) throws(CommandError) -> (word: String, control: Control) {
        let moved = controls.filter { $0.control.entry.kind.isMoved }
        if let found = moved.first(where: { $0.word == wanted }) { return found }
        let words = moved.map(\.word).joined(separator: ", ")
        throw CommandError(
            "\(wanted.map { "\"\($0)\" does not move" } ?? "--by needs --of"): one of \(words)",
            isUsage: true)
    }

    private func isStepDown(_ text: String, _ kind: Control.Kind) -> Bool {
        guard text.hasPrefix("-") else { return false }
        return switch kind {
        case .delay, .duration: true
        case .number(let range): range.lowerBound >= 0
        default: false
        }
    }
}

extension Arguments {
    /// How far a control is to be moved: a number, of a gain in dB; or a text as in the shell.
    mutating func step(_ kind: Control.Kind, of name: String) throws(CommandError) -> Step {
        if let text = takeText() { return try Step(text, of: kind, name) }
        let number = try number("the step")
        return kind == .volume ? .decibels(number) : .amount(number)
    }
}
