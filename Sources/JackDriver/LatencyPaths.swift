import CJack
import Timeline

/// Which of the mixer's ports pass on what comes in at which: a thread of JACK's asks for it.
struct LatencyPaths: @unchecked Sendable {
    // Safe to share: a port is known to libjack by its address alone, and one that is gone has a range that
    // nobody reads.
    /// A port, and those whose range it takes on, with how many frames the mixer itself takes between them.
    typealias Entry = (port: OpaquePointer, others: [(port: OpaquePointer, delay: Int)])

    /// Outputs, with the inputs that are heard there.
    var outputs: [Entry] = []
    /// Inputs, with the outputs where they are heard.
    var inputs: [Entry] = []

    /// On a thread of JACK's. As JACK has it: from the least of all ways to the greatest; what no way leads
    /// through has none.
    func say(_ mode: jack_latency_callback_mode_t) {
        for (port, others) in mode == JackCaptureLatency ? outputs : inputs {
            var range =
                others.map { Self.range(of: $0.port, mode, later: $0.delay) }.reduce(
                    nil as jack_latency_range_t?
                ) { sum, next in
                    sum.map { jack_latency_range_t(min: min($0.min, next.min), max: max($0.max, next.max)) }
                        ?? next
                } ?? jack_latency_range_t(min: 0, max: 0)
            jack_port_set_latency_range(port, mode, &range)
        }
    }

    static func range(
        of port: OpaquePointer, _ mode: jack_latency_callback_mode_t, later: Int = 0
    ) -> jack_latency_range_t {
        var range = jack_latency_range_t()
        jack_port_get_latency_range(port, mode, &range)
        return jack_latency_range_t(min: range.min &+ UInt32(later), max: range.max &+ UInt32(later))
    }
}
