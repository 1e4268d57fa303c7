/// How a number between two neighbours becomes one of them.
public enum RoundingRule: Sendable {
    /// The nearer; a tie goes to the one farther from zero.
    case nearest
    /// Towards negative infinity.
    case down
    /// Towards positive infinity.
    case up
    /// The one nearer to zero.
    case towardZero
    /// The one farther from zero. Here for kCMTimeRoundingMethod_RoundAwayFromZero.
    case awayFromZero

    /// `numerator / denominator` (above 0) as a whole number by this rule.
    public func divide(_ numerator: Int128, by denominator: Int128) -> Int128 {
        let (quotient, remainder) = numerator.quotientAndRemainder(dividingBy: denominator)
        if remainder == 0 { return quotient }
        let floor = remainder < 0 ? quotient - 1 : quotient
        switch self {
        case .down: return floor
        case .up: return floor + 1
        case .towardZero: return quotient
        case .awayFromZero: return quotient + numerator.signum()
        case .nearest:
            let twice = remainder.magnitude * 2
            return twice >= denominator.magnitude ? quotient + remainder.signum() : quotient
        }
    }
}
