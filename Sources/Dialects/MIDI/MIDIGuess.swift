import Timeline

/// Which message is meant where somebody moves what is to be learned: what needs several messages is known
/// when the last has come.
public struct MIDIGuess {
    private var heard: Set<MIDISource> = []
    /// In the order in which they came.
    private var sources: [MIDISource] = []
    /// When that may be told, in nanoseconds.
    private var toldAt: UInt64?

    /// For so long the rest of a message may take.
    private static let patience: UInt64 = 60_000_000

    public init() {}

    /// When the guess is to be asked for.
    public var dueAt: UInt64? { toldAt }

    /// - Parameter takesButtons: a key or a program is meant too, not only what has many positions.
    public mutating func hear(_ inputs: [MIDIInput], takesButtons: Bool, now: UInt64) {
        for input in inputs {
            // A key that is let go was pressed before somebody listened.
            if input.source.isButton, !takesButtons || input.value == 0 { continue }
            if heard.insert(input.source).inserted { sources.append(input.source) }
            toldAt = toldAt ?? now + Self.patience
        }
    }

    /// What was meant, once that is known.
    public mutating func outcome(now: UInt64) -> MIDISource? {
        guard let due = toldAt, now >= due else { return nil }
        let best = sources.max { rank($0) < rank($1) }
        self = MIDIGuess()
        return best
    }

    /// What is whole goes before its parts.
    private func rank(_ source: MIDISource) -> Int {
        switch source {
        case .parameter: 3
        // Both halves were moved: a controller from 32 on may stand for itself.
        case .fineController(let channel, let number):
            heard.isSuperset(of: [
                .controller(channel: channel, number), .controller(channel: channel, number + 32),
            ]) ? 2 : 0
        case .controller, .bend, .note, .program: 1
        }
    }
}
