/// The controllers of a Mackie surface.
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
