/// A value that JSON says, and that can be read back from it.
public protocol JSONCoded: SendableMetatype {
    var json: JSONValue { get }
    /// - Returns: nil if `json` says no such value.
    init?(json: JSONValue)
}

extension JSONCoded where Self: FixedWidthInteger {
    public var json: JSONValue { .number(self) }

    public init?(json: JSONValue) {
        guard case .number(let text) = json, let number = Self(text) else { return nil }
        self = number
    }
}

/// A word of a few.
extension JSONCoded where Self: RawRepresentable<String> {
    public var json: JSONValue { .string(rawValue) }

    public init?(json: JSONValue) {
        guard let value = json.stringValue.flatMap(Self.init) else { return nil }
        self = value
    }
}
