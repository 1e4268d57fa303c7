import JSON

/// Points and ramps in the session's file.
extension SessionFile {
    private struct Point {
        var value = 1.0
        var at = MediaTime.zero
        var unknown = JSONObject()
    }

    private struct Ramp {
        var values = (first: 1.0, last: 1.0)
        var from = MediaTime.zero
        var to = MediaTime.zero
        var curve = Curve.linear
        var unknown = JSONObject()
    }

    /// What a point of each control says: a volume, a number, or a switch.
    private static let points = Dictionary(
        uniqueKeysWithValues: Automation.Control.allCases.map { ($0, points($0)) })

    private static func points(_ control: Automation.Control) -> FieldTable<Point> {
        let value: Field<Point> =
            switch control {
            case .volume: .volume("volume", \.value)
            case .trim: .volume("value", \.value)
            case .mute:
                Field(name: "value", schema: .flag) {
                    $1.value = $0.flag("value", default: true) ? 1 : 0
                } write: {
                    .bool($0.value == 1)
                }
            default: .number("value", \.value, in: control.range)
            }
        return FieldTable(fields: [value, .time("at", \.at)], unknown: \.unknown)
    }

    private static let ramps = Dictionary(
        uniqueKeysWithValues: Automation.Control.allCases.map { ($0, ramps($0)) })

    private static func ramps(_ control: Automation.Control) -> FieldTable<Ramp> {
        FieldTable(
            fields: [
                rampValues(control),
                .time("from", \.from), .time("to", \.to, required: "a ramp ends somewhere"),
                .curve("curve", \.curve, omitted: .linear),
            ], unknown: \.unknown)
    }

    private static func rampValues(_ control: Automation.Control) -> Field<Ramp> {
        Field(
            name: "ramp", schema: .list(of: .number(in: control.range), count: 2...2)
        ) { reader, ramp in
            guard let pair = reader.object["ramp"]?.arrayValue, pair.count == 2 else {
                return reader.fault(
                    "ramp",
                    """
                    it is \(reader.object["ramp"]!.compactText), where two values belong, as [0.5, 0.8]
                    """
                )
            }
            func value(_ value: JSONValue) -> Double? {
                control == .volume || control == .trim
                    ? reader.volume(value, "ramp") : reader.number(value, "ramp")
            }
            if let first = value(pair[0]) { ramp.values.first = first }
            if let last = value(pair[1]) { ramp.values.last = last }
        } write: {
            .array([.number($0.values.first), .number($0.values.last)])
        }
    }

    /// What is said of a lane of a control that has none.
    static func unknownLane(_ name: String, among controls: [Automation.Control]) -> String {
        """
        there is no control "\(name)" to automate here: \
        \(controls.map(\.rawValue).joined(separator: ", "))
        """
    }

    /// A point or a ramp of a control.
    static func event(of control: Automation.Control) -> JSONSchema {
        .any(of: [points(control).schema(Point()), ramps(control).schema(Ramp())])
    }

    static func json(_ event: Automation.Event, of control: Automation.Control) -> JSONValue {
        switch event.kind {
        case .point(let value, let time):
            points[control]!.json(Point(value: value, at: time, unknown: event.unknown))
        case .ramp(let first, let last, let range, let curve):
            ramps[control]!.json(
                Ramp(
                    values: (first, last), from: range.start, to: range.end, curve: curve,
                    unknown: event.unknown))
        }
    }

    static func readEvents(
        _ reader: inout FieldReader, _ field: String, into automation: inout Automation
    ) {
        let control = automation.control
        var events = reader.objects(field, named: field).map { _, place, object in
            readEvent(FieldReader(object, place: place, sampleRate: reader.sampleRate), of: control)
        }
        // In order of time, for each goes behind those that are there: a list from back to front would be
        // moved as a whole for each of its events.
        let order = events.indices.sorted { (events[$0].start, $0) < (events[$1].start, $1) }
        for index in order {
            guard let set = events[index].set else { continue }
            do throws(AutomationError) { try set(&automation) } catch {
                events[index].reader.fault("", error.message(place: reader.place))
            }
        }
        for event in events { reader.absorb(event.reader) }
    }

    private static func pointField(_ control: Automation.Control) -> String {
        control == .volume ? "volume" : "value"
    }

    /// An event as it stands in the file, and how it comes onto a timeline; nil where that makes no sense.
    private struct ReadEvent {
        var reader: FieldReader
        var start = MediaTime.zero
        var set: ((inout Automation) throws(AutomationError) -> Void)?
    }

    private static func readEvent(_ fields: FieldReader, of control: Automation.Control) -> ReadEvent {
        var event = ReadEvent(reader: fields)
        if fields.object["ramp"] != nil, fields.object[pointField(control)] != nil {
            event.reader.fault(
                "", "it is a \"\(pointField(control))\" or a \"ramp\", not both: make it two events")
        } else if fields.object["ramp"] != nil {
            readRamp(&event, of: control)
        } else if fields.object[pointField(control)] != nil {
            readPoint(&event, of: control)
        } else {
            event.reader.fault(
                "",
                """
                it has neither a "\(pointField(control))" (with "at") nor a "ramp" (with "from" and "to")
                """
            )
        }
        return event
    }

    private static func readRamp(_ event: inout ReadEvent, of control: Automation.Control) {
        var ramp = Ramp()
        let isWhole = ramps[control]!.read(&event.reader, into: &ramp)
        guard isWhole, event.reader.problems.isEmpty else { return }
        event.start = ramp.from
        let range = TimeRange(start: ramp.from, end: ramp.to)
        event.set = { [ramp] automation throws(AutomationError) in
            try automation.setRamp(
                from: ramp.values.first, to: ramp.values.last, over: range, curve: ramp.curve,
                unknown: ramp.unknown)
        }
    }

    private static func readPoint(_ event: inout ReadEvent, of control: Automation.Control) {
        var point = Point()
        points[control]!.read(&event.reader, into: &point)
        guard event.reader.problems.isEmpty else { return }
        event.start = point.at
        event.set = { [point] automation throws(AutomationError) in
            try automation.setValue(point.value, at: point.at, unknown: point.unknown)
        }
    }
}
