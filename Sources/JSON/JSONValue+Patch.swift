/// What makes another value of a value, as a value: only what differs is in it.
///
/// `{ "is": V }` takes its place. `{ "fields": { K: PATCH }, "without": [K] }` changes an object. `{ "of": C,
/// "first": A, "items": [V], "last": B }` changes a list of C items: its first A and its last B stay, and
/// what lies between is these; `"patches": [PATCH]` in place of `"items"` changes what lies between one by
/// one.
extension JSONValue {
    /// The patch that makes `other` of this value.
    public func patch(to other: JSONValue) -> JSONValue {
        switch (self, other) {
        case (.object(let old), .object(let new)): Self.patch(old, new)
        case (.array(let old), .array(let new)) where !old.isEmpty: Self.patch(old, new)
        default: .object(["is": other])
        }
    }

    private static func patch(_ old: JSONObject, _ new: JSONObject) -> JSONValue {
        var fields = JSONObject()
        for (key, value) in new.fields {
            let before = old[key]
            if before != value { fields[key] = before?.patch(to: value) ?? .object(["is": value]) }
        }
        let without = old.fields.filter { new[$0.key] == nil }.map { JSONValue.string($0.key) }
        return .object(["fields": .object(fields), "without": .array(without)])
    }

    private static func patch(_ old: [JSONValue], _ new: [JSONValue]) -> JSONValue {
        let (first, last) = sharedEnds(old, new)
        let (before, between) = (old[first..<old.count - last], new[first..<new.count - last])
        var patch: JSONObject = [
            "of": .number(old.count), "first": .number(first), "last": .number(last),
        ]
        if before.count == between.count {
            patch["patches"] = .array(zip(before, between).map { $0.patch(to: $1) })
        } else {
            patch["items"] = .array(Array(between))
        }
        return .object(patch)
    }

    /// What a patch makes of this value; nil for one that is of another.
    public func patched(by patch: JSONValue) -> JSONValue? {
        if let value = patch["is"] { return value }
        switch self {
        case .object(var object):
            guard let fields = patch["fields"]?.objectValue, let without = patch["without"]?.arrayValue
            else { return nil }
            for (key, change) in fields.fields {
                // What is new has no value to change.
                guard let value = (object[key] ?? .null).patched(by: change) else { return nil }
                object[key] = value
            }
            for key in without.compactMap(\.stringValue) { object[key] = nil }
            return .object(object)
        case .array(let items): return Self.patched(items, by: patch).map { .array($0) }
        default: return nil
        }
    }

    /// How many items are the same at the beginning of both, and behind those at the end.
    private static func sharedEnds(_ old: [JSONValue], _ new: [JSONValue]) -> (first: Int, last: Int) {
        let most = min(old.count, new.count)
        let first = (0..<most).first { old[$0] != new[$0] } ?? most
        let last =
            (0..<most - first).first { old[old.count - 1 - $0] != new[new.count - 1 - $0] } ?? most - first
        return (first, last)
    }

    private static func patched(_ items: [JSONValue], by patch: JSONValue) -> [JSONValue]? {
        guard let count = patch["of"]?.intValue, let first = patch["first"]?.intValue,
            let last = patch["last"]?.intValue, count == items.count, (0...count).contains(first),
            (0...count - first).contains(last)
        else { return nil }
        return between(items[first..<count - last], patch).map {
            items.prefix(first) + $0 + items.suffix(last)
        }
    }

    /// What stands between the items that stay.
    private static func between(_ items: ArraySlice<JSONValue>, _ patch: JSONValue) -> [JSONValue]? {
        guard let patches = patch["patches"]?.arrayValue else { return patch["items"]?.arrayValue ?? [] }
        let changed = zip(items, patches).compactMap { $0.patched(by: $1) }
        return patches.count == items.count && changed.count == patches.count ? changed : nil
    }
}
