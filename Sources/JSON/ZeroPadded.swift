/// A number from 0 on with zeros before it, so that it has so many digits at least.
public func zeroPadded(_ number: some BinaryInteger, _ count: Int, radix: Int = 10) -> String {
    let digits = String(number, radix: radix)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
}
