import JSON
import Speakers

/// Ports by which a track hears others, beside its clips.
public struct Input: Equatable, Sendable {
    /// As many as a layout has: 1 is heard on both sides, 2 are left and right, 6 are 5.1.
    public var channels: Int
    /// For each of its ports what is connected to it whenever that is there, as "system:capture_1", or a
    /// pattern of such; empty for nothing.
    public var connect: [String]
    /// Fields of the file that this version does not know, kept for the next save.
    public var unknown = JSONObject()

    /// What there is to connect beyond its channels is left out.
    public init(channels: Int = 1, connect: [String] = []) {
        (self.channels, self.connect) = (channels, Array(connect.prefix(channels)))
    }
}

/// Which of its clips and its input a track plays.
public enum Monitor: String, CaseIterable, Sendable {
    /// Its clips while they play; its input while they do not, while it is armed, and where there are none.
    case auto
    /// Its input alone.
    case input
    /// Its clips alone.
    case clips
}

extension Track {
    /// Gives it as many channels as its input has, where it has fewer.
    mutating func widen() {
        if let layout = input.flatMap({ SpeakerLayout(rawValue: $0.channels) }), layout > strip.layout {
            strip.layout = layout
        }
    }

    /// When its input is heard.
    public enum InputUse: Equatable, Sendable {
        /// Its clips alone are.
        case never
        /// In place of its clips.
        case always
        /// While no clips are played.
        case atStandstill
    }

    /// What `monitor` comes to.
    /// - Parameter isSoundcheck: its clips are heard alone, if it has any; who talks back by it goes on to.
    public func inputUse(isSoundcheck: Bool = false) -> InputUse {
        if input == nil || isSoundcheck && !clips.isEmpty && !strip.sends.contains(where: \.isTalkback) {
            return .never
        }
        return switch monitor {
        case .clips: .never
        case .input: .always
        case .auto: isArmed || clips.isEmpty ? .always : .atStandstill
        }
    }

    /// Whether its clips are there for all of `frames`.
    func covers(_ frames: Range<Int64>, ruler: ClipRuler) -> Bool {
        var end = frames.lowerBound
        for range in clips.compactMap({ ruler.frames(of: $0) }) where range.lowerBound <= end {
            end = max(end, range.upperBound)
        }
        return end >= frames.upperBound
    }
}

extension Session {
    /// The tracks whose inputs are heard live, and are not recorded for all of `frames`: what they heard is
    /// missing in a render of these.
    public func uncoveredInputs(_ frames: Range<Int64>, ruler: ClipRuler) -> [Track] {
        tracks.filter { $0.inputUse() != .never && !$0.covers(frames, ruler: ruler) }
    }
}
