/// How a sound is made slower or faster, higher or lower.
public struct Stretch: Hashable, Sendable {
    /// What makes it so.
    public enum Method: String, Sendable {
        /// SoundTouch: each without the other, quickly.
        case soundTouch
        /// Rubber Band's finer engine, a program beside this one: better, and some fifty times as slow.
        case rubberBand
        /// The pitch goes with the speed.
        case tape
    }

    /// How many millionths of its speed.
    let millionths: Int64
    /// How many semitones higher.
    let pitch: Double
    let method: Method

    /// - Parameters:
    ///   - millionths: of its speed, from 1 up.
    ///   - pitch: semitones; a tape's follows its speed, whatever this says.
    /// - Returns: nil where nothing would change.
    public init?(millionths: Int32, pitch: Double, _ method: Method) {
        let pitch = method == .tape ? 0 : pitch
        if millionths == 1_000_000, pitch == 0 { return nil }
        (self.millionths, self.pitch, self.method) = (Int64(max(1, millionths)), pitch, method)
    }

    var speed: Double { Double(millionths) / 1_000_000 }

    /// How many frames so many become: the nearest number, and one at least.
    func length(of frames: Int64) -> Int64 {
        max(1, Int64((Int128(frames) * 1_000_000 + Int128(millionths / 2)) / Int128(millionths)))
    }
}
