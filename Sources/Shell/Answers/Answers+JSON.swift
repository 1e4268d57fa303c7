import JSON
import Remote
import Timeline

/// Answers as a script reads them: an object by itself for one, a list for several or for a pattern.
extension Answers {
    var document: JSONValue {
        switch answers[0] {
        case .record(let isOn, let range): Self.document(isOn, range)
        case .position: positionDocument ?? .null
        case _ where isOfPattern: .array(answers.map(namedDocument))
        default: Self.oneOrList(answers.map(document))
        }
    }

    /// An answer to a pattern names its strip: a document stands beside its name. Lists of sends do so by
    /// themselves.
    private func namedDocument(_ answer: Answer) -> JSONValue {
        if case .sends = answer { return document(answer) }
        guard let place = answer.place, let json = answer.json else { return document(answer) }
        return .object(head(place).merged([answer.key: json]))
    }

    private static func oneOrList(_ documents: [JSONValue]) -> JSONValue {
        documents.count == 1 ? documents[0] : .array(documents)
    }

    private func document(_ answer: Answer) -> JSONValue {
        switch answer {
        case .control(let place, let control, let value): document(answer, place, control, value)
        case .loudness(let place, let momentary, let shortTerm, let integrated, let truePeak):
            .object(
                (isOfPattern ? head(place) : JSONObject()).merged([
                    "momentary": .float(momentary), "shortTerm": .float(shortTerm),
                    "integrated": .float(integrated), "truePeak": .float(truePeak),
                ]))
        case .peak(let place, let peak, let overs):
            .object(head(place).merged(["peak": .float(Double(peak)), "overs": .number(overs)]))
        default: answer.json ?? plainDocument(answer)
        }
    }

    /// `{ "track": 1, "range": 7.5 }`, or without a strip `{ "loop": [1, 2] }`.
    private func plainDocument(_ answer: Answer) -> JSONValue {
        var object = answer.place.map(head) ?? JSONObject()
        object[answer.key] = Self.oneOrList(answer.values.map(\.json))
        return .object(object)
    }

    /// `{ "track": 1, "volume": 0.5 }`, or of a send `{ "track": 1, "send": "reverb", "volume": 0.5 }`.
    private func document(
        _ answer: Answer, _ place: StripPlace, _ control: Control, _ value: ControlValue
    ) -> JSONValue {
        var object = head(place)
        object["send"] = control.bus.map { .string($0.text) }
        switch (control, value) {
        case (_, .levels(let peaks, let rms)): object.merge(Self.levels(peaks, rms))
        case (.members, .names(let names)): object["members"] = names.json
        default: object[answer.key] = Self.oneOrList(answer.values.map(\.json))
        }
        return .object(object)
    }

    /// The strip, and its name where several answer.
    private func head(_ place: StripPlace) -> JSONObject {
        var object: JSONObject =
            place == .master ? ["track": "master"] : [place.kind.rawValue: .number(place.number)]
        object["name"] = names[place].map { .string($0) }
        return object
    }

    /// Left and right, and a list of the channels behind them.
    private static func levels(_ peaks: [Float], _ rms: [Float]) -> JSONObject {
        let (peaks, rms) = (
            peaks.map { JSONValue.float(Double($0)) }, rms.map { JSONValue.float(Double($0)) }
        )
        var object: JSONObject = [
            "peakLeft": peaks[0], "peakRight": peaks[1], "rmsLeft": rms[0], "rmsRight": rms[1],
        ]
        if peaks.count > 2 {
            object["further"] = .array(
                zip(peaks, rms).dropFirst(2).map { .object(["peak": $0, "rms": $1]) })
        }
        return object
    }

    private static func document(_ isOn: Bool, _ range: ClosedRange<Double>?) -> JSONValue {
        var object: JSONObject = ["record": .bool(isOn)]
        if let range { (object["from"], object["to"]) = (range.lowerBound.json, range.upperBound.json) }
        return .object(object)
    }

    private var positionDocument: JSONValue? {
        guard let (frame, seconds, isRolling) = present else { return nil }
        return .object([
            "state": .string(TransportWord(isRolling: isRolling).rawValue), "frame": .number(frame),
            "seconds": .number(seconds),
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

extension JSONValue {
    /// With as many digits as OSC's floats carry; what is no number, as the level of silence, is null.
    fileprivate static func float(_ number: Double) -> JSONValue { PlainValue.float(number).json }
}
