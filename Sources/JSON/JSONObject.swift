/// The fields of a JSON object in the order in which they were written. Keys are told from others by their
/// bytes.
public struct JSONObject: Equatable, Sendable, ExpressibleByDictionaryLiteral {
    public private(set) var fields: [(key: String, value: JSONValue)] = []
    /// Where each key stands, once there are many: a few are found sooner without.
    private var places: [[UInt8]: Int] = [:]
    private static let few = 16

    public init() {}

    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        for (key, value) in elements { self[key] = value }
    }

    public subscript(key: String) -> JSONValue? {
        get { index(of: key).map { fields[$0].value } }
        set {
            switch (index(of: key), newValue) {
            case (let index?, let value?): fields[index].value = value
            case (let index?, nil):
                fields.remove(at: index)
                places = [:]
                indexFields(from: 0)
            case (nil, let value?):
                fields.append((key, value))
                indexFields(from: fields.count - 1)
            case (nil, nil): break
            }
        }
    }

    private func index(of key: String) -> Int? {
        fields.count > Self.few
            ? places[Array(key.utf8)] : fields.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
    }

    /// Notes where fields stand that have been added, or all once they are many.
    private mutating func indexFields(from start: Int) {
        if fields.count <= Self.few {
            places = [:]
            return
        }
        for index in (places.isEmpty ? 0 : start)..<fields.count {
            places[Array(fields[index].key.utf8)] = index
        }
    }

    /// The fields whose keys are not among `known`, in their order.
    public func without(_ known: Set<String>) -> JSONObject {
        var rest = JSONObject()
        for (key, value) in fields where !known.contains(key) { rest[key] = value }
        return rest
    }

    func ordered(like other: JSONObject) -> JSONObject {
        var ordered = JSONObject()
        for (key, before) in other.fields {
            if let value = self[key] { ordered[key] = value.ordered(like: before) }
        }
        for (key, value) in fields where other[key] == nil { ordered[key] = value }
        return ordered
    }

    /// Adds every field of `other`.
    public mutating func merge(_ other: JSONObject) {
        for (key, value) in other.fields { self[key] = value }
    }

    public static func == (a: JSONObject, b: JSONObject) -> Bool {
        a.fields.elementsEqual(b.fields) {
            $0.key.utf8.elementsEqual($1.key.utf8) && $0.value == $1.value
        }
    }
}
