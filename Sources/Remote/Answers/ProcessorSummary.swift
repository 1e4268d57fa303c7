import JSON
import Timeline

/// A gate, a compressor or a limiter, as a session's file has it.
public struct ProcessorSummary: Equatable, Sendable, JSONCoded {
    public let isOn: Bool
    /// In the order in which they are written: numbers, times, and what its key is called. Settings at their
    /// default values are left out.
    public let settings: JSONObject

    /// A limiter that has nothing but its level is written as that number.
    private static let level = "level"
    private static let on = "on"

    public init?(json: JSONValue) {
        switch json {
        case .number: (isOn, settings) = (true, [Self.level: json])
        case .object(let object): (isOn, settings) = (object[Self.on] != false, object.without([Self.on]))
        default: return nil
        }
        isLevelAlone = json.objectValue == nil
    }

    private let isLevelAlone: Bool

    /// Of any kind.
    public static let schema = JSONSchema.any

    public var json: JSONValue {
        if isLevelAlone, let level = settings[Self.level] { return level }
        var object = JSONObject()
        if !isOn { object[Self.on] = false }
        object.merge(settings)
        return .object(object)
    }
}

extension Answer {
    /// nil: there is none.
    public static func dynamics(_ kind: DynamicsKind) -> AnswerKind<ProcessorSummary?> {
        AnswerKind(kind.rawValue, .document(kind.schema.orNull)) { processor in
            guard let processor else { return ["no \(kind.name)"] }
            return [processor.line]
        }
    }
}

extension DynamicsKind {
    /// What a session's file says of such a processor.
    fileprivate var schema: JSONSchema {
        switch self {
        case .gate: SessionFile.schema(of: Gate.self)
        case .comp: SessionFile.schema(of: Compressor.self)
        case .limit: SessionFile.limiterSchema
        }
    }
}

extension ProcessorSummary {
    /// As it would be written in the shell.
    fileprivate var line: String {
        let settings = settings.fields.map { name, value in
            "\(name) \(value.stringValue ?? value.compactText)"
        }
        return ([isOn.word] + settings).joined(separator: "  ")
    }
}
