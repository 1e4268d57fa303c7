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
        switch self {
        case .control(let place, let control, let value):
            OSCMessage(place.address(of: control), value.arguments)
        case .automation(let place, let control, let automation):
            OSCMessage(
                "\(place.address)/\(control.path(of: "automation"))", .string(automation.json.compactText))
        case .said(let said):
            switch said.kind.content(said.value) {
            case .values(let arguments): OSCMessage(said.address, arguments)
            case .document(let json): OSCMessage(said.address, .string(json.compactText))
            }
        }
    }

    /// The answer that a message of the mixer holds.
    /// - Returns: nil if this version knows no such answer.
    public init?(_ message: OSCMessage) {
        guard let answer = Self.read(message) else { return nil }
        self = answer
    }

    private static func read(_ message: OSCMessage) -> Answer? {
        if let kind = ofTheWhole[message.address] { return kind.read(nil, message.arguments) }
        guard let (place, path) = StripPlace.split(message.address) else { return nil }
        if let kind = ofStrips[path] { return kind.read(place, message.arguments) }
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

    /// The kinds that commands are answered with, and what the mixer says of itself, by their paths.
    private static let ofStrips = kinds(\.isOfStrip)
    private static let ofTheWhole = kinds { !$0.isOfStrip }

    private static func kinds(_ isMeant: (any AnyAnswerKind) -> Bool) -> [String: any AnyAnswerKind] {
        let kinds = (Address.all.compactMap(\.answerKind) + [note, notice]).filter(isMeant)
        // Several commands may be answered alike.
        return Dictionary(kinds.map { ($0.path, $0) }) { kind, other in
            precondition(type(of: kind) == type(of: other), "two kinds of answers are told at \(kind.path)")
            return kind
        }
    }
}

extension Answer: CustomStringConvertible {
    /// The message that says it.
    public var description: String { "\(message)" }
}

extension Answer.Said {
    fileprivate var address: String { place.map { "\($0.address)/\(kind.path)" } ?? kind.path }
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
    /// The refusal of an answer that is too long for UDP.
    public static let tooLong = "the answer is too long for a datagram: ask over TCP"
}
