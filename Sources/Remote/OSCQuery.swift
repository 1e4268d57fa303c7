import JSON
import OSC
import Speakers
import Timeline

/// The mixer as OSCQuery tells it (the proposal of 2018 that Vidvox keeps, as Chataigne and ossia score read
/// it): a tree of addresses with their types, ranges and values, made from the one table of controls. Strips
/// and the buses of sends go by number, their names are descriptions.
public struct OSCQuery {
    /// An address that holds a value, or does something.
    private struct Leaf {
        /// nil: it does something.
        let value: Value?
        let range: JSONValue?
        let access: Access
        let description: String
        let unit: ControlUnit?
    }

    private enum Access: Int { case none, read, write, both }

    /// What a leaf stands at: its type in OSC, and it in JSON and as an argument.
    private enum Value {
        case number(Double)
        case flag(Bool)
        case text(String)

        var type: String {
            switch self {
            case .number: "f"
            case .flag(let flag): flag ? "T" : "F"
            case .text: "s"
            }
        }

        var json: JSONValue {
            switch self {
            case .number(let number): .number(number)
            case .flag(let flag): .bool(flag)
            case .text(let text): .string(text)
            }
        }

        var argument: OSCArgument {
            switch self {
            case .number(let number): .float(Float(number))
            case .flag(let flag): .bool(flag)
            case .text(let text): .string(text)
            }
        }
    }

    private var leaves: [String: Leaf] = [:]
    private var order: [String] = []
    private var descriptions: [String: String] = [:]

