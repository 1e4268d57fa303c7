/// Why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    public let line: Int
    /// In bytes, from 1.
    public let column: Int
    public let reason: String

    public var description: String { "line \(line), column \(column): not JSON: \(reason)" }
}

extension JSONValue {
    /// How deep lists and objects may lie in each other.
    public static let maximumDepth = 64

    /// Reads one JSON document, strictly by RFC 8259. Numbers keep their text, half of a pair of surrogates
    /// becomes U+FFFD.
    /// - Parameter keysAreUnique: a key that stands twice in one object is a fault; else the last counts.
    /// - Throws: `JSONSyntaxError` with the place of the first fault.
    public init(parsing text: String, keysAreUnique: Bool = false) throws(JSONSyntaxError) {
        var text = text
        self = try text.withUTF8 { bytes -> Result<JSONValue, JSONSyntaxError> in
            var reader = JSONReader(bytes: bytes, keysAreUnique: keysAreUnique)
            do throws(JSONReader.Fault) { return .success(try reader.document()) } catch {
                return .failure(reader.error(error))
            }
        }.get()
    }
}

/// Reads bytes of a document from one to the next.
private struct JSONReader {
    let bytes: UnsafeBufferPointer<UInt8>
    private let keysAreUnique: Bool
    private var place = 0

    /// What is wrong where it reads.
    struct Fault: Error {
        let reason: String
    }

    init(bytes: UnsafeBufferPointer<UInt8>, keysAreUnique: Bool) {
        (self.bytes, self.keysAreUnique) = (bytes, keysAreUnique)
    }

    func error(_ fault: Fault) -> JSONSyntaxError {
        let before = bytes[..<place]
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return JSONSyntaxError(
            line: before.count { $0 == UInt8(ascii: "\n") } + 1, column: place - start + 1,
            reason: fault.reason)
    }

    mutating func document() throws(Fault) -> JSONValue {
        // RFC 8259, 8.1: a byte order mark may be passed over, as editors put one there.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
        skipSpace()
        if place == bytes.count { throw Fault(reason: "the text is empty") }
        let value = try value(depth: 0)
        skipSpace()
        if place < bytes.count { throw Fault(reason: "something follows the end of the document") }
        return value
    }

