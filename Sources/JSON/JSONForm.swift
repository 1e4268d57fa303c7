/// A value that JSON says, and that can be read back from it.
public protocol JSONCoded: SendableMetatype {
    var json: JSONValue { get }
    /// - Returns: nil if `json` says no such value.
    init?(json: JSONValue)
}

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

/// One field of an object: what it is called, and how it is written and read.
public struct JSONField<Form>: Sendable {
    public let name: String
    /// nil: left out.
    let write: @Sendable (Form) -> JSONValue?
    /// False: what stands there is no such value.
    let read: @Sendable (JSONValue, inout Form) -> Bool

    public init(
        _ name: String, write: @escaping @Sendable (Form) -> JSONValue?,
        read: @escaping @Sendable (JSONValue, inout Form) -> Bool
    ) {
        (self.name, self.write, self.read) = (name, write, read)
    }

    /// A field that is always there.
    public init<Value: JSONCoded>(_ name: String, _ path: WritableKeyPath<Form, Value> & Sendable) {
        self.init(name) {
            $0[keyPath: path].json
        } read: { json, form in
            guard let value = Value(json: json) else { return false }
            form[keyPath: path] = value
            return true
        }
    }

    /// - Parameter omitted: the value at which it is left out.
    public init<Value: JSONCoded & Equatable & Sendable>(
        _ name: String, _ path: WritableKeyPath<Form, Value> & Sendable, omitted: Value
    ) {
        let always = JSONField(name, path)
        self.init(name) {
            $0[keyPath: path] == omitted ? nil : always.write($0)
        } read: {
            always.read($0, &$1)
        }
    }
}

extension JSONValue: JSONCoded {
    public var json: JSONValue { self }
    public init?(json: JSONValue) { self = json }
}

extension Bool: JSONCoded {
    public var json: JSONValue { .bool(self) }

    public init?(json: JSONValue) {
        guard let flag = json.boolValue else { return nil }
        self = flag
    }
}

extension String: JSONCoded {
    public var json: JSONValue { .string(self) }

    public init?(json: JSONValue) {
        guard let text = json.stringValue else { return nil }
        self = text
    }
}

extension Double: JSONCoded {
    public var json: JSONValue { .number(self) }

    public init?(json: JSONValue) {
        guard let number = json.doubleValue else { return nil }
        self = number
    }
}

extension JSONCoded where Self: FixedWidthInteger {
    public var json: JSONValue { .number(self) }

    public init?(json: JSONValue) {
        guard case .number(let text) = json, let number = Self(text) else { return nil }
        self = number
    }
}

extension Int: JSONCoded {}
extension Int32: JSONCoded {}
extension Int64: JSONCoded {}

/// A word of a few.
extension JSONCoded where Self: RawRepresentable<String> {
    public var json: JSONValue { .string(rawValue) }

    public init?(json: JSONValue) {
        guard let value = json.stringValue.flatMap(Self.init) else { return nil }
        self = value
    }
}

extension Array: JSONCoded where Element: JSONCoded {
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
