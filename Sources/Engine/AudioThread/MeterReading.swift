/// A meter as read: linear levels, one for each channel of its strip.
public struct MeterReading: Equatable, Sendable {
    /// The highest absolute sample since the meter was last read.
    public var peaks: [Float]
    /// Root mean square over the last 300 ms.
    public var rms: [Float]
    /// How often it was above full scale since the meter was last read: at the most once in 10 ms, or in a
    /// period where that is longer.
    public var overs = 0

    /// Silence on so many channels.
    public init(channels: Int) {
        (peaks, rms) = (Array(repeating: 0, count: channels), Array(repeating: 0, count: channels))
    }
}
