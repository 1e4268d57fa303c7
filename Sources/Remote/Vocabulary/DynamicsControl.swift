import JSON
import Timeline

/// What of a gate, a compressor or a limiter a hand moves, or an eye watches.
public struct DynamicsControl: Hashable, Sendable {
    public let kind: DynamicsKind
    public let part: Part

    public enum Part: Hashable, Sendable {
        case on
        /// The strip whose level it goes by.
        case key
        /// How far it lowers, in dB; only to be asked.
        case reduction
        /// One of its numbers, by its name.
        case parameter(String)
    }

    public init(_ kind: DynamicsKind, _ part: Part) { (self.kind, self.part) = (kind, part) }

    /// All of one kind.
    public static func all(_ kind: DynamicsKind) -> [DynamicsControl] {
        let others: [Part] = kind.hasKey ? [.key, .reduction] : [.reduction]
        return ([.on] + kind.parameters.map(Part.parameter) + others).map { DynamicsControl(kind, $0) }
    }

    /// What follows the strip in its address.
    var path: String { "\(kind.rawValue)/\(word)" }

    /// The last word of that.
    public var word: String {
        switch part {
        case .on: "on"
        case .key: "key"
        case .reduction: "reduction"
        case .parameter(let name): name
        }
    }

    var controlKind: Control.Kind {
        switch part {
        case .on: .flag
        case .key: .text
        case .reduction: .reading(0...144)
        case .parameter: .number(number?.range ?? 0...0)
        }
    }

    /// Of one of its numbers its range, and what is said of it.
    private var number: (range: ClosedRange<Double>, summary: String)? {
        guard case .parameter(let name) = part else { return nil }
        return switch kind {
        case .gate: Gate.parameters.first { $0.name == name }.map { ($0.range, $0.summary) }
        case .comp: Compressor.parameters.first { $0.name == name }.map { ($0.range, $0.summary) }
        case .limit: Limiter.parameters.first { $0.name == name }.map { ($0.range, $0.summary) }
        }
    }

    var summary: String {
        switch part {
        case .on: "the \(kind.name); off, it is kept and changes nothing"
        case .key: "the track or bus whose level the \(kind.name) goes by; empty: its own"
        case .reduction: "how far the \(kind.name) lowers at present, in dB"
        case .parameter: number?.summary ?? ""
        }
    }
}

/// What `comp`, `gate` and `limit` ask.
public enum DynamicsChange: Equatable, Sendable {
    /// These settings, in this order, as one step.
    case set([DynamicsPart])
    /// Takes it away.
    case clear
}

/// One setting of a gate, a compressor or a limiter.
public struct DynamicsPart: Equatable, Sendable {
    public let control: DynamicsControl
    public let value: ControlValue

    public init(_ control: DynamicsControl, _ value: ControlValue) {
        (self.control, self.value) = (control, value)
    }
}

extension LevelProcessor {
    /// What one of its controls stands at; nil for what it does not know by itself.
    fileprivate func value(of part: DynamicsControl.Part) -> ControlValue? {
        switch part {
        case .on: .flag(isOn)
        case .parameter(let name):
            Self.parameters.first { $0.name == name }.map { .number($0.value(of: self)) }
        case .key, .reduction: nil
        }
    }

    /// - Returns: whether there is such a thing to be set.
    fileprivate mutating func set(_ part: DynamicsControl.Part, _ value: ControlValue) -> Bool {
        switch (part, value) {
        case (.on, .flag(let flag)): isOn = flag
        case (.parameter(let name), .number(let number)):
            guard let parameter = Self.parameters.first(where: { $0.name == name }) else { return false }
            parameter.set(number, of: &self)
        default: return false
        }
        return true
    }
}

extension Strip {
    /// What a control of its gate, its compressor or its limiter stands at, but for the name of its key.
    public func value(of control: DynamicsControl) -> ControlValue {
        let value =
            switch control.kind {
            case .gate: (gate ?? Gate()).value(of: control.part)
            case .comp: (compressor ?? Compressor()).value(of: control.part)
            case .limit: (limiter ?? Limiter()).value(of: control.part)
            }
        return value ?? .text("")
    }

    /// Sets it, and makes the processor where there is none; what is out of range has been refused before.
    public mutating func set(_ control: DynamicsControl, _ value: ControlValue) throws(CommandError) {
        let isSet =
            switch control.kind {
            case .gate: Self.set(&gate, control.part, value)
            case .comp: Self.set(&compressor, control.part, value)
            case .limit: Self.set(&limiter, control.part, value)
            }
        if !isSet { throw CommandError("\(control.path) cannot be set to that") }
    }

    private static func set<Processor: LevelProcessor>(
        _ processor: inout Processor?, _ part: DynamicsControl.Part, _ value: ControlValue
    ) -> Bool {
        var next = processor ?? Processor()
        guard next.set(part, value) else { return false }
        processor = next
        return true
    }

    /// The strip whose level it goes by.
    public func key(of kind: DynamicsKind) -> StripID? {
        switch kind {
        case .gate: gate?.key
        case .comp: compressor?.key
        case .limit: nil
        }
    }

    /// The same, for a processor that is made where there is none.
    public mutating func setKey(_ key: StripID?, of kind: DynamicsKind) {
        switch kind {
        case .gate:
            gate = gate ?? Gate()
            gate?.key = key
        case .comp:
            compressor = compressor ?? Compressor()
            compressor?.key = key
        case .limit: break
        }
    }

    /// Takes one away.
    public mutating func clear(_ kind: DynamicsKind) {
        switch kind {
        case .gate: gate = nil
        case .comp: compressor = nil
        case .limit: limiter = nil
        }
    }

    /// Whether it has one.
    public func has(_ kind: DynamicsKind) -> Bool {
        switch kind {
        case .gate: gate != nil
        case .comp: compressor != nil
        case .limit: limiter != nil
        }
    }

    /// As the session's file has it; null without one.
    public func json(of kind: DynamicsKind, in session: Session) -> JSONValue {
        switch kind {
        case .gate: gate.map { SessionFile.json($0, in: session) } ?? .null
        case .comp: compressor.map { SessionFile.json($0, in: session) } ?? .null
        case .limit: limiter.map(SessionFile.json) ?? .null
        }
    }
}
