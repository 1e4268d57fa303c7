import JSON

/// What MIDI moves: a surface that the mixer knows, and messages that were learned.
public struct MIDIMap: Equatable, Sendable {
    /// The surface that is on.
    public var surface: Surface?
    /// How many units it has: itself, and its extenders.
    public var units = 1
    /// Messages and what they move, in the order in which they were learned.
    public var bindings: [MIDIBinding] = []
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// A surface that needs no learning.
    public enum Surface: String, CaseIterable, Sendable {
        /// Mackie Control, and what speaks as one.
        case mackie
    }

    /// Itself and three extenders.
    public static let maximumUnits = 4
    /// A bound for what a remote control may make the mixer hold.
    public static let maximumBindings = 1024

    /// Nothing.
    public init() {}

    /// How many pairs of ports its surface has.
    public var pairs: Int { surface == nil ? 0 : units }

    /// What the ports of a pair are called: 0 is `midi_in` and `midi_out`, 1 `mackie_in`, 2 `mackie_2_in`.
    public static func portName(pair: Int, isInput: Bool) -> String {
        (pair == 0 ? "midi" : pair == 1 ? "mackie" : "mackie_\(pair)") + (isInput ? "_in" : "_out")
    }

    /// Which pair's port has that name.
    static func end(ofPort port: String) -> PortLink.End? {
        for pair in 0...maximumUnits {
            for isInput in [true, false] where portName(pair: pair, isInput: isInput) == port {
                return (.midi, pair + 1, isInput)
            }
        }
        return nil
    }
}

/// A MIDI message by what it is, whatever value it carries. Channels count from 1, programs too.
public enum MIDISource: Hashable, Sendable {
    /// A controller of seven bits: the channel, 1 to 16, and its number, 0 to 127.
    case controller(channel: Int, Int)
    /// A controller below 32, with the one 32 above it for its lower seven bits.
    case fineController(channel: Int, Int)
    /// A parameter that is not registered (NRPN), of 14 bits.
    case parameter(channel: Int, Int)
    /// A key: the channel, 1 to 16, and its number, 0 to 127.
    case note(channel: Int, Int)
    /// A pitch bend: the channel, 1 to 16.
    case bend(channel: Int)
    /// A program change: the channel, 1 to 16, and the program, 1 to 128.
    case program(channel: Int, Int)

    /// Whether one message moves both: a controller of 14 bits is made of two of seven.
    public func overlaps(_ other: MIDISource) -> Bool {
        func halves(_ source: MIDISource) -> Set<MIDISource> {
            guard case .fineController(let channel, let number) = source else { return [source] }
            return [.controller(channel: channel, number), .controller(channel: channel, number + 32)]
        }
        return !halves(self).isDisjoint(with: halves(other))
    }

    /// As it is written: `cc 1 7`, `cc14 1 7`, `nrpn 1 300`, `note 1 60`, `bend 1`, `program 1 3`.
    public var text: String {
        switch self {
        case .controller(let channel, let number): "cc \(channel) \(number)"
        case .fineController(let channel, let number): "cc14 \(channel) \(number)"
        case .parameter(let channel, let number): "nrpn \(channel) \(number)"
        case .note(let channel, let number): "note \(channel) \(number)"
        case .bend(let channel): "bend \(channel)"
        case .program(let channel, let number): "program \(channel) \(number)"
        }
    }

    /// As it is written.
    public init?(_ text: String) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == (words.first == "bend" ? 2 : 3), let channel = Int(words[1]),
            (1...16).contains(channel)
        else { return nil }
        let number = words.count == 3 ? Int(words[2]) : 0
        guard let number else { return nil }
        switch words[0] {
        case "cc" where (0...127).contains(number): self = .controller(channel: channel, number)
        case "cc14" where (0...31).contains(number): self = .fineController(channel: channel, number)
        case "nrpn" where (0...16383).contains(number): self = .parameter(channel: channel, number)
        case "note" where (0...127).contains(number): self = .note(channel: channel, number)
        case "bend": self = .bend(channel: channel)
        case "program" where (1...128).contains(number): self = .program(channel: channel, number)
        default: return nil
        }
    }

    /// The greatest value that it carries; 1 for what carries none.
    public var greatest: Int {
        switch self {
        case .controller, .note: 127
        case .fineController, .parameter, .bend: 16383
        case .program: 1
        }
    }

    /// It has two positions, as keys and buttons have.
    public var isButton: Bool {
        switch self {
        case .note, .program: true
        default: false
        }
    }
}

/// A MIDI message, and what it moves.
public struct MIDIBinding: Equatable, Sendable {
    /// The message that moves it.
    public var source: MIDISource
    /// What the message does.
    public var action: Action
    /// How its value is taken.
    public var mode: Mode
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// What a message does.
    public enum Action: Equatable, Sendable {
        /// Moves a control of a strip, or of its send to a bus, by the word that it has there.
        case control(strip: StripID, bus: StripID?, word: String)
        /// Does what a line of the shell says.
        case line(String)
    }

    /// How what comes in becomes a value.
    public enum Mode: String, CaseIterable, Sendable {
        /// The control goes where the surface stands, at once.
        case jump
        /// The control stays until the surface has come to where it stands.
        case pickup
        /// The control goes the same way as the surface, by the share that each has left to its end.
        case scaled
        /// What comes in are steps: 1 to 63 up, 127 to 65 down.
        case relative
        /// Each press switches.
        case toggle
        /// On while it is pressed.
        case momentary
    }

