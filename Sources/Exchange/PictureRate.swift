import JSON
import Timeline

/// Frames of picture a second, as programs for pictures count.
public struct PictureRate: Equatable, Sendable, CustomStringConvertible {
    /// So many frames in `denominator` seconds.
    public let numerator: Int32
    /// Above 0.
    public let denominator: Int32

    /// Those of television in most of the world.
    public static let standard = PictureRate(25, 1)

    init(_ numerator: Int32, _ denominator: Int32) {
        (self.numerator, self.denominator) = (numerator, denominator)
    }

    /// A rate as people write it: 25, 23.976, 30000/1001. Those of NTSC are what they stand for, parts of
    /// 1001.
    /// - Returns: nil: it is none from 1 to 240.
    public init?(parsing text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let numerator = Int32(parts[0]), let denominator = Int32(parts[1]),
            denominator > 0
        {
            self.init(numerator, denominator)
        } else if let number = Double(text) {
            self.init(nearest: number)
        } else {
            return nil
        }
        guard (1...240).contains(perSecond) else { return nil }
    }

    /// The rate that a number stands for: 23.98 and 23.976 are 24000/1001.
    /// - Returns: nil: it is not one from a thousandth to a million.
    init?(nearest number: Double) {
        guard (0.001...1_000_000).contains(number) else { return nil }
        let (whole, ofNTSC) = (number.rounded(), (number * 1.001).rounded())
        if abs(number - whole) < 1e-6 {
            self.init(Int32(whole), 1)
        } else if ofNTSC <= 2_000_000, abs(number * 1.001 - ofNTSC) < 0.005 {
            self.init(Int32(ofNTSC) * 1000, 1001)
        } else {
            self.init(Int32((number * 1000).rounded()), 1000)
        }
    }

    var perSecond: Double { Double(numerator) / Double(denominator) }
    public var description: String { denominator == 1 ? "\(numerator)" : "\(numerator)/\(denominator)" }

    /// The nearest of its frames to a frame of sound.
    func frame(_ frame: Int64, atRate rate: Int32) -> Int64 {
        Int64(
            RoundingRule.nearest.divide(
                Int128(frame) * Int128(numerator), by: Int128(rate) * Int128(denominator)))
    }

    /// Whether a frame of sound lies on one of its frames.
    func hits(_ frame: Int64, atRate rate: Int32) -> Bool {
        Int128(frame) * Int128(numerator) % (Int128(rate) * Int128(denominator)) == 0
    }

    /// Names how many clips do not begin and end with frames of picture.
    func sayWhatIsOff(_ outline: Outline, _ losses: Losses) {
        let pieces = outline.pieces.joined()
        let off = pieces.filter { piece in
            [piece.frames.lowerBound, piece.frames.upperBound, piece.start].contains {
                !hits($0, atRate: outline.rate)
            }
        }
        if !off.isEmpty {
            losses.say(
                """
                \(off.count) of \(pieces.count) clips do not lie on frames of picture: they are put on the \
                nearest of \(self) a second
                """
            )
        }
    }

    /// Hours, minutes, seconds and frames, without leaving out numbers (non-drop).
    func timecode(_ frame: Int64) -> String {
        let perSecond = Int64(self.perSecond.rounded(.up))
        let seconds = frame / perSecond
        return [seconds / 3600, seconds / 60 % 60, seconds % 60, frame % perSecond].map {
            zeroPadded($0, 2)
        }.joined(separator: ":")
    }
}
