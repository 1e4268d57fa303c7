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

extension Answer {
    /// Oldest first; those taken back come last.
    public static let history = AnswerKind("/session/history", .document) { (steps: [HistoryStep]) in
        steps.enumerated().map { index, step in
            "\("\(index + 1)".padded(4)) \(step.name)\(step.isDone ? "" : "   (taken back)")"
        }
    }

    /// What was taken back, and what was made again.
    public static let undone = AnswerKind("/session/undo", key: "undo", .text)
    public static let redone = AnswerKind("/session/redo", key: "redo", .text)

    public static let edition = AnswerKind("/session/edition", key: "edition", .edition)
}

extension AnswerCoding<Edition> {
    fileprivate static let edition = AnswerCoding("iss", .list(of: .any)) {
        [.int32(Int32(truncatingIfNeeded: $0.number)), .string($0.undo), .string($0.redo)]
    } read: { arguments in
        guard arguments.count == 3, let number = arguments[0].double.flatMap({ Int(exactly: $0) }),
            let undo = arguments[1].text, let redo = arguments[2].text
        else { return nil }
        return Edition(number, undo: undo, redo: redo)
    } values: {
        [.number($0.number), .text($0.undo), .text($0.redo)]
    }
}
