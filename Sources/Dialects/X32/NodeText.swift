import JSON
import Glibc
import Timeline

/// How a desk writes a parameter's value for people and for its scene files: decibels with their signs,
/// frequencies as `1k97`, bits as `%0011` ("Unofficial X32/M32 OSC Remote Protocol", "Node").
struct NodeText {
    let model: DeskModel

    func text(_ value: WireValue, _ leaf: ParameterTree.Leaf, of node: String) -> String {
        switch (leaf.kind, value) {
        case (.choice(let words), .int(let number)): return word(number, of: words)
        case (.mask(let bits), .int(let number)):
            return "%" + zeroPadded(number, bits, radix: 2)
        case (_, .int(let number)): return "\(number)"
        // There is no way to write a quote or a line's end.
        case (_, .text(let text)):
            return "\"\(text.map { $0 == "\"" ? "'" : $0.isNewline ? " " : String($0) }.joined())\""
        case (.scaled(let scale), .float(let part)):
            return Self.text(scale.number(part), leaf.name, scale, isHeadAmp: node.hasPrefix("/headamp"))
        case (_, .float(let part)): return part == 0 ? "0" : Self.fixed(Double(part), 2)
        }
    }

    private func word(_ number: Int, of words: [String]) -> String {
        let isWord = words.indices.contains(number) && (model == .x32 || words != ParameterTree.colours)
        return isWord ? words[number] : "\(number)"
    }

    /// A number in its unit: what a parameter is called says how it is written.
    private static func text(
        _ number: Double, _ name: String, _ scale: WireScale, isHeadAmp: Bool
    ) -> String {
        if scale.law == .level { return level(number) }
        switch name {
        case "pan": return signed(number, 0)
        case "trim", "rtntrim": return signed(number, 1)
        case "gain" where isHeadAmp: return signed(number, 1)
        case "weight": return padded(signed(number, 1), 5)
        case "time", "delaytime": return padded(fixed(number, 1), 5)
        case "thr", "range", "sourcetrim", "gainL", "gainR", "gain": return fixed(number, 1)
        case "mgain": return fixed(number, number < 10 ? 2 : 1)
        case "hold":
            if number < 10 { return fixed(number, 2) }
            return number < 100 ? fixed(number, 1) : padded(fixed(number, 0), 4)
        case "release": return padded(fixed(number, 0), number < 99.5 ? 3 : 4)
        case "f", "f1", "f2": return frequency(number)
        case "hpf": return padded(fixed(number, 0), 3)
        case "g": return bandGain(number)
        case "q": return number < 9.95 ? fixed(number, 1) : padded(fixed(number, 0), 3)
        default: return fixed(number, scale.law == .logarithmic ? 2 : 0)
        }
    }

    private static func level(_ decibels: Double) -> String {
        if decibels == -.infinity { return "  -oo" }
        let text = fixed(decibels, 1)
        return padded(decibels > 0 && text != "0.0" ? "+\(text)" : text == "-0.0" ? "0.0" : text, 5)
    }

    /// From a thousand on `1k97`: cut, not rounded.
    private static func frequency(_ hertz: Double) -> String {
        // A desk's steps fall a little short of round numbers.
        let hertz = hertz + 1e-6
        if hertz < 1000 { return fixed(hertz, 1) }
        let hundredths = Int(hertz / 10)
        return "\(hundredths / 100)k\(zeroPadded(hundredths % 100, 2))"
    }

    private static func bandGain(_ decibels: Double) -> String {
        if abs(decibels) < 10 { return signed(decibels, 2) }
        // A float falls a little short of a desk's quarters.
        let quarters = (decibels * 4).rounded() / 4
        return signed((quarters * 10).rounded(.towardZero) / 10, 1)
    }

    private static func signed(_ number: Double, _ decimals: Int) -> String {
        let text = fixed(abs(number), decimals)
        let isZero = text.allSatisfy { $0 == "0" || $0 == "." }
        return (number < 0 && !isZero ? "-" : "+") + text
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    /// With so many decimals.
    private static func fixed(_ number: Double, _ decimals: Int) -> String {
        let unit = [1, 10, 100][decimals]
        let whole = Int((abs(number) * Double(unit)).rounded())
        let sign = number < 0 && whole > 0 ? "-" : ""
        if decimals == 0 { return "\(sign)\(whole)" }
        return "\(sign)\(whole / unit).\(zeroPadded(whole % unit, decimals))"
    }

    // MARK: - Reading

    /// A value as it is written there, on its way: nil for what it cannot be.
    func argument(_ word: String, _ leaf: ParameterTree.Leaf) -> WireValue? {
        switch leaf.kind {
        case .choice(let words): return (words.firstIndex(of: word) ?? Int(word)).map(WireValue.int)
        case .int: return Int(word).map(WireValue.int)
        case .mask:
            return (word.hasPrefix("%") ? Int(word.dropFirst(), radix: 2) : Int(word)).map(WireValue.int)
        case .text: return .text(word)
        case .part: return Float(word).map(WireValue.float)
        case .scaled(let scale): return Self.number(word).map { .float(scale.part($0)) }
        }
    }

    private static func number(_ word: String) -> Double? {
        if word == "-oo" { return -.infinity }
        guard let k = word.firstIndex(where: { $0 == "k" || $0 == "K" }) else {
            let number = Double(word)
            return number?.isNaN == true ? nil : number
        }
        let (whole, rest) = (word[..<k], word[word.index(after: k)...])
        return Double(rest.isEmpty ? "\(whole)" : "\(whole).\(rest)").map { $0 * 1000 }
    }
}

/// The words of a line as desks write it: blanks part them, quotes keep blanks.
func nodeWords(_ line: String) -> [String] {
    var words: [String] = []
    var word: String?
    var isQuoted = false
    for character in line {
        if character == "\"" {
            isQuoted.toggle()
            word = word ?? ""
        } else if character.isWhitespace, !isQuoted {
            if let done = word { words.append(done) }
            word = nil
        } else {
            word = (word ?? "") + String(character)
        }
    }
    return words + (word.map { [$0] } ?? [])
}
