import JSON
import OSC

/// The loudness of a strip. Silence is negative infinity.
public struct LoudnessSummary: Equatable, Sendable, JSONForm {
    /// In LUFS, over 400 ms, over 3 s, and since the reset.
    public private(set) var momentary = -Double.infinity
    public private(set) var shortTerm = -Double.infinity
    public private(set) var integrated = -Double.infinity
    /// In dBTP.
    public private(set) var truePeak = -Double.infinity

    public init() {}

    public init(momentary: Double, shortTerm: Double, integrated: Double, truePeak: Double) {
        (self.momentary, self.shortTerm) = (momentary, shortTerm)
        (self.integrated, self.truePeak) = (integrated, truePeak)
    }

    public static let fields: [JSONField<Self>] = [
        .level("momentary", \.momentary).described("In LUFS, over 400 ms; null is silence."),
        .level("shortTerm", \.shortTerm).described("The same over 3 s."),
        .level("integrated", \.integrated).described("The same since the reset."),
        .level("truePeak", \.truePeak).described("In dBTP; null is silence."),
    ]

    /// As a person reads it: what is silent has no level.
    var line: String {
        func tenths(_ level: Double) -> String {
            level.isFinite ? "\((level * 10).rounded() / 10)" : "-inf"
        }
        return
            """
            momentary \(tenths(momentary))  short-term \(tenths(shortTerm))  \
            integrated \(tenths(integrated)) LUFS  true peak \(tenths(truePeak)) dBTP
            """
    }
}

extension AnswerCoding<LoudnessSummary> {
    static let loudness = AnswerCoding("ffff", LoudnessSummary.schema) {
        [$0.momentary, $0.shortTerm, $0.integrated, $0.truePeak].map { .float(Float($0)) }
    } read: {
        $0.compactMap(\.double).exactly(4).map {
            LoudnessSummary(momentary: $0[0], shortTerm: $0[1], integrated: $0[2], truePeak: $0[3])
        }
    }
}

extension JSONField {
    /// A level with as many digits as OSC's floats carry; null is silence.
    static func level(_ name: String, _ path: WritableKeyPath<Form, Double> & Sendable) -> JSONField {
        JSONField(name, JSONSchema.number.orNull) {
            .float($0[keyPath: path])
        } read: { json, form in
            form[keyPath: path] = json.doubleValue ?? -.infinity
            return json == .null || json.doubleValue != nil
        }
    }
}

extension JSONValue {
    /// With as many digits as OSC's floats carry; what is no number, as the level of silence, is null.
    static func float(_ number: Double) -> JSONValue { PlainValue.float(number).json }
}
