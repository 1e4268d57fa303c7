import JSON

/// A file that is missing, and where files of its name are.
public struct MissingFile: Equatable, Sendable, JSONForm {
    public private(set) var file = ""
    public private(set) var found: [String] = []

    public init() {}

    public init(file: String, found: [String]) { (self.file, self.found) = (file, found) }

    public static let fields: [JSONField<Self>] = [JSONField("file", \.file), JSONField("found", \.found)]
}

extension Answer {
    public static let missing = AnswerKind("/session/missing", .document) { (files: [MissingFile]) in
        files.flatMap { file in
            ["\(file.file)\(file.found.isEmpty ? "  (no file of its name found)" : "")"]
                + file.found.map { "    found: \($0)" }
        }
    }
}
