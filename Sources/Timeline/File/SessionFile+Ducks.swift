import JSON

/// Ducks in the session's file.
extension SessionFile {
    static func ducks(_ names: StripNames) -> FieldTable<Duck> {
        let reason = "a duck names the track it lowers and the one it goes under"
        return FieldTable(
            fields: [
                .strip("track", \.track, names, kinds: [.track, .bus], required: reason), under(names),
                .volume("to", \.to, required: "a duck says how low it goes"), bySignal,
                threshold,
                .time("attack", \.attack),
                hold,
                .time("release", \.release), lookahead,
            ], unknown: \.unknown)
    }

    private static var threshold: Field<Duck> {
        Field(name: "threshold") { reader, duck in
            // As the gain that it is, in words, or as a number of dB.
            duck.threshold = reader.decibels(
                "threshold", in: Duck.thresholds, default: duck.threshold)
        } write: {
            $0.trigger == .signal ? .string("\(JSONValue.number($0.threshold).compactText)dB") : nil
        }
    }

    private static var hold: Field<Duck> {
        Field(name: "hold") { reader, duck in
            if let time = reader.time("hold") { duck.hold = time }
        } write: {
            $0.trigger == .signal ? .string($0.hold.description) : nil
        }
    }

    /// The ducks of a session, as its file has them.
    public static func ducks(of session: Session) -> JSONValue {
        let table = ducks(StripNames(session))
        return .array(session.ducks.map(table.json))
    }

    /// By hand there is none.
    private static func under(_ names: StripNames) -> Field<Duck> {
        let field = Field<Duck>.strip("under", \.under, names, kinds: [.track, .bus], required: nil)
        return Field(name: "under") { reader, duck in
            readUnder(&reader, &duck, names, one: field)
        } write: { duck in
            if duck.trigger == .hand { return nil }
            if duck.others.isEmpty { return field.write(duck) }
            return .array(duck.keys.map { .string(names.names[$0] ?? "") })
        }
    }

    private static func readUnder(
        _ reader: inout FieldReader, _ duck: inout Duck, _ names: StripNames, one field: Field<Duck>
    ) {
        guard let several = reader.object["under"]?.arrayValue else { return field.read(&reader, &duck) }
        let texts = several.map { $0.stringValue ?? "" }
        let ids = texts.compactMap { names.ids[$0] }
        if let missing = texts.first(where: { names.ids[$0] == nil }) {
            return reader.fault("under", "there is no track \"\(missing)\"")
        }
        guard let first = ids.first, Set(ids).count == ids.count, ids.count <= Duck.maximumKeys else {
            return reader.fault(
                "under",
                "a duck goes under one track, or under several, each once, as [\"host\", \"guest\"]")
        }
        (duck.under, duck.others) = (first, Array(ids.dropFirst()))
    }

    private static let lookahead = Field<Duck>(name: "lookahead") { reader, duck in
        guard let time = reader.time("lookahead") else { return }
        if time <= Duck.longestLookahead {
            duck.lookahead = time
        } else {
            reader.fault("lookahead", "\(time) is out of range: it goes from 0 to 1 s")
        }
    } write: {
        $0.lookahead == .zero ? nil : .time($0.lookahead)
    }

    private static let bySignal: Field<Duck> = {
        let field = Field<Duck>.choice("by", \.trigger, omitted: .clips)
        return Field(name: "by") { reader, duck in
            field.read(&reader, &duck)
            if duck.trigger == .signal { duck.goBySignal() }
        } write: {
            field.write($0)
        }
    }()
}
