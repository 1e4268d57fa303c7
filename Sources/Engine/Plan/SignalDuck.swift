import AudioFile
import Speakers
import Timeline

/// A duck by signal, in frames at the mixer's rate.
struct SignalDuck: Equatable {
    var key: LineKeys.Key
    /// The level from which on it is open, linear.
    let threshold: Double
    let to: Double
    /// How far the gain goes in a frame, down and back; without end where it takes no time.
    let down: Double
    let up: Double
    let hold: Int64
    /// By so many frames it hears the key earlier than that is heard.
    let lookahead: Int64

    init(_ duck: Duck, sampleRate: Int32) {
        (key, to, threshold) = (LineKeys.Key(strip: duck.under), duck.to, Decibels.gain(duck.threshold))
        let way = abs(1 - duck.to)
        func pace(_ time: MediaTime) -> Double {
            time > .zero ? way / (time.seconds * Double(sampleRate)) : .infinity
        }
        (down, up, hold) = (
            pace(duck.attack), pace(duck.release), duck.hold.timelineFrame(atRate: sampleRate)
        )
        lookahead = duck.lookahead.timelineFrame(atRate: sampleRate)
    }
}
