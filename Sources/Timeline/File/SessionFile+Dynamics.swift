import JSON

/// Compressors and gates in the session's file:
/// `"comp": { "threshold": -20, "ratio": 3, "attack": "10ms", "key": "voice" }`.
extension SessionFile {
    /// All that a strip's sound goes through, in that order.
    static func processors(_ names: StripNames) -> [Field<Strip>] {
        [processor("gate", \.gate, names), equaliser, processor("comp", \.compressor, names), delay, limiter]
    }

    private static let delay = Field<Strip>(name: "delay") { reader, strip in
        guard let time = reader.time("delay") else { return }
        if time <= Strip.longestDelay {
            strip.delay = time
        } else {
            reader.fault("delay", "\(time) is out of range: it goes from 0 to 2 s")
        }
    } write: {
        $0.delay == .zero ? nil : .time($0.delay)
    }

    private static let limiterTable = FieldTable<Limiter>(
        fields: [.flag("on", \.isOn, omitted: true)] + Limiter.parameters.map(field), unknown: \.unknown)

    /// A number where there is nothing but its level.
    private static let limiter = Field<Strip>(name: "limit") { reader, strip in
        guard let value = reader.object["limit"] else { return }
        var limiter = Limiter()
        if let object = value.objectValue {
            var fields = FieldReader(object, place: reader.place(of: "limit"), sampleRate: reader.sampleRate)
            limiterTable.read(&fields, into: &limiter)
            reader.absorb(fields)
        } else {
            limiter.level = reader.decibels("limit", in: Limiter.parameters[0].range, default: limiter.level)
        }
        strip.limiter = limiter
    } write: {
        $0.limiter.map(json)
    }

    /// A limiter as the file has it.
    public static func json(_ limiter: Limiter) -> JSONValue {
        var plain = Limiter()
        plain.level = limiter.level
        return limiter == plain ? .number(limiter.level) : limiterTable.json(limiter)
    }

    /// A compressor or a gate as the file has it.
    public static func json<Processor: Dynamics>(_ processor: Processor, in session: Session) -> JSONValue {
        table(of: StripNames(session)).json(processor)
    }

    /// What a limiter may be in the file.
    public static let limiterSchema = JSONSchema.any(of: [
        .number(in: Limiter.parameters[0].range), limiterTable.schema(Limiter()),
    ])

    /// What a compressor or a gate may be in the file.
    public static func schema<Processor: Dynamics>(of: Processor.Type) -> JSONSchema {
        let table: FieldTable<Processor> = table(of: StripNames(Session()))
        return table.schema(Processor())
    }

    private static func processor<Processor: Dynamics>(
        _ name: String, _ path: WritableKeyPath<Strip, Processor?> & Sendable, _ names: StripNames
    ) -> Field<Strip> {
        let table: FieldTable<Processor> = table(of: names)
        return Field(name: name) { reader, strip in
            guard let object = reader.object(name) else { return }
            var (fields, processor) = (
                FieldReader(object, place: reader.place(of: name), sampleRate: reader.sampleRate), Processor()
            )
            table.read(&fields, into: &processor)
            if let gate = processor as? Gate, let problem = gate.problem { fields.fault("close", problem) }
            reader.absorb(fields)
            strip[keyPath: path] = processor
        } write: {
            $0[keyPath: path].map(table.json)
        }
    }

    private static func table<Processor: Dynamics>(of names: StripNames) -> FieldTable<Processor> {
        FieldTable(
            fields: [.flag("on", \.isOn, omitted: true)] + Processor.parameters.map(field) + [key(names)],
            unknown: \.unknown)
    }

    /// What stands at what it is unless told is left out, but for the first: it says what the others belong
    /// to.
    private static func field<Processor: LevelProcessor>(
        _ parameter: Parameter<Processor>
    ) -> Field<Processor> {
        let (name, isFirst) = (parameter.name, parameter.name == Processor.parameters.first?.name)
        let standard = parameter.value(of: Processor())
        let schema = parameter.isTime ? MediaTime.schema : .number(in: parameter.range)
        return Field(name: name, schema: schema) { reader, processor in
            if !parameter.isTime {
                return parameter.set(
                    reader.number(name, in: parameter.range, default: standard), of: &processor)
            }
            guard let milliseconds = reader.milliseconds(name, in: parameter.range) else { return }
            parameter.set(milliseconds, of: &processor)
        } write: { processor in
            if !isFirst, parameter.isStandard(processor) { return nil }
            let value = parameter.value(of: processor)
            return parameter.isTime ? .string("\(MediaTime(milliseconds: value))") : .number(value)
        }
    }

    private static func key<Processor: Dynamics>(_ names: StripNames) -> Field<Processor> {
        Field(name: "key", schema: .text) { reader, processor in
            guard let text = reader.text("key") else { return }
            if let id = names.ids[text], [.track, .bus].contains(names.kind(id)) {
                processor.key = id
            } else {
                reader.fault("key", "there is no track or bus \"\(text)\"")
            }
        } write: {
            $0.key.flatMap { names.names[$0] }.map { .string($0) }
        }
    }
}

extension FieldReader {
    /// A time; nil, and said: there is none, or it is out of range.
    fileprivate mutating func milliseconds(_ name: String, in range: ClosedRange<Double>) -> Double? {
        guard let time = time(name) else { return nil }
        let milliseconds = time.seconds * 1000
        if range.contains(milliseconds) { return milliseconds }
        fault(name, "\(time) is out of range: it goes from \(range.lowerBound) to \(range.upperBound) ms")
        return nil
    }
}
