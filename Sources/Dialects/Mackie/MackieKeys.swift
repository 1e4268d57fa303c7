/// The notes of a Mackie Control's buttons and lights, as they are on the wire (NicoG60/TouchMCU,
/// doc/mackie_control_protocol.md). Those of a strip are the first of eight.
enum MackieKey {
    static let arm = 0x00
    static let solo = 0x08
    static let mute = 0x10
    static let select = 0x18
    static let pot = 0x20
    static let touch = 0x68
    static let touchMaster = 0x70

    static let assignTrim = 0x28
    static let assignSend = 0x29
    static let assignPan = 0x2A
    static let assignEqualiser = 0x2C
    static let bankLeft = 0x2E
    static let bankRight = 0x2F
    static let channelLeft = 0x30
    static let channelRight = 0x31
    static let flip = 0x32
    static let nameValue = 0x34
    static let shift = 0x46
    static let read = 0x4A
    static let write = 0x4B
    static let touchMode = 0x4D
    static let latch = 0x4E
    static let save = 0x50
    static let undo = 0x51
    static let cycle = 0x56
    static let rewind = 0x5B
    static let forward = 0x5C
    static let stop = 0x5D
    static let play = 0x5E
    static let record = 0x5F
    static let left = 0x62
    static let right = 0x63
    static let scrub = 0x65
    static let soloLight = 0x73
}

/// Its controllers.
enum MackieControl {
    /// Turning a pot; eight of them.
    static let pot = 0x10
    static let jog = 0x3C
    /// The lights around a pot; eight of them.
    static let ring = 0x30
    /// The rightmost of ten digits; the leftmost is nine above.
    static let digit = 0x40

    /// How many steps a turn is: six bits, and bit 6 for the other way.
    static func steps(_ value: Int) -> Int { value & 0x40 == 0 ? value & 0x3F : -(value & 0x3F) }
}

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