    /// - Parameters:
    ///   - told: what subscribers are told.
    ///   - buses: their names, in the order of their numbers: what a send's level is told by is its bus's
    ///     name.
    ///   - names: what strips are called.
    public init(told: [Answer], buses: [String], names: (StripPlace) -> String) {
        let numbers = Dictionary(
            buses.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        let places = Self.words(buses + ["master", "none", "ports"])
        for answer in told {
            guard case .control(let place, var control, let value) = answer else {
                add(answer)
                continue
            }
            describe(place, names)
            if case .send(let bus, let what) = control {
                guard let number = numbers[bus.text] else { continue }
                control = .send(.number(number), what)
                descriptions["\(place.address)/send/\(number)"] = bus.text
            }
            add(place.address(of: control), control, value, places)
        }
        addActions()
    }

    private mutating func describe(_ place: StripPlace, _ names: (StripPlace) -> String) {
        if descriptions[place.address] != nil { return }
        descriptions[place.address] = place == .master ? "master" : names(place)
    }

    private mutating func addActions() {
        for (path, what) in [
            ("/transport/play", "rolls"), ("/transport/stop", "stops"),
            ("/panic", "the mix silent, then all stopped"), ("/session/save", "saves the session"),
            ("/session/undo", "takes back the last change"), ("/session/redo", "makes it again"),
        ] {
            add(path, nil, .write, what)
        }
        for (path, what) in [("/track", "tracks"), ("/bus", "buses"), ("/dca", "DCAs")] {
            descriptions[path] = what
        }
    }

    /// What is told of the whole.
    private mutating func add(_ answer: Answer) {
        add(answer, Answer.state, .read, "rolling or stopped") { .text($0.rawValue) }
        if let position = answer[Answer.position] {
            add("/transport/position/seconds", .number(position.seconds), .read, "where it plays, in seconds")
        }
        add(answer, Answer.loop, .both, "plays round and round") { .flag($0 != nil) }
        add(answer, Answer.stopsAtEnd, .both, "stops where the last clip ends") { .flag($0) }
        add(answer, Answer.record, .both, "armed tracks record while it rolls") { .flag($0.isOn) }
        add(answer, Answer.recording, .read, "something is being recorded") { .flag($0) }
        addDesk(answer)
    }

    private mutating func addDesk(_ answer: Answer) {
        add(answer, Answer.soloMode, .both, "what solo does", Self.words(of: SoloMode.self)) {
            .text($0.rawValue)
        }
        add(
            answer, Answer.directOuts, .both, "whether all strips have ports of their own",
            Self.words(of: DirectOutMode.self)
        ) {
            .text($0.rawValue)
        }
        add(answer, Answer.silenced, .both, "a panic holds the mix silent") { .flag($0) }
        add(answer, Answer.soundcheck, .both, "what inputs have recorded is heard in their place") {
            .flag($0)
        }
        for control in MonitorControl.allCases {
            guard let value = answer[Answer.monitoring(control)] else { continue }
            add(control.address, control.kind, value, control.summary, unit: control.unit)
        }
    }

    private mutating func add<Said>(
        _ answer: Answer, _ kind: AnswerKind<Said>, _ access: Access, _ description: String,
        _ range: JSONValue? = nil, _ value: (Said) -> Value
    ) {
        guard let said = answer[kind] else { return }
        add(kind.path, value(said), access, description, range)
    }

    private mutating func add(
        _ path: String, _ value: Value?, _ access: Access, _ description: String, _ range: JSONValue? = nil,
        unit: ControlUnit? = nil
    ) {
        leaves[path] = Leaf(
            value: value, range: range, access: access, description: description, unit: unit)
        order.append(path)
    }

    private static func words<Word: RawRepresentable<String> & CaseIterable>(of: Word.Type) -> JSONValue {
        words(Word.allCases.map(\.rawValue))
    }

    private static func words(_ words: [String]) -> JSONValue {
        .object(["VALS": .array(words.map { .string($0) })])
    }

    private static func bounds(_ range: ClosedRange<Double>) -> JSONValue {
        .object(["MIN": .number(range.lowerBound), "MAX": .number(range.upperBound)])
    }

    /// A control. A finger on a fader and the members of a DCA are nothing that a slider or a button could
    /// show; another scale is the same in other words, below the address of it, and clients take no node that
    /// has both a value and others below it.
    private mutating func add(_ path: String, _ control: Control, _ value: ControlValue, _ places: JSONValue)
    {
        if case .touch = control { return }
        if case .writeMode = control { return }
        add(path, control.entry.kind, value, control.entry.summary, places, unit: control.unit)
    }

    private mutating func add(
        _ path: String, _ kind: Control.Kind, _ value: ControlValue, _ summary: String,
        _ places: JSONValue? = nil, unit: ControlUnit?
    ) {
        switch (kind, value) {
        case (.scale, _): break
        case (.volume, .number(let number)):
            add(path, .number(number), .both, summary, Self.bounds(Volume.range), unit: unit)
        case (.number(let range), .number(let number)):
            add(path, .number(number), .both, summary, Self.bounds(range), unit: unit)
        case (.reading(let range), .number(let number)):
            add(path, .number(number), .read, summary, Self.bounds(range), unit: unit)
        case (.flag, .flag(let flag)): add(path, .flag(flag), .both, summary)
        case (.place, .text(let text)): add(path, .text(text), .both, summary, places)
        case (.channels, .channels(let layout)):
            add(path, .number(Double(layout.channels)), .both, summary, Self.widths)
        case (.choice(let words), .text(let text)): add(path, .text(text), .both, summary, Self.words(words))
        case (_, .text(let text)): add(path, .text(text), .both, summary)
        case (_, .time(.time(let time))): add(path, .text("\(time)"), .both, summary)
        case (_, .levels(let peaks, _)): addPeaks(path, peaks)
        default: break
        }
    }

    /// The numbers of channels that a strip may have.
    private static let widths = JSONValue.object([
        "VALS": .array(SpeakerLayout.allCases.map { .number($0.channels) })
    ])

    private mutating func addPeaks(_ path: String, _ peaks: [Float]) {
        for (side, peak) in [("left", peaks[0]), ("right", peaks[peaks.count > 1 ? 1 : 0])] {
            add("\(path)/\(side)", .number(Double(peak)), .read, "peak \(side), linear", Self.bounds(0...1))
        }
    }

    // MARK: - Telling it

    /// What who listens is told, each value as a message of its own.
    public var messages: [OSCMessage] {
        order.compactMap { path in leaves[path]?.value.map { OSCMessage(path, $0.argument) } }
    }

    /// What a node says: itself and all that is below it, or one attribute alone.
    public enum Reply: Equatable {
        case json(JSONValue)
        /// The node has no such attribute.
        case nothing
        case unknownPath
        case unknownAttribute
    }

    /// The node at `path`, or of it one attribute.
    public func reply(to path: String, attribute: String?) -> Reply {
        let path = path == "/" ? "" : path.hasSuffix("/") ? String(path.dropLast()) : path
        let below = order.filter { path.isEmpty || $0.hasPrefix("\(path)/") }
        guard leaves[path] != nil || !below.isEmpty else { return .unknownPath }
        let node = node(path, below)
        guard let attribute else { return .json(node) }
        guard Self.attributes.contains(attribute) else { return .unknownAttribute }
        return node[attribute].map { .json(.object([attribute: $0])) } ?? .nothing
    }

    private static let attributes: Set<String> = [
        "FULL_PATH", "CONTENTS", "TYPE", "VALUE", "RANGE", "ACCESS", "DESCRIPTION", "UNIT",
    ]

    private func node(_ path: String, _ below: [String]) -> JSONValue {
        var node: JSONObject = [
            "FULL_PATH": .string(path.isEmpty ? "/" : path),
            "ACCESS": .number((leaves[path]?.access ?? .none).rawValue),
        ]
        describe(path, &node)
        if below.isEmpty { return .object(node) }
        var contents = JSONObject()
        for (name, inside) in Self.children(of: path, below) {
            contents[name] = self.node("\(path)/\(name)", inside)
        }
        node["CONTENTS"] = .object(contents)
        return .object(node)
    }

    private func describe(_ path: String, _ node: inout JSONObject) {
        if let leaf = leaves[path] {
            node["DESCRIPTION"] = .string(leaf.description)
            node["TYPE"] = .string(leaf.value?.type ?? "I")
            if let value = leaf.value { node["VALUE"] = .array([value.json]) }
            if let range = leaf.range { node["RANGE"] = .array([range]) }
            if let unit = leaf.unit { node["UNIT"] = .array([.string(unit.rawValue)]) }
        } else if let description = path.isEmpty ? "jmix" : descriptions[path] {
            node["DESCRIPTION"] = .string(description)
        }
    }

    /// The nodes right below one, in their order, each with the leaves below it.
    private static func children(
        of path: String, _ below: [String]
    ) -> [(name: String, inside: [String])] {
        var children: [(name: String, inside: [String])] = []
        var places: [String: Int] = [:]
        for leaf in below {
            let rest = leaf.dropFirst(path.count + 1)
            let name = String(rest.prefix { $0 != "/" })
            let place = places[name] ?? children.count
            if place == children.count {
                places[name] = place
                children.append((name, []))
            }
            if rest.count > name.count { children[place].inside.append(leaf) }
        }
        return children
    }

    /// What is asked first of all.
    public static func hostInfo(name: String, oscPort: UInt16, webPort: UInt16) -> JSONValue {
        .object([
            "NAME": .string(name), "OSC_PORT": .number(oscPort), "OSC_TRANSPORT": .string("UDP"),
            "WS_PORT": .number(webPort),
            "EXTENSIONS": extensions,
        ])
    }

    private static let extensions = JSONValue.object([
        "ACCESS": .bool(true), "VALUE": .bool(true), "RANGE": .bool(true), "TYPE": .bool(true),
        "DESCRIPTION": .bool(true), "LISTEN": .bool(true),
        "PATH_CHANGED": .bool(true), "PATH_ADDED": .bool(true), "PATH_REMOVED": .bool(true),
        "PATH_RENAMED": .bool(true),
        "CLIPMODE": .bool(false), "TAGS": .bool(false), "UNIT": .bool(true),
        "CRITICAL": .bool(false), "HTML": .bool(false),
    ])
}
