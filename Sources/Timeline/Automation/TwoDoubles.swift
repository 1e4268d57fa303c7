/// A number as the sum of two, the second at most half a last place of the first: some 106 bits (T. J.
/// Dekker, Numerische Mathematik 18, 1971).
struct TwoDoubles {
    let high: Double
    let low: Double

    init(_ number: Double) { (high, low) = (number, 0) }

    /// Of parts of which the first is the greater.
    init(_ greater: Double, _ less: Double) {
        high = greater + less
        low = less - (high - greater)
    }

    static func + (a: TwoDoubles, b: TwoDoubles) -> TwoDoubles {
        let sum = a.high + b.high
        let part = sum - a.high
        let error = (a.high - (sum - part)) + (b.high - part)
        return TwoDoubles(sum, error + a.low + b.low)
    }

    static func * (a: TwoDoubles, b: TwoDoubles) -> TwoDoubles {
        let product = a.high * b.high
        let ((a1, a2), (b1, b2)) = (halves(a.high), halves(b.high))
        let error = ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2
        return TwoDoubles(product, error + (a.high * b.low + a.low * b.high))
    }

    static func / (a: TwoDoubles, b: Double) -> TwoDoubles {
        let quotient = a.high / b
        let back = TwoDoubles(quotient) * TwoDoubles(b)
        return TwoDoubles(quotient, ((a.high - back.high) - back.low + a.low) / b)
    }

    /// A number as two of 26 bits, whose products are exact.
    private static func halves(_ number: Double) -> (Double, Double) {
        let scaled = 134_217_729 * number
        let high = scaled - (scaled - number)
        return (high, number - high)
    }
}
