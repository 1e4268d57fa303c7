import JSON
import Remote
import Speakers
import Timeline

/// What `--json` prints, verb by verb, as JSON Schema: `jmixctl help schema`.
package enum AnswerSchema {
    package static var document: JSONValue {
        var verbs = JSONObject()
        for verb in Verb.all {
            let schemas = Self.schemas(verb)
            if !schemas.isEmpty { verbs[verb.name] = .object(JSONSchema.any(of: schemas).json) }
        }
        verbs["error"] = .object(error.json)
        verbs["note"] = .object(note.json)
        return .object([
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "What jmixctl and jmix edit print with --json", "description": .string(description),
            "$defs": .object(verbs),
        ])
    }

    private static let description = """
        An entry for each verb that answers. Numbers are linear, switches are true or false, and what cannot \
        be known is null. Times of the session are exact texts, as in its file; where the playhead stands is \
        a number of seconds. A verb that only sets prints nothing. A question about one strip answers one \
        object or document; a pattern answers a list, each item with its strip. A refusal is one object on \
        standard error, error. So is a note: the command is done, and this is to be known.
        """

    private static let error = JSONSchema.object([
        JSONSchema.Property("error", .text),
        JSONSchema.Property(
            "code",
            JSONSchema.one(of: [1, 2, 3].map { .number($0 as Int) }).described("The exit code.")),
    ])

    private static let note = JSONSchema.object([JSONSchema.Property("note", .text)])

    private static func schemas(_ verb: Verb) -> [JSONSchema] {
        verb.answers.flatMap { answer -> [JSONSchema] in
            switch answer {
            case .control(let control): oneOrSeveral(object(control.fields))
            case .controlOfTimeline: Control.ofTimeline.flatMap { oneOrSeveral(object($0.fields)) }
            case .automation:
                Automation.Control.allCases.flatMap {
                    ofDocument(Automation.schema(of: $0), key: "automation")
                }
            case .kind(let kind): schemas(kind)
            }
        }
    }

    private static func schemas(_ kind: any AnyAnswerKind) -> [JSONSchema] {
        if kind.path == Answer.position.path { return [position] }
        if kind.path == Answer.sends.path { return [kind.schema, .list(of: kind.schema)] }
        if kind.isDocument, !kind.isOfStrip { return [kind.schema] }
        if kind.isDocument { return ofDocument(kind.schema, key: kind.key) }
        if !kind.isOfStrip { return [kind.schema] }
        // Who asks for the loudness of one strip knows which.
        let isNamed = kind.path != Answer.loudness.path
        let fields = kind.schema.with(head)
        return oneOrSeveral(isNamed ? fields.withOne(of: kinds) : fields)
    }

    /// A strip's document alone; for a pattern a list of objects with strip and document.
    private static func ofDocument(_ schema: JSONSchema, key: String) -> [JSONSchema] {
        [schema, .list(of: object([JSONSchema.Property(key, schema)]))]
    }

    private static func oneOrSeveral(_ schema: JSONSchema) -> [JSONSchema] { [schema, .list(of: schema)] }

    private static func object(_ fields: [JSONSchema.Property]) -> JSONSchema {
        JSONSchema.object(fields).with(head).withOne(of: kinds)
    }

    private static let kinds = ["track", "bus", "dca"]

    /// The strip that an object is about, and its name where several answer.
    private static let head = [
        JSONSchema.Property(
            "track", .any(of: [.integer(from: 1), .one(of: ["master"])]), isRequired: false),
        JSONSchema.Property("bus", .integer(from: 1), isRequired: false),
        JSONSchema.Property("dca", .integer(from: 1), isRequired: false),
        JSONSchema.Property("name", .text, isRequired: false),
    ]

    private static let position = JSONSchema.object([
        JSONSchema.Property("state", TransportWord.schema),
        JSONSchema.Property("frame", JSONSchema.integer.described("At the session's rate.")),
        JSONSchema.Property("seconds", .number),
    ])
}
