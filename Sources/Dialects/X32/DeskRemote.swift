import OSC
import Remote
import Timeline

/// A desk as its remotes see it: answers what they ask, sets what they set, and tells those with a lease what
/// others have changed.
///
/// What is a part of the mixer (`DeskPart`) stands where the mixer stands. What was set is told again as it
/// was set for as long as the mixer stands where that put it, so that nothing is lost on the way. Everything
/// else that a desk has is remembered as it was set.
public final class DeskRemote {
    let model: DeskModel
    let desk: any Desk
    let tree: ParameterTree
    let parts: [String: DeskPart]
    private let name: String
    /// Where the addresses of what changed are found.
    private let index: PartIndex

    /// What was set, by its address.
    private(set) var memory: [String: WireValue] = [:]
    /// What was set of a part of the mixer, and where that stood then.
    private var kept: [String: (set: WireValue, present: WireValue?)] = [:]
    /// Where parts of the mixer stood when they were last told; empty while nobody is told.
    private var board: [String: WireValue] = [:]
    /// What remotes have set since the mixer was looked at.
    private var setByRemotes: Set<String> = []
    /// The number from 0 that a remote has pointed at, and what scene was present then: whoever recalls
    /// another moves on from there.
    private var pointer: (number: Int, scene: String?)?
    var leases = DeskLeases()
    /// Something was remembered since it was last asked for.
    public private(set) var hasNewMemory = false

    /// - Parameter name: the mixer's, among others.
    public init(_ model: DeskModel, _ desk: any Desk, name: String) {
        (self.model, self.desk, self.name, tree, parts) = (model, desk, name, model.tree, model.parts)
        index = PartIndex(parts)
    }

    var state: DeskState {
        DeskState(model: model, tree: tree, parts: parts, desk: desk, name: name) { [self] in scene }
    }

    /// Where the pointer is, from 0; -1: nowhere.
    private var scene: Int {
        let present = desk.presentScene
        if let pointer, pointer.scene == present { return pointer.number }
        return present.flatMap { desk.scenes.firstIndex(of: $0) } ?? -1
    }

    // MARK: - What it remembers

    /// What is to be kept with the session, if any of it is new: what desks store in scenes, not how their
    /// screens stand.
    public func takeMemory() -> [String: OSCArgument]? {
        guard hasNewMemory else { return nil }
        hasNewMemory = false
        return memory.filter { Self.isOfSession($0.key) }.mapValues(\.argument)
    }

    /// Another session is open, with what it has kept: those with a lease are told of what is another now.
    public func recall(_ values: [String: OSCArgument]) {
        let before = memory
        (memory, kept, pointer, hasNewMemory) = ([:], [:], nil, false)
        // What an effect's parameters are hangs on its type.
        for isType in [true, false] {
            for (address, argument) in values where address.hasSuffix("/type") == isType {
                if let value = leaf(address)?.kind.value(argument) { memory[address] = value }
            }
        }
        guard leases.hasRemotes else { return }
        for address in Set(before.keys).union(memory.keys) where before[address] != memory[address] {
            if parts[address] == nil { changed(address, by: nil) }
        }
    }

    private static func isOfSession(_ address: String) -> Bool { !address.hasPrefix("/-") }

    // MARK: - Parameters

    /// A parameter by its address. Of an effect its type says which parameters are whole numbers.
    func leaf(_ address: String) -> ParameterTree.Leaf? {
        guard let leaf = tree.leaf(address), leaf.kind == .part, let number = Int(leaf.name),
            address.hasPrefix("/fx/")
        else { return tree.leaf(address) }
        let type = "\(address.prefix(5))/type"
        guard case .choice(let words)? = tree.leaf(type)?.kind, case .int(let index)? = value(type),
            EffectTypes.wholes(words[index]).contains(number)
        else { return leaf }
        return ParameterTree.Leaf(name: leaf.name, kind: .int, standard: .int(0))
    }

    /// The parameters of a node, each with its address.
    func leaves(_ node: ParameterTree.Node) -> [(address: String, leaf: ParameterTree.Leaf)] {
        node.leaves.map { ("\(node.path)/\($0.name)", leaf("\(node.path)/\($0.name)") ?? $0) }
    }

