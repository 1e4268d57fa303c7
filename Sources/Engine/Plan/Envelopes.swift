import Realtime
import Timeline

/// Envelopes in the memory of the audio thread. Control thread.
final class Envelopes {
    let pointer: UnsafeMutablePointer<Envelope>
    let count: Int
    /// What they take of memory.
    var bytes: Int { (0..<count).reduce(0) { $0 + pointer[$1].count * MemoryLayout<GainSegment>.stride } }

    init(_ builders: [EnvelopeBuilder]) {
        count = builders.count
        pointer = LockedMemory.allocate(Envelope.self, count)
        for (index, builder) in builders.enumerated() {
            let segments = LockedMemory.allocate(GainSegment.self, builder.segments.count)
            segments.initialize(from: builder.segments, count: builder.segments.count)
            let last = LockedMemory.holding(0)
            (pointer + index).initialize(
                to: Envelope(segments: segments, count: builder.segments.count, last: last))
        }
    }

    deinit {
        for index in 0..<count {
            LockedMemory.free(UnsafeMutablePointer(mutating: pointer[index].segments), pointer[index].count)
            LockedMemory.free(pointer[index].last)
        }
        LockedMemory.free(pointer, count)
    }
}
