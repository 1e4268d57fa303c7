import JSON
import Timeline

/// Which nodes the tree of OSCQuery has, and what stands at each: strips and sends go by number, so that a
/// strip that is removed has others called by new addresses.
public struct PathShape {
    /// What has come, gone, or is found elsewhere, in the words of OSCQuery; what is below a node goes along
    /// with it.
    public enum Change: Hashable, Sendable {
        case added(String)
        case removed(String)
        case renamed(from: String, to: String)
        /// The node, and all that is below it, is to be read again.
        case changed(String)

        /// What those who are connected are sent.
        public var json: JSONValue {
            let (command, data): (String, JSONValue) =
                switch self {
                case .added(let path): ("PATH_ADDED", .string(path))
                case .removed(let path): ("PATH_REMOVED", .string(path))
                case .renamed(let old, let new):
                    ("PATH_RENAMED", .object(["OLD": .string(old), "NEW": .string(new)]))
                case .changed(let path): ("PATH_CHANGED", .string(path))
                }
            return .object(["COMMAND": .string(command), "DATA": data])
        }
    }

    /// Nodes that go by numbers below one path, in the order of the numbers.
    private typealias Row = [(number: Int, id: StripID, node: Node)]

    private struct Node {
        /// Its description; a strip's is its name.
        let label: String
        let sends: Row
        /// What else it has that not every strip has, as `eq`.
        var parts: [String] = []
    }

    private let families: [(path: String, row: Row)]
    /// What every strip's output can be said to be.
    private let outputs: [String]
    private let masterParts: [String]

    /// More changes than these are told as one: all is to be read again.
    public static let maximumChanges = 64

    /// The tree as this session has it.
    /// - Parameter parts: the nodes that a strip has and not every strip has, but for its sends.
    public init(_ session: Session, parts: [StripPlace: [String]]) {
        let buses = Dictionary(
            uniqueKeysWithValues: session.buses.enumerated().map { ($1.id, (number: $0 + 1, name: $1.name)) })
        func node(_ strip: Strip, _ place: StripPlace) -> Node {
            let sends = strip.sends.compactMap { send in
                buses[send.bus].map {
                    (number: $0.number, id: send.bus, node: Node(label: $0.name, sends: []))
                }
            }
            return Node(
                label: strip.name, sends: sends.sorted { $0.number < $1.number }, parts: parts[place] ?? [])
        }
        func row(_ strips: [Strip], _ place: (Int) -> StripPlace) -> Row {
            strips.enumerated().map { (number: $0 + 1, id: $1.id, node: node($1, place($0 + 1))) }
        }
        families = [
            ("/track", row(session.tracks.map(\.strip), StripPlace.track)),
            ("/bus", row(session.buses, StripPlace.bus)),
            (
                "/dca",
                session.dcas.enumerated().map {
                    (number: $0 + 1, id: $1.id, node: Node(label: $1.name, sends: []))
                }
            ),
        ]
        outputs = session.buses.map(\.name)
        masterParts = parts[.master] ?? []
    }

    /// What makes the tree before into this one, each step true of the tree as the steps before left it.
    public func changes(since before: PathShape) -> [Change] {
        // Outputs are said by the names of buses: every strip's range is another when one of them is.
        var changes: [Change] = []
        for (old, new) in zip(before.families, families) {
            Self.compare(new.path, old.row, new.row, into: &changes)
        }
        changes += Self.changes("/master", since: before.masterParts, masterParts)
        if outputs != before.outputs {
            for (path, row) in families where path != "/dca" {
                changes += row.map { .changed("\(path)/\($0.number)/output") }
            }
        }
        return changes.count > Self.maximumChanges ? [.changed("/")] : changes
    }

    /// Down from the first, then up from the last: no place is taken before it is free.
    private static func renamings(_ path: String, _ moves: [(from: Int, to: Int)]) -> [Change] {
        (moves.filter { $0.to < $0.from } + moves.filter { $0.to > $0.from }.reversed()).map {
            .renamed(from: "\(path)/\($0.from)", to: "\(path)/\($0.to)")
        }
    }

    private static func compare(_ path: String, _ old: Row, _ new: Row, into changes: inout [Change]) {
        if new.isEmpty {
            if !old.isEmpty { changes.append(.removed(path)) }
            return
        }
        if old.isEmpty { return changes.append(.added(path)) }
        let before = Dictionary(uniqueKeysWithValues: old.map { ($0.id, $0) })
        let kept = new.filter { before[$0.id] != nil }
        let stays = Set(kept.map(\.id))
        // What changes places with others cannot be said by renaming one by one; where nothing stays, all is
        // another.
        guard !kept.isEmpty, kept.map(\.id) == old.filter({ stays.contains($0.id) }).map(\.id) else {
            return changes.append(.changed(path))
        }
        for gone in old.reversed() where !stays.contains(gone.id) {
            changes.append(.removed("\(path)/\(gone.number)"))
        }
        changes += renamings(path, kept.map { (from: before[$0.id]!.number, to: $0.number) })
        for come in new where !stays.contains(come.id) { changes.append(.added("\(path)/\(come.number)")) }
        compare(path, kept, since: before, into: &changes)
    }

    /// What is there as before may be called otherwise, or have other parts.
    private static func compare(
        _ path: String, _ kept: Row, since before: [StripID: Row.Element], into changes: inout [Change]
    ) {
        for one in kept {
            let was = before[one.id]!.node
            if was.label != one.node.label {
                changes.append(.changed("\(path)/\(one.number)"))
            } else {
                compare("\(path)/\(one.number)/send", was.sends, one.node.sends, into: &changes)
                changes += Self.changes("\(path)/\(one.number)", since: was.parts, one.node.parts)
            }
        }
    }

    /// What of a strip has gone, and what has come.
    private static func changes(_ path: String, since before: [String], _ now: [String]) -> [Change] {
        before.filter { !now.contains($0) }.map { .removed("\(path)/\($0)") }
            + now.filter { !before.contains($0) }.map { .added("\(path)/\($0)") }
    }
}
