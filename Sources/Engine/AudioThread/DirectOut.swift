/// The buffers that one strip plays into.
public struct DirectOut {
    let strip: UnsafeMutablePointer<LiveStrip>
    let isPre: Bool
    /// With other channels than the strip's, those are mixed into them.
    public var buffers: PortBuffers

    /// Without buffers, which each call brings anew. Who keeps this must keep `strip` too.
    /// - Parameter channels: nil for as many as the strip has.
    public init(_ strip: StripHandle, _ tap: DirectOuts.Tap, channels: Int? = nil) {
        (self.strip, isPre, buffers) = (
            strip.strip, tap == .pre, PortBuffers(count: channels ?? strip.channels)
        )
    }
}
