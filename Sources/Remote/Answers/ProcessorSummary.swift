import JSON

/// A gate, a compressor or a limiter, as a session's file has it.
public struct ProcessorSummary: Equatable, Sendable, JSONCoded {
    public let isOn: Bool
    /// In the order in which they are written: numbers, times, and what its key is called. What stands at
    /// what it is unless told is not there.
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

    public var json: JSONValue {
        if isLevelAlone, let level = settings[Self.level] { return level }
        var object = JSONObject()
        if !isOn { object[Self.on] = false }
        object.merge(settings)
        return .object(object)
    }
}