    // MARK: - Bytes

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { place += 1 }
    }

    /// Goes on behind `character`, if it is next.
    private mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        place += 1
        return true
    }

    private func unexpected(_ wanted: String) -> Fault {
        Fault(reason: next == nil ? "the text ends too early" : wanted)
    }

    // MARK: - Values

    private mutating func value(depth: Int) throws(Fault) -> JSONValue {
        switch next ?? 0 {
        case UInt8(ascii: "{"): .object(try object(depth: depth + 1))
        case UInt8(ascii: "["): .array(try array(depth: depth + 1))
        case UInt8(ascii: "\""): .string(try string())
        case UInt8(ascii: "t"): try word("true", .bool(true))
        case UInt8(ascii: "f"): try word("false", .bool(false))
        case UInt8(ascii: "n"): try word("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number(try number())
        case UInt8(ascii: "'"): throw Fault(reason: "texts stand between double quotes")
        default:
            throw unexpected("a value is expected: a text, a number, a list, an object, true, false or null")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(Fault) -> JSONValue {
        for index in 0..<word.utf8CodeUnitCount {
            guard next == word.utf8Start[index] else { throw unexpected("\(word) is expected") }
            place += 1
        }
        return value
    }

    private func checkDepth(_ depth: Int) throws(Fault) {
        guard depth <= JSONValue.maximumDepth else {
            throw Fault(
                reason: "lists and objects lie in each other \(JSONValue.maximumDepth) deep at the most")
        }
    }

    private mutating func array(depth: Int) throws(Fault) -> [JSONValue] {
        try checkDepth(depth)
        place += 1
        var items: [JSONValue] = []
        skipSpace()
        if skip("]") { return items }
        while true {
            skipSpace()
            items.append(try value(depth: depth))
            skipSpace()
            if skip("]") { return items }
            guard skip(",") else { throw unexpected("a comma or ] is expected behind an item") }
        }
    }

    private mutating func object(depth: Int) throws(Fault) -> JSONObject {
        try checkDepth(depth)
        place += 1
        var fields = JSONObject()
        skipSpace()
        if skip("}") { return fields }
        while true {
            skipSpace()
            guard next == UInt8(ascii: "\"") else {
                throw unexpected("a key is expected, a text between double quotes")
            }
            let start = place
            let key = try string()
            if keysAreUnique, fields[key] != nil {
                place = start
                throw Fault(
                    reason:
                        "the key \(JSONValue.string(key).compactText) stands twice in one object: keep one")
            }
            skipSpace()
            guard skip(":") else { throw unexpected("a colon is expected behind a key") }
            skipSpace()
            fields[key] = try value(depth: depth)
            skipSpace()
            if skip("}") { return fields }
            guard skip(",") else { throw unexpected("a comma or } is expected behind a field") }
        }
    }

    // MARK: - Numbers and texts

    private var isDigitNext: Bool {
        next.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }

    private mutating func digits() throws(Fault) {
        guard isDigitNext else { throw unexpected("a digit is expected") }
        while isDigitNext { place += 1 }
    }

    private mutating func number() throws(Fault) -> String {
        let start = place
        _ = skip("-")
        if skip("0") {
            if isDigitNext { throw Fault(reason: "a number begins with no needless zero") }
        } else {
            try digits()
        }
        if skip(".") { try digits() }
        if skip("e") || skip("E") {
            if !skip("-") { _ = skip("+") }
            try digits()
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func string() throws(Fault) -> String {
        place += 1
        var text = plainText()
        while !skip("\"") {
            guard let byte = next else { throw unexpected("") }
            if byte < 0x20 {
                throw Fault(reason: "a control character stands in a text as \\u and four digits")
            }
            if skip("\\") { text.unicodeScalars.append(try escaped()) }
            text += plainText()
        }
        return text
    }

    /// Up to a quote, a backslash or a control character.
    private mutating func plainText() -> String {
        let start = place
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
            place += 1
        }
        return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    /// What stands behind a backslash. Ends behind it.
    private mutating func escaped() throws(Fault) -> Unicode.Scalar {
        let scalar: Unicode.Scalar =
            switch next ?? 0 {
            case UInt8(ascii: "\""): "\""
            case UInt8(ascii: "\\"): "\\"
            case UInt8(ascii: "/"): "/"
            case UInt8(ascii: "b"): "\u{8}"
            case UInt8(ascii: "f"): "\u{c}"
            case UInt8(ascii: "n"): "\n"
            case UInt8(ascii: "r"): "\r"
            case UInt8(ascii: "t"): "\t"
            case UInt8(ascii: "u"): try escapedUnit()
            default: throw unexpected("there is no such escape in a text")
            }
        place += 1
        return scalar
    }

    /// Behind \u: a scalar, of two units where the first says so. Ends at its last digit.
    private mutating func escapedUnit() throws(Fault) -> Unicode.Scalar {
        let first = try unit()
        guard UTF16.isLeadSurrogate(first) else { return Unicode.Scalar(first) ?? "\u{fffd}" }
        let end = place
        place += 1
        guard skip("\\"), next == UInt8(ascii: "u") else {
            place = end
            return "\u{fffd}"
        }
        let second = try unit()
        guard UTF16.isTrailSurrogate(second) else {
            place = end
            return "\u{fffd}"
        }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    /// Four hexadecimal digits behind where it reads. Ends at the last.
    private mutating func unit() throws(Fault) -> UInt16 {
        var unit: UInt16 = 0
        for _ in 0..<4 {
            place += 1
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw unexpected("four hexadecimal digits are expected behind \\u")
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }
}
