import Timeline

/// `eq` in the shell.
extension Words {
    /// What stands behind the strip: nothing, on, off, clear, hp, lp, or the number of a band.
    mutating func equaliser(of strip: StripReference) throws(CommandError) -> Command {
        if first != "hp", first != "lp" {
            let controls = EqualiserControl.all.map { (word: $0.path, control: Control.eq($0)) }
            if let step = try step(of: strip, among: controls, standard: nil) { return step }
        }
        guard !isEmpty else { return .askEqualiser(strip) }
        let word = try word("on, off, clear, hp, lp or the number of a band")
        switch word {
        case "on", "off": return .equalise(strip, .set([EqualiserSetting(.on, .flag(word == "on"))]))
        case "clear": return .equalise(strip, .clear)
        case "hp", "lp":
            return try pass(word, of: strip)
        default:
            return .equalise(strip, .set(try settings(ofBand: try Self.band(word))))
        }
    }

    private static func band(_ word: String) throws(CommandError) -> Int {
        if let band = Int(word), (1...Equaliser.bandCount).contains(band) { return band }
        throw CommandError(
            "\"\(word)\": eq STRIP takes on, off, clear, hp, lp, or a band from 1 to \(Equaliser.bandCount)",
            isUsage: true)
    }

    private mutating func pass(_ word: String, of strip: StripReference) throws(CommandError) -> Command {
        let isHigh = word == "hp"
        let control = Control.eq(isHigh ? .highPass : .lowPass)
        if let step = try step(control.entry.kind, of: word, units: ["hz"]) {
            return .nudge(strip, control, by: step)
        }
        return .equalise(
            strip, .set(isHigh ? try pass(.highPass, .highSlope) : try pass(.lowPass, .lowSlope)))
    }

    private mutating func pass(
        _ pass: EqualiserControl, _ slope: EqualiserControl
    ) throws(CommandError) -> [EqualiserSetting] {
        let steepness = try text("--slope").map { text throws(CommandError) in
            EqualiserSetting(slope, try Self.number(text, slope))
        }
        if first == "off" {
            _ = try word("off")
            return [EqualiserSetting(pass, .number(0))]
        }
        if isEmpty, let steepness { return [steepness] }
        return [EqualiserSetting(pass, .number(try Self.frequency(try word("the frequency"))))]
            + (steepness.map { [$0] } ?? [])
    }

    private mutating func settings(ofBand band: Int) throws(CommandError) -> [EqualiserSetting] {
        let first = try word("the frequency, a type or off")
        if Equaliser.Band.Kind(rawValue: first) != nil {
            return [EqualiserSetting(.type(band), .text(first))]
        }
        if first == "off" { return [EqualiserSetting(.gain(band), .number(0))] }
        var settings = [EqualiserSetting(.frequency(band), .number(try Self.frequency(first)))]
        settings.append(EqualiserSetting(.gain(band), .number(try gain(ofBand: band))))
        if !isEmpty {
            settings.append(
                EqualiserSetting(.quality(band), try Self.number(try word("the quality"), .quality(band))))
        }
        return settings
    }

    private mutating func gain(ofBand band: Int) throws(CommandError) -> Double {
        let gain = try word("the gain in dB")
        guard let decibels = Volume.decibels(gain) ?? Double(gain) else {
            throw CommandError("\"\(gain)\" is no gain in dB, as -3 or 4.5dB", isUsage: true)
        }
        return try EqualiserControl.gain(band).kind.check(decibels, "gain")
    }

    private static func number(
        _ text: String, _ control: EqualiserControl
    ) throws(CommandError) -> ControlValue {
        guard let number = Double(text) else {
            throw CommandError("\"\(text)\" is not a number", isUsage: true)
        }
        return .number(try control.kind.check(number, "value of eq/\(control.path)"))
    }

    /// In Hz: `80`, `80Hz`, `1.2k`, `1.2kHz`.
    static func frequency(_ text: String) throws(CommandError) -> Double {
        var digits = text.lowercased()
        if digits.hasSuffix("hz") { digits.removeLast(2) }
        let isKilo = digits.hasSuffix("k")
        if isKilo { digits.removeLast() }
        guard let number = Double(digits) else {
            throw CommandError("\"\(text)\" is no frequency, as 80, 80Hz or 1.2k", isUsage: true)
        }
        return try EqualiserControl.frequency(1).kind.check(isKilo ? number * 1000 : number, "frequency")
    }
}
