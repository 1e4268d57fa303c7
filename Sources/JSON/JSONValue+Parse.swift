import CJSON

/// Why a text is not JSON, and where.
public struct JSONSyntaxError: Error, Equatable, CustomStringConvertible {
    public let line: Int
    public let column: Int
    public let reason: String

    public var description: String { "line \(line), column \(column): not JSON: \(reason)" }
}

extension JSONValue {
    /// Reads one JSON document (RFC 8259, strictly) with json-c.
    /// - Throws: `JSONSyntaxError` with the place of the first fault.
    public init(parsing text: String) throws(JSONSyntaxError) {
        let bytes = Array(text.utf8)
        if let quote = Self.strayQuote(bytes) {
            throw Self.error(bytes, at: quote, "texts stand between double quotes")
        }
        let tokener = jmix_json_tokener()
        defer { json_tokener_free(tokener) }
        json_tokener_set_flags(tokener, jmix_json_strict())
        // The closing NUL is part of what is parsed: it ends a bare number, and a text that stops short is
        // told from a whole one.
        let root = bytes.withUnsafeBufferPointer { buffer in
            buffer.withMemoryRebound(to: CChar.self) {
                json_tokener_parse_ex(tokener, $0.baseAddress, Int32(clamping: $0.count))
            }
        }
        defer { json_object_put(root) }
        var status = json_tokener_get_error(tokener)
        var end = Int(json_tokener_get_parse_end(tokener))
        if status == json_tokener_continue {
            "\0".withCString { _ = json_object_put(json_tokener_parse_ex(tokener, $0, 1)) }
            status = json_tokener_get_error(tokener)
            end = bytes.count
            guard status == json_tokener_success, let number = Self.bareScalar(text) else {
                throw Self.error(
                    bytes, at: end, bytes.isEmpty ? "the text is empty" : "the text ends too early")
            }
            self = number
            return
        }
        guard status == json_tokener_success else {
            throw Self.error(bytes, at: end, String(cString: json_tokener_error_desc(status)))
        }
        if let rest = bytes[end...].firstIndex(where: { ![0x20, 0x0a, 0x0d, 0x09].contains($0) }) {
            throw Self.error(bytes, at: rest, "something follows the end of the document")
        }
        self = Self.convert(root)
    }

    /// A document that is only a number ends where the text ends, which the incremental parser cannot know.
    private static func bareScalar(_ text: String) -> JSONValue? {
        let trimmed = text.filter { !$0.isWhitespace }
        return Double(trimmed) != nil ? .number(trimmed) : nil
    }

    /// json-c takes 'single quotes' for a text even when it is strict: the first one outside a text, if any.
    private static func strayQuote(_ bytes: [UInt8]) -> Int? {
        var isInText = false
        var isEscaped = false
        for (index, byte) in bytes.enumerated() {
            if isInText {
                if byte == UInt8(ascii: "\""), !isEscaped { isInText = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            } else if byte == UInt8(ascii: "\"") {
                isInText = true
            } else if byte == UInt8(ascii: "'") {
                return index
            }
        }
        return nil
    }

    private static func error(_ bytes: [UInt8], at offset: Int, _ reason: String) -> JSONSyntaxError {
        let before = bytes.prefix(offset)
        let line = before.count(where: { $0 == 0x0a }) + 1
        let column = offset - (before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0) + 1
        return JSONSyntaxError(line: line, column: column, reason: reason)
    }

    private static func convert(_ object: OpaquePointer?) -> JSONValue {
        guard let object else { return .null }
        switch json_object_get_type(object) {
        case json_type_boolean: return .bool(json_object_get_boolean(object) != 0)
        // json-c keeps a fraction's own text; an integer's text is the integer.
        case json_type_double, json_type_int:
            return .number(String(cString: json_object_to_json_string(object)))
        case json_type_string:
            let length = Int(json_object_get_string_len(object))
            let bytes = UnsafeRawBufferPointer(start: json_object_get_string(object), count: length)
            return .string(String(decoding: bytes, as: UTF8.self))
        case json_type_array:
            return .array(
                (0..<json_object_array_length(object)).map { convert(json_object_array_get_idx(object, $0)) })
        case json_type_object:
            var fields = JSONObject()
            var iterator = json_object_iter_begin(object)
            var end = json_object_iter_end(object)
            while json_object_iter_equal(&iterator, &end) == 0 {
                fields[String(cString: json_object_iter_peek_name(&iterator))] = convert(
                    json_object_iter_peek_value(&iterator))
                json_object_iter_next(&iterator)
            }
            return .object(fields)
        default: return .null
        }
    }
}
