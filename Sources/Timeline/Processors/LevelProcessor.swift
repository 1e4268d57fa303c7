import JSON

/// What sets a strip's gain by how loud it is: a compressor, a gate or a limiter.
public protocol LevelProcessor: Equatable, Sendable {
    /// As it is unless told.
    init()
    /// Off, it is kept and changes nothing.
    var isOn: Bool { get set }
    /// Fields of the file that this version does not know, kept for the next save.
    var unknown: JSONObject { get set }
    /// Its numbers, in the order in which they are written.
    static var parameters: [Parameter<Self>] { get }
}

extension LevelProcessor {
    /// Where one of its numbers lies, by its name.
    static func range(of name: String) -> ClosedRange<Double> {
        parameters.first { $0.name == name }?.range ?? 0...0
    }
}
