import JSON
import Timeline

/// The parameters of a desk by their addresses, read from a table.
///
/// An entry of the table is a line, and goes on in indented ones: nodes, a bar, and the parameters that each
/// of them has, in the order in which the desk tells them. `{01..32}` stands for all from the one to the
/// other, `{A,B}` for both. A parameter is `NAME:KIND=DEFAULT`: without a kind it is a switch, without a
/// default it stands at the beginning of its range. Kinds: `[A,B]` words, `int`, `mask8` bits, `text`,
/// `colour`, `level`, `lin(low,high,step)`, `log(low,high,values)` and `part`. Several defaults are those of
/// the last of the braces in their order; `n` is its number.
package struct ParameterTree {
    package struct Leaf: Equatable {
        package let name: String
        package let kind: WireKind
        package let standard: WireValue
    }

    package struct Node {
        package let path: String
        package fileprivate(set) var leaves: [Leaf]
    }

    /// In the order of the table.
    package private(set) var nodes: [Node] = []
    private var indices: [String: Int] = [:]
    /// Of each address that is the beginning of others, the first node there.
    private var firsts: [String: Int] = [:]
    /// Of each parameter its node, and its place there.
    private var places: [String: (node: Int, leaf: Int)] = [:]

    package init(_ table: String) {
        for line in Self.lines(table) { add(line) }
        for (index, node) in nodes.enumerated() {
            for (place, leaf) in node.leaves.enumerated() {
                places["\(node.path)/\(leaf.name)"] = (index, place)
            }
            var path = node.path[...]
            while let slash = path.lastIndex(of: "/"), slash > path.startIndex {
                path = path[..<slash]
                if firsts[String(path)] == nil { firsts[String(path)] = index }
            }
        }
    }

    /// A node by its address, as `/ch/01/mix`.
    package subscript(path: String) -> Node? { indices[path].map { nodes[$0] } }

    /// A parameter by its address.
    package func leaf(_ address: String) -> Leaf? {
        places[address].map { nodes[$0.node].leaves[$0.leaf] }
    }

    /// The node of that address, or the first below it.
    package func first(below path: String) -> Node? {
        (indices[path] ?? firsts[path]).map { nodes[$0] }
    }

    // MARK: - The table

    /// One for each entry, however many lines it takes.
    private static func lines(_ table: String) -> [String] {
        var lines: [String] = []
        for line in table.split(separator: "\n") {
            guard line.first == " ", let last = lines.popLast() else {
                lines.append(String(line))
                continue
            }
            let rest = line.drop { $0 == " " }
            lines.append(last.hasSuffix("\\") ? String(last.dropLast() + rest) : "\(last) \(rest)")
        }
        return lines
    }

    private mutating func add(_ line: String) {
        let halves = line.split(separator: "|")
        guard halves.count == 2 else { return }
        let words = Self.words(halves[1])
        for pattern in halves[0].split(separator: " ") {
            for (path, place) in Self.expanded(pattern) {
                let leaves = words.flatMap { Self.leaves($0, of: place) }
                if let index = indices[path] {
                    nodes[index].leaves += leaves
                } else {
                    indices[path] = nodes.count
                    nodes.append(Node(path: path, leaves: leaves))
                }
            }
        }
    }

    /// Where a name stands among those of the last of its braces: from 0, and its number where it is one.
    struct Place {
        var index = 0
        var number: Int?
    }

    /// All that a pattern stands for, each with its place.
    private static func expanded(_ pattern: Substring) -> [(name: String, place: Place)] {
        guard let open = pattern.firstIndex(of: "{"), let close = pattern[open...].firstIndex(of: "}") else {
            return [(String(pattern), Place())]
        }
        let (head, rest) = (pattern[..<open], pattern[pattern.index(after: close)...])
        let choices = choices(pattern[pattern.index(after: open)..<close])
        let hasMore = rest.contains("{")
        return choices.enumerated().flatMap { index, choice in
            expanded(rest).map { tail, place in
                (head + choice + tail, hasMore ? place : Place(index: index, number: Int(choice)))
            }
        }
    }

    private static func choices(_ text: Substring) -> [String] {
        let parts = text.split(separator: ",").map(String.init)
        guard parts.count == 1, let dots = text.firstRange(of: ".."),
            let first = Int(text[..<dots.lowerBound]), let last = Int(text[dots.upperBound...]), first <= last
        else { return parts }
        let width = text[..<dots.lowerBound].count
        return (first...last).map { zeroPadded($0, width) }
    }

    /// What a parameter is written like, split.
    private struct Word {
        let names: [(name: String, place: Place)]
        let kind: WireKind
        let standards: String?
        /// Its defaults go by its own braces.
        let hasBraces: Bool
    }

    private static func words(_ text: Substring) -> [Word] {
        text.split(separator: " ").map { word in
            let equals = word.firstIndex(of: "=")
            let head = equals.map { word[..<$0] } ?? word[...]
            let parts = head.split(separator: ":", maxSplits: 1)
            return Word(
                names: expanded(parts[0]), kind: parts.count == 2 ? kind(parts[1]) : .onOff,
                standards: equals.map { String(word[word.index(after: $0)...]) },
                hasBraces: parts[0].contains("{"))
        }
    }

    private static func leaves(_ word: Word, of node: Place) -> [Leaf] {
        word.names.map { name, place in
            let standard = word.standards.flatMap {
                Self.standard($0, word.kind, at: word.hasBraces ? place : node)
            }
            return Leaf(name: name, kind: word.kind, standard: standard ?? word.kind.standard)
        }
    }

    private static func standard(_ text: String, _ kind: WireKind, at place: Place) -> WireValue? {
        if kind == .text { return .text(text) }
        if text.hasPrefix("n") {
            return .int((place.number ?? place.index + 1) + (Int(text.dropFirst()) ?? 0))
        }
        let values = text.split(separator: ",")
        return kind.value(written: String(values[min(place.index, values.count - 1)]))
    }

    private static func kind(_ text: Substring) -> WireKind {
        if text.hasPrefix("[") {
            let words = text.dropFirst().dropLast().split(separator: ",")
            return .choice(words.map { String($0.replacing("_", with: " ")) })
        }
        let numbers = text.drop { $0 != "(" }.dropFirst().dropLast().split(separator: ",").compactMap {
            Double($0)
        }
        switch text.prefix(while: \.isLetter) {
        case "int": return .int
        case "mask": return .mask(Int(text.dropFirst(4)) ?? 0)
        case "text": return .text
        case "colour": return .choice(colours)
        case "level": return .scaled(.level)
        case "lin": return .scaled(.linear(numbers[0], numbers[1], step: numbers[2]))
        case "log": return .scaled(.logarithmic(numbers[0], numbers[1], values: numbers[2]))
        default: return .part
        }
    }

    static let colours = ["", "i"].flatMap { inverted in
        ["OFF", "RD", "GN", "YE", "BL", "MG", "CY", "WH"].map { $0 + inverted }
    }
}
