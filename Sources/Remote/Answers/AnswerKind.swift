import JSON
import OSC
import Timeline

/// One kind of answer: its address, how its values travel, and how a person and a script read them. It is a
/// constant of `Answer`. The entry of a command names the kind of its answer.
public struct AnswerKind<Value: Equatable & Sendable>: AnyAnswerKind {
    package let path: String
    package let key: String
    private let makeSchema: @Sendable () -> JSONSchema
    private let coding: AnswerCoding<Value>
    private let text: @Sendable (Value) -> [String]
    /// nil: the value is a document by itself.
    private let object: (@Sendable (Value) -> JSONObject)?

    private init(
        _ path: String, _ key: String?, _ coding: AnswerCoding<Value>,
        schema: @escaping @Sendable () -> JSONSchema,
        object: (@Sendable (Value) -> JSONObject)?, text: @escaping @Sendable (Value) -> [String]
    ) {
        (self.path, self.coding, makeSchema) = (path, coding, schema)
        self.key = key ?? String(path.drop { $0 == "/" })
        (self.object, self.text) = (object, text)
    }

    /// A kind whose values are printed side by side.
    /// - Parameters:
    ///   - path: the address, which begins with a slash; or what stands behind the address of a strip.
    ///   - key: what its value is called in JSON; the path unless told.
    init(_ path: String, key: String? = nil, _ coding: AnswerCoding<Value>) {
        let name = key ?? String(path.drop { $0 == "/" })
        self.init(path, name, coding) {
            .object([JSONSchema.Property(name, coding.schema())])
        } object: {
            [name: coding.values($0).json]
        } text: {
            [coding.values($0).text]
        }
    }

    /// A kind whose JSON is an object with the fields of its value.
    /// - Parameter lines: as a person reads it.
    init(
        _ path: String, of coding: AnswerCoding<Value>, lines: @escaping @Sendable (Value) -> [String]
    ) where Value: JSONForm {
        self.init(path, coding, Value.schema) {
            $0.json.objectValue ?? JSONObject()
        } lines: {
            lines($0)
        }
    }

    /// A kind whose value is a JSON document.
    /// - Parameter lines: as a person reads it.
    init(
        _ path: String, _ coding: AnswerCoding<Value>, lines: @escaping @Sendable (Value) -> [String]
    ) {
        self.init(path, nil, coding, schema: coding.schema, object: nil, text: lines)
    }

    /// A kind whose JSON differs from its OSC arguments.
    /// - Parameters:
    ///   - schema: what the fields say.
    ///   - lines: as a person reads it.
    init(
        _ path: String, _ coding: AnswerCoding<Value>,
        _ schema: @autoclosure @escaping @Sendable () -> JSONSchema,
        fields: @escaping @Sendable (Value) -> JSONObject, lines: @escaping @Sendable (Value) -> [String]
    ) {
        self.init(path, nil, coding, schema: schema, object: fields, text: lines)
    }

    /// An answer about a strip.
    public func callAsFunction(_ place: StripPlace, _ value: Value) -> Answer {
        .said(Answer.Said(kind: self, place: place, value: value))
    }

    /// An answer about the whole.
    public func callAsFunction(_ value: Value) -> Answer {
        .said(Answer.Said(kind: self, place: nil, value: value))
    }

    package var schema: JSONSchema { makeSchema() }
    package var types: String { coding.types }
    package var isDocument: Bool { object == nil }

    package func content(_ value: any Equatable & Sendable) -> AnswerContent { coding.write(own(value)) }

    package func read(_ place: StripPlace?, _ arguments: [OSCArgument]) -> Answer? {
        coding.read(arguments).map { .said(Answer.Said(kind: self, place: place, value: $0)) }
    }

    package func lines(_ value: any Equatable & Sendable) -> [String] { text(own(value)) }

    package func fields(_ value: any Equatable & Sendable) -> JSONObject? { object?(own(value)) }

    private func own(_ value: any Equatable & Sendable) -> Value {
        guard let value = value as? Value else { preconditionFailure("\(path) does not say \(value)") }
        return value
    }
}

/// What follows the address of an answer.
package enum AnswerContent {
    case values([OSCArgument])
    case document(JSONValue)
}

extension AnyAnswerKind {
    package var isOfStrip: Bool { !path.hasPrefix("/") }
}
