import JSON
import OSC
import Speakers
import Timeline

/// What follows the address of an answer.
struct AnswerCoding<Value>: Sendable {
    let write: @Sendable (Value) -> ToldAnswer.Content
    /// nil: that is no such value.
    let read: @Sendable ([OSCArgument]) -> Value?

    init(
        values: @escaping @Sendable (Value) -> [OSCArgument],
        read: @escaping @Sendable ([OSCArgument]) -> Value?
    ) {
        write = { .values(values($0)) }
        self.read = read
    }

    private init(
        document: @escaping @Sendable (Value) -> JSONValue, read: @escaping @Sendable (JSONValue) -> Value?
    ) {
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
    /// A text of JSON.
    static var document: AnswerCoding { AnswerCoding(document: \.json) { Value(json: $0) } }
}

extension AnswerCoding<Automation> {
    static func automation(_ control: Automation.Control) -> AnswerCoding {
        AnswerCoding(document: \.json) { Automation(json: $0, of: control) }
    }
}

extension AnswerCoding<String> {
    static let text = AnswerCoding {
        [.string($0)]
    } read: {
        $0.first?.text
    }
}

extension AnswerCoding<Bool> {
    /// 1 or 0.
    static let flag = AnswerCoding {
        [.int32($0 ? 1 : 0)]
    } read: {
        $0.first?.double.map { $0 != 0 }
    }
}

extension AnswerCoding<Int> {
    static let number = AnswerCoding {
        [.int32(Int32(clamping: $0))]
    } read: {
        $0.first?.double.flatMap { Int(exactly: $0) }
    }
}

extension AnswerCoding<[Float]> {
    static let floats = AnswerCoding {
        $0.map { .float($0) }
    } read: { arguments in
        let numbers = arguments.compactMap(\.double)
        return numbers.count == arguments.count ? numbers.map { Float($0) } : nil
    }
}

extension AnswerCoding where Value: RawRepresentable<String> & SendableMetatype {
    static var word: AnswerCoding {
        AnswerCoding {
            [.string($0.rawValue)]
        } read: {
            $0.first?.text.flatMap(Value.init)
        }
    }
}

extension AnswerCoding<ControlValue> {
    static func value(_ kind: Control.Kind) -> AnswerCoding {
        AnswerCoding(values: \.arguments) { ControlValue($0, of: kind) }
    }
}
