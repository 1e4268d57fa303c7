import OSC

/// What kind of value a parameter has, and how it travels.
package enum WireKind: Equatable {
    /// One of these words, by its number from 0.
    case choice([String])
    case int
    /// So many bits.
    case mask(Int)
    case text
    case scaled(WireScale)
    /// 0 to 1, of nobody knows what.
    case part

    static let onOff = WireKind.choice(["OFF", "ON"])

    /// What somebody sets it to; nil for what it cannot be. Whole numbers stand for floats too, and words for
    /// their numbers.
    func value(_ argument: OSCArgument) -> WireValue? {
        switch (self, argument) {
        case (.choice(let words), .string(let word)):
            words.firstIndex(of: word).map(WireValue.int) ?? value(number: Int32(word).map(Int.init))
        case (.int, .string(let text)), (.mask, .string(let text)):
            value(number: Int32(text).map(Int.init))
        case (.choice, _), (.int, _), (.mask, _): value(number: argument.wholeNumber)
        case (.text, .string(let text)): .text(DeskState.short(text, WireKind.longestText))
        case (.text, _): nil
        case (.scaled, _), (.part, _): argument.part.map(WireValue.float)
        }
    }

    private func value(number: Int?) -> WireValue? {
        guard let number else { return nil }
        switch self {
        case .choice(let words): return words.indices.contains(number) ? .int(number) : nil
        case .mask(32): return .int(Int(UInt32(truncatingIfNeeded: number)))
        case .mask(let bits): return (0..<1 << bits).contains(number) ? .int(number) : nil
        default: return .int(number)
        }
    }

    /// In bytes: more than any text of a desk has.
    private static let longestText = 256

    /// Where it stands where nothing was said.
    var standard: WireValue {
        switch self {
        case .choice, .int, .mask: .int(0)
        case .text: .text("")
        case .scaled, .part: .float(0)
        }
    }

    /// A value as tables and nodes have it written: a number of its own kind, or a text.
    func value(written text: String) -> WireValue? {
        switch self {
        case .choice, .int, .mask: Int(text).map(WireValue.int)
        case .text: .text(text)
        case .scaled, .part: Float(text).map(WireValue.float)
        }
    }
}
