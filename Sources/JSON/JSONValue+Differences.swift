extension JSONObject {
    /// What this document has otherwise than `old`, place by place. Objects in a list are the same if they
    /// have the same "name", or else if they are in the same place.
    public func differences(from old: JSONObject) -> [JSONDifference] { differences(from: old, in: "") }

    private func differences(from old: JSONObject, in place: String) -> [JSONDifference] {
        let keys = old.fields.map(\.key) + fields.map(\.key).filter { old[$0] == nil }
        return keys.flatMap { key in
            Self.differences(old[key], self[key], place.isEmpty ? key : "\(place), \(key)")
        }
    }

    private static func differences(
        _ before: JSONValue?, _ after: JSONValue?, _ place: String
    ) -> [JSONDifference] {
        if before == after { return [] }
        if let before = before?.objectValue, let after = after?.objectValue {
            return after.differences(from: before, in: place)
        }
        if let before = objects(before), let after = objects(after) {
            return differences(before, after, place.hasSuffix("s") ? String(place.dropLast()) : place)
        }
        return [JSONDifference(place: place, before: before, after: after)]
    }

    private static func differences(
        _ before: [JSONObject], _ after: [JSONObject], _ place: String
    ) -> [JSONDifference] {
        var (old, new) = (before.indices.map(String.init), after.indices.map(String.init))
        if let names = Self.names(before), let others = Self.names(after) { (old, new) = (names, others) }
        let origins = Dictionary(zip(old, before), uniquingKeysWith: { first, _ in first })
        let left = Set(new)
        let gone = before.indices.filter { !left.contains(old[$0]) }.map {
            JSONDifference(place: "\(place) \($0 + 1)", before: .object(before[$0]), after: nil)
        }
        return gone
            + after.indices.flatMap { index -> [JSONDifference] in
                let place = "\(place) \(index + 1)"
                return origins[new[index]].map { after[index].differences(from: $0, in: place) } ?? [
                    JSONDifference(place: place, before: nil, after: .object(after[index]))
                ]
            } + order(old.filter(left.contains), new.filter { origins[$0] != nil }, place)
    }

    /// Items that are in another order than they were.
    private static func order(_ old: [String], _ new: [String], _ place: String) -> [JSONDifference] {
        old == new
            ? []
            : [
                JSONDifference(
                    place: "\(place)s, their order", before: .array(old.map { .string($0) }),
                    after: .array(new.map { .string($0) }))
            ]
    }

    /// The items' names; nil if one has none, or two have the same.
    private static func names(_ items: [JSONObject]) -> [String]? {
        let names = items.compactMap { $0["name"]?.stringValue }
        return names.count == items.count && Set(names).count == items.count ? names : nil
    }

    private static func objects(_ value: JSONValue?) -> [JSONObject]? {
        guard let items = value?.arrayValue else { return nil }
        let objects = items.compactMap(\.objectValue)
        return objects.count == items.count ? objects : nil
    }
}
