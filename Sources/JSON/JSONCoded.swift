/// A value that JSON says, and that can be read back from it.
public protocol JSONCoded: SendableMetatype {
    var json: JSONValue { get }
    /// - Returns: nil if `json` says no such value.
    init?(json: JSONValue)
    /// What `json` may say.
    static var schema: JSONSchema { get }
}

extension JSONCoded where Self: FixedWidthInteger {
    public var json: JSONValue { .number(self) }

    public static var schema: JSONSchema { .integer }

    public init?(json: JSONValue) {
        guard case .number(let text) = json, let number = Self(text) else { return nil }
        self = number
    }
}

/// A word of a few.
extension JSONCoded where Self: RawRepresentable<String> & CaseIterable {
    public static var schema: JSONSchema { .one(of: allCases.map(\.json)) }

    public var json: JSONValue { .string(rawValue) }

    public init?(json: JSONValue) {
        guard let value = json.stringValue.flatMap(Self.init) else { return nil }
        self = value
    }
}