    /// Where a parameter stands, as a desk would tell it.
    func value(_ address: String, _ leaf: ParameterTree.Leaf) -> WireValue {
        let value = exactValue(address, leaf)
        guard case (.scaled(let scale), .float(let number)) = (leaf.kind, value) else { return value }
        return .float(scale.snapped(number))
    }

    private func exactValue(_ address: String, _ leaf: ParameterTree.Leaf) -> WireValue {
        guard let part = parts[address], let present = state.value(part, address) else {
            // What was another effect's is none of this one's.
            return memory[address].flatMap { leaf.kind.value($0.argument) } ?? leaf.standard
        }
        if case .anySolo = part, !rememberedSolos.allSatisfy(isThere) { return .int(1) }
        if let kept = kept[address], kept.present == present { return told(kept.set, present, part) }
        return present
    }

    /// What was set, and of a row of bits those of strips that have come since as they are.
    private func told(_ set: WireValue, _ present: WireValue, _ part: DeskPart) -> WireValue {
        guard case (.int(let set), .int(let present)) = (set, present), let there = state.bits(part) else {
            return set
        }
        return .int(set & ~there | present & there)
    }

    func value(_ address: String) -> WireValue? { leaf(address).map { value(address, $0) } }

    /// Sets a parameter; what it cannot be changes nothing, and nobody else is told.
    /// - Returns: whether there is such a parameter, and it can stand there.
    @discardableResult
    func set(_ address: String, _ argument: OSCArgument, from peer: OSCPeer?) -> Bool {
        guard let leaf = leaf(address), let value = leaf.kind.value(argument) else { return false }
        let before = self.value(address, leaf)
        // A remote that sends back what it was told means no other value than the one that was rounded.
        if case .scaled(let scale) = leaf.kind, scale.law == .logarithmic, value == before { return true }
        let anySolo = address.hasPrefix(DeskModel.soloNode) ? self.value(DeskModel.anySolo) : nil
        let setting = parts[address].map { set($0, address, value) } ?? .remembered
        if setting == .refused, !keepsRefused(address) {
            // Its fader stands elsewhere: it is told where.
            if let peer { leases.tell(OSCMessage(address, before.argument), to: peer) }
            return false
        }
        remember(setting == .remembered ? value : nil, address)
        if let part = parts[address] { kept[address] = (value, state.value(part, address)) }
        if self.value(address, leaf) != before { changed(address, by: peer) }
        if let anySolo, anySolo != self.value(DeskModel.anySolo) { changed(DeskModel.anySolo, by: nil) }
        return true
    }

    /// The switches for solo that were on when their strips were not there.
    private var rememberedSolos: [String] {
        memory.filter { $0.key.hasPrefix(DeskModel.soloNode) && $0.value.isOn }.map(\.key)
    }

    private func isThere(_ address: String) -> Bool {
        parts[address].flatMap { state.value($0, address) } != nil
    }

    /// nil: the mixer has it now.
    private func remember(_ value: WireValue?, _ address: String) {
        if memory[address] == value { return }
        memory[address] = value
        hasNewMemory = hasNewMemory || Self.isOfSession(address)
    }

    private func set(_ part: DeskPart, _ address: String, _ value: WireValue) -> Setting {
        switch (part, value) {
        case (.goScene, .int(let number)), (.scene, .int(let number)):
            return go(to: number - model.firstScene, recalls: part == .goScene)
        case (.storeScene, .int(let number)): return store(number - model.firstScene)
        case (.clearSolo, _) where value.isOn:
            for address in rememberedSolos { set(address, .int32(0), from: nil) }
        case (.highPassOn, .int(0)): rememberSiblings(address, ["hpf", "hpslope"])
        case (.delayOn, .int(0)): rememberSiblings(address, ["time"])
        default: break
        }
        return state.set(part, address, to: value) { [self] address in
            memory[address] ?? tree.leaf(address)?.standard
        }
    }

