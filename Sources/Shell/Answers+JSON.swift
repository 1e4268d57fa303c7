import JSON
import Remote
import Timeline

/// Answers as a script reads them: an object by itself for one, a list for several or for a pattern.
extension Answers {
    var document: JSONValue {
        if let document = positionDocument { return document }
        if isOfPattern { return .array(answers.map(namedDocument)) }
        let documents = answers.map(document)
        return documents.count == 1 ? documents[0] : .array(documents)
    }

    /// An answer to a pattern names its strip: a document stands beside its name. Lists of sends do so by
    /// themselves.
    private func namedDocument(_ answer: Answer) -> JSONValue {
        if let json = answer.json, answer[Answer.sends] != nil { return json }
        guard let place = answer.place else { return document(answer) }
        return .object(head(place).merged(answer.json.map { [answer.key: $0] } ?? answer.fields))
    }

    /// `{ "track": 1, "range": 7.5 }`, or without a strip `{ "loop": [1, 2] }`.
    private func document(_ answer: Answer) -> JSONValue {
        if let json = answer.json { return json }
        // Who asks for the loudness of one strip knows which.
        let place = answer[Answer.loudness] == nil ? answer.place : nil
        return .object((place.map(head) ?? JSONObject()).merged(answer.fields))
    }

    /// The strip, and its name where several answer.
    private func head(_ place: StripPlace) -> JSONObject {
        var object: JSONObject =
            place == .master ? ["track": "master"] : [place.kind.rawValue: .number(place.number)]
        object["name"] = names[place].map { .string($0) }
        return object
    }

    private var positionDocument: JSONValue? {
        guard let (position, state) = present else { return nil }
        return .object([
            "state": .string(state.rawValue), "frame": .number(position.frame),
            "seconds": .number(position.seconds),
        ])
    }
}

extension JSONObject {
    fileprivate func merged(_ other: JSONObject) -> JSONObject {
        var object = self
        object.merge(other)
        return object
    }
}
