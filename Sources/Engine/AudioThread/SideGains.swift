/// What the channels of a strip are multiplied by, by the side on which each is heard: a balance is between
/// left and right, and leaves the middle as it is. Audio thread only; wait-free.
struct SideGains {
    var left: GainBlock
    var right: GainBlock
    /// Of a strip of two channels none is there, and nothing of it is worked out.
    var middle: GainBlock

    @_noLocks
    init(_ left: GainBlock, _ right: GainBlock, _ middle: GainBlock) {
        (self.left, self.right, self.middle) = (left, right, middle)
    }

    /// Whether a strip of so many channels has any on the left and on the right.
    @_noLocks
    static func hasSides(_ channels: Int) -> Bool { channels > 1 }

    /// Whether it has any in the middle.
    @_noLocks
    static func hasMiddle(_ channels: Int) -> Bool { channels != 2 }

    /// The gain of one of so many channels: as `SpeakerLayout` has them, in pairs of left and right, but for
    /// the centre and the low frequencies, which are the third and the fourth, and for one alone.
    @_noLocks
    func of(_ channel: Int, among channels: Int) -> GainBlock {
        if channels == 1 || channel == 2 || channel == 3 { return middle }
        return channel & 1 == 0 ? left : right
    }

    /// Whether any of them differs from frame to frame.
    @_noLocks
    func vary(_ channels: Int) -> Bool {
        Self.hasSides(channels) && (left.varies || right.varies) || Self.hasMiddle(channels) && middle.varies
    }

    /// Whether they silence the whole block.
    @_noLocks
    func areSilent(_ channels: Int) -> Bool {
        (!Self.hasSides(channels) || left.isSilent() && right.isSilent())
            && (!Self.hasMiddle(channels) || middle.isSilent())
    }

    /// Makes them hold a value for each frame.
    @_noLocks
    mutating func spread(_ channels: Int, _ count: Int) {
        if Self.hasSides(channels) {
            left.spread(count)
            right.spread(count)
        }
        if Self.hasMiddle(channels) { middle.spread(count) }
    }

    /// Multiplies each of them by the same.
    @_noLocks
    mutating func multiply(by gain: GainBlock, _ channels: Int, of count: Int) {
        if Self.hasSides(channels) {
            left.multiply(by: gain, of: count)
            right.multiply(by: gain, of: count)
        }
        if Self.hasMiddle(channels) { middle.multiply(by: gain, of: count) }
    }

    /// Goes from what others are to what these are, by the share of those in each frame.
    @_noLocks
    mutating func cross(
        from before: inout SideGains, _ shares: UnsafePointer<Float>, _ channels: Int, _ count: Int
    ) {
        if Self.hasSides(channels) {
            left.cross(from: &before.left, shares, count)
            right.cross(from: &before.right, shares, count)
        }
        if Self.hasMiddle(channels) { middle.cross(from: &before.middle, shares, count) }
    }
}
