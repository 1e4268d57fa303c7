import Speakers

/// What a send makes of a strip's channels on their way into a bus, in place of what the layouts say
/// (`SpeakerLayout.parts`): how much each channel of the bus gets of each channel of the strip.
public struct SendMatrix: Equatable, Sendable {
    /// The range of a gain, linear: below 0 the sound is upside down.
    public static let range = -4.0...4.0
    /// The word for no matrix of its own, in the shell and over OSC.
    public static let standardWord = "standard"

    /// A row for each channel of the bus; in it a gain for each channel of the strip.
    public let gains: [[Double]]

    /// - Throws: `Problem` for gains out of range, and for rows that are empty or of several lengths.
    public init(_ gains: [[Double]]) throws(Problem) {
        let columns = gains.first?.count ?? 0
        guard columns > 0, gains.allSatisfy({ $0.count == columns }) else {
            throw Problem(
                description: "a matrix has a row for each channel of the bus, each with as many gains as the "
                    + "strip has channels")
        }
        if let gain = gains.joined().first(where: { !Self.range.contains($0) }) {
            throw Problem(description: "\(gain) is no gain of a matrix: it goes from -4 to 4")
        }
        self.gains = gains.map { $0.map { $0 + 0 } }  // -0 becomes 0
    }

    /// As someone wrote it: rows with `/` between them, gains with commas between: `1,0/0,1`. A gain is a
    /// number from -4 to 4, or a volume as `-6dB`.
    /// - Throws: `Problem` for anything else.
    public init(parsing text: String) throws(Problem) {
        var gains: [[Double]] = []
        for row in text.split(separator: "/", omittingEmptySubsequences: false) {
            var own: [Double] = []
            for word in row.split(separator: ",", omittingEmptySubsequences: false) {
                own.append(try Self.gain(word.trimmed))
            }
            gains.append(own)
        }
        try self.init(gains)
    }

    private static func gain(_ word: String) throws(Problem) -> Double {
        if let number = Volume.number(word) { return number }
        if let volume = try? Volume.parse(word) { return volume }
        throw Problem(
            description: "\"\(word)\" is no gain of a matrix: write a row for each channel of the bus, as "
                + "1,0/0,1, or standard")
    }

    /// As it can be written.
    public var text: String {
        gains.map { $0.map { Self.short($0) }.joined(separator: ",") }.joined(separator: "/")
    }

    private static func short(_ gain: Double) -> String {
        gain == gain.rounded() ? "\(Int(gain))" : "\(gain)"
    }

    /// Whether it leads from one layout to another.
    public func fits(from strip: SpeakerLayout, to bus: SpeakerLayout) -> Bool {
        gains.count == bus.channels && gains[0].count == strip.channels
    }

    /// How much of which channel goes where, in the order in which they are added; gains of 0 are left out.
    public var parts: [(from: Int, to: Int, gain: Double)] {
        gains.enumerated().flatMap { to, row in
            row.enumerated().filter { $0.element != 0 }.map { (from: $0.offset, to: to, gain: $0.element) }
        }
    }

    /// Why something is no matrix, for people.
    public struct Problem: Error, Equatable, CustomStringConvertible {
        public let description: String
    }

    /// Why it does not lead from one layout to another.
    public func misfit(from strip: SpeakerLayout, to bus: SpeakerLayout) -> String {
        """
        the matrix has \(gains.count) rows of \(gains[0].count), where it goes from \(strip.channels) to \
        \(bus.channels) channels: a row for each channel of the bus, in it a gain for each of the strip
        """
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
