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
        JSONField("surface", \.surface, omitted: nil), JSONField("units", \.units, omitted: 1),
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
        /// Or else the line of the shell that it does.
        public private(set) var line: String?
        public private(set) var mode = MIDIBinding.Mode.jump
        public private(set) var unknown = JSONObject()

        public init() {}

        public static let fields: [JSONField<Self>] = [
            JSONField("message", \.message), JSONField("strip", \.strip, omitted: nil),
            JSONField("send", \.send, omitted: nil), JSONField("control", \.control, omitted: nil),
            JSONField("do", \.line, omitted: nil), JSONField("mode", \.mode, omitted: .jump),
        ]

        public static let unknown: (WritableKeyPath<Self, JSONObject> & Sendable)? = \Self.unknown
    }
}

extension MIDIMap.Surface: JSONCoded {}
extension MIDIBinding.Mode: JSONCoded {}
