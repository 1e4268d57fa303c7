import JSON

/// One of the plain values of an answer, as a person and as a script reads it.
struct PlainValue: Sendable {
    let text: String
    let json: JSONValue

    static func text(_ text: String) -> PlainValue { PlainValue(text: text, json: .string(text)) }
    static func number(_ number: Int) -> PlainValue { PlainValue(text: "\(number)", json: .number(number)) }

    static func number(_ number: Double) -> PlainValue {
        PlainValue(text: "\(number)", json: .number(number))
    }

    /// With as many digits as OSC's floats carry.
    static func float(_ number: Double) -> PlainValue {
        let text = "\(Float(number))"
        return PlainValue(text: text, json: Double(text).map { .number($0) } ?? .null)
    }

    static func flag(_ flag: Bool) -> PlainValue { PlainValue(text: flag ? "1" : "0", json: .bool(flag)) }
}

extension [PlainValue] {
    /// Side by side.
    var text: String { map(\.text).joined(separator: "  ") }

    /// One by itself, or a list of several.
    var json: JSONValue { count == 1 ? self[0].json : .array(map(\.json)) }
}
