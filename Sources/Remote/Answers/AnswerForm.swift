import JSON
import OSC
import Speakers
import Timeline

/// How one kind of answer travels: at which address it is told, what follows there, and how both become the
/// answer again.
struct AnswerForm<Value>: Sendable {
    /// Behind the address of a strip; the whole address of what is of no strip, which begins with a slash.
    let path: String
    let coding: AnswerCoding<Value>
    let answer: @Sendable (StripPlace, Value) -> Answer

    /// An answer about a strip.
    init(
        ofStrip path: String, _ coding: AnswerCoding<Value>,
        _ answer: @escaping @Sendable (StripPlace, Value) -> Answer
    ) {
        (self.path, self.coding, self.answer) = (path, coding, answer)
    }

    /// An answer about no strip, or about a new one.
    init(
        _ address: String, _ coding: AnswerCoding<Value>,
        _ answer: @escaping @Sendable (Value) -> Answer
    ) {
        (path, self.coding) = (address, coding)
        self.answer = { _, value in answer(value) }
    }

    func told(_ place: StripPlace, _ value: Value) -> ToldAnswer {
        ToldAnswer(address: "\(place.address)/\(path)", content: coding.write(value))
    }

    func told(_ value: Value) -> ToldAnswer { ToldAnswer(address: path, content: coding.write(value)) }

    var reader: AnswerReader {
        AnswerReader(path: path) { place, arguments in
            coding.read(arguments).map { answer(place, $0) }
        }
    }
}

/// Reads the answers of one form.
struct AnswerReader: Sendable {
    let path: String
    /// nil: what follows is no such answer.
    let read: @Sendable (StripPlace, [OSCArgument]) -> Answer?
}

/// An answer as it travels.
struct ToldAnswer {
    let address: String
    let content: Content

    enum Content {
        case values([OSCArgument])
        case document(JSONValue)
    }
}

extension ControlValue {
    /// What the mixer says of something of that kind.
    init?(_ arguments: [OSCArgument], of kind: Control.Kind) {
        let (number, text) = (arguments.first?.double, arguments.first?.text)
        let value: ControlValue? =
            switch kind {
            case .volume, .scale, .number, .reading: number.map { .number($0) }
            case .flag: number.map { .flag($0 != 0) }
            case .text, .place, .choice, .matrix: text.map { .text($0) }
            case .channels: number.flatMap(Self.layout).map { .channels($0) }
            case .names: .names(arguments.compactMap(\.text))
            case .duration, .delay: text.flatMap { try? TimeSpec(parsing: $0) }.map { .time($0) }
            case .levels: Self.levels(arguments.compactMap(\.double).map { Float($0) })
            }
        guard let value else { return nil }
        self = value
    }

    private static func layout(_ channels: Double) -> SpeakerLayout? {
        Int(exactly: channels).flatMap(SpeakerLayout.init(rawValue:))
    }

    /// Peaks of the first two channels, then their RMS, then both of each further one.
    private static func levels(_ values: [Float]) -> ControlValue? {
        guard values.count >= 4, values.count % 2 == 0 else { return nil }
        let further = values[4...]
        let (evens, odds) = (
            stride(from: further.startIndex, to: further.endIndex, by: 2).map { further[$0] },
            stride(from: further.startIndex + 1, to: further.endIndex, by: 2).map { further[$0] }
        )
        return .levels(peaks: values[0..<2] + evens, rms: values[2..<4] + odds)
    }
}

extension OSCArgument {
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// A number, as the shortest decimal that names it; of a switch 1 or 0.
    var double: Double? {
        switch self {
        case .int32(let value): Double(value)
        case .int64(let value): Double(value)
        case .float(let value): Double("\(value)")
        case .double(let value): value
        case .bool(let flag): flag ? 1 : 0
        case .string, .blob, .other: nil
        }
    }
}
