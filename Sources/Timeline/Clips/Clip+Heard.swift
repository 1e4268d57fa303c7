/// What makes a clip slower, faster, higher or lower.
public enum Stretcher: String, CaseIterable, Sendable {
    /// SoundTouch: quick.
    case soundtouch
    /// Rubber Band's finer engine: better, and slow.
    case rubberband
}

/// A clip that plays its file at a speed of its own, or backwards: what times of the file are where it is
/// heard, and the other way.
extension Clip {
    /// The speeds there are.
    public static let speeds = 0.25...4.0
    /// The pitches there are, in semitones.
    public static let pitches = -24.0...24.0

    /// How long so much of its file is heard.
    public func heard(_ time: MediaTime) -> MediaTime {
        millionths == 1_000_000 ? time : time.multiplied(by: 1_000_000, over: millionths)
    }

    /// How much of its file is heard in such a time.
    public func ofFile(_ time: MediaTime) -> MediaTime {
        millionths == 1_000_000 ? time : time.multiplied(by: millionths, over: 1_000_000)
    }

    /// Has it play its file at another speed; its fades take what they took of the file.
    public mutating func setSpeed(_ speed: Double) {
        let before = millionths
        self.speed = speed
        if millionths == before { return }
        for fade in [\Clip.fadeIn, \.fadeOut] {
            self[keyPath: fade].duration = self[keyPath: fade].duration.multiplied(
                by: before, over: millionths)
        }
    }

    /// Where in its sound, as long as it is heard and in the direction in which it is heard, the clip begins.
    /// - Parameter length: how long all of its sound is heard; only what is played backwards has to know.
    /// - Returns: nil: that is not known. Before zero where it begins before its sound does.
    public func soundStart(ofSoundLasting length: MediaTime?) -> MediaTime? {
        guard isReversed else { return heard(from) }
        guard let duration else { return .zero }
        return length.map { $0 - heard(from + duration) }
    }

    /// How long it is heard, of a sound that is heard so long; nil: it begins behind its end.
    func heardDuration(ofSoundLasting length: MediaTime?) -> MediaTime? {
        if let duration { return heard(duration) }
        return length.flatMap { $0 > heard(from) ? $0 - heard(from) : nil }
    }
}
