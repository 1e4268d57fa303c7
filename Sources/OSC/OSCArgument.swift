/// One argument of an OSC message.
public enum OSCArgument: Equatable, Sendable {
    case int32(Int32)
    case int64(Int64)
    case float(Float)
    case double(Double)
    case string(String)
    case bool(Bool)
    case blob([UInt8])
    /// A type that the mixer has no use for, by its tag.
    case other(Character)

    /// Its tag in the type tag string.
    public var tag: Character {
        switch self {
        case .int32: "i"
        case .int64: "h"
        case .float: "f"
        case .double: "d"
        case .string: "s"
        case .bool(let flag): flag ? "T" : "F"
        case .blob: "b"
        case .other(let tag): tag
        }
    }
}
