/// Counts what a file tells apart by numbers.
final class Numbers {
    private let prefix: String
    private(set) var last = 0

    init(_ prefix: String = "") { self.prefix = prefix }

    func next() -> String {
        last += 1
        return "\(prefix)\(last)"
    }
}
