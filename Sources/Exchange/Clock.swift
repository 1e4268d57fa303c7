import Files
import JSON
import Timeline
import XML

/// Beats and seconds at one tempo.
struct Clock {
    /// Beats a minute.
    let tempo: Double

    init(tempo: Double) { self.tempo = tempo > 0 && tempo.isFinite ? tempo : 120 }

    func seconds(_ time: Double, _ unit: String) -> Double { unit == "seconds" ? time : time * 60 / tempo }

    func time(_ time: Double, _ unit: String) -> MediaTime { Self.exact(seconds(time, unit)) }

    /// A number of seconds, as it was meant: the frame of a usual rate that it says to 15 digits, or the
    /// decimal that it is.
    static func exact(_ seconds: Double) -> MediaTime {
        for rate in [1000, 48000, 44100, 96000, 88200, 192_000] as [Int32] {
            let frames = (seconds * Double(rate)).rounded()
            if abs(frames) < 1e15, Double(frames) / Double(rate) == seconds {
                return MediaTime(value: Int64(frames), timescale: rate)
            }
        }
        return MediaTime(seconds: seconds)
    }
}
