import OSC

/// A value as it travels between a desk and its remotes.
package enum WireValue: Equatable {
    case int(Int)
    case float(Float)
    case text(String)

    /// The uppermost of 32 bits is a sign on the way.
    static func int32(_ number: Int) -> Int32 {
        number > 0 ? Int32(bitPattern: UInt32(clamping: number)) : Int32(clamping: number)
    }

    var argument: OSCArgument {
        switch self {
        case .int(let number): .int32(Self.int32(number))
        case .float(let number): .float(number)
        case .text(let text): .string(text)
        }
    }
}

extension OSCArgument {
    /// As a desk has it: of 32 bits.
    var wholeNumber: Int? {
        switch self {
        case .int32(let number): Int(number)
        case .int64(let number): Int32(exactly: number).map(Int.init)
        case .float(let number): Int32(exactly: number.rounded()).map(Int.init)
        case .double(let number): Int32(exactly: number.rounded()).map(Int.init)
        case .bool(let flag): flag ? 1 : 0
        case .string, .blob, .other: nil
        }
    }

    /// A number from 0 to 1; beyond that its end.
    var part: Float? {
        let number: Float? =
            switch self {
            case .int32(let number): Float(number)
            case .int64(let number): Float(number)
            case .float(let number): number
            case .double(let number): Float(number)
            case .bool, .string, .blob, .other: nil
            }
        return number.flatMap { $0.isNaN ? nil : min(1, max(0, $0)) }
    }
}
