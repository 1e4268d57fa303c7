import Timeline

/// `comp`, `gate` and `limit` in the shell.
extension Words {
    /// What stands behind the strip: nothing, on, off, clear, numbers in their order, and any of them by its
    /// name.
    mutating func dynamics(_ kind: DynamicsKind, of strip: StripReference) throws(CommandError) -> Command {
        let controls = DynamicsControl.all(kind).map { (word: $0.word, control: Control.dynamics($0)) }
        if let step = try step(of: strip, among: controls, standard: kind.positions[0]) { return step }
        let settings = try named(kind)
        if isEmpty {
            return settings.isEmpty ? .askDynamics(strip, kind) : .setDynamics(strip, kind, .set(settings))
        }
        if let word = first, ["on", "off", "clear"].contains(word) {
            _ = try self.word("on, off or clear")
            if word == "clear" { return .setDynamics(strip, kind, .clear) }
            return .setDynamics(
                strip, kind, .set(settings + [DynamicsPart(DynamicsControl(kind, .on), .flag(word == "on"))]))
        }
        let numbers = try inOrder(kind)
        return .setDynamics(
            strip, kind, .set(numbers + settings + [DynamicsPart(DynamicsControl(kind, .on), .flag(true))]))
    }

    /// The settings that options name.
    private mutating func named(_ kind: DynamicsKind) throws(CommandError) -> [DynamicsPart] {
        var settings: [DynamicsPart] = []
        for control in DynamicsControl.all(kind) where control.part != .on && control.part != .reduction {
            if let text = text("--\(control.word)") {
                settings.append(DynamicsPart(control, try Self.value(text, of: control)))
            }
        }
        return settings
    }

    /// The numbers that stand in their order.
    private mutating func inOrder(_ kind: DynamicsKind) throws(CommandError) -> [DynamicsPart] {
        var numbers: [DynamicsPart] = []
        for name in kind.positions {
            let control = DynamicsControl(kind, .parameter(name))
            numbers.append(DynamicsPart(control, try Self.value(try word("the \(name)"), of: control)))
        }
        return numbers
    }

    /// A number, with `dB`, as `3:1`, `inf` for what stands for no end; a time, as `10ms`.
    private static func value(
        _ text: String, of control: DynamicsControl
    ) throws(CommandError) -> ControlValue {
        guard case .number(let range) = control.controlKind else { return .text(text) }
        func checked(_ number: Double) throws(CommandError) -> ControlValue {
            .number(try control.controlKind.check(number, "\(control.word) of a \(control.kind.name)"))
        }
        if text == "inf", control.word == "ratio" || control.word == "range" {
            return .number(range.upperBound)
        }
        if ["attack", "hold", "release"].contains(control.word) {
            return try checked(try milliseconds(text))
        }
        let isRatio = control.word == "ratio"
        guard let number = isRatio ? ratio(text) : Volume.decibels(text) else {
            throw CommandError(
                "\"\(text)\" is no \(control.word), as \(isRatio ? "3 or inf" : "-20 or -20dB")",
                isUsage: true)
        }
        return try checked(number)
    }

    /// As 3 or 3:1.
    private static func ratio(_ text: String) -> Double? {
        Volume.number(text.hasSuffix(":1") ? String(text.dropLast(2)) : text)
    }

    static func milliseconds(_ text: String) throws(CommandError) -> Double {
        switch try Words.time(text) {
        case .time(let time): return time.seconds * 1000
        case .seconds(let seconds): return seconds * 1000
        case .frames:
            throw CommandError(
                "\"\(text)\": a processor's times are no frames, but as 10ms or 0.2s", isUsage: true)
        }
    }
}
