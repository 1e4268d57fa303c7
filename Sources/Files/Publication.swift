import Glibc

/// What becomes of a file that has the name of a new one.
public enum TakenName: Sendable {
    /// The new one is refused.
    case isRefused
    /// It is replaced, once the new one is whole.
    case isReplaced
    /// It stays, and the new one gets the next free name: `name-1`, `name-2`.
    case isPassedOver
}

/// Files that are whole under temporary names and get their own: all of them, or none.
public struct Publication {
    /// The names that were given, each with the temporary name of the file that had it before.
    private var given: [(path: String, previous: String?)] = []

    /// One that has given no name yet.
    public init() {}

    /// Gives a file its name. What it replaces is there until `finish`, under the temporary name.
    /// - Parameter taken: what becomes of a file that has it.
    /// - Returns: the name.
    /// - Throws: `FileError`: the temporary file is gone, and those before it have their names still.
    public mutating func publish(
        _ temporary: String, as path: String, _ taken: TakenName
    ) throws(FileError) -> String {
        var (name, previous): (String, String?) = (path, nil)
        switch taken {
        case .isRefused: try AtomicFile.publish(temporary, as: path, replaces: false)
        case .isPassedOver: name = try AtomicFile.publishUnique(temporary, as: path)
        case .isReplaced where AtomicFile.exchange(temporary, with: path): previous = temporary
        case .isReplaced: try AtomicFile.publish(temporary, as: path)
        }
        given.append((name, previous))
        return name
    }

    /// All have their names: what they replaced goes.
    public mutating func finish() {
        for case (_, let previous?) in given { unlink(previous) }
        given = []
    }

    /// None gets its name: each that was given goes back to the file that had it, or is free again.
    public mutating func takeBack() {
        for (path, previous) in given.reversed() {
            if let previous { rename(previous, path) } else { unlink(path) }
        }
        given = []
    }
}
