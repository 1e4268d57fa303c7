import JSON

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
