import JSON

extension Field {
    static func curve(_ name: String, _ path: Path<Curve>, omitted: Curve) -> Field {
        Field(name: name, schema: .words(of: Curve.self)) { reader, part in
            guard let text = reader.text(name) else { return }
            if let curve = Curve(rawValue: text) {
                part[keyPath: path] = curve
            } else {
                reader.fault(name, Curve.unknown(text))
            }
        } write: {
            $0[keyPath: path] == omitted ? nil : .string($0[keyPath: path].rawValue)
        }
    }

    /// That of a fade, which begins or ends at silence.
    static func fadeCurve(_ name: String, _ path: Path<Curve>, omitted: Curve) -> Field {
        let field = curve(name, path, omitted: omitted)
        let curves = Curve.allCases.filter { $0 != .exponential }.map { JSONValue.string($0.rawValue) }
        return Field(name: name, schema: .one(of: curves)) { reader, part in
            field.read(&reader, &part)
            guard part[keyPath: path] == .exponential else { return }
            reader.fault(name, Curve.noFade)
            part[keyPath: path] = omitted
        } write: {
            field.write($0)
        }
    }

    /// A strip, by its name: a track, or a bus.
    static func strip(
        _ name: String, _ path: Path<StripID>, _ names: StripNames, kinds: Set<StripKind>, required: String?
    ) -> Field {
        Field(name: name, required: required, schema: .text) { reader, part in
            guard let text = reader.text(name) else { return }
            guard let id = names.ids[text], kinds.contains(names.kind(id)) else {
                let wanted = StripKind.allCases.filter(kinds.contains).map(\.rawValue).joined(
                    separator: " or ")
                return reader.fault(name, "there is no \(wanted) \"\(text)\"")
            }
            part[keyPath: path] = id
        } write: {
            .string(names.names[$0[keyPath: path]] ?? "")
        }
    }

    /// Points and ramps; left out without any.
    static func automation(_ name: String, _ path: Path<Automation>) -> Field {
        Field(name: name) {
            SessionFile.readEvents(&$0, name, into: &$1[keyPath: path])
        } write: {
            $0[keyPath: path].events.isEmpty ? nil : $0[keyPath: path].json
        }
    }

    /// The automation of other controls, by their names; left out without any.
    static func lanes(
        _ controls: [Automation.Control], _ get: @escaping @Sendable (Part, Automation.Control) -> Automation,
        _ set: @escaping @Sendable (inout Part, Automation.Control, Automation) -> Void
    ) -> Field {
        Field(name: "lanes") { reader, part in
            guard let object = reader.object("lanes") else { return }
            var inner = FieldReader(object, place: reader.place, sampleRate: reader.sampleRate)
            for control in controls {
                var automation = get(part, control)
                SessionFile.readEvents(&inner, control.rawValue, into: &automation)
                set(&part, control, automation)
            }
            for (name, _) in object.fields where !controls.contains(where: { $0.rawValue == name }) {
                inner.fault("lanes", SessionFile.unknownLane(name, among: controls))
            }
            reader.absorb(inner)
        } write: { part in
            var object = JSONObject()
            for control in controls {
                let automation = get(part, control)
                if !automation.events.isEmpty { object[control.rawValue] = automation.json }
            }
            return object.fields.isEmpty ? nil : .object(object)
        }
    }

    /// An object that another table reads and writes.
    static func part<Inner>(
        _ name: String, _ path: Path<Inner>, _ table: FieldTable<Inner>
    ) -> Field {
        Field(name: name) { reader, part in
            guard let object = reader.object(name) else { return }
            let place = [reader.place, name].filter { !$0.isEmpty }.joined(separator: " ")
            var inner = FieldReader(object, place: place, sampleRate: reader.sampleRate)
            table.read(&inner, into: &part[keyPath: path])
            reader.absorb(inner)
        } write: {
            table.json($0[keyPath: path])
        }
    }
}

extension Field<Strip> {
    /// Those of a whole strip.
    static var lanes: Field {
        .lanes([.pan, .trim, .mute] + Automation.Control.ofProcessors) {
            $0[automation: $1]
        } _: {
            $0[automation: $1] = $2
        }
    }
}

extension Field<Strip> {
    /// What hands do to the automation of a whole strip.
    static var writing: [Field] {
        [
            .write(\.writing),
            .writes(\.writing, [.pan, .trim, .mute] + Automation.Control.ofProcessors),
        ]
    }
}

extension Field {
    /// What hands do to the automation of a volume.
    static func write(_ path: Path<WriteModes>) -> Field {
        Field(name: "write") { reader, part in
            guard let text = reader.text("write") else { return }
            part[keyPath: path][.volume] = reader.writeMode(text, "write")
        } write: {
            let mode = $0[keyPath: path][.volume]
            return mode == .read ? nil : .string(mode.rawValue)
        }
    }

    /// The same of other controls.
    static func writes(_ path: Path<WriteModes>, _ controls: [Automation.Control]) -> Field {
        Field(name: "writes") { reader, part in
            for (name, value) in reader.object("writes")?.fields ?? [] {
                guard let control = controls.first(where: { $0.rawValue == name }) else {
                    reader.fault("writes", "there is no control \"\(name)\" to write here")
                    continue
                }
                part[keyPath: path][control] = reader.writeMode(value.stringValue ?? value.kind, "writes")
            }
        } write: { part in
            var object = JSONObject()
            for control in controls where part[keyPath: path][control] != .read {
                object[control.rawValue] = .string(part[keyPath: path][control].rawValue)
            }
            return object.fields.isEmpty ? nil : .object(object)
        }
    }
}

extension FieldReader {
    /// `read` for what is no mode, which is a fault.
    mutating func writeMode(_ text: String, _ field: String) -> WriteMode {
        choice(text, field) ?? .read
    }
}

extension StripID {
    /// Of no strip.
    static let none = StripID(rawValue: -1)
}
