extension JSONValue {
    /// The document on one line.
    public var compactText: String {
        switch self {
        case .null: "null"
        case .bool(let flag): flag ? "true" : "false"
        case .number(let text): text
        case .string(let text): Self.quoted(text)
        case .array(let items):
            items.isEmpty ? "[]" : "[" + items.map(\.compactText).joined(separator: ", ") + "]"
        case .object(let object):
            object.fields.isEmpty
                ? "{}"
                : "{ "
                    + object.fields.map { Self.quoted($0.key) + ": " + $0.value.compactText }.joined(
                        separator: ", ") + " }"
        }
    }

    /// The document laid out for people: what fits on a line of 110 columns stays on it.
    public func prettyText(indent: Int = 0) -> String {
        let line = compactText
        if line.utf8.count + indent <= 110, !isNested { return line }
        let pad = String(repeating: " ", count: indent + 2)
        let close = "\n" + String(repeating: " ", count: indent)
        switch self {
        case .array(let items) where !items.isEmpty:
            return "[\n" + items.map { pad + $0.prettyText(indent: indent + 2) }.joined(separator: ",\n")
                + close + "]"
        case .object(let object) where !object.fields.isEmpty:
            return "{\n"
                + object.fields.map {
                    pad + Self.quoted($0.key) + ": " + $0.value.prettyText(indent: indent + 2)
                }
                .joined(separator: ",\n") + close + "}"
        default: return line
        }
    }

    /// Whether it holds an object that is not empty, or lists of them: those go on lines of their own.
    private var isNested: Bool {
        switch self {
        case .array(let items): items.contains { if case .object = $0 { true } else { $0.isNested } }
        case .object(let object): object.fields.contains { $0.value.isNested }
        default: false
        }
    }

    private static func quoted(_ text: String) -> String {
        var out = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": out += "\\\""
            case "\\": out += "\\\\"
            case "\n": out += "\\n"
            case "\t": out += "\\t"
            case "\r": out += "\\r"
            case _ where scalar.value < 0x20:
                out += "\\u" + zeroPadded(scalar.value, 4, radix: 16)
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out + "\""
    }
}
