/// A MIDI message of one, two or three bytes, or a system exclusive one. Channels count from 0, as on the
/// wire (MIDI 1.0 Detailed Specification).
package enum MIDIMessage: Equatable {
    /// A velocity of 0 is a key that is let go.
    case note(channel: Int, key: Int, velocity: Int)
    case controller(channel: Int, number: Int, value: Int)
    case program(channel: Int, number: Int)
    case pressure(channel: Int, value: Int)
    /// 0 to 16383, 8192 in the middle.
    case bend(channel: Int, value: Int)
    /// What stands between F0 and F7.
    case exclusive([UInt8])

    /// nil for all other messages, and for what is none.
    package init?(_ bytes: [UInt8]) {
        guard let status = bytes.first, status >= 0x80 else { return nil }
        if status == 0xF0 {
            guard bytes.count >= 2, bytes.last == 0xF7 else { return nil }
            let content = Array(bytes.dropFirst().dropLast())
            guard content.allSatisfy({ $0 < 0x80 }) else { return nil }
            self = .exclusive(content)
            return
        }
        let data = bytes.dropFirst().map(Int.init)
        guard data.allSatisfy({ $0 < 0x80 }), let message = Self.ofChannel(status, data) else { return nil }
        self = message
    }

    private static func ofChannel(_ status: UInt8, _ data: [Int]) -> MIDIMessage? {
        let channel = Int(status & 0x0F)
        return switch (status & 0xF0, data.count) {
        case (0x80, 2): .note(channel: channel, key: data[0], velocity: 0)
        case (0x90, 2): .note(channel: channel, key: data[0], velocity: data[1])
        case (0xB0, 2): .controller(channel: channel, number: data[0], value: data[1])
        case (0xC0, 1): .program(channel: channel, number: data[0])
        case (0xD0, 1): .pressure(channel: channel, value: data[0])
        case (0xE0, 2): .bend(channel: channel, value: data[1] << 7 | data[0])
        default: nil
        }
    }

    /// As it is sent; values beyond their range are cut.
    package var bytes: [UInt8] {
        func status(_ kind: Int, _ channel: Int) -> UInt8 { UInt8(kind | channel & 0x0F) }
        func data(_ value: Int) -> UInt8 { UInt8(min(127, max(0, value))) }
        return switch self {
        case .note(let channel, let key, let velocity): [status(0x90, channel), data(key), data(velocity)]
        case .controller(let channel, let number, let value):
            [status(0xB0, channel), data(number), data(value)]
        case .program(let channel, let number): [status(0xC0, channel), data(number)]
        case .pressure(let channel, let value): [status(0xD0, channel), data(value)]
        case .bend(let channel, let value):
            [status(0xE0, channel), UInt8(value & 0x7F), data(min(16383, max(0, value)) >> 7)]
        case .exclusive(let content): [0xF0] + content.map { $0 & 0x7F } + [0xF7]
        }
    }
}
