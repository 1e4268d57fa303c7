import Remote
import TestSupport
import Testing
import Timeline

/// Random sessions one after another, any number of edits between two, steps back among them: what is told
/// makes the old tree into the new, each change true of the tree as those before it left it.
@Suite struct PathShapeTests {
    /// The tree, path by path, as OSCQuery has it: what stands at each.
    private typealias Tree = [String: String]

    @Test func changesMakeTheOldTreeIntoTheNew() {
        var kinds: Set<String> = []
        for number in 0..<400 as Range<UInt64> {
            var seed = Seeded(state: number &* 104_729)
            var steps = [Session()]
            var tree = tree(of: steps[0])
            for turn in 0..<40 {
                var session = steps.last!
                for _ in 0..<Int.random(in: 1...6, using: &seed) { edit(&session, steps, &seed) }
                let now = self.tree(of: session)
                for change in shape(session).changes(since: shape(steps.last!)) {
                    let fault = take(change, into: &tree, now)
                    #expect(fault == nil, "seed \(number), turn \(turn): \(change): \(fault ?? "")")
                    kinds.insert(kind(change))
                }
                #expect(tree == now, "seed \(number), turn \(turn)")
                tree = now
                steps.append(session)
            }
        }
        #expect(kinds == ["added", "removed", "renamed", "changed"])
    }

    @Test func manyChangesAreToldAsOne() {
        var session = Session()
        for number in 1...PathShape.maximumChanges { session.addBus(named: "bus\(number)") }
        let before = shape(session)
        session.addBus(named: "another")
        #expect(shape(session).changes(since: before) == [.changed("/")])
    }

    private func shape(_ session: Session) -> PathShape {
        PathShape(
            session,
            parts: Dictionary(uniqueKeysWithValues: session.places.map { ($0, parts(of: session[$0])) }))
    }

    private func parts(of strip: Strip) -> [String] {
        (strip.equaliser == nil ? [] : ["eq"]) + (strip.limiter == nil ? [] : ["limit"])
    }

    private func edit(_ session: inout Session, _ steps: [Session], _ seed: inout Seeded) {
        let name = "name\(Int.random(in: 1...5, using: &seed))"
        let place = session.places.randomElement(using: &seed)!
        switch Int.random(in: 0..<12, using: &seed) {
        case 0: session.append(Track(name: name))
        case 1: session.addBus(named: name)
        case 2: session.addDCA(named: name)
        case 3:
            if let index = session.tracks.indices.randomElement(using: &seed) {
                session.removeTrack(at: index)
            }
        case 4:
            if let index = session.buses.indices.randomElement(using: &seed) { session.removeBus(at: index) }
        case 5:
            if let index = session.dcas.indices.randomElement(using: &seed) { session.removeDCA(at: index) }
        case 6, 7:
            if let bus = session.buses.randomElement(using: &seed) {
                session.setSend(of: place, to: bus.id) { _ in }
            }
        case 8: session[place].name = name
        case 9 where place.kind != .dca:
            session[place].equaliser = session[place].equaliser == nil ? Equaliser() : nil
        case 10 where place.kind != .dca:
            session[place].limiter = session[place].limiter == nil ? Limiter() : nil
        default: session = steps.randomElement(using: &seed)!
        }
    }

    private func tree(of session: Session) -> Tree {
        var tree: Tree = [:]
        let buses = session.buses.map(\.name)
        func put(_ family: String, _ strips: [Strip]) {
            if !strips.isEmpty { tree[family] = "" }
            for (index, strip) in strips.enumerated() {
                let path = "\(family)/\(index + 1)"
                tree[path] = strip.name
                if family != "/dca" { tree["\(path)/output"] = buses.joined(separator: " ") }
                if family != "/dca", !strip.sends.isEmpty { tree["\(path)/send"] = "" }
                for part in parts(of: strip) { tree["\(path)/\(part)"] = "" }
                for send in strip.sends where family != "/dca" {
                    let bus = session.buses.firstIndex { $0.id == send.bus }!
                    tree["\(path)/send/\(bus + 1)"] = buses[bus]
                }
            }
        }
        put("/track", session.tracks.map(\.strip))
        put("/bus", session.buses)
        put("/dca", session.dcas.map(\.strip))
        for part in parts(of: session.master) { tree["/master/\(part)"] = "" }
        return tree
    }

    /// Takes in one change as a client does, who reads what has come in the tree of now; what was wrong with
    /// it.
    private func take(_ change: PathShape.Change, into tree: inout Tree, _ now: Tree) -> String? {
        func below(_ path: String, _ tree: Tree) -> Tree {
            tree.filter { path == "/" || $0.key == path || $0.key.hasPrefix("\(path)/") }
        }
        switch change {
        case .added(let path):
            if !below(path, tree).isEmpty { return "it was there already" }
            tree.merge(below(path, now)) { $1 }
        case .removed(let path):
            let gone = below(path, tree)
            if gone.isEmpty { return "it was not there" }
            for path in gone.keys { tree[path] = nil }
        case .renamed(let old, let new):
            let moved = below(old, tree)
            if moved.isEmpty { return "it was not there" }
            if !below(new, tree).isEmpty { return "its place was taken" }
            for (path, label) in moved {
                tree[path] = nil
                tree[new + path.dropFirst(old.count)] = label
            }
        case .changed(let path):
            for path in below(path, tree).keys { tree[path] = nil }
            tree.merge(below(path, now)) { $1 }
        }
        return nil
    }

    private func kind(_ change: PathShape.Change) -> String {
        switch change {
        case .added: "added"
        case .removed: "removed"
        case .renamed: "renamed"
        case .changed: "changed"
        }
    }
}
