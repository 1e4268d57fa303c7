/// One field of an object: what it is called, and how it is written and read.
public struct JSONField<Form>: Sendable {
    public let name: String
    /// What stands there.
    private(set) var schema: JSONSchema
    /// It may be left out.
    let isOptional: Bool
    /// nil: left out.
    let write: @Sendable (Form) -> JSONValue?
    /// Reads the value into the form; false: it does not fit.
    let read: @Sendable (JSONValue, inout Form) -> Bool

    public init(
        _ name: String, _ schema: JSONSchema, isOptional: Bool = false,
        write: @escaping @Sendable (Form) -> JSONValue?,
        read: @escaping @Sendable (JSONValue, inout Form) -> Bool
    ) {
        (self.name, self.schema, self.isOptional) = (name, schema, isOptional)
        (self.write, self.read) = (write, read)
    }

    /// The same field with a narrower schema.
    public func saying(_ schema: JSONSchema) -> Self {
        var field = self
        field.schema = schema
        return field
    }

    /// The same, and what it means.
    public func described(_ description: String) -> Self { saying(schema.described(description)) }

    var property: JSONSchema.Property { JSONSchema.Property(name, schema, isRequired: !isOptional) }

    /// A field that is always there.
    public init<Value: JSONCoded>(_ name: String, _ path: WritableKeyPath<Form, Value> & Sendable) {
        self.init(name, Value.schema) {
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
        self.init(name, always.schema, isOptional: true) {
            $0[keyPath: path] == omitted ? nil : always.write($0)
        } read: {
            always.read($0, &$1)
        }
    }

    /// A field that is left out where there is no value.
    public init<Value: JSONCoded & Sendable>(
        _ name: String, ifAny path: WritableKeyPath<Form, Value?> & Sendable
    ) {
        self.init(name, Value.schema, isOptional: true) {
            $0[keyPath: path]?.json
        } read: { json, form in
            guard let value = Value(json: json) else { return false }
            form[keyPath: path] = value
            return true
        }
    }

    /// This field, as a field of a larger form that contains this one at `path`.
    public func of<Whole>(_ path: WritableKeyPath<Whole, Form> & Sendable) -> JSONField<Whole> {
        JSONField<Whole>(name, schema, isOptional: isOptional) {
            write($0[keyPath: path])
        } read: {
            read($0, &$1[keyPath: path])
        }
    }
}
