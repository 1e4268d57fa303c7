/// The speakers that the channels of a strip are for, in the order of a WAV file. A layout is known by how
/// many they are.
public enum SpeakerLayout: Int, CaseIterable, Comparable, Sendable {
    /// One channel, for the centre.
    case mono = 1
    /// Left and right.
    case stereo = 2
    /// 5.1.
    case surround51 = 6
    /// 7.1.
    case surround71 = 8
    /// 7.1.4.
    case surround714 = 12

    /// The most channels that any has.
    public static let maximumChannels = 12

    /// How many channels it has.
    public var channels: Int { rawValue }

    /// One for each channel.
    public var speakers: [Speaker] {
        switch self {
        case .mono: [.centre]
        case .stereo: [.left, .right]
        case .surround51: [.left, .right, .centre, .lowFrequency, .sideLeft, .sideRight]
        case .surround71:
            [.left, .right, .centre, .lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight]
        case .surround714:
            Self.surround71.speakers + [.topFrontLeft, .topFrontRight, .topBackLeft, .topBackRight]
        }
    }

    /// "mono", "stereo", "5.1", as people say it.
    public var name: String {
        switch self {
        case .mono: "mono"
        case .stereo: "stereo"
        case .surround51: "5.1"
        case .surround71: "7.1"
        case .surround714: "7.1.4"
        }
    }

    /// As someone wrote it: its name, or how many channels it has.
    public init?(_ text: String) {
        guard let layout = Self.allCases.first(where: { $0.name == text || "\($0.channels)" == text }) else {
            return nil
        }
        self = layout
    }

    /// The numbers of channels that there are, for messages.
    public static var choices: String { allCases.map { "\($0.channels)" }.joined(separator: ", ") }

    public static func < (a: SpeakerLayout, b: SpeakerLayout) -> Bool { a.channels < b.channels }

    // MARK: - From one to another

    /// How much of a channel of this layout goes to a channel of another.
    public struct Part: Equatable, Sendable {
        /// A channel of this layout, from 0.
        public let from: Int
        /// A channel of the other, from 0.
        public let to: Int
        /// Linear, above 0.
        public let gain: Double
    }

    /// What makes `other` of this, in the order of the channels of `other`, then of this: a speaker that both
    /// have keeps its channel as it is; one that `other` does not have goes to its neighbours there, 3 dB
    /// lower for each step.
    public func parts(to other: SpeakerLayout) -> [Part] {
        let targets = other.speakers
        var gains: [Speaker: [Int: Double]] = [:]
        for (channel, speaker) in speakers.enumerated() { Self.spread(speaker, 1, channel, targets, &gains) }
        return targets.enumerated().flatMap { to, speaker in
            (gains[speaker] ?? [:]).sorted { $0.key < $1.key }.map {
                Part(from: $0.key, to: to, gain: $0.value)
            }
        }
    }

    private static func spread(
        _ speaker: Speaker, _ gain: Double, _ channel: Int, _ targets: [Speaker],
        _ gains: inout [Speaker: [Int: Double]]
    ) {
        if targets.contains(speaker) {
            gains[speaker, default: [:]][channel, default: 0] += gain
            return
        }
        for neighbour in speaker.neighbours {
            spread(neighbour, gain * 0.5.squareRoot(), channel, targets, &gains)
        }
    }

    /// Which channel of `source` is heard on each channel of this layout, without any being mixed; nil for
    /// silence on it. One channel is heard on both sides.
    /// - Returns: nil if this layout does not have all of the speakers of `source`.
    func placement(of source: SpeakerLayout) -> [Int?]? {
        if source == .mono {
            return self == .mono ? [0] : speakers.map { $0 == .left || $0 == .right ? 0 : nil }
        }
        let from = source.speakers
        guard from.allSatisfy(speakers.contains) else { return nil }
        return speakers.map { from.firstIndex(of: $0) }
    }
}
