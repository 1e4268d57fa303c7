import JSON
import OSC
import Timeline

extension Answer {
    /// The message that says it to whoever has sent `question`. What is asked of one strip is told at the
    /// address that was asked, whatever the strip is called there.
    public func message(to question: OSCMessage) -> OSCMessage {
        let message = message
        return question.arguments.isEmpty && Address.isOfOneStrip(question.address)
            && StripPlace.split(message.address) != nil
            ? OSCMessage(question.address, message.arguments) : message
    }

    /// The message that says it, at an address that has a strip's number.
    public var message: OSCMessage {
        let told = told
        return switch told.content {
        case .values(let arguments): OSCMessage(told.address, arguments)
        case .document(let json): OSCMessage(told.address, .string(json.compactText))
        }
    }

    /// The answer as a JSON document; nil for what is said in plain values.
    public var json: JSONValue? { if case .document(let json) = told.content { json } else { nil } }

    /// What a message of the mixer says.
    /// - Returns: nil for what is no answer of this version.
    public init?(_ message: OSCMessage) {
        guard let answer = Self.read(message) else { return nil }
        self = answer
    }

    private static func read(_ message: OSCMessage) -> Answer? {
        if let reader = AnswerForms.ofTheWhole[message.address] {
            return reader.read(.master, message.arguments)
        }
        guard let (place, path) = StripPlace.split(message.address) else { return nil }
        if let reader = AnswerForms.ofStrips[path] { return reader.read(place, message.arguments) }
        // At the address where it is told a control is asked for.
        switch try? Command.commands(of: OSCMessage(message.address)).first {
        case .ask(_, let control):
            return AnswerCoding.value(control.entry.kind).read(message.arguments).map {
                .control(place, control, $0)
            }
        case .automation(_, let control):
            return control.automation.flatMap { AnswerCoding.automation($0).read(message.arguments) }.map {
                .automation(place, control, $0)
            }
        default: return nil
        }
    }
}

extension StripPlace {
    /// From 1; 0 for the master.
    public var number: Int {
        switch self {
        case .track(let number), .bus(let number), .dca(let number): number
        case .master: 0
        }
    }

    /// One of a kind that counts from 1.
    init(_ kind: StripKind, _ number: Int) {
        self =
            switch kind {
            case .track: .track(number)
            case .bus: .bus(number)
            case .dca: .dca(number)
            case .master: .master
            }
    }

    /// The strip that an address begins with, and what stands behind that; nil for an address of none.
    static func split(_ address: String) -> (place: StripPlace, path: String)? {
        let parts = address.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let kind = StripKind(rawValue: String(parts[0])) else { return nil }
        if kind == .master { return (.master, String(parts[1])) }
        let behind = parts[1].split(separator: "/", maxSplits: 1)
        guard behind.count == 2, let number = Int(behind[0]), number > 0 else { return nil }
        return (StripPlace(kind, number), String(behind[1]))
    }

    /// What its addresses begin with.
    public var address: String { self == .master ? "/master" : "/\(kind.rawValue)/\(number)" }

    /// Where a control of it is set and told.
    public func address(of control: Control) -> String { "\(address)/\(control.path)" }
}

extension Answer {
    /// The reason of a refusal over UDP: over TCP the same question is answered.
    public static let tooLong = "the answer is too long for a datagram: ask over TCP"
}

extension ControlValue {
    /// As it is told.
    var arguments: [OSCArgument] {
        switch self {
        case .number(let value): [.float(Float(value))]
        case .flag(let flag): [.int32(flag ? 1 : 0)]
        case .text(let text): [.string(text)]
        case .channels(let layout): [.int32(Int32(layout.channels))]
        case .names(let names): names.map { .string($0) }
        case .time(.time(let time)): [.string("\(time)")]
        case .time(.frames(let frames)): [.int64(frames)]
        case .time(.seconds(let seconds)): [.double(seconds)]
        case .levels(let peaks, let rms):
            // What has one channel is heard on both sides.
            [peaks[0], peaks[peaks.count > 1 ? 1 : 0], rms[0], rms[rms.count > 1 ? 1 : 0]].map { .float($0) }
                + zip(peaks, rms).dropFirst(2).flatMap { [.float($0), .float($1)] }
        }
    }

    /// As it is asked to be set: no digit is lost.
    var exactArguments: [OSCArgument] {
        switch self {
        // A float where that says the number as well as a double does: 0.8 but not 1/3.
        case .number(let value): [Double("\(Float(value))") == value ? .float(Float(value)) : .double(value)]
        case .flag(let flag): [.bool(flag)]
        default: arguments
        }
    }
}
