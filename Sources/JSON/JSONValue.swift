/// A JSON document as a value that keeps what a person wrote: the order of keys, and numbers as their text,
/// so that no number passes through a Double unless someone asks for one.
public enum JSONValue: Equatable, Sendable {
    case null
    case bool(Bool)
    /// The number's own text, such as `0.1` or `96000`.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object(JSONObject)

    /// A number from a Double, written with the fewest digits that read back as the same value; whole numbers
    /// without a fraction. Infinities, which JSON lacks, become `null`.
    public static func number(_ value: Double) -> JSONValue {
        guard value.isFinite else { return .null }
        if value == value.rounded(), abs(value) < 1e15 { return .number(String(Int64(value))) }
        return .number("\(value)")
    }

    public static func number(_ value: some BinaryInteger) -> JSONValue { .number(String(value)) }

    /// What kind of value this is, in words for a message: "a number", "an object".
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "true or false"
        case .number: "a number"
        case .string: "a text"
        case .array: "a list"
        case .object: "an object"
        }
    }

    public var stringValue: String? { if case .string(let text) = self { text } else { nil } }
    public var arrayValue: [JSONValue]? { if case .array(let items) = self { items } else { nil } }
    public var objectValue: JSONObject? { if case .object(let object) = self { object } else { nil } }
    public var boolValue: Bool? { if case .bool(let flag) = self { flag } else { nil } }
    public var doubleValue: Double? { if case .number(let text) = self { Double(text) } else { nil } }
    public var intValue: Int? { if case .number(let text) = self { Int(text) } else { nil } }

    public subscript(key: String) -> JSONValue? { objectValue?[key] }

    /// The same value with the keys of its objects in the order that `other` has them in; keys that only this
    /// has follow. Items of a list are those of the same "name" there, or else in the same place.
    public func ordered(like other: JSONValue?) -> JSONValue {
        switch (self, other) {
        case (.object(let object), .object(let other)): return .object(object.ordered(like: other))
        case (.array(let items), .array(let others)):
            let named = Dictionary(
                others.compactMap { item in item["name"]?.stringValue.map { ($0, item) } },
                uniquingKeysWith: { first, _ in first })
            return .array(
                items.enumerated().map { index, item in
                    item.ordered(
                        like: item["name"]?.stringValue.flatMap { named[$0] }
                            ?? (others.indices.contains(index) ? others[index] : nil))
                })
        default: return self
        }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    public init(stringLiteral text: String) { self = .string(text) }
    public init(booleanLiteral flag: Bool) { self = .bool(flag) }
    public init(arrayLiteral items: JSONValue...) { self = .array(items) }
}

extension JSONValue {
    /// Texts are the same if their bytes are: what differs in how its letters are composed may be the name of
    /// another file.
    public static func == (a: JSONValue, b: JSONValue) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.number(let a), .number(let b)): a == b
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.array(let a), .array(let b)): a == b
        case (.object(let a), .object(let b)): a == b
        default: false
        }
    }
}
