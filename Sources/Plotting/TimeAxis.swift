import JSON
import AudioFile
import Engine
import Files
import Timeline

/// Where a time lies on the page.
struct TimeAxis {
    let range: TimeRange
    let left: Double
    let right: Double

    init(_ range: TimeRange, from left: Double, to right: Double) {
        (self.range, self.left, self.right) = (range, left, right)
    }

    func x(_ time: MediaTime) -> Double {
        left + (time - range.start).seconds / range.duration.seconds * (right - left)
    }

    /// In seconds: a Double, for a pixel is far wider than what it rounds.
    func seconds(_ x: Double) -> Double {
        range.start.seconds + (x - left) / (right - left) * range.duration.seconds
    }

    /// Round times, at least 80 pixels apart.
    var ticks: [(x: Double, label: String)] {
        let steps: [Double] = [
            0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200,
            14400, 28800, 86400,
        ]
        let seconds = range.duration.seconds
        let step = steps.first { $0 / seconds * (right - left) >= 80 } ?? 7 * 86400
        let first = (range.start.seconds / step).rounded(.up)
        let count = Int(((range.end.seconds / step).rounded(.down) - first))
        return (0...max(0, min(1000, count))).map { number in
            let time = (first + Double(number)) * step
            return (left + (time - range.start.seconds) / seconds * (right - left), Self.label(time, step))
        }
    }

    /// 0:05, 1:02:03; with decimals where the step has some.
    private static func label(_ time: Double, _ step: Double) -> String {
        let whole = Int(time + 1e-6)
        let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60)
        let clock =
            hours > 0
            ? "\(hours):\(zeroPadded(minutes, 2)):\(zeroPadded(seconds, 2))"
            : "\(minutes):\(zeroPadded(seconds, 2))"
        if step >= 1 { return clock }
        let hundredths = Int(((time - Double(whole)) * 100).rounded())
        return clock + "." + (step >= 0.1 ? "\(hundredths / 10)" : zeroPadded(hundredths, 2))
    }
}
