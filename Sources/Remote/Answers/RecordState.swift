import JSON
import OSC
import Timeline

/// Whether armed tracks record while the transport rolls.
public struct RecordState: Equatable, Sendable, JSONForm {
    public private(set) var isOn = false
    /// In seconds, where that is less than all of the time.
    fileprivate var from: Double?
    fileprivate var to: Double?

    public init() {}

    public init(isOn: Bool, _ range: ClosedRange<Double>? = nil) {
        (self.isOn, from, to) = (isOn, range?.lowerBound, range?.upperBound)
    }

    public static let fields: [JSONField<Self>] = [
        JSONField("record", \.isOn), JSONField("from", ifAny: \.from), JSONField("to", ifAny: \.to),
    ]

    /// As a person reads it.
    var line: String {
        guard isOn, let from, let to else { return isOn.word }
        return "on from \(Readable.clock(from)) to \(Readable.clock(to))"
    }
}

extension AnswerCoding<RecordState> {
    static let record = AnswerCoding("i", RecordState.schema) { state in
        [.int32(state.isOn ? 1 : 0)] + [state.from, state.to].compactMap { $0 }.map { .double($0) }
    } read: { arguments in
        arguments.first?.double.map { RecordState(isOn: $0 != 0, ClosedRange(arguments.dropFirst())) }
    }
}
