import JSON
import Timeline
import XML

/// Automation: points of a parameter as events of a session.
extension DAWProjectReader {
    mutating func automate(_ points: XMLElement, _ unit: String) {
        guard let target = points.first("Target") else { return }
        guard let id = target["parameter"], let parameter = parameters[id] else {
            return losses.say(
                """
                automation of \(target["parameter"].flatMap { timelines[$0]?["name"] } ?? "a control") that \
                is not read here is left out
                """
            )
        }
        let known = known(points, parameter, points["timeUnit"] ?? unit)
        if known.isEmpty { return }
        // As of a volume that stands: what is beyond the fader's end is the trim's, all along.
        let over =
            parameter.kind == .volume && parameter.send == nil
            ? min(Volume.range.upperBound, max(1, known.map(\.value).max()! / Volume.range.upperBound)) : 1
        put(events(known, parameter, over: over), parameter)
        if parameter.kind == .volume, parameter.send == nil {
            set(["trim": .number(over)], of: parameter.place)
        }
    }

    /// What a control is at a time, as this program counts it.
    private typealias Point = (time: MediaTime, value: Double, isStraight: Bool)

    /// Those that lie on the timeline, in their order.
    private func known(_ points: XMLElement, _ parameter: Parameter, _ unit: String) -> [Point] {
        let valueUnit = points["unit"] ?? parameter.unit
        return points.children.compactMap { point -> Point? in
            guard let time = number(point, "time"), let value = value(of: point, parameter.kind, valueUnit)
            else { return nil }
            return (clock.time(time, unit), value, point["interpolation"] == "linear")
        }
        .filter { $0.time.isOnTimeline }.sorted { $0.time < $1.time }
    }

    private func value(of point: XMLElement, _ kind: Parameter.Kind, _ unit: String) -> Double? {
        if kind == .mute { return point["value"] == "true" ? 1 : 0 }
        guard let value = number(point, "value") else { return nil }
        return kind == .volume ? max(0, linear(value, unit)) : balance(value, unit)
    }

    /// As a session has them.
    /// - Parameter over: by so much volumes are lower, which is the trim's.
    private func events(_ known: [Point], _ parameter: Parameter, over: Double) -> [JSONValue] {
        let key = parameter.kind == .volume ? "volume" : "value"
        func json(_ value: Double) -> JSONValue {
            switch parameter.kind {
            case .mute: .bool(value == 1)
            case .volume: volumeField(value / over, name(of: parameter.place))
            case .pan: .number(value)
            }
        }
        // Before its first point a control has that point's value.
        let first = known[0]
        var events: [JSONValue] = first.time > .zero ? [.object([key: json(first.value), "at": "0s"])] : []
        for (index, point) in known.enumerated() {
            let next = index + 1 < known.count ? known[index + 1] : nil
            if next?.time == point.time { continue }
            if let next, point.isStraight, parameter.kind != .mute, next.value != point.value {
                events.append(
                    .object([
                        "ramp": [json(point.value), json(next.value)],
                        "from": .string(point.time.description), "to": .string(next.time.description),
                    ]))
            } else if index == 0 || known[index - 1].value != point.value || known[index - 1].isStraight
                || next?.value != point.value
            {
                events.append(.object([key: json(point.value), "at": .string(point.time.description)]))
            }
        }
        return events
    }

    private mutating func put(_ events: [JSONValue], _ parameter: Parameter) {
        var fields = fields(of: parameter.place)
        guard let send = parameter.send else {
            put(.array(events), parameter.kind, into: &fields)
            return set(fields, of: parameter.place)
        }
        var sends = fields["sends"]?.arrayValue ?? []
        guard let index = sends.firstIndex(where: { $0["to"]?.stringValue == send }),
            var own = sends[index].objectValue
        else { return }
        put(.array(events), parameter.kind, into: &own)
        sends[index] = .object(own)
        set(["sends": .array(sends)], of: parameter.place)
    }

    /// A volume over time takes the fader's place; a pan and a mute have lanes.
    private func put(_ events: JSONValue, _ kind: Parameter.Kind, into fields: inout JSONObject) {
        switch kind {
        case .volume:
            fields["automation"] = events
            fields[fields["to"] == nil ? "fader" : "volume"] = .number(1)
        case .pan, .mute:
            var lanes = fields["lanes"]?.objectValue ?? [:]
            lanes[kind == .pan ? "pan" : "mute"] = events
            fields["lanes"] = .object(lanes)
        }
    }
}
