import Remote
import Timeline

/// The meters of a desk as it sends them: counts and orders of the values of each of its sets ("Unofficial
/// X32/M32 OSC Remote Protocol", "Meter requests"; "X AIR Mixer Series Remote Control Protocol", "Meters").
struct DeskMeters {
    private let model: DeskModel
    private let desk: any Desk
    /// Peaks, each read once: reading begins them anew.
    private var read: [StripPlace: [Float]] = [:]
    private var made: [Set: [UInt8]] = [:]

    private struct Set: Hashable { let (number, channel, group): (Int, Int, Int) }

    init(_ model: DeskModel, _ desk: any Desk) { (self.model, self.desk) = (model, desk) }

    /// How many values each set has.
    static func counts(_ model: DeskModel) -> [Int: Int] {
        model == .x32
            ? [
                0: 70, 1: 96, 2: 49, 3: 22, 4: 82, 5: 27, 6: 4, 7: 16, 8: 6, 9: 32, 10: 32, 11: 5, 12: 4,
                13: 48, 14: 80, 15: 50, 16: 48,
            ] : [0: 8, 1: 40, 2: 36, 3: 56, 4: 100, 5: 44, 6: 39, 7: 16, 8: 4, 9: 4]
    }

    /// A set's values: their number, and each as a float that is linear (X32), or in dB times 256 (X-Air);
    /// all with the lowest byte first.
    mutating func blob(_ number: Int, channel: Int, group: Int) -> [UInt8] {
        let set = Set(number: number, channel: channel, group: group)
        if let blob = made[set] { return blob }
        let count = Self.counts(model)[number] ?? 0
        if model == .x32, let blob = Self.still(number) {
            made[set] = blob
            return blob
        }
        var values = model == .x32 ? x32(number, channel, group) : xair(number, channel)
        values = Array(values.prefix(count)) + [Float](repeating: 0, count: max(0, count - values.count))
        var blob = Int32(count).littleEndianBytes
        for value in values {
            blob +=
                model == .x32
                ? value.bitPattern.littleEndianBytes : Self.decibels(value).littleEndianBytes
        }
        made[set] = blob
        return blob
    }

    /// Sets of an X32 that travel as whole numbers of 16 bits, and that the mixer has nothing of: a spectrum
    /// that is silent, and what lowers nothing.
    private static func still(_ number: Int) -> [UInt8]? {
        let words: [Int16]
        switch number {
        case 15: words = [Int16](repeating: .min, count: 100)
        case 16: words = [Int16](repeating: .max, count: 88) + [Int16](repeating: 0, count: 8)
        default: return nil
        }
        return Int32(words.count / 2).littleEndianBytes + words.flatMap(\.littleEndianBytes)
    }

    /// In dB times 256; the least stands for silence.
    private static func decibels(_ value: Float) -> Int16 {
        value <= 0 ? .min : Int16(clamping: Int((Volume.level(gain: Double(value)) * 256).rounded()))
    }

    // MARK: - Levels

    /// The greatest of a strip's sides.
    private mutating func peak(_ strip: StripPlace) -> Float { sides(strip).max() ?? 0 }

    /// Left and right; what has one channel is on both.
    private mutating func sides(_ strip: StripPlace) -> [Float] {
        if let sides = read[strip] { return sides }
        let peaks = desk.strips.contains(strip) ? desk.peaks(strip) : []
        let left = peaks.first ?? 0
        let sides = [left, peaks.count > 1 ? peaks[1] : left]
        read[strip] = sides
        return sides
    }

    private mutating func tracks(_ numbers: ClosedRange<Int>) -> [Float] {
        numbers.map { peak(.track($0)) }
    }

    private mutating func buses(_ numbers: ClosedRange<Int>) -> [Float] { numbers.map { peak(.bus($0)) } }

    /// 1 for what is not lowered, less for what is.
    private func reduction(_ kind: DynamicsKind, _ strip: StripPlace) -> Float {
        let control = Control.dynamics(DynamicsControl(kind, .reduction))
        guard desk.has(kind, strip), let lowered = desk.number(control, strip) else { return 1 }
        return Float(Volume.gain(level: -abs(lowered)))
    }

    private func none(_ count: Int) -> [Float] { [Float](repeating: 0, count: count) }

    // MARK: - X32

    private mutating func x32(_ number: Int, _ channel: Int, _ group: Int) -> [Float] {
        switch number {
        case 0: return tracks(1...32) + none(8) + none(8) + buses(1...16)
        case 1:
            let strips = (1...32).map(StripPlace.track)
            return tracks(1...32) + strips.map { reduction(.gate, $0) } + strips.map { reduction(.comp, $0) }
        case 2:
            return x32Buses()
        case 4: return tracks(1...32) + none(8) + none(16)
        case 5: return x32Bank(channel, group)
        case 6:
            return x32Strip(channel)
        case 13: return tracks(1...32)
        default: return []
        }
    }

    private mutating func x32Buses() -> [Float] {
        let lowered = (1...16).map { reduction(.comp, .bus($0)) }
        return buses(1...16) + none(6) + sides(.master) + none(1) + lowered
            + [Float](repeating: 1, count: 6) + [reduction(.comp, .master), 1]
    }

    private mutating func x32Strip(_ channel: Int) -> [Float] {
        guard let strip = Self.x32Strip(channel) else { return [0, 1, 1, 0] }
        let level = peak(strip)
        return [level, reduction(.gate, strip), reduction(.comp, strip), level]
    }

    /// Its strips are counted from 0: channels, auxiliary inputs, effects' returns, buses, matrices, the
    /// master.
    private static func x32Strip(_ number: Int) -> StripPlace? {
        switch number {
        case 0..<32: .track(number + 1)
        case 48..<64: .bus(number - 47)
        case 70: .master
        default: nil
        }
    }

    /// What the desk's faders show: a bank of sixteen, one of eight, and the master.
    private mutating func x32Bank(_ channel: Int, _ group: Int) -> [Float] {
        let strips =
            switch channel {
            case 0: tracks(1...16)
            case 1: tracks(17...32)
            case 3: buses(1...16)
            default: none(16)
            }
        let groups =
            switch group {
            case 1: buses(1...8)
            case 2: buses(9...16)
            default: none(8)
            }
        return strips + groups + sides(.master) + none(1)
    }

    // MARK: - X-Air

    private mutating func xair(_ number: Int, _ channel: Int) -> [Float] {
        switch number {
        case 0:
            let strip = StripPlace.track(channel + 1)
            let both = sides(strip)
            return both + [reduction(.gate, strip), reduction(.comp, strip)] + both
        case 1: return tracks(1...16) + none(2) + none(8) + buses(1...6) + none(4) + sides(.master) + none(2)
        case 2: return tracks(1...16)
        case 5: return buses(1...6) + sides(.master) + tracks(1...16)
        case 6:
            return xairReductions()
        default: return []
        }
    }

    private mutating func xairReductions() -> [Float] {
        let strips = (1...16).map(StripPlace.track)
        return strips.map { reduction(.gate, $0) } + strips.map { reduction(.comp, $0) }
            + (1...6).map { reduction(.comp, .bus($0)) } + [reduction(.comp, .master)]
    }
}
