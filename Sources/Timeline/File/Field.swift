import JSON

/// One field of a part of the session's file: what it is called, how it is read, and how it is written.
struct Field<Part>: Sendable {
    let name: String
    /// What to say where it is missing; nil where its default stands in.
    var required: String?
    /// What it is written as.
    var schema = JSONSchema.any
    /// Reads it where it is there, and notes what is wrong with it.
    let read: @Sendable (inout FieldReader, inout Part) -> Void
    /// nil: left out.
    let write: @Sendable (Part) -> JSONValue?
}

extension Field {
    typealias Path<Value> = WritableKeyPath<Part, Value> & Sendable

    /// - Parameter omitted: the value at which it is left out.
    static func flag(_ name: String, _ path: Path<Bool>, omitted: Bool? = nil) -> Field {
        Field(name: name, schema: .flag) {
            $1[keyPath: path] = $0.flag(name, default: $1[keyPath: path])
        } write: {
            $0[keyPath: path] == omitted ? nil : .bool($0[keyPath: path])
        }
    }

    /// - Parameter omitted: the number at which it is left out.
    static func number(
        _ name: String, _ path: Path<Double>, in range: ClosedRange<Double>, omitted: Double? = nil
    ) -> Field {
        Field(name: name, schema: .number(in: range)) {
            $1[keyPath: path] = $0.number(name, in: range, default: $1[keyPath: path])
        } write: {
            $0[keyPath: path] == omitted ? nil : .number($0[keyPath: path])
        }
    }

    /// One of a few words.
    /// - Parameter omitted: the one at which it is left out.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Equatable & Sendable>(
        _ name: String, _ path: Path<Choice>, omitted: Choice
    ) -> Field {
        Field(name: name, schema: .words(of: Choice.self)) { reader, part in
            if let choice: Choice = reader.choice(name) { part[keyPath: path] = choice }
        } write: {
            $0[keyPath: path] == omitted ? nil : .string($0[keyPath: path].rawValue)
        }
    }

    /// The same where there may be none.
    static func choice<Choice: RawRepresentable<String> & CaseIterable & Sendable>(
        _ name: String, _ path: Path<Choice?>
    ) -> Field {
        Field(name: name, schema: .words(of: Choice.self)) { reader, part in
            if let choice: Choice = reader.choice(name) { part[keyPath: path] = choice }
        } write: {
            $0[keyPath: path].map { .string($0.rawValue) }
        }
    }

    /// - Parameter omitted: the volume at which it is left out.
    static func volume(
        _ name: String, _ path: Path<Double>, required: String? = nil, omitted: Double? = nil
    ) -> Field {
        Field(name: name, required: required, schema: .number(in: Volume.range)) {
            $1[keyPath: path] = $0.volume(name, default: $1[keyPath: path])
        } write: {
            $0[keyPath: path] == omitted ? nil : .number($0[keyPath: path])
        }
    }

    /// The same field of something that a part has.
    func of<Whole>(_ path: WritableKeyPath<Whole, Part> & Sendable) -> Field<Whole> {
        Field<Whole>(name: name, required: required, schema: schema) {
            self.read(&$0, &$1[keyPath: path])
        } write: {
            self.write($0[keyPath: path])
        }
    }

    /// - Parameter omitted: the time at which it is left out.
    static func time(
        _ name: String, _ path: Path<MediaTime>, omitted: MediaTime? = nil, required: String? = nil
    ) -> Field {
        Field(name: name, required: required, schema: MediaTime.schema) { reader, part in
            if let time = reader.time(name) { part[keyPath: path] = time }
        } write: {
            $0[keyPath: path] == omitted ? nil : .time($0[keyPath: path])
        }
    }

    /// An object that another table reads and writes; it is left out where it is `omitted`.
    static func object<Value: Equatable & Sendable>(
        _ name: String, _ path: Path<Value>, omitted: Value, table: FieldTable<Value>
    ) -> Field {
        Field(name: name, schema: table.schema(omitted)) { reader, part in
            guard let object = reader.object(name) else { return }
            var fields = FieldReader(object, place: reader.place(of: name), sampleRate: reader.sampleRate)
            table.read(&fields, into: &part[keyPath: path])
            reader.absorb(fields)
        } write: {
            $0[keyPath: path] == omitted ? nil : table.json($0[keyPath: path])
        }
    }

    /// A list of objects that another table reads and writes.
    /// - Parameters:
    ///   - new: an object as it is where none of its fields are there.
    ///   - table: what reads and writes them.
    ///   - take: gives what was read to the part, which is whole where nothing required is missing; it may
    ///     find more that is wrong.
    static func list<Item>(
        _ form: ListForm<Part, Item>, new: @escaping @Sendable (Part) -> Item,
        table: @escaping @Sendable () -> FieldTable<Item>,
        take: @escaping @Sendable (inout FieldReader, inout Part, Item, _ isWhole: Bool) -> Void
    ) -> Field {
        Field(name: form.name) { reader, part in
            let (table, objects) = (table(), reader.objects(form.name, named: form.itemName))
            var places: [String: Int] = [:]
            if let limit = form.limit, objects.count > limit {
                reader.fault(form.name, "there are at most \(limit), not \(objects.count)")
            }
            for (number, place, object) in objects.prefix(form.limit ?? .max) {
                var fields = FieldReader(object, place: place, sampleRate: reader.sampleRate)
                var item = new(part)
                let isWhole = table.read(&fields, into: &item)
                if let name = form.unique?(item), isWhole,
                    let other = places.updateValue(number, forKey: name)
                {
                    fields.fault("name", "\"\(name)\" is also the name of \(form.itemName) \(other)")
                }
                take(&fields, &part, item, isWhole)
                reader.absorb(fields, named: table.hasName ? object["name"]?.stringValue : nil)
            }
        } write: { part in
            let items = form.items(part)
            if items.isEmpty { return form.isOptional ? nil : .array([]) }
            return .array(items.map(table().json))
        }
    }
}
