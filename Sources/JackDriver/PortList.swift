import CJack
import Engine

/// The ports of one strip's side, as the callback has them.
struct PortList {
    private var ports = InlineArray<12, OpaquePointer?>(repeating: nil)

    init(_ list: [OpaquePointer]) { for (index, port) in list.enumerated() { ports[index] = port } }

    /// Gives the buffers that the ports have in this period, as many as there are of both. Audio thread only;
    /// wait-free.
    @_noLocks
    func open(_ buffers: inout PortBuffers, _ frames: UInt32) {
        for channel in 0..<buffers.count {
            buffers[channel] = ports[channel].flatMap { rt_port_buffer($0, frames) }
        }
    }
}
