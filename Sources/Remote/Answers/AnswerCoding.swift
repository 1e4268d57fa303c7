import JSON
import OSC
import Timeline

/// How the values of a kind of answer are told.
struct AnswerCoding<Value>: Sendable {
    /// The OSC types of what follows the address.
    let types: String
    /// What a value may be in JSON; made when it is asked for, for answers are told many times a second.
    let schema: @Sendable () -> JSONSchema
    let write: @Sendable (Value) -> AnswerContent
    /// nil: that is no such value.
    let read: @Sendable ([OSCArgument]) -> Value?
    /// One by one, as a person and a script read them; of a document none.
    let values: @Sendable (Value) -> [PlainValue]

    init(
        _ types: String, _ schema: @autoclosure @escaping @Sendable () -> JSONSchema,
        osc: @escaping @Sendable (Value) -> [OSCArgument],
        read: @escaping @Sendable ([OSCArgument]) -> Value?,
        values: @escaping @Sendable (Value) -> [PlainValue] = { _ in [] }
    ) {
        (self.types, self.schema, self.read, self.values) = (types, schema, read, values)
        write = { .values(osc($0)) }
    }

    /// A text of JSON.
    private init(
        _ schema: @escaping @Sendable () -> JSONSchema, document: @escaping @Sendable (Value) -> JSONValue,
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        (types, self.schema, values) = ("s", schema, { _ in [] })
        write = { .document(document($0)) }
        self.read = { arguments in
            guard case .string(let text)? = arguments.first, let json = try? JSONValue(parsing: text) else {
                return nil
            }
            return read(json)
        }
    }
}

extension AnswerCoding where Value: JSONCoded {
    static var document: AnswerCoding { document(Value.schema) }

    /// - Parameter schema: what such a document says.
    static func document(
        _ schema: @autoclosure @escaping @Sendable () -> JSONSchema
    ) -> AnswerCoding {
        AnswerCoding(schema, document: \.json) { Value(json: $0) }
    }
}

extension AnswerCoding<Automation> {
    static func automation(_ control: Automation.Control) -> AnswerCoding {
        AnswerCoding({ Automation.schema(of: control) }, document: \.json) {
            Automation(json: $0, of: control)
        }
    }
}

extension AnswerCoding<String> {
    static let text = AnswerCoding("s", .text) {
        [.string($0)]
    } read: {
        $0.first?.text
    } values: {
        [.text($0)]
    }
}

extension AnswerCoding<Bool> {
    /// 1 or 0.
    static let flag = AnswerCoding("i", .flag) {
        [.int32($0 ? 1 : 0)]
    } read: {
        $0.first?.double.map { $0 != 0 }
    } values: {
        [.flag($0)]
    }
}

extension AnswerCoding<Int> {
    static let number = AnswerCoding("i", .integer) {
        [.int32(Int32(clamping: $0))]
    } read: {
        $0.first?.double.flatMap { Int(exactly: $0) }
    } values: {
        [.number($0)]
    }
}

extension AnswerCoding<Double> {
    static let float = AnswerCoding("f", .number) {
        [.float(Float($0))]
    } read: {
        $0.first?.double
    } values: {
        [.float($0)]
    }
}

extension AnswerCoding<[Float]> {
    static func floats(count: Int) -> AnswerCoding {
        AnswerCoding("f...", .list(of: .number, count: count...count)) {
            $0.map { .float($0) }
        } read: { arguments in
            let numbers = arguments.compactMap(\.double)
            return numbers.count == arguments.count ? numbers.map { Float($0) } : nil
        } values: {
            $0.map { .float(Double($0)) }
        }
    }
}

extension AnswerCoding where Value: RawRepresentable<String> & CaseIterable & SendableMetatype {
    static var word: AnswerCoding {
        AnswerCoding("s", .one(of: Value.allCases.map { .string($0.rawValue) })) {
            [.string($0.rawValue)]
        } read: {
            $0.first?.text.flatMap(Value.init)
        } values: {
            [.text($0.rawValue)]
        }
    }
}

extension AnswerCoding<ControlValue> {
    static func value(_ kind: Control.Kind) -> AnswerCoding {
        AnswerCoding(kind.answer, kind.schema, osc: \.arguments) {
            ControlValue($0, of: kind)
        } values: {
            $0.values
        }
    }
}

extension ClosedRange<Double> {
    /// Two numbers, the first of which is not above the second.
    init?(_ arguments: ArraySlice<OSCArgument>) {
        let bounds = arguments.compactMap(\.double)
        guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
        self = bounds[0]...bounds[1]
    }
}

extension Array {
    /// Itself if there are so many; else nil.
    func exactly(_ count: Int) -> Array? { self.count == count ? self : nil }
}
