/// Which channels of a source are heard on the channels of a strip.
public struct ChannelChoice: Hashable, Sendable {
    /// For each channel of the strip a channel of the source, from 0; nil for silence.
    public let sources: [Int?]

    /// It is stereo as it is: the first two, in their order.
    public let isStereo: Bool

    /// Those that are heard, in the order of the strip's channels.
    public var heard: [Int] { sources.compactMap { $0 } }

    /// For each channel of a source that is heard as a whole, the channel of the strip that it is heard on
    /// first.
    public static func places(of source: SpeakerLayout, on layout: SpeakerLayout) -> [Int] {
        let sources = layout.placement(of: source) ?? []
        return (0..<source.channels).map { channel in sources.firstIndex(of: channel) ?? channel }
    }

    /// How a source that has `count` channels is heard on a strip.
    /// - Parameter pair: the channels of the source that are left and right, from 1; nil for all of them,
    ///   each where it belongs.
    /// - Throws: `Problem` if the source does not have these channels, or the strip not enough.
    public init(_ pair: (left: Int, right: Int)?, of count: Int, on layout: SpeakerLayout) throws(Problem) {
        guard let pair else {
            guard let sources = SpeakerLayout(rawValue: count).flatMap(layout.placement) else {
                throw .surplus(count, layout)
            }
            self.init(sources)
            return
        }
        self.init(try Self.sources(pair, of: count, on: layout))
    }

    /// These channels of a source, from 0.
    public init(_ sources: [Int?]) { (self.sources, isStereo) = (sources, sources == [0, 1]) }

    private static func sources(
        _ pair: (left: Int, right: Int), of count: Int, on layout: SpeakerLayout
    ) throws(Problem) -> [Int?] {
        if min(pair.left, pair.right) < 1 {
            throw Problem("channels count from 1: \(min(pair.left, pair.right)) is none")
        }
        let highest = max(pair.left, pair.right)
        if highest > count { throw Problem("channel \(highest) was asked for, the file has \(count)") }
        if layout != .mono {
            return layout.speakers.map { $0 == .left ? pair.left - 1 : $0 == .right ? pair.right - 1 : nil }
        }
        if pair.left != pair.right {
            throw Problem("two channels were asked for, the track has one: name one of them twice")
        }
        return [pair.left - 1]
    }

    /// Why a source cannot be heard on a strip, for people.
    public struct Problem: Error, Equatable, CustomStringConvertible {
        public let description: String

        init(_ description: String) { self.description = description }

        static func surplus(_ count: Int, _ layout: SpeakerLayout) -> Problem {
            switch layout {
            case .mono:
                Problem(
                    """
                    the file has \(count) channels, the track has one: say which is heard with "channels": \
                    [1, 1]
                    """
                )
            case .stereo:
                Problem(
                    "the file has \(count) channels: say which are left and right with \"channels\": [1, 2]"
                        + (SpeakerLayout(rawValue: count) == nil
                            ? "" : ", or give its track \(count) channels"))
            default:
                Problem(
                    "the file has \(count) channels, the track has \(layout.channels): "
                        + "say which are left and right with \"channels\": [1, 2]")
            }
        }
    }
}
