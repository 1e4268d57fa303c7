import Timeline

/// A value that has come in.
public struct MIDIInput: Equatable, Sendable {
    public let source: MIDISource
    /// Up to the source's greatest.
    public let value: Int

    package init(_ source: MIDISource, _ value: Int) { (self.source, self.value) = (source, value) }
}

/// Makes values of messages: of controllers in pairs those of 14 bits, and of the four that make a parameter
/// its value (MIDI 1.0, "Control Change": NRPN in 99 and 98, data in 6 and 38).
public struct MIDIReader {
    private struct Channel {
        /// The upper seven bits that came last, for each controller below 32; nil where none have come.
        var upper = [Int?](repeating: nil, count: 32)
        /// The lower seven; nil where none have come: the controller has no more than seven bits.
        var lower = [Int?](repeating: nil, count: 32)
        var parameter: (upper: Int, lower: Int)?

        /// Another parameter's data was none of this one's.
        mutating func choose(_ upper: Int, _ lower: Int) {
            if parameter.map({ $0 != (upper, lower) }) ?? true { self.upper[6] = nil }
            parameter = (upper, lower)
        }
    }

    private var channels = [Channel](repeating: Channel(), count: 16)

    public init() {}

    /// The values that one message gives: more than one where it may be meant in more than one way.
    public mutating func read(_ bytes: [UInt8]) -> [MIDIInput] {
        switch MIDIMessage(bytes) {
        case .note(let channel, let key, let velocity)?:
            [MIDIInput(.note(channel: channel + 1, key), velocity)]
        case .program(let channel, let number)?:
            [MIDIInput(.program(channel: channel + 1, number + 1), 1)]
        case .bend(let channel, let value)?: [MIDIInput(.bend(channel: channel + 1), value)]
        case .controller(let channel, let number, let value)?: controller(channel, number, value)
        case .pressure?, .exclusive?, nil: []
        }
    }

    private mutating func controller(_ channel: Int, _ number: Int, _ value: Int) -> [MIDIInput] {
        let plain = MIDIInput(.controller(channel: channel + 1, number), value)
        if let inputs = parameter(channel, number, value) { return inputs }
        switch number {
        case 0..<32:
            channels[channel].upper[number] = value
            // The lower half may stay as it is, and is not sent then.
            guard let lower = channels[channel].lower[number] else { return [plain] }
            return [plain, MIDIInput(.fineController(channel: channel + 1, number), value << 7 | lower)]
        case 32..<64:
            channels[channel].lower[number - 32] = value
            guard let upper = channels[channel].upper[number - 32] else { return [plain] }
            let fine = MIDISource.fineController(channel: channel + 1, number - 32)
            return [plain, MIDIInput(fine, upper << 7 | value)]
        default: return [plain]
        }
    }

    /// The same where it is part of a parameter; nil where it is none.
    private mutating func parameter(_ channel: Int, _ number: Int, _ value: Int) -> [MIDIInput]? {
        switch number {
        case 99:
            channels[channel].choose(value, channels[channel].parameter?.lower ?? 0)
            return []
        case 98:
            channels[channel].choose(channels[channel].parameter?.upper ?? 0, value)
            return []
        // A registered parameter is chosen: data is not for ours.
        case 100, 101:
            channels[channel].parameter = nil
            return []
        case 6, 38: return data(channel, isUpper: number == 6, value)
        default: return nil
        }
    }

    /// The data of the parameter that is chosen.
    private mutating func data(_ channel: Int, isUpper: Bool, _ value: Int) -> [MIDIInput]? {
        // 127 127 is none.
        guard let parameter = channels[channel].parameter, parameter != (127, 127) else { return nil }
        let source = MIDISource.parameter(channel: channel + 1, parameter.upper << 7 | parameter.lower)
        if isUpper {
            channels[channel].upper[6] = value
            return [MIDIInput(source, value << 7)]
        }
        return channels[channel].upper[6].map { [MIDIInput(source, $0 << 7 | value)] } ?? []
    }
}
