import Realtime
import Timeline

/// What a clip's samples are multiplied by before all else: its gain, its fades, and the crossfades with its
/// neighbours. A disk thread does so as it reads them.
package struct ClipShape: Equatable {
    private let gain: Double
    private let fades: [EnvelopeBuilder]

    /// - Parameters:
    ///   - range: where the clip lies.
    ///   - next: the clip behind it; it falls while that rises.
    /// - Returns: nil for a clip that is heard as it is.
    package init?(_ clip: Clip, _ range: TimeRange, next: Clip?, sampleRate: Int32) {
        var fades: [EnvelopeBuilder] = []
        func rise(_ fade: ClipFade) {
            if fade.duration > .zero {
                fades.append(
                    .fadeIn(fade.duration, from: range.start, curve: fade.curve, sampleRate: sampleRate))
            }
        }
        func fall(_ fade: ClipFade) {
            if fade.duration > .zero {
                fades.append(
                    .fadeOut(fade.duration, to: range.end, curve: fade.curve, sampleRate: sampleRate))
            }
        }
        rise(clip.fadeIn)
        fall(clip.fadeOut)
        rise(clip.crossfade)
        if let next { fall(next.crossfade) }
        if clip.gain == 1, fades.isEmpty { return nil }
        (gain, self.fades) = (clip.gain, fades)
    }

    /// The product of all of it at a frame of the timeline, within the clip.
    package func value(at frame: Int64) -> Double { fades.reduce(gain) { $0 * $1.value(at: frame) } }

    /// Multiplies what is heard from `frame` of the timeline on: the product of all of it is rounded once.
    func apply(_ frame: Int64, _ count: Int, _ block: Channels) {
        var done = 0
        while done < count {
            let first = frame + Int64(done)
            // Up to where one of them begins or ends to move.
            let segments = fades.map { $0.segment(at: first) }
            let end = segments.reduce(frame + Int64(count)) { min($0, $1.end) }
            let isStill = segments.allSatisfy { $0.segment.shape == .hold }
            var value = Float(segments.reduce(gain) { $0 * $1.segment.value(at: first) })
            for place in done..<Int(end - frame) {
                if !isStill {
                    value = Float(segments.reduce(gain) { $0 * $1.segment.value(at: frame + Int64(place)) })
                }
                for channel in 0..<block.count { block.channel(channel)[place] *= value }
            }
            done = Int(end - frame)
        }
    }
}
