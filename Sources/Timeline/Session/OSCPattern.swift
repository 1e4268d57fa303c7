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
        while let character = rest.popFirst() {
            switch character {
            case "?": items.append(.anyOne)
            case "*": items.append(.anyNumber)
            case "[":
                guard let end = rest.firstIndex(of: "]") else { return nil }
                items.append(Self.set(rest[..<end]))
                rest = rest[(end + 1)...]
            case "{":
                guard let end = rest.firstIndex(of: "}") else { return nil }
                items.append(
                    .words(
                        rest[..<end].split(separator: ",", omittingEmptySubsequences: false).map(Array.init)))
                rest = rest[(end + 1)...]
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
            var next: Set<Int> = []
            switch item {
            case .anyNumber: if let least = places.min() { next = Set(least...text.count) }
            case .anyOne: for place in places where place < text.count { next.insert(place + 1) }
            case .one(let members, let negated):
                for place in places where place < text.count && members.contains(text[place]) != negated {
                    next.insert(place + 1)
                }
            case .words(let words):
                for place in places {
                    for word in words where text[place...].starts(with: word) {
                        next.insert(place + word.count)
                    }
                }
            }
            if next.isEmpty { return false }
            places = next
        }
        return places.contains(text.count)
    }
}
