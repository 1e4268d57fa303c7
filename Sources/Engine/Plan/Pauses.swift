import AudioFile
import Timeline

/// Where a recording is silent: what it is cut at, so that what goes under it follows the speech.
public enum Pauses {
    /// What counts as a pause.
    public struct Measure: Equatable, Sendable {
        /// Linear; both sides stay below it.
        public let threshold: Double
        /// A pause lasts at least so long.
        public let minimum: MediaTime
        /// So much of it stays with what sounds on either side.
        public let pad: MediaTime

        /// -40 dB, half a second, 50 ms, unless told.
        public init(threshold: Double = 0.01, minimum: MediaTime = MediaTime(value: 1, timescale: 2), pad: MediaTime = MediaTime(value: 50, timescale: 1000)) {
            (self.threshold, self.minimum, self.pad) = (threshold, minimum, pad)
        }
    }

    /// The pauses of a clip on the frames of the timeline, as its file has them: its gain and its fades do not count. Reads all of it.
    /// - Throws: `AudioFileError` if the file cannot be read.
    public static func find(in clip: Clip, at path: String, ruler: ClipRuler, _ measure: Measure) throws(AudioFileError) -> [Range<Int64>] {
        guard let frames = ruler.frames(of: clip) else { return [] }
        let reader = try StereoReader(path: path, channels: clip.channels.map { ($0.left, $0.right) }, sampleRate: ruler.rate)
        let (source, least) = (clip.from.frame(atRate: ruler.rate), max(1, measure.minimum.frame(atRate: ruler.rate)))
        let (pad, threshold) = (measure.pad.frame(atRate: ruler.rate), Float(measure.threshold))
        var pauses: [Range<Int64>] = []
        var start = frames.lowerBound
        func end(_ frame: Int64) {
            // Where the clip begins and ends there is nothing to stay with.
            let first = start == frames.lowerBound ? start : start + pad
            let last = frame == frames.upperBound ? frame : frame - pad
            if frame - start >= least, first < last { pauses.append(first..<last) }
        }
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * block)
        defer { memory.deallocate() }
        var place = frames.lowerBound
        while place < frames.upperBound {
            let count = Int(min(Int64(block), frames.upperBound - place))
            try reader.read(from: source + place - frames.lowerBound, count: count, left: memory, right: memory + block)
            for n in 0..<count where max(abs(memory[n]), abs(memory[block + n])) >= threshold {
                end(place + Int64(n))
                start = place + Int64(n) + 1
            }
            place += Int64(count)
        }
        end(frames.upperBound)
        return pauses
    }

    private static let block = 8192
}
