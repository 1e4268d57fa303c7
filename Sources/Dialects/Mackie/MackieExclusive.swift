/// What it understands beside notes and controllers: `F0 00 00 66 ID ... F7`.
enum MackieExclusive {
    private static let maker: [UInt8] = [0x00, 0x00, 0x66]

    private static func message(_ unit: Int, _ content: [UInt8]) -> [UInt8] {
        // An extender has another number.
        MIDIMessage.exclusive(maker + [unit == 0 ? 0x14 : 0x15] + content).bytes
    }

    /// A line of the display, of 56 characters; 0 is the upper one.
    static func text(_ unit: Int, line: Int, _ text: [UInt8]) -> [UInt8] {
        message(unit, [0x12, UInt8(line * 0x38)] + text)
    }

    /// The colours of eight strips, 0 to 7 (X-Touch, firmware 1.22 on; others pass over it).
    static func colours(_ unit: Int, _ colours: [UInt8]) -> [UInt8] { message(unit, [0x72] + colours) }

    /// Whether a unit says that it has been switched on, and knows nothing.
    static func isGreeting(_ content: [UInt8]) -> Bool {
        content.count > 4 && content.prefix(3).elementsEqual(maker) && content[4] == 0x01
    }
}
