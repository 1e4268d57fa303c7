import JSON
import Speakers

/// Reads the fields of one JSON object, noting each fault with its place instead of stopping at the first.
struct FieldReader {
    let object: JSONObject
    let place: String
    /// Of the session: what `96000f` counts.
    var sampleRate: Int32
    private(set) var problems: [SessionProblem] = []
    /// Fields that this version does not know, which are kept.
    private(set) var strangers: [SessionProblem] = []

    init(_ object: JSONObject, place: String, sampleRate: Int32) {
        self.object = object
        self.place = place
        self.sampleRate = sampleRate
    }

    mutating func fault(_ field: String, _ message: String) {
        problems.append(SessionProblem(place: place(of: field), message: message))
    }

    /// Takes over what a reader of something inside has found.
    /// - Parameter name: what that is called, if it is something that has a name.
    mutating func absorb(_ other: FieldReader, named name: String? = nil) {
        problems += other.problems.map { $0.within(name) }
        strangers += other.strangers.map { $0.within(name) }
    }

    /// Notes a field that is none of those that are known.
    mutating func meet(_ field: String, among known: Set<String>) {
        // As many as a person reads.
        if strangers.count >= 100 || field.utf8.count > 100 { return }
        let near =
            known.first { $0.lowercased() == field.lowercased() }
            ?? Self.otherWords[field.lowercased()].flatMap { known.contains($0) ? $0 : nil }
            ?? Self.only(known, beginningWith: field)
            ?? Spelling.nearest(to: field, among: known.sorted(), slips: field.count < 5 ? 1 : 2)
        strangers.append(
            SessionProblem(
                place: place(of: field),
                message:
                    "nobody here knows the field, which is kept\(near.map { ": \"\($0)\" is known" } ?? "")"))
    }

    /// What an abbreviation stands for.
    private static func only(_ known: Set<String>, beginningWith field: String) -> String? {
        let meant = field.count < 3 ? [] : known.filter { $0.lowercased().hasPrefix(field.lowercased()) }
        return meant.count == 1 ? meant.first : nil
    }

    /// What other programs, and this one's commands, call some of the fields.
    private static let otherWords = [
        "volume": "fader", "level": "fader", "path": "file", "start": "at", "position": "at",
        "length": "duration", "offset": "from", "cues": "scenes",
    ]

    private mutating func wrongKind(_ field: String, _ value: JSONValue, wanted: String) {
        fault(field, "it is \(value.kind), where \(wanted) belongs")
    }

    mutating func object(_ field: String) -> JSONObject? {
        guard let value = object[field] else { return nil }
        if value.objectValue == nil { wrongKind(field, value, wanted: "an object") }
        return value.objectValue
    }

    /// Where a field lies, as messages name it.
    func place(of field: String) -> String { [place, field].filter { !$0.isEmpty }.joined(separator: ", ") }

    mutating func text(_ field: String) -> String? {
        guard let value = object[field] else { return nil }
        if value.stringValue == nil { wrongKind(field, value, wanted: "a text") }
        return value.stringValue
    }

