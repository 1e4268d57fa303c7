import JSON

/// An equaliser in the session's file:
/// `"eq": { "hp": 80, "bands": [ { "type": "lowshelf", "freq": 120, "gain": -3, "q": 0.7 } ] }`.
extension SessionFile {
    static let equaliser = Field<Strip>(name: "eq") { reader, strip in
        guard let object = reader.object("eq") else { return }
        let place = reader.place(of: "eq")
        var (fields, equaliser) = (
            FieldReader(object, place: place, sampleRate: reader.sampleRate), Equaliser()
        )
        equalisers.read(&fields, into: &equaliser)
        reader.absorb(fields)
        strip.equaliser = equaliser
    } write: {
        $0.equaliser.map(equalisers.json)
    }

    static let equalisers = FieldTable<Equaliser>(
        fields: [.flag("on", \.isOn, omitted: true)] + pass("hp", \.highPass) + pass("lp", \.lowPass) + [
            Field(name: "bands", schema: bandList) { reader, equaliser in
                let objects = reader.objects("bands", named: "band")
                if objects.count > Equaliser.bandCount {
                    reader.fault("bands", "there are \(Equaliser.bandCount), not \(objects.count)")
                }
                for (index, (_, place, object)) in objects.prefix(Equaliser.bandCount).enumerated() {
                    var fields = FieldReader(object, place: place, sampleRate: reader.sampleRate)
                    bands(index).read(&fields, into: &equaliser.bands[index])
                    reader.absorb(fields)
                }
            } write: { equaliser in
                let isPlain = equaliser.bands == Equaliser().bands
                return isPlain ? nil : .array(equaliser.bands.enumerated().map { bands($0).json($1) })
            }
        ], unknown: \.unknown)

    private static let bandList = JSONSchema.list(
        of: bands(0).schema(Equaliser().bands[0]), count: Equaliser.bandCount...Equaliser.bandCount)

    /// A frequency, and beside it how steep the filter is.
    private static func pass(
        _ name: String, _ path: WritableKeyPath<Equaliser, Equaliser.Pass?> & Sendable
    ) -> [Field<Equaliser>] {
        [
            Field(name: name, schema: .number(in: Equaliser.frequencyRange)) { reader, equaliser in
                let frequency = reader.number(name, in: Equaliser.frequencyRange, default: 0)
                if frequency > 0 { equaliser[keyPath: path] = Equaliser.Pass(frequency: frequency) }
            } write: {
                $0[keyPath: path].map { .number($0.frequency) }
            },
            slope(name, path),
        ]
    }

    private static func slope(
        _ name: String, _ path: WritableKeyPath<Equaliser, Equaliser.Pass?> & Sendable
    ) -> Field<Equaliser> {
        let slopes = Equaliser.Pass.Slope.allCases.map { JSONValue.number($0.rawValue) }
        return Field(name: "\(name)Slope", schema: .one(of: slopes)) { reader, equaliser in
            let number = reader.number("\(name)Slope", in: 12...24, default: 12)
            guard let slope = Equaliser.Pass.Slope(rawValue: Int(number)),
                Double(slope.rawValue) == number
            else {
                return reader.fault("\(name)Slope", "\(number) is no slope: 12 or 24 dB for an octave")
            }
            if equaliser[keyPath: path] == nil, slope != .soft {
                reader.fault("\(name)Slope", "there is no \(name) that it belongs to")
            }
            equaliser[keyPath: path]?.slope = slope
        } write: {
            $0[keyPath: path].flatMap { $0.slope == .soft ? nil : .number($0.slope.rawValue) }
        }
    }

    private static func bands(_ index: Int) -> FieldTable<Equaliser.Band> {
        FieldTable(
            fields: [
                type(ofBand: index),
                .number("freq", \.frequency, in: Equaliser.frequencyRange),
                .number("gain", \.gain, in: Equaliser.gainRange),
                Field(name: "q", schema: .number(in: Equaliser.qualityRange)) { reader, band in
                    let quality = reader.number("q", in: Equaliser.qualityRange, default: 0)
                    if quality > 0 { band.quality = quality }
                } write: {
                    $0.quality.map { .number($0) }
                },
            ], unknown: \.unknown)
    }

    private static func type(ofBand index: Int) -> Field<Equaliser.Band> {
        Field(name: "type", schema: .words(of: Equaliser.Band.Kind.self)) { reader, band in
            guard let text = reader.text("type") else { return }
            let known = Equaliser.types(ofBand: index)
            if let type = Equaliser.Band.Kind(rawValue: text), known.contains(type) {
                band.type = type
            } else {
                reader.fault(
                    "type",
                    "there is no \"\(text)\" here: \(known.map(\.rawValue).joined(separator: ", "))")
            }
        } write: {
            $0.type == .bell ? nil : .string($0.type.rawValue)
        }
    }
}
