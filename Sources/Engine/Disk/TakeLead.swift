import AudioFile
import Realtime
import Speakers
import Synchronization
import Timeline

/// What came in for a track from when a pass began until what was played then came in: it was heard live
/// where the take begins.
struct TakeLead {
    private let pass: Int
    private let start: Int64
    private let places: [Int]
    private var interleaver = Interleaver()
    private var samples: [Float] = []

    /// Latencies are shorter than that, in frames.
    private static let longest = 1 << 20

    init(_ mark: CaptureMark, _ places: [Int]) {
        (pass, start, self.places) = (mark.pass, mark.frame, places)
    }

    mutating func add(_ block: Channels, _ count: Int) {
        guard samples.count < Self.longest * places.count else { return }
        samples += interleaver.lay(block, places, count).prefix(count * places.count)
    }

    /// As much of it as was heard at the take's own frames; silence where the pass was over before those came
    /// in.
    func samples(before mark: CaptureMark, _ places: [Int]) -> [Float] {
        let gap = mark.frame - start - Int64(samples.count / places.count)
        guard mark.pass == pass, places == self.places, (0...Int64(Self.longest)).contains(gap) else {
            return []
        }
        let silence = [Float](repeating: 0, count: Int(gap) * places.count)
        return Array((samples + silence).suffix(max(0, mark.aired) * places.count))
    }
}
