import OSC
import Timeline

/// What MIDI moves.
extension CommandEntry {
    static let midi: [CommandEntry] = [
        .of(
            .at("/midi/list", .value(Answer.midi), "what MIDI moves: JSON, as the session's file has it"),
            .midi(.list)
        )
        .verb(.midi),
        .of(
            .at(
                "/midi/learn", .action(Answer.learned),
                """
                the next message that comes in by midi_in within 10 s moves the control from then on; \
                answers that message; MODE is jump, pickup, scaled, relative, toggle or momentary
                """), fields(.bindable, .mode).named("STRIP [CONTROL [MODE]]"),
            title: { _, _ in "learn MIDI" }
        ) {
            .midi(.learn(.control($0.0.0, $0.0.1), $0.1))
        } take: {
            if case .midi(.learn(.control(let strip, let control), let mode)) = $0 {
                ((strip, control), mode)
            } else {
                nil
            }
        }
        .live(),
        .of(
            .at(
                "/midi/learn/do", .action(Answer.learned),
                "the same, but the message runs a LINE of the shell, such as \"scene recall soft 2s\""),
            fields(.line, .mode), title: { _, _ in "learn MIDI" }
        ) {
            .midi(.learn($0.0, $0.1))
        } take: {
            if case .midi(.learn(.line(let line), let mode)) = $0 { (.line(line), mode) } else { nil }
        }
        .live(),
        .of(.at("/midi/learn/off", .action(), "ends learning without a message"), .midi(.stopLearning)),
        .of(
            .at(
                "/midi/map", .action(),
                """
                mackie: a Mackie Control with 1 to 4 units (1 unless told) on ports of its own; off: no \
                surface; NAME: the bindings that were stored under that name
                """), .map, title: { _, map in map.title }
        ) {
            .midi($0)
        } take: {
            switch $0 {
            case .midi(.map(let surface, let units)): .map(surface, units: units)
            case .midi(.load(let name)): .load(name)
            default: nil
            }
        },
        .of(.at("/midi/store", .action(), "stores the bindings under NAME, for other sessions too"), .name) {
            .midi(.store($0))
        } take: {
            if case .midi(.store(let name)) = $0 { name } else { nil }
        },
        .of(
            .at("/midi/remove", .action(), "removes the binding of that number, from 1"),
            .index("", "the number of a binding"), title: { _, _ in "remove MIDI binding" }
        ) {
            .midi(.remove($0))
        } take: {
            if case .midi(.remove(let number)) = $0 { number } else { nil }
        },
    ]
}

extension Field<(StripReference, Control)> {
    /// A strip, and what of it MIDI can move: the volume unless told.
    fileprivate static let bindable = Field("STRIP [CONTROL]") {
        (arguments: inout Arguments) throws(CommandError) in
        let strip = try arguments.strip()
        let control = arguments.isEmpty ? "volume" : try arguments.text("the control")
        return (strip, try Control(bindable: control))
    } write: {
        [.string($0.0.text), .string($0.1.path)]
    }
}

extension Field<MIDITarget> {
    fileprivate static let line = Field("LINE") { (arguments: inout Arguments) throws(CommandError) in
        try MIDITarget(line: try arguments.text("the line"))
    } write: {
        if case .line(let line) = $0 { [.string(line)] } else { [] }
    }
}

extension Field<MIDIBinding.Mode?> {
    fileprivate static let mode = Field("[MODE]") { (arguments: inout Arguments) throws(CommandError) in
        arguments.isEmpty ? nil : try MIDICommand.mode(try arguments.text("the mode"))
    } write: { mode in
        mode.map { [.string($0.rawValue)] } ?? []
    }
}

extension Field<MIDICommand> {
    /// A surface and its units, none, or what was stored.
    fileprivate static let map = Field("mackie [UNITS] · off · NAME") {
        (arguments: inout Arguments) throws(CommandError) in
        let name = try arguments.text("mackie, off or a name")
        let units = arguments.isEmpty ? 1 : try arguments.index("a number of units")
        return try MIDICommand.map(name, units: units)
    } write: {
        switch $0 {
        case .map(let surface?, let units): [.string(surface.rawValue), .int32(Int32(units))]
        case .map(nil, units: _): [.string("off")]
        case .load(let name): [.string(name)]
        default: []
        }
    }
}

extension MIDICommand {
    /// What a step that gives a surface its map is called.
    fileprivate var title: String {
        switch self {
        case .map(let surface?, _): "MIDI map \(surface.rawValue)"
        case .load(let name): "MIDI map \(name)"
        default: "MIDI map off"
        }
    }
}
