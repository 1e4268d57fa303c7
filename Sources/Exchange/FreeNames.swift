/// Names that are taken, and where the search for a free one goes on: no longer for the thousandth of a name
/// than for the first.
struct FreeNames {
    private var taken: Set<String>
    private var next: [String: Int] = [:]

    init(besides taken: Set<String> = []) { self.taken = taken }

    mutating func take(_ name: String) { taken.insert(name) }

    func isFree(_ name: String, as plain: (String) -> String = { $0 }) -> Bool {
        !taken.contains(plain(name))
    }

    /// The name, or with a number behind it.
    /// - Parameter plain: the form in which no two may be alike.
    mutating func free(_ name: String, as plain: (String) -> String = { $0 }) -> String {
        if taken.insert(plain(name)).inserted { return name }
        while true {
            let number = next[name, default: 2]
            next[name] = number + 1
            if taken.insert(plain("\(name)-\(number)")).inserted { return "\(name)-\(number)" }
        }
    }
}
