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
                surface,
                Field(name: "units") { reader, map in
                    let number = reader.number("units", in: 1...Double(MIDIMap.maximumUnits), default: 1)
                    map.units = Int(number)
                } write: {
                    $0.units == 1 ? nil : .number($0.units)
                },
                .list(
                    ListForm("bindings", of: "binding", isOptional: true, limit: MIDIMap.maximumBindings) {
                        $0.bindings
                    }
                ) { _ in
                    MIDIBinding(.bend(channel: 1), .line(""), mode: .jump)
                } table: {
                    midiBindings(names)
                } take: { reader, map, binding, isWhole in
                    if isWhole, saysWhat(binding, &reader) { map.bindings.append(binding) }
                },
            ], unknown: \.unknown)
    }

    private static var surface: Field<MIDIMap> {
        Field(name: "surface") { reader, map in
            guard let text = reader.text("surface") else { return }
            map.surface = MIDIMap.Surface(rawValue: text)
            if map.surface == nil { reader.fault("surface", "there is no \"\(text)\": mackie") }
        } write: {
            $0.surface.map { .string($0.rawValue) }
        }
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
