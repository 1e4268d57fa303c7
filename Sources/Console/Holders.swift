import Remote
import Timeline

/// Who holds buttons of strips down: each page, which lets go when its connection ends, and all others
/// together, who hold until somebody lets go.
struct Holders {
    private var held: [ClientID?: Set<StripID>] = [:]

    /// - Parameter client: who holds them from now on, too; nil: the program itself.
    mutating func hold(_ strips: [StripID], by client: ClientID?) {
        held[client?.isPage == true ? client : nil, default: []].formUnion(strips)
    }

    /// Nobody holds them any more, whoever did.
    mutating func letGo(_ strips: [StripID]) {
        for client in held.keys {
            held[client]?.subtract(strips)
            if held[client]?.isEmpty == true { held[client] = nil }
        }
    }

    /// Forgets who is gone.
    /// - Returns: what nobody else holds.
    mutating func lost(_ isGone: (ClientID) -> Bool) -> Set<StripID> {
        let gone = held.keys.compactMap { $0 }.filter(isGone)
        var lost: Set<StripID> = []
        for client in gone { lost.formUnion(held.removeValue(forKey: client) ?? []) }
        return held.values.reduce(lost) { $0.subtracting($1) }
    }
}