    /// What is switched off is to come back as it stood.
    private func rememberSiblings(_ address: String, _ names: [String]) {
        for sibling in names.map({ DeskState.sibling(address, $0) }) {
            if let value = value(sibling) { remember(value, sibling) }
        }
    }

    /// A name that is another strip's already: the remote sees what it has set.
    private func keepsRefused(_ address: String) -> Bool {
        if case .name? = parts[address] { true } else { false }
    }

    // MARK: - Scenes

    /// The pointer goes there, whether there is a scene or not, as on a desk.
    private func go(to number: Int, recalls: Bool) -> Setting {
        guard (0..<model.scenes).contains(number) else { return .refused }
        let scenes = desk.scenes
        if recalls, scenes.indices.contains(number) {
            guard desk.run(.scene(.recall(scenes[number], over: nil))) else { return .refused }
        }
        point(at: number)
        return .done
    }

    private func point(at number: Int) {
        pointer = (number, desk.presentScene)
        let addresses =
            model == .x32 ? ["/-show/prepos/current"] : ["/-snap/index", "/-snap/name"]
        for address in addresses { changed(address, by: nil) }
    }

    /// Stores over the scene of that number, which keeps its name; where there is none, as a new one behind
    /// all others.
    private func store(_ number: Int, named name: String? = nil) -> Setting {
        let scenes = desk.scenes
        guard (0..<model.scenes).contains(number) else { return .refused }
        if scenes.indices.contains(number) {
            guard desk.run(.scene(.store(scenes[number]))) else { return .refused }
            point(at: number)
            return .done
        }
        let wanted = name ?? memory[model.sceneNameAddress(number)]?.written ?? ""
        guard
            desk.run(
                .scene(.store(free(wanted.isEmpty ? "scene \(scenes.count + model.firstScene)" : wanted))))
        else { return .refused }
        point(at: scenes.count)
        return .done
    }

    /// A name that no scene has: what is stored anew takes no other's place.
    private func free(_ name: String) -> String {
        let taken = Set(desk.scenes)
        if !taken.contains(name) { return name }
        return (2...).lazy.map { "\(name) \($0)" }.first { !taken.contains($0) } ?? name
    }

    /// `/load` and `/save` of scenes (X32).
    func library(_ message: OSCMessage) -> OSCMessage? {
        let arguments = message.arguments
        guard let kind = arguments.first?.text, arguments.count >= 2, let number = arguments[1].wholeNumber
        else {
            return nil
        }
        var setting = Setting.refused
        if kind == "scene", message.address == "/save" || desk.scenes.indices.contains(number) {
            let name = arguments.count > 2 ? arguments[2].text : nil
            setting =
                message.address == "/load" ? go(to: number, recalls: true) : store(number, named: name)
        }
        return OSCMessage(message.address, .string(kind), .int32(setting == .done ? 1 : 0))
    }

    // MARK: - Telling

    /// A parameter was set: all with a lease are told but its author.
    private func changed(_ address: String, by author: OSCPeer?) {
        guard leases.hasRemotes, let value = value(address) else { return }
        if parts[address] != nil, !board.isEmpty {
            board[address] = value
            setByRemotes.insert(address)
        }
        leases.tell(OSCMessage(address, value.argument), by: author, echoes: model == .xair)
    }

    /// Tells what has changed by other hands.
    public func follow(_ changes: [DeskChange]) {
        guard leases.hasRemotes else { return }
        if board.isEmpty {
            for (address, _) in parts { board[address] = value(address) }
            return
        }
        // What a remote has set and somebody has put back since the last look is no change of the mixer, but
        // the remotes have to be told.
        defer { setByRemotes = [] }
        if changes.isEmpty, setByRemotes.isEmpty { return }
        for address in setByRemotes.union(index.addresses(of: changes)).sorted() {
            guard let value = value(address), board[address] != value else { continue }
            board[address] = value
            leases.tell(OSCMessage(address, value.argument), by: nil, echoes: false)
        }
    }

    /// Nobody is told any more.
    public func forgetBoard() { (board, setByRemotes) = ([:], []) }

    /// Whether anybody is to be told of changes.
    public var hasRemotes: Bool { leases.hasRemotes }
}
