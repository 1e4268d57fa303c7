/// The shape of a ramp between its two volumes, with p from 0 to 1 over the ramp and d = V1 - V0.
public enum Curve: String, CaseIterable, Sendable {
    /// V0 + d p
    case linear
    /// V0 + d (1 - cos(pi p)) / 2
    case scurve
    /// V0 + d sin(pi p / 2) rising, V0 + d (1 - cos(pi p / 2)) falling
    case equalpower
    /// V0 (V1 / V0)^p; both volumes above 0
    case exponential
}

extension Curve {
    /// Why a fade of a clip cannot be exponential.
    public static let noFade =
        "a fade begins or ends at silence, which exponential never reaches: linear, scurve, equalpower"

    /// What to say of a curve's name that is none.
    public static func unknown(_ name: String) -> String {
        "there is no curve \"\(name)\": \(allCases.map(\.rawValue).joined(separator: ", "))"
    }
}
