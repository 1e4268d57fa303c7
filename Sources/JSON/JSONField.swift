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

    /// The same field of something that has such a form in it.
    public func of<Whole>(_ path: WritableKeyPath<Whole, Form> & Sendable) -> JSONField<Whole> {
        JSONField<Whole>(name) {
            write($0[keyPath: path])
        } read: {
            read($0, &$1[keyPath: path])
        }
    }
}
