/// One part of an address as a pattern, by OSC 1.0: `?` one character, `*` any number, `[a-z]` and `[!a-z]`
/// one of a set, `{one,two}` one of a list of words.
///
/// Matching follows all possibilities side by side, so its cost is bounded by the lengths, whatever the
/// pattern.
public struct OSCPattern: Sendable {
    private enum Item: Sendable {
        case one(Set<Character>, negated: Bool)
        case anyOne
        case anyNumber
        case words([[Character]])
    }

    private let items: [Item]

    /// Whether `text` has any of the characters that make it a pattern.
    public static func isPattern(_ text: some StringProtocol) -> Bool {
        text.contains { "?*[]{}".contains($0) }
    }

    /// nil if a bracket or brace does not close.
    public init?(_ text: some StringProtocol) {
        var items: [Item] = []
        var rest = Array(text)[...]
        func content(until end: Character) -> ArraySlice<Character>? {
            guard let place = rest.firstIndex(of: end) else { return nil }
            defer { rest = rest[(place + 1)...] }
            return rest[..<place]
        }
        while let character = rest.popFirst() {
            switch character {
            case "?": items.append(.anyOne)
            case "*": items.append(.anyNumber)
            case "[":
                guard let members = content(until: "]") else { return nil }
                items.append(Self.set(members))
            case "{":
                guard let words = content(until: "}") else { return nil }
                items.append(
                    .words(words.split(separator: ",", omittingEmptySubsequences: false).map(Array.init)))
            case "]", "}": return nil
            default: items.append(.one([character], negated: false))
            }
        }
        self.items = items
    }

    private static func set(_ text: ArraySlice<Character>) -> Item {
        var rest = text
        let negated = rest.first == "!"
        if negated { rest = rest.dropFirst() }
        var members: Set<Character> = []
        while let first = rest.popFirst() {
            if rest.count >= 2, rest.first == "-", let low = first.asciiValue,
                let high = rest.dropFirst().first?.asciiValue, low <= high
            {
                for code in low...high { members.insert(Character(UnicodeScalar(code))) }
                rest = rest.dropFirst(2)
            } else {
                members.insert(first)
            }
        }
        return .one(members, negated: negated)
    }

    /// Whether it stands for `text`, from the first character to the last.
    public func matches(_ text: some StringProtocol) -> Bool {
        let text = Array(text)
        // The places in the text that the items so far can have come to.
        var places: Set<Int> = [0]
        for item in items {
            places = Self.places(behind: item, from: places, in: text)
            if places.isEmpty { return false }
        }
        return places.contains(text.count)
    }

    private static func places(behind item: Item, from places: Set<Int>, in text: [Character]) -> Set<Int> {
        let inside = places.filter { $0 < text.count }
        switch item {
        case .anyNumber: return places.min().map { Set($0...text.count) } ?? []
        case .anyOne: return Set(inside.map { $0 + 1 })
        case .one(let members, let negated):
            return Set(inside.filter { members.contains(text[$0]) != negated }.map { $0 + 1 })
        case .words(let words):
            return Set(
                places.flatMap { place in
                    words.filter { text[place...].starts(with: $0) }.map { place + $0.count }
                })
        }
    }
}