    /// One of some words; nil where there is none, and for another, which is a fault.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(_ field: String) -> Choice? {
        text(field).flatMap { choice($0, field) }
    }

    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String, _ field: String
    ) -> Choice? {
        if let choice = Choice(rawValue: text) { return choice }
        fault(field, "there is no \"\(text)\": \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
        return nil
    }

    mutating func flag(_ field: String, default standard: Bool) -> Bool {
        guard let value = object[field] else { return standard }
        if value.boolValue == nil { wrongKind(field, value, wanted: "true or false") }
        return value.boolValue ?? standard
    }

    mutating func number(_ field: String, in range: ClosedRange<Double>, default standard: Double) -> Double {
        guard let value = object[field] else { return standard }
        guard let number = value.doubleValue else {
            wrongKind(field, value, wanted: "a number")
            return standard
        }
        guard range.contains(number) else {
            fault(field, "\(number) is out of range: it goes from \(range.lowerBound) to \(range.upperBound)")
            return standard
        }
        return number
    }

    mutating func volume(_ field: String, default standard: Double) -> Double {
        object[field].flatMap { volume($0, field) } ?? standard
    }

    mutating func volume(_ value: JSONValue, _ field: String) -> Double? {
        do throws(VolumeError) {
            switch value {
            case .number(let text), .string(let text): return try Volume.parse(text)
            default: wrongKind(field, value, wanted: "a volume")
            }
        } catch {
            fault(field, "\(error)")
        }
        return nil
    }

    /// A level in dB: a number, or a text as `-40dB`.
    mutating func decibels(_ field: String, in range: ClosedRange<Double>, default standard: Double) -> Double
    {
        guard let text = object[field]?.stringValue else {
            return number(field, in: range, default: standard)
        }
        if let level = Volume.decibels(text), range.contains(level) { return level }
        fault(field, "\"\(text)\" is no level from \(range.lowerBound) to \(range.upperBound) dB, as -40dB")
        return standard
    }

    mutating func number(_ value: JSONValue, _ field: String) -> Double? {
        if value.doubleValue == nil { wrongKind(field, value, wanted: "a number") }
        return value.doubleValue
    }

    /// A number of channels; nil where there is none, and where no layout has so many, which is a fault.
    mutating func layout(_ field: String) -> SpeakerLayout? {
        guard let value = object[field] else { return nil }
        if let number = value.intValue, let layout = SpeakerLayout(rawValue: number) { return layout }
        fault(field, "\(value.compactText) is no number of channels here: \(SpeakerLayout.choices)")
        return nil
    }

    /// The matrix of a send: a list of rows of gains; nil where there is none, and for what is none, which is
    /// a fault.
    mutating func matrix(_ field: String) -> SendMatrix? {
        guard let rows = list(field) else { return nil }
        for gain in rows.flatMap({ $0.arrayValue ?? [] }) where gain.doubleValue == nil {
            wrongKind(field, gain, wanted: "a gain as a number")
            return nil
        }
        let gains = rows.map { ($0.arrayValue ?? []).compactMap(\.doubleValue) }
        do throws(SendMatrix.Problem) {
            return try SendMatrix(gains)
        } catch {
            fault(field, "\(error)")
            return nil
        }
    }

    mutating func time(_ field: String) -> MediaTime? { object[field].flatMap { time($0, field) } }

    mutating func time(_ value: JSONValue, _ field: String) -> MediaTime? {
        do throws(TimeTextError) {
            switch value {
            // A number's own text is read, so 0.1 is a tenth and not the Double next to it.
            case .number(let text), .string(let text):
                return try TimeSpec(parsing: text).time(atRate: sampleRate)
            default: wrongKind(field, value, wanted: "a time")
            }
        } catch {
            fault(field, "\(error)")
        }
        return nil
    }

    /// The values of the list `field`.
    mutating func list(_ field: String) -> [JSONValue]? {
        guard let value = object[field] else { return nil }
        if value.arrayValue == nil { wrongKind(field, value, wanted: "a list") }
        return value.arrayValue
    }

    /// The objects of the list `field`, each with its number there and its place; anything else in it is a
    /// fault.
    mutating func objects(
        _ field: String, named name: String
    ) -> [(number: Int, place: String, object: JSONObject)] {
        guard let items = list(field) else { return [] }
        var found: [(number: Int, place: String, object: JSONObject)] = []
        for (index, item) in items.enumerated() {
            let itemPlace = place(of: "\(name) \(index + 1)")
            if let object = item.objectValue {
                found.append((index + 1, itemPlace, object))
            } else {
                problems.append(
                    SessionProblem(place: itemPlace, message: "it is \(item.kind), where an object belongs"))
            }
        }
        return found
    }
}
