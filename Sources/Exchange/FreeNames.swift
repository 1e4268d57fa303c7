/// Names that are taken, and where the search for a free one goes on: no longer for the thousandth of a name
/// than for the first.
struct FreeNames {
    private var taken: Set<String>
    private var next: [String: Int] = [:]

    init(besides taken: Set<String> = []) { self.taken = taken }

    /// - Returns: false: it was taken before.
    @discardableResult
    mutating func take(_ name: String) -> Bool { taken.insert(name).inserted }

    /// The name, or with a number behind it.
    /// - Parameter plain: the form in which no two may be alike.
    mutating func free(_ name: String, as plain: (String) -> String = { $0 }) -> String {
        if take(plain(name)) { return name }
        while true {
            let number = next[name, default: 2]
            next[name] = number + 1
            if take(plain("\(name)-\(number)")) { return "\(name)-\(number)" }
        }
    }
}
