import Engine
import Files
import JSON
import Timeline

/// What OpenTimelineIO's files are made of.
enum OTIO {
    static func object(
        _ schema: String, _ name: String, _ fields: JSONObject, metadata: JSONObject? = nil
    ) -> JSONObject {
        var object: JSONObject = [
            "OTIO_SCHEMA": .string(schema),
            "metadata": .object(metadata.map { ["jmix": .object($0)] } ?? [:]), "name": .string(name),
        ]
        object.merge(fields)
        return object
    }

    static func time(_ frame: Double, _ rate: Int32) -> JSONValue {
        .object(["OTIO_SCHEMA": "RationalTime.1", "rate": .number(rate), "value": .number(frame)])
    }

    static func range(_ start: Double, _ count: Int64, _ rate: Int32) -> JSONValue {
        .object([
            "OTIO_SCHEMA": "TimeRange.1", "duration": time(Double(count), rate),
            "start_time": time(start, rate),
        ])
    }

    /// The name of a file as a URL (RFC 8089).
    static func url(_ path: String) -> String {
        "file://"
            + path.utf8.reduce(into: "") { text, byte in
                let isPlain =
                    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
                    || (0x61...0x7a).contains(byte) || "-._~/".utf8.contains(byte)
                text +=
                    isPlain
                    ? String(UnicodeScalar(byte))
                    : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
    }

    /// The file that a URL or a path names; nil: it is none of this machine's.
    static func path(_ url: String) -> String? {
        var rest = Substring(url)
        if let colon = rest.firstRange(of: "://") {
            guard rest[..<colon.lowerBound].lowercased() == "file" else { return nil }
            rest = rest[colon.upperBound...]
            // The machine's name, which is none or this one.
            guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash]) else {
                return nil
            }
            rest = rest[slash...]
        } else if rest.hasPrefix("file:") {
            rest = rest.dropFirst(5)
        } else {
            return rest.isEmpty ? nil : String(rest)
        }
        return unescaped(rest)
    }

    /// With the bytes that a URL writes as % and two digits; nil: they are no text.
    private static func unescaped(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var left = Array(text.utf8)[...]
        while let byte = left.popFirst() {
            if byte == 0x25, left.count >= 2,
                let value = UInt8(String(decoding: left.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                left.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