    /// A message that does `action`, its value taken as `mode` says.
    public init(_ source: MIDISource, _ action: Action, mode: Mode) {
        (self.source, self.action, self.mode) = (source, action, mode)
    }
}

extension SessionFile {
    /// What MIDI moves, as a session's file has it, with its strips by their names.
    public static func json(_ map: MIDIMap, of session: Session) -> JSONValue {
        midi(StripNames(session)).json(map)
    }

    /// What was written so, for a session that may have other strips: what is not there is named, and left
    /// out.
    public static func midi(
        _ json: JSONValue, for session: Session
    ) -> (map: MIDIMap, problems: [SessionProblem]) {
        var map = MIDIMap()
        var reader = FieldReader(json.objectValue ?? JSONObject(), place: "", sampleRate: session.sampleRate)
        midi(StripNames(session)).read(&reader, into: &map)
        return (map, reader.problems)
    }

    /// `"midi": { "surface": "mackie", "units": 2, "bindings": [ { "message": "cc 1 7", "strip": "voice",
    /// "control": "volume", "mode": "pickup" }, { "message": "program 1 3", "do": "scene recall a" } ] }`.
    static func midi(_ names: StripNames) -> FieldTable<MIDIMap> {
        FieldTable(
            fields: [
                Field(name: "surface") { reader, map in
                    guard let text = reader.text("surface") else { return }
                    map.surface = MIDIMap.Surface(rawValue: text)
                    if map.surface == nil { reader.fault("surface", "there is no \"\(text)\": mackie") }
                } write: {
                    $0.surface.map { .string($0.rawValue) }
                },
                Field(name: "units") { reader, map in
                    let number = reader.number("units", in: 1...Double(MIDIMap.maximumUnits), default: 1)
                    map.units = Int(number)
                } write: {
                    $0.units == 1 ? nil : .number($0.units)
                },
                .list(
                    "bindings", of: "binding", { $0.bindings }, isOptional: true,
                    limit: MIDIMap.maximumBindings
                ) { _ in
                    MIDIBinding(.bend(channel: 1), .line(""), mode: .jump)
                } table: {
                    midiBindings(names)
                } take: { reader, map, binding, isWhole in
                    if isWhole, saysWhat(binding, &reader) { map.bindings.append(binding) }
                },
            ], unknown: \.unknown)
    }

    /// Whether a binding says what it does.
    private static func saysWhat(_ binding: MIDIBinding, _ reader: inout FieldReader) -> Bool {
        if case .line("") = binding.action {
            if reader.problems.isEmpty {
                reader.fault("control", "a binding names a strip and a control, or what to do")
            }
            return false
        }
        return true
    }

    private static func midiBindings(_ names: StripNames) -> FieldTable<MIDIBinding> {
        FieldTable(
            fields: [
                Field(name: "message", required: "a binding names a message, as \"cc 1 7\"") {
                    reader, binding in
                    guard let text = reader.text("message") else { return }
                    if let source = MIDISource(text) {
                        binding.source = source
                    } else {
                        reader.fault("message", "\"\(text)\" is no message: write it as \"cc 1 7\"")
                    }
                } write: {
                    .string($0.source.text)
                },
                strip(names), bus(names), control,
                Field(name: "do") { reader, binding in
                    if let text = reader.text("do") { binding.action = .line(text) }
                } write: {
                    if case .line(let line) = $0.action { .string(line) } else { nil }
                },
                .choice("mode", \.mode, omitted: .jump),
            ], unknown: \.unknown)
    }

    private static func strip(_ names: StripNames) -> Field<MIDIBinding> {
        Field(name: "strip") { reader, binding in
            guard let text = reader.text("strip") else { return }
            if let id = names.ids[text] {
                binding.action = .control(strip: id, bus: nil, word: "volume")
            } else {
                reader.fault("strip", "there is no strip \"\(text)\"")
            }
        } write: {
            if case .control(let strip, _, _) = $0.action {
                names.names[strip].map { .string($0) }
            } else {
                nil
            }
        }
    }

    /// Of the send to a bus.
    private static func bus(_ names: StripNames) -> Field<MIDIBinding> {
        Field(name: "send") { reader, binding in
            guard let text = reader.text("send"), case .control(let strip, _, let word) = binding.action
            else { return }
            if let id = names.ids[text], names.kind(id) == .bus {
                binding.action = .control(strip: strip, bus: id, word: word)
            } else {
                // It is not to move the strip's own control in its place.
                binding.action = .line("")
                reader.fault("send", "there is no bus \"\(text)\"")
            }
        } write: {
            if case .control(_, let bus?, _) = $0.action { names.names[bus].map { .string($0) } } else { nil }
        }
    }

    private static var control: Field<MIDIBinding> {
        Field(name: "control") { reader, binding in
            guard let text = reader.text("control"), case .control(let strip, let bus, _) = binding.action
            else { return }
            binding.action = .control(strip: strip, bus: bus, word: text)
        } write: {
            if case .control(_, _, let word) = $0.action { .string(word) } else { nil }
        }
    }
}
