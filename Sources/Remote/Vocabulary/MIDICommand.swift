import Timeline

/// What can be asked of the MIDI ports.
public enum MIDICommand: Equatable, Sendable {
    /// What is bound to what, and which surface is on.
    case list
    /// The next message is bound to that; nil: the mode that such a message has unless told.
    case learn(MIDITarget, MIDIBinding.Mode?)
    /// Nobody waits for a message any more.
    case stopLearning
    /// A surface that the mixer knows, of so many units; nil: none.
    case map(MIDIMap.Surface?, units: Int)
    /// What the user has kept under a name, in place of what is bound at present.
    case load(String)
    /// Keeps what is bound at present, for this session and others.
    case store(String)
    /// From 1, in the order in which they were learned.
    case remove(Int)

    /// How long the next message is waited for.
    public static let patience = 10
}

extension Control {
    /// What MIDI can move: a number, a switch or one of some words.
    public var isBindable: Bool {
        switch self {
        case .volumeLevel, .volumePosition, .touch, .talkbackTo, .send(_, .volumeLevel),
            .send(_, .volumePosition):
            return false
        default: break
        }
        switch entry.kind {
        case .volume, .number, .flag, .choice: return true
        default: return false
        }
    }

    /// The control of a strip that has that word, or of its send to a bus; nil for what MIDI cannot move.
    public init?(word: String, bus: String?) {
        let control: Control? =
            if let bus {
                SendControl(rawValue: word).map { .send(.name(bus), $0) }
            } else {
                Self.bindable.first { $0.path == word }
            }
        guard let control, control.isBindable else { return nil }
        self = control
    }

    private static let bindable: [Control] =
        plain + ofProcessors + AutomixControl.allCases.map(Control.automix) + [.duck, .talkback]

    /// A control as someone wrote it, as `mute`, `send/BUS/volume` or `eq/2/gain`.
    /// - Throws: `CommandError` for one that MIDI cannot move.
    init(bindable text: String) throws(CommandError) {
        let parts = text.split(separator: "/").map(String.init)
        let isSend = parts.count == 3 && parts[0] == "send"
        let bus = isSend ? (parts[1].hasPrefix("bus:") ? String(parts[1].dropFirst(4)) : parts[1]) : nil
        guard let control = Control(word: isSend ? parts[2] : text, bus: bus) else {
            throw CommandError(
                """
                "\(text)" is no control that MIDI moves: volume, mute, solo, pan, trim, arm, \
                send/BUS/volume, or of a processor, as eq/2/gain
                """,
                isUsage: true)
        }
        // By its number too.
        if isSend, case .send(_, let part) = control, let bus {
            self = .send(Selector(bus), part)
        } else {
            self = control
        }
    }
}

extension MIDIMap {
    /// Bindings that do nothing, for what they are to move is nothing that MIDI moves.
    public func cautions(in session: Session) -> [SessionProblem] {
        bindings.enumerated().compactMap { index, binding in
            caution(binding, session).map { SessionProblem(place: "MIDI binding \(index + 1)", message: $0) }
        }
    }

    private func caution(_ binding: MIDIBinding, _ session: Session) -> String? {
        switch binding.action {
        case .line(let line):
            do throws(CommandError) { _ = try MIDITarget(line: line) } catch { return error.description }
            return nil
        case .control(_, let bus, let word):
            let name = bus.flatMap { session.name(of: $0) }
            return Control(word: word, bus: name) == nil ? "\"\(word)\" is nothing that MIDI moves" : nil
        }
    }
}

extension Verb {
    static let midi = Verb(
        .ports,
        """
        midi [list] | learn STRIP [--of CONTROL] [--mode MODE] | learn --do LINE | learn off | map \
        mackie|off|NAME [UNITS] | \
        store NAME | remove N
        """,
        """
        what MIDI moves; learn: the next message that comes in by midi_in moves a control from then on, the \
        volume unless --of names another; --mode: jump, pickup, scaled, relative, toggle or momentary; --do: \
        the message does what LINE does in the shell; map mackie: a Mackie Control on ports of its own, with \
        up to three extenders; store NAME: keep the bindings for other sessions; map NAME: use them here; \
        without a word: list them
        """, example: "midi learn voice --of mute", options: WordOptions(valued: ["--of", "--mode", "--do"])
    ) { words throws(CommandError) in .midi(try words.midi()) }
}

extension Words {
    /// Behind `midi`.
    fileprivate mutating func midi() throws(CommandError) -> MIDICommand {
        switch isEmpty ? "list" : try word("what is to be done") {
        case "list": return .list
        case "learn": return try learn()
        case "map":
            let name = try word("mackie, off, or a name")
            return try MIDICommand.map(name, units: isEmpty ? 1 : try index("a number of units"))
        case "store": return .store(try word("the name"))
        case "remove": return .remove(try index("the number of a binding"))
        case let other:
            throw CommandError(
                "midi takes list, learn, map, store or remove, not \"\(other)\"", isUsage: true)
        }
    }

    private mutating func learn() throws(CommandError) -> MIDICommand {
        if first == "off" {
            _ = try word("off")
            return .stopLearning
        }
        let mode = try text("--mode").map(MIDICommand.mode)
        if let line = text("--do") { return .learn(try MIDITarget(line: line), mode) }
        let control = try text("--of").map { text throws(CommandError) in try Control(bindable: text) }
        return .learn(.control(try strip(), control ?? .volume), mode)
    }
}

extension MIDICommand {
    static func mode(_ text: String) throws(CommandError) -> MIDIBinding.Mode {
        if let mode = MIDIBinding.Mode(rawValue: text) { return mode }
        let all = MIDIBinding.Mode.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandError("\"\(text)\" is no way in which MIDI moves a control: \(all)", isUsage: true)
    }

    static func map(_ name: String, units: Int) throws(CommandError) -> MIDICommand {
        guard (1...MIDIMap.maximumUnits).contains(units) else {
            throw CommandError(
                "a surface has 1 to \(MIDIMap.maximumUnits) units, not \(units)", isUsage: true)
        }
        if name == "off" { return .map(nil, units: 1) }
        return MIDIMap.Surface(rawValue: name).map { .map($0, units: units) } ?? .load(name)
    }
}
