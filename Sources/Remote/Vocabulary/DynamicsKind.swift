import JSON
import Timeline

/// Which of the processors that set a strip's gain by levels, by its name in files, addresses and the shell.
public enum DynamicsKind: String, CaseIterable, Sendable {
    case gate, comp, limit

    /// As messages say it.
    public var name: String {
        switch self {
        case .gate: "gate"
        case .comp: "compressor"
        case .limit: "limiter"
        }
    }

    /// What its numbers are called, in their order.
    var parameters: [String] {
        switch self {
        case .gate: Gate.parameters.map(\.name)
        case .comp: Compressor.parameters.map(\.name)
        case .limit: Limiter.parameters.map(\.name)
        }
    }

    /// Those that the shell takes without their names.
    public var positions: [String] { Array(parameters.prefix(self == .comp ? 2 : 1)) }

    /// It may go by another strip's level.
    var hasKey: Bool { self != .limit }
}
