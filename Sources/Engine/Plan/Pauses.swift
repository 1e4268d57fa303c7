import AudioFile
import Realtime
import Speakers
import Timeline

/// Where a recording is silent: what it is cut at, so that what goes under it follows the speech.
public enum Pauses {
    /// What counts as a pause.
    public struct Measure: Equatable, Sendable {
        /// Linear; all channels stay below it.
        public let threshold: Double
        /// A pause lasts at least so long.
        public let minimum: MediaTime
        /// So much of it stays with what sounds on either side.
        public let pad: MediaTime

        /// What counts as one.
        public init(threshold: Double, minimum: MediaTime, pad: MediaTime) {
            (self.threshold, self.minimum, self.pad) = (threshold, minimum, pad)
        }
    }

    /// The clips of a track without their pauses, and the pauses, as the files have them: gains do not count.
    /// Where a clip fades, or another is heard with it, it stays. Reads all of the files.
    /// - Parameters:
    ///   - place: where a clip's file is.
    ///   - limit: no more pauses are looked for.
    /// - Throws: `AudioFileError` if a file cannot be read.
    public static func takeOut(
        of clips: [Clip], on layout: SpeakerLayout, place: (Clip) -> SoundPlace, ruler: ClipRuler,
        _ measure: Measure, limit: Int
    ) throws(AudioFileError) -> (clips: [Clip], pauses: [Range<Int64>]) {
        var (kept, pauses): ([Clip], [Range<Int64>]) = ([], [])
        var before = Int64.min
        for (index, clip) in clips.enumerated() {
            guard let frames = ruler.frames(of: clip), let plain = ruler.plainFrames(of: clip) else {
                kept.append(clip)
                continue
            }
            let next = clips[(index + 1)...].lazy.compactMap { ruler.frames(of: $0) }.first { !$0.isEmpty }
            let (first, last) = (
                max(plain.lowerBound, before), min(plain.upperBound, next?.lowerBound ?? .max)
            )
            let found =
                first < last
                ? try find(
                    in: clip, on: layout, frames, first..<last, at: place(clip), ruler: ruler, measure,
                    limit: limit - pauses.count) : []
            kept += ruler.parts(of: clip, without: found)
            pauses += found
            before = max(before, frames.upperBound)
        }
        return (kept, pauses)
    }

    /// The pauses of a clip within some of its frames.
    private static func find(
        in clip: Clip, on layout: SpeakerLayout, _ frames: Range<Int64>, _ within: Range<Int64>,
        at place: SoundPlace, ruler: ClipRuler, _ measure: Measure, limit: Int
    ) throws(AudioFileError) -> [Range<Int64>] {
        let chosen = clip.channels.map { (left: $0.left, right: $0.right) }
        let reader = try ChannelReader(at: place, channels: chosen, layout: layout, sampleRate: ruler.rate)
        let (source, least) = (
            (ruler.soundFrame(of: clip) ?? 0) - frames.lowerBound,
            max(1, measure.minimum.frame(atRate: ruler.rate))
        )
        let (pad, threshold) = (measure.pad.frame(atRate: ruler.rate), Float(measure.threshold))
        var pauses: [Range<Int64>] = []
        var start = within.lowerBound
        func end(_ frame: Int64) {
            // At the clip's own ends there is nothing to stay with; where it is only looked at from there on,
            // a frame at least.
            let first =
                start == frames.lowerBound ? start : start + (start == within.lowerBound ? max(1, pad) : pad)
            let last =
                frame == frames.upperBound ? frame : frame - (frame == within.upperBound ? max(1, pad) : pad)
            if frame - start >= least, first < last { pauses.append(first..<last) }
        }
        let memory = ChannelMemory(layout.channels, frames: block)
        var place = within.lowerBound
        while place < within.upperBound, pauses.count < limit {
            let count = Int(min(Int64(block), within.upperBound - place))
            try reader.read(from: source + place, count: count, into: memory.channels)
            for n in 0..<count where memory.channels.peak(at: n) >= threshold {
                end(place + Int64(n))
                start = place + Int64(n) + 1
            }
            place += Int64(count)
        }
        if place == within.upperBound { end(within.upperBound) }
        return pauses
    }

    private static let block = 8192
}

extension Channels {
    /// The highest absolute sample of a frame.
    fileprivate func peak(at frame: Int) -> Float {
        (0..<count).reduce(0) { max($0, abs(channel($1)[frame])) }
    }
}
