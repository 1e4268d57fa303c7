import CVector
import Realtime
import Speakers
import Synchronization

/// A buffer for each of some channels, wherever they lie, in one call of `render`.
public struct PortBuffers {
    /// How many channels.
    public let count: Int
    private var pointers = InlineArray<12, UnsafeMutablePointer<Float>?>(repeating: nil)

    /// - Parameter count: 1 to 12.
    public init(count: Int) { self.count = count }

    /// The buffer of a channel, from 0; nil where there is none in this call.
    @_noLocks
    public subscript(_ channel: Int) -> UnsafeMutablePointer<Float>? {
        get { pointers[channel] }
        set { pointers[channel] = newValue }
    }

    /// Whether there is one for each.
    @_noLocks
    func areThere() -> Bool {
        for channel in 0..<count where pointers[channel] == nil { return false }
        return true
    }
}
