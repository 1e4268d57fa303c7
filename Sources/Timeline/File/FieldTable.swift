import JSON

/// All there is to say of a part of the session's file, once: its fields, in the order in which they are
/// written.
struct FieldTable<Part>: Sendable {
    let fields: [Field<Part>]
    /// Where fields are kept that this version does not know.
    let unknown: WritableKeyPath<Part, JSONObject> & Sendable
    private let names: Set<String>
    /// What it reads is called something.
    var hasName: Bool { names.contains("name") }

    init(fields: [Field<Part>], unknown: WritableKeyPath<Part, JSONObject> & Sendable) {
        (self.fields, self.unknown, names) = (fields, unknown, Set(fields.map(\.name)))
    }

    /// Reads what is there; the rest of `part` stays as it is.
    /// - Returns: false if a required field is missing, or is not what it should be.
    @discardableResult
    func read(_ reader: inout FieldReader, into part: inout Part) -> Bool {
        var isWhole = true
        for field in fields {
            if reader.object[field.name] != nil {
                let before = reader.problems.count
                field.read(&reader, &part)
                if field.required != nil, reader.problems.count > before { isWhole = false }
            } else if let reason = field.required {
                reader.fault(field.name, "the field is missing: \(reason)")
                isWhole = false
            }
        }
        part[keyPath: unknown] = reader.object.without(names)
        for (field, _) in part[keyPath: unknown].fields { reader.meet(field, among: names) }
        return isWhole
    }

    /// What `json` may say.
    /// - Parameter plain: a part of which nothing was told: what is written of that is always written.
    func schema(_ plain: Part) -> JSONSchema {
        .object(
            fields.map { JSONSchema.Property($0.name, $0.schema, isRequired: $0.write(plain) != nil) },
            isOpen: true)
    }

    func json(_ part: Part) -> JSONValue {
        var object = JSONObject()
        for field in fields {
            if let value = field.write(part) { object[field.name] = value }
        }
        object.merge(part[keyPath: unknown])
        return .object(object)
    }
}

extension JSONSchema {
    static func words<Choice: RawRepresentable<String> & CaseIterable>(of: Choice.Type) -> JSONSchema {
        .one(of: Choice.allCases.map { .string($0.rawValue) })
    }
}

extension JSONValue {
    static func time(_ time: MediaTime) -> JSONValue { .string(time.description) }
}
