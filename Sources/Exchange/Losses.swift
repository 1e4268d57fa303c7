/// What another program cannot be told, for whoever asked.
public final class Losses {
    /// A sentence each.
    public private(set) var sentences: [String] = []
    private var known: Set<String> = []

    /// Nothing yet.
    public init() {}

    /// Once, however often it is said.
    func say(_ sentence: String) { if known.insert(sentence).inserted { sentences.append(sentence) } }

    /// Of those that there are, by their names.
    func say(_ names: [String], _ what: String) {
        guard let first = names.first else { return }
        let others =
            names.count > 4
            ? "\(names.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")) and \(names.count - 3) more"
            : names.map { "\"\($0)\"" }.joined(separator: ", ")
        say("\(names.count == 1 ? "\"\(first)\"" : others): \(what)")
    }
}
