import Timeline

/// Where a command is said over OSC, what it is for there, and what docs/osc.md says of it.
/// `Owner` is `StripKind` for what strips have, and `Never` for what is about no strip.
struct AddressEntry<Owner: Sendable>: Sendable {
    let owners: [Owner]
    /// The whole path, or of a strip's what stands behind that strip.
    let path: String
    let nature: AddressNature
    let summary: String

    typealias Parse = @Sendable (Address.Subject, inout Arguments) throws(CommandError) -> Command

    /// - Parameter arguments: as docs/osc.md writes what follows.
    fileprivate func address(at path: String, _ arguments: String, _ parse: @escaping Parse) -> Address {
        switch nature {
        case .value(let kind): .value(path, arguments, answers: kind.types, kind: kind, summary, parse: parse)
        case .action(let kind):
            .action(path, arguments, answers: kind?.types ?? "", kind: kind, summary, parse: parse)
        case .told(let types): .action(path, arguments, answers: types, summary, parse: parse)
        }
    }
}

extension AddressEntry<Never> {
    static func at(_ path: String, _ nature: AddressNature, _ summary: String) -> Self {
        Self(owners: [], path: path, nature: nature, summary: summary)
    }

    func address(_ arguments: String, _ parse: @escaping Parse) -> Address {
        address(at: path, arguments, parse)
    }
}

extension AddressEntry<StripKind> {
    /// Behind the address of every strip of these kinds.
    static func on(
        _ kinds: StripKind..., name: String, _ nature: AddressNature, _ summary: String
    ) -> Self {
        Self(owners: kinds, path: name, nature: nature, summary: summary)
    }

    /// One for each kind of strip.
    func addresses(_ arguments: String, _ parse: @escaping Parse) -> [Address] {
        owners.map { address(at: "\($0.root)/\(path)", arguments, parse) }
    }
}

extension StripKind {
    /// Where the addresses of such strips begin.
    var root: String { self == .master ? "/master" : "/\(rawValue)/N" }
}
