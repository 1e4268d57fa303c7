import JSON
import Timeline

/// What MIDI moves, as a session's file has it, with strips by their names.
public struct MIDISummary: Equatable, Sendable, JSONForm {
    /// The surface that is on; nil: none.
    public private(set) var surface: MIDIMap.Surface?
    public private(set) var units = 1
    /// In the order in which they were learned.
    public private(set) var bindings: [Binding] = []
    public private(set) var unknown = JSONObject()

    public init() {}

    public static let fields: [JSONField<Self>] = [
        JSONField("surface", ifAny: \.surface), JSONField("units", \.units, omitted: 1),
        JSONField("bindings", \.bindings, omitted: []),
    ]

    public static let unknown: (WritableKeyPath<Self, JSONObject> & Sendable)? = \Self.unknown

    /// A message, and what it moves.
    public struct Binding: Equatable, Sendable, JSONForm {
        public private(set) var message = ""
        /// What it moves: a control of a strip, or of its send to a bus.
        public private(set) var strip: String?
        public private(set) var send: String?
        public private(set) var control: String?
        /// Otherwise the line of the shell that it runs.
        public private(set) var order: String?
        public private(set) var mode = MIDIBinding.Mode.jump
        public private(set) var unknown = JSONObject()

        public init() {}

        public static let fields: [JSONField<Self>] = [
            JSONField("message", \.message), JSONField("strip", ifAny: \.strip),
            JSONField("send", ifAny: \.send), JSONField("control", ifAny: \.control),
            JSONField("do", ifAny: \.order), JSONField("mode", \.mode, omitted: .jump),
        ]

        public static let unknown: (WritableKeyPath<Self, JSONObject> & Sendable)? = \Self.unknown
    }
}

extension MIDIMap.Surface: JSONCoded {}
extension MIDIBinding.Mode: JSONCoded {}

extension Answer {
    /// The surface that is on, and each binding with its number.
    public static let midi = AnswerKind("/midi/list", .document) { (map: MIDISummary) in
        let surface = map.surface.map { ["\($0.rawValue), units \(map.units)"] }
        if surface == nil, map.bindings.isEmpty {
            return ["nothing is bound: midi learn STRIP binds what moves next"]
        }
        return (surface ?? [])
            + map.bindings.enumerated().map { "\("\($0 + 1)".padded(4)) \($1.line)" }
    }

    /// The message that has come.
    public static let learned = AnswerKind(
        "/midi/learn", key: "learn",
        AnswerCoding<MIDISource>("s", .text) {
            [.string($0.text)]
        } read: {
            $0.first?.text.flatMap(MIDISource.init)
        } values: {
            [.text($0.text)]
        })
}

extension MIDISummary.Binding {
    /// As a person reads it.
    fileprivate var line: String {
        let send = send.map { "send/\($0)/" } ?? ""
        let moved = "\(strip ?? "")  \(send)\(control ?? "")"
        // What does something has no way to move.
        let mode = order == nil ? mode.rawValue : ""
        return "\(message.padded(14)) \(mode.padded(10)) \(order ?? moved)"
    }
}
