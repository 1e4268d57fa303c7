/// A value that is an object of JSON. Its fields are listed once: it is written and read by that list.
public protocol JSONForm: JSONCoded {
    /// As it is where none of its fields are there.
    init()
    /// In the order in which they are written.
    static var fields: [JSONField<Self>] { get }
    /// Where fields are kept that this version does not know; nil: they are dropped.
    static var unknown: (WritableKeyPath<Self, JSONObject> & Sendable)? { get }
}

extension JSONForm {
    public static var unknown: (WritableKeyPath<Self, JSONObject> & Sendable)? { nil }

    public static var schema: JSONSchema {
        .object(fields.map(\.property), isOpen: unknown != nil)
    }

    public var json: JSONValue {
        var object = JSONObject()
        for field in Self.fields {
            if let value = field.write(self) { object[field.name] = value }
        }
        if let unknown = Self.unknown { object.merge(self[keyPath: unknown]) }
        return .object(object)
    }

    public init?(json: JSONValue) {
        guard let object = json.objectValue else { return nil }
        self.init()
        for field in Self.fields {
            if let value = object[field.name], !field.read(value, &self) { return nil }
        }
        if let unknown = Self.unknown {
            self[keyPath: unknown] = object.without(Set(Self.fields.map(\.name)))
        }
    }
}

extension Bool: JSONCoded {
    public static let schema = JSONSchema.flag

    public var json: JSONValue { .bool(self) }

    public init?(json: JSONValue) {
        guard let flag = json.boolValue else { return nil }
        self = flag
    }
}

extension String: JSONCoded {
    public static let schema = JSONSchema.text

    public var json: JSONValue { .string(self) }

    public init?(json: JSONValue) {
        guard let text = json.stringValue else { return nil }
        self = text
    }
}

extension Double: JSONCoded {
    public static let schema = JSONSchema.number

    public var json: JSONValue { .number(self) }

    public init?(json: JSONValue) {
        guard let number = json.doubleValue else { return nil }
        self = number
    }
}

extension Int: JSONCoded {}

extension Int32: JSONCoded {}

extension Int64: JSONCoded {}

extension Array: JSONCoded where Element: JSONCoded {
    public static var schema: JSONSchema { .list(of: Element.schema) }

    public var json: JSONValue { .array(map(\.json)) }

    public init?(json: JSONValue) {
        guard let items = json.arrayValue else { return nil }
        let values = items.compactMap(Element.init(json:))
        if values.count < items.count { return nil }
        self = values
    }
}

/// Where there is none, `null` says so.
extension Optional: JSONCoded where Wrapped: JSONCoded {
    public static var schema: JSONSchema { Wrapped.schema.orNull }

    public var json: JSONValue { map(\.json) ?? .null }

    public init?(json: JSONValue) {
        if json == .null {
            self = .none
        } else if let value = Wrapped(json: json) {
            self = .some(value)
        } else {
            return nil
        }
    }
}
