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
