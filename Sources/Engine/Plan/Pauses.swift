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
                    PauseSearch(frames, within: first..<last, measure, sampleRate: ruler.rate), in: clip,
                    on: layout, at: place(clip), ruler: ruler, limit: limit - pauses.count) : []
            kept += ruler.parts(of: clip, without: found)
            pauses += found
            before = max(before, frames.upperBound)
        }
        return (kept, pauses)
    }

    /// The pauses of a clip within the frames that `search` looks at.
    private static func find(
        _ search: PauseSearch, in clip: Clip, on layout: SpeakerLayout, at place: SoundPlace,
        ruler: ClipRuler, limit: Int
    ) throws(AudioFileError) -> [Range<Int64>] {
        let chosen = clip.channels.map { (left: $0.left, right: $0.right) }
        let reader = try ChannelReader(at: place, channels: chosen, layout: layout, sampleRate: ruler.rate)
        let source = (ruler.soundFrame(of: clip) ?? 0) - search.frames.lowerBound
        let memory = ChannelMemory(layout.channels, frames: block)
        var search = search
        while let range = search.next(block), search.pauses.count < limit {
            try reader.read(from: source + range.lowerBound, count: range.count, into: memory.channels)
            search.scan(memory.channels, range)
        }
        return search.pauses
    }

    private static let block = 8192
}

/// Looks for the pauses of one clip, from its first frame on.
private struct PauseSearch {
    /// Where the clip is heard, and which part of that is looked at.
    let frames: Range<Int64>
    private let within: Range<Int64>
    private let (least, pad): (Int64, Int64)
    private let threshold: Float
    private(set) var pauses: [Range<Int64>] = []
    /// Where the silence begins that lasts up to `place`, and what is looked at next.
    private var start: Int64
    private var place: Int64

    init(_ frames: Range<Int64>, within: Range<Int64>, _ measure: Pauses.Measure, sampleRate: Int32) {
        (self.frames, self.within, start, place) = (frames, within, within.lowerBound, within.lowerBound)
        least = max(1, measure.minimum.frame(atRate: sampleRate))
        (pad, threshold) = (measure.pad.frame(atRate: sampleRate), Float(measure.threshold))
    }

    /// The frames to look at next, as many as `count`; nil behind the last.
    func next(_ count: Int) -> Range<Int64>? {
        place < within.upperBound ? place..<min(place + Int64(count), within.upperBound) : nil
    }

    mutating func scan(_ block: Channels, _ range: Range<Int64>) {
        for n in 0..<range.count where block.peak(at: n) >= threshold {
            end(at: place + Int64(n))
            start = place + Int64(n) + 1
        }
        place = range.upperBound
        if place == within.upperBound { end(at: place) }
    }

    /// The silence from `start` on ends. At the clip's own ends there is nothing that a pad would stay with;
    /// where it is only looked at from there on, a frame at least.
    private mutating func end(at frame: Int64) {
        let first =
            start == frames.lowerBound ? start : start + (start == within.lowerBound ? max(1, pad) : pad)
        let last =
            frame == frames.upperBound ? frame : frame - (frame == within.upperBound ? max(1, pad) : pad)
        if frame - start >= least, first < last { pauses.append(first..<last) }
    }
}

extension Channels {
    /// The highest absolute sample of a frame.
    fileprivate func peak(at frame: Int) -> Float {
        (0..<count).reduce(0) { max($0, abs(channel($1)[frame])) }
    }
}
