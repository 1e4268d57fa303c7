import JSON
import Remote
import Shell
import TestSupport
import Testing
import Timeline

/// What a schema says of a document, as JSON Schema's words mean it: those that the mixer's schemas have.
private func fits(_ json: JSONValue, _ schema: JSONObject) -> Bool {
    if let choices = schema["anyOf"]?.arrayValue {
        return choices.contains { fits(json, $0.objectValue ?? [:]) }
    }
    if let words = schema["enum"]?.arrayValue { return words.contains(json) }
    switch schema["type"]?.stringValue {
    case "null": return json == .null
    case "boolean": return json.boolValue != nil
    case "string": return json.stringValue != nil
    case "integer", "number": return fitsNumber(json, schema)
    case "array": return fitsList(json, schema)
    case "object": return fitsObject(json, schema)
    default: return schema["required"] == nil || fitsObject(json, schema)
    }
}

private func fitsNumber(_ json: JSONValue, _ schema: JSONObject) -> Bool {
    guard let number = json.doubleValue else { return false }
    return (schema["type"] != "integer" || number == number.rounded())
        && number >= schema["minimum"]?.doubleValue ?? -.infinity
        && number <= schema["maximum"]?.doubleValue ?? .infinity
}

private func fitsList(_ json: JSONValue, _ schema: JSONObject) -> Bool {
    guard let items = json.arrayValue, let item = schema["items"]?.objectValue else { return false }
    return items.allSatisfy { fits($0, item) } && items.count >= schema["minItems"]?.intValue ?? 0
        && items.count <= schema["maxItems"]?.intValue ?? .max
}

private func fitsObject(_ json: JSONValue, _ schema: JSONObject) -> Bool {
    guard let object = json.objectValue else { return false }
    let properties = schema["properties"]?.objectValue ?? [:]
    let required = (schema["required"]?.arrayValue ?? []).compactMap(\.stringValue)
    let ones = (schema["oneOf"]?.arrayValue ?? []).compactMap(\.objectValue)
    return required.allSatisfy { object[$0] != nil }
        && (ones.isEmpty || ones.count { fits(json, $0) } == 1)
        && object.fields.allSatisfy { name, value in
            properties[name].map { fits(value, $0.objectValue ?? [:]) }
                ?? (schema["additionalProperties"] != false)
        }
}

@Suite struct AnswerSchemaTests {
    private static let verbs = AnswerSchema.document["$defs"]?.objectValue ?? [:]

    private static func fits(_ json: JSONValue?, _ verb: String) -> Bool {
        guard let json, let schema = verbs[verb]?.objectValue else { return false }
        return ShellTests.fits(json, schema)
    }

    @Test(arguments: 0..<100) func aRandomSessionsAnswersAreAsTheSchemaSays(_ seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        let track = Self.track(&random)
        let place = StripPlace.track(1)
        let summary = TrackSummary(number: 1, track: track, fader: 0.3, output: "master")
        for (verb, answer) in [
            ("tracks", Answer.tracks([summary])),
            ("clips", .clips(place, track.clips.map { ClipSummary($0, end: nil, isEstimated: true) })),
            ("automation", .automation(place, .volume, track.automation)),
            ("eq", .equaliser(place, track.equaliser)),
            ("input", .input(place, track.input)), ("status", .status(MixerStatus())),
            ("gaps", .gaps(place, [TimeRange(start: .zero, duration: MediaTime(value: 1, timescale: 3))])),
            ("history", .history([HistoryStep(name: "a", isDone: true)])),
        ] {
            #expect(Self.fits(answer.json, verb), "seed \(seed): \(verb) \(answer)")
            // Nor is it what another verb says.
            #expect(!Self.fits(answer.json, "undo"))
        }
        let session = Session()
        for kind in DynamicsKind.allCases {
            let processor = ProcessorSummary?(json: track.strip.json(of: kind, in: session)) ?? nil
            #expect(Self.fits(Answer.dynamics(kind)(place, processor).json, kind.rawValue), "seed \(seed)")
        }
    }

    /// An answer without a document is the fields of an object.
    @Test func fieldsAreAsTheSchemaSays() {
        for (verb, answer) in [
            ("volume", Answer.control(.track(1), .volume, .number(0.5))), ("loop", .loop(nil)),
            ("loop", .loop(1...2)), ("record", .record(RecordState(isOn: true, 1...2))),
            ("loudness", .loudnessRange(.bus(1), 7.5)), ("peaks", .peak(.master, PeakSummary(0.5, overs: 1))),
            ("add", .added(.track(3))), ("collect", .collection(.done("all"))),
            ("meters", .control(.master, .meter, .levels(peaks: [0, 1, 1, 1], rms: [0, 1, 1, 1]))),
        ] {
            var fields = answer.fields
            if answer.place != nil { fields["bus"] = .number(1 as Int) }
            #expect(Self.fits(.object(fields), verb), "\(verb): \(fields)")
            // It is about one strip.
            fields["track"] = "master"
            #expect(!Self.fits(.object(fields), verb), "\(verb): \(fields)")
        }
        #expect(
            !Self.fits(.object(["volume": .number(5 as Int)]), "volume")
                && !Self.fits(.object(["volume": "x"]), "volume"))
        #expect(!Self.fits(.object(["record": true, "other": true]), "record"))
    }

    private static func track(_ random: inout Seeded) -> Track {
        var track = Track(name: "a")
        func time(_ random: inout Seeded) -> MediaTime {
            MediaTime(value: .random(in: 0...1000, using: &random), timescale: 48)
        }
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            var clip = Clip(file: "a.wav")
            (clip.at, clip.from, clip.fadeIn.duration) = (time(&random), time(&random), time(&random))
            (clip.pitch, clip.isReversed, clip.gain) = (-3, Bool.random(using: &random), 0.5)
            clip.channels = Bool.random(using: &random) ? ChannelPair(left: 1, right: 2) : nil
            track.clips.append(clip)
        }
        let end = MediaTime(value: 30, timescale: 1)
        try? track.automation.setRamp(
            from: 0.25, to: 1, over: TimeRange(start: time(&random), end: end), curve: .scurve)
        if Bool.random(using: &random) {
            var equaliser = Equaliser()
            equaliser.bands[0].gain = -3
            equaliser.highPass = Equaliser.Pass(frequency: 80, slope: .steep)
            track.equaliser = equaliser
        }
        var limiter = Limiter()
        (limiter.level, limiter.isOn) = (-3, Bool.random(using: &random))
        track.limiter = Bool.random(using: &random) ? limiter : nil
        track.compressor = Bool.random(using: &random) ? Compressor() : nil
        track.gate = Bool.random(using: &random) ? Gate() : nil
        track.input = Bool.random(using: &random) ? Input(channels: 2, connect: ["system:capture_1"]) : nil
        return track
    }
}
