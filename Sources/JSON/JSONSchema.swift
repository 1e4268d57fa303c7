/// What a value of JSON may be, as JSON Schema (draft 2020-12) says it.
public struct JSONSchema: Equatable, Sendable {
    public let json: JSONObject

    private init(_ json: JSONObject) { self.json = json }

    private init(type: String, _ more: JSONObject = [:]) {
        var json: JSONObject = ["type": .string(type)]
        json.merge(more)
        self.json = json
    }

    public static let any = JSONSchema([:])
    public static let text = JSONSchema(type: "string")
    public static let flag = JSONSchema(type: "boolean")
    public static let integer = JSONSchema(type: "integer")
    public static let number = JSONSchema(type: "number")
    private static let null = JSONSchema(type: "null")

    /// Whole numbers from that on.
    public static func integer(from first: Int) -> JSONSchema {
        JSONSchema(type: "integer", ["minimum": .number(first)])
    }

    public static func number(in range: ClosedRange<Double>) -> JSONSchema {
        JSONSchema(
            type: "number",
            ["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)])
    }

    /// A text that a regular expression matches.
    public static func text(like pattern: String) -> JSONSchema {
        JSONSchema(type: "string", ["pattern": .string(pattern)])
    }

    /// One of these values.
    public static func one(of values: [JSONValue]) -> JSONSchema { JSONSchema(["enum": .array(values)]) }

    public static func list(of item: JSONSchema, count: ClosedRange<Int>? = nil) -> JSONSchema {
        var more: JSONObject = ["items": .object(item.json)]
        if let count {
            (more["minItems"], more["maxItems"]) = (.number(count.lowerBound), .number(count.upperBound))
        }
        return JSONSchema(type: "array", more)
    }

    /// One of an object's properties: it may be missing unless it is required.
    public struct Property: Sendable {
        public let name: String
        public let schema: JSONSchema
        public let isRequired: Bool

        public init(_ name: String, _ schema: JSONSchema, isRequired: Bool = true) {
            (self.name, self.schema, self.isRequired) = (name, schema, isRequired)
        }
    }

    /// - Parameter isOpen: it may have other properties, too.
    public static func object(_ properties: [Property], isOpen: Bool = false) -> JSONSchema {
        var (object, required) = (JSONObject(), [JSONValue]())
        for property in properties {
            object[property.name] = .object(property.schema.json)
            if property.isRequired { required.append(.string(property.name)) }
        }
        var more: JSONObject = ["properties": .object(object)]
        if !required.isEmpty { more["required"] = .array(required) }
        if !isOpen { more["additionalProperties"] = false }
        return JSONSchema(type: "object", more)
    }

    /// The same object, which has these properties too.
    public func with(_ properties: [Property]) -> JSONSchema {
        let more = JSONSchema.object(properties).json
        var all = json
        if let own = json["properties"]?.objectValue, let others = more["properties"]?.objectValue {
            var merged = own
            merged.merge(others)
            all["properties"] = .object(merged)
        }
        let required = (json["required"]?.arrayValue ?? []) + (more["required"]?.arrayValue ?? [])
        if !required.isEmpty { all["required"] = .array(required) }
        return JSONSchema(all)
    }

    /// The same object, which has exactly one of these properties.
    public func withOne(of names: [String]) -> JSONSchema {
        var json = json
        json["oneOf"] = .array(names.map { .object(["required": .array([.string($0)])]) })
        return JSONSchema(json)
    }

    /// A schema that allows what one of these allows.
    public static func any(of schemas: [JSONSchema]) -> JSONSchema {
        var choices: [JSONValue] = []
        for choice in schemas.flatMap(\.choices) where !choices.contains(choice) { choices.append(choice) }
        return JSONSchema(choices.count == 1 ? choices[0].objectValue ?? [:] : ["anyOf": .array(choices)])
    }

    /// The alternatives of `anyOf`, or itself alone.
    private var choices: [JSONValue] { json["anyOf"]?.arrayValue ?? [.object(json)] }

    /// The same, or null.
    public var orNull: JSONSchema { .any(of: [self, .null]) }

    /// The same, and what it means.
    public func described(_ description: String) -> JSONSchema {
        var json: JSONObject = ["description": .string(description)]
        json.merge(self.json)
        return JSONSchema(json)
    }
}
