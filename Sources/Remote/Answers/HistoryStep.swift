import JSON

/// A step that can be taken back, or made again.
public struct HistoryStep: Equatable, Sendable, JSONForm {
    public private(set) var name = ""
    /// It can be taken back; else it can be made again.
    public private(set) var isDone = true

    public init() {}

    public init(name: String, isDone: Bool) { (self.name, self.isDone) = (name, isDone) }

    public static let fields: [JSONField<Self>] = [JSONField("name", \.name), JSONField("done", \.isDone)]
}
