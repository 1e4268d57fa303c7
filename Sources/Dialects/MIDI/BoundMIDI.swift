import Remote
import Timeline

/// The messages that were learned: what they move, and what is told back to LEDs and motors.
///
/// A controller is told where its control stands whenever that is another place than where it was last seen,
/// by a step of the controller; never while it moves, and 250 ms behind that, since it says nothing of hands.
public struct BoundMIDI {
    /// What is known of where a controller stands.
    private struct State {
        /// Where it was last seen, from 0 to the source's greatest; nil: it has not moved yet.
        var seen: Int?
        /// What it was last told, or has shown by itself; nil: nobody knows.
        var told: Int?
        /// A hand has been on it until then.
        var handUntil: UInt64 = 0
        /// It has come to where its control stands, and moves it from there: pick-up.
        var isCaught = false
        /// Where its control was put by it, from 0 to 1: one that is elsewhere was moved by another.
        var left: Double?
    }

    private var targets: [BoundTarget] = []
    private var states: [State] = []
    private var reader = MIDIReader()
    private var indices: [MIDISource: [Int]] = [:]

    /// For so long a controller that has moved is told nothing.
    private static let handNanoseconds: UInt64 = 250_000_000
    /// Within so much a controller has come to where its control stands (Ardour's: 10 of 127).
    private static let catching = 10.0 / 127

    public init() {}

    /// What is bound from now on; of what stays, what is known stays known.
    public mutating func follow(_ next: [BoundTarget]) {
        if next == targets { return }
        let known = Dictionary(zip(targets, states), uniquingKeysWith: { first, _ in first })
        states = next.map { known[$0] ?? State() }
        targets = next
        indices = Dictionary(grouping: next.indices, by: { next[$0].source })
    }

    public var isEmpty: Bool { targets.isEmpty }

    /// Nothing is known of where controllers stand: all are told.
    public mutating func forget() { for index in states.indices { states[index].told = nil } }

    /// The values of a message that has come in.
    public mutating func read(_ bytes: [UInt8]) -> [MIDIInput] { reader.read(bytes) }

    /// Moves what is bound to them.
    public mutating func move(_ inputs: [MIDIInput], _ desk: any Desk, now: UInt64) {
        for input in inputs {
            for index in indices[input.source] ?? [] { move(index, input.value, desk, now) }
        }
    }

    private mutating func move(_ index: Int, _ value: Int, _ desk: any Desk, _ now: UInt64) {
        let target = targets[index]
        switch target.action {
        case .command(let command): if isPressed(target, index, value) { desk.run(command) }
        case .control(let strip, let control):
            if target.mode == .toggle {
                if isPressed(target, index, value) { desk.toggle(control, of: strip) }
            } else if let present = desk.position(of: control, strip),
                let position = position(index, value, present),
                let value = control.entry.kind.value(at: position)
            {
                desk.set(control, of: strip, to: value)
                states[index].left = desk.position(of: control, strip)
            }
        }
        remember(index, stands: value, now)
    }

    /// Notes where a hand has put a control, so that the controller is not told its own position.
    private mutating func remember(_ index: Int, stands value: Int, _ now: UInt64) {
        let target = targets[index]
        states[index].seen = value
        // The light of a button is not where the button is.
        if target.source.isButton || target.mode == .toggle || target.mode == .momentary { return }
        if target.mode == .jump { states[index].told = value }
        states[index].handUntil = now + Self.handNanoseconds
    }

    /// A button goes down: once for each time that it does, however often it says so.
    private func isPressed(_ target: BoundTarget, _ index: Int, _ value: Int) -> Bool {
        if case .program = target.source { return true }
        let half = (target.source.greatest + 1) / 2
        if case .note = target.source { return value > 0 }
        // Some send no more than the greatest, each time that they are pressed. What has two halves may say
        // one value twice.
        var says = states[index].seen == value
        if case .controller = target.source {} else { says = false }
        return value >= half && ((states[index].seen ?? 0) < half || says)
    }

    /// Where the control goes, from 0 to 1; nil: it stays.
    private mutating func position(_ index: Int, _ value: Int, _ present: Double) -> Double? {
        let target = targets[index]
        let greatest = Double(target.source.greatest)
        let (now, before) = (Double(value) / greatest, states[index].seen.map { Double($0) / greatest })
        switch target.mode {
        case .relative:
            if value == 64 { return nil }
            let steps = value < 64 ? value : value - 128
            return min(1, max(0, present + Double(steps) / 127))
        case .pickup: return caught(index, now, before, present) ? now : nil
        case .scaled:
            guard let before, before != now else { return nil }
            return Self.scaled(present, from: before, to: now)
        case .momentary: return value > 0 ? 1 : 0
        case .jump, .toggle: return now
        }
    }

    /// So far towards the end of the range as the hand has gone towards its own.
    private static func scaled(_ present: Double, from before: Double, to now: Double) -> Double {
        if now > before { return present + (1 - present) * (now - before) / (1 - before) }
        return present - present * (before - now) / before
    }

    private mutating func caught(_ index: Int, _ now: Double, _ before: Double?, _ present: Double) -> Bool {
        if let left = states[index].left, abs(left - present) > Self.catching {
            states[index].isCaught = false
        }
        if !states[index].isCaught {
            let passes = before.map { min($0, now) <= present && present <= max($0, now) } ?? false
            states[index].isCaught = passes || abs(now - present) <= Self.catching
        }
        return states[index].isCaught
    }

    // MARK: - Feedback

    /// So many messages at once: the rest is told with the next.
    private static let mostMessages = 256

    /// What is to be sent so that all controllers stand where their controls do.
    public mutating func feedback(_ desk: any Desk, now: UInt64) -> [[UInt8]] {
        var messages: [[UInt8]] = []
        for (index, target) in targets.enumerated() where now >= states[index].handUntil {
            if messages.count >= Self.mostMessages { break }
            // Where a surface is to be that goes by its own way nobody can say.
            guard case .control(let strip, let control) = target.action, target.mode != .relative,
                target.mode != .scaled, let position = desk.position(of: control, strip)
            else { continue }
            let value = Int((position * Double(target.source.greatest)).rounded())
            if value == states[index].told { continue }
            states[index].told = value
            messages += target.source.messages(value).map(\.bytes)
        }
        return messages
    }
}

extension Desk {
    /// Where a knob stands for a control, from 0 to 1; nil where there is no such strip, or send.
    func position(of control: Control, _ strip: StripPlace) -> Double? {
        value(of: control, strip).flatMap(control.entry.kind.position)
    }
}

extension MIDISource {
    /// What tells a controller of this kind where to stand; nothing where that cannot be told.
    fileprivate func messages(_ value: Int) -> [MIDIMessage] {
        func controller(_ channel: Int, _ number: Int, _ value: Int) -> MIDIMessage {
            .controller(channel: channel - 1, number: number, value: value)
        }
        return switch self {
        case .controller(let channel, let number): [controller(channel, number, value)]
        case .fineController(let channel, let number):
            [controller(channel, number, value >> 7), controller(channel, number + 32, value & 0x7F)]
        case .parameter(let channel, let number):
            [(99, number >> 7), (98, number & 0x7F), (6, value >> 7), (38, value & 0x7F)].map {
                controller(channel, $0, $1)
            }
        case .note(let channel, let key): [.note(channel: channel - 1, key: key, velocity: value)]
        case .bend(let channel): [.bend(channel: channel - 1, value: value)]
        case .program: []
        }
    }
}
