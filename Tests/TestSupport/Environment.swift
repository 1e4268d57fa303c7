import Foundation

/// The whole number in an environment variable, by which whoever runs the tests says how many sequences they
/// try, or from which seed on; nil: the variable is not set, or holds no such number.
public func environmentNumber<Number: FixedWidthInteger>(_ variable: String) -> Number? {
    ProcessInfo.processInfo.environment[variable].flatMap { Number($0) }
}

/// The seed from which on random cases are tried: that in an environment variable, or another in each run.
public func firstSeed(_ variable: String) -> UInt64 {
    environmentNumber(variable) ?? .random(in: 0...UInt64(UInt32.max))
}
