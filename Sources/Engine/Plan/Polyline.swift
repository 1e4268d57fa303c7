import Timeline

/// A value over the timeline as straight lines from point to point, for programs that know no other shapes.
///
/// At every frame it is what is played, wherever that stands or goes straight; where it bends it is met
/// within a hundredth of a decibel.
public struct Polyline: Equatable, Sendable {
    /// The value at a frame.
    public struct Point: Equatable, Sendable {
        /// From 0 on.
        public let frame: Int64
        /// What the line has come to there.
        public let value: Double
    }

    /// From frame 0 on, each later than the one before; a step lies between two frames. Behind the last it
    /// stays.
    public private(set) var points: [Point] = []
    /// How far a line may be from a bent one, in parts of the value: 0.01 dB.
    private static let tolerance = 0.00115
    /// Below this value, -60 dB, the same part of this.
    private static let floor = 0.001

    /// It never moves.
    public var isStill: Bool { points.count == 1 }
    /// Where it begins.
    public var first: Double { points[0].value }
    /// The highest it comes to.
    public var highest: Double { points.lazy.map(\.value).max()! }

    /// Whatever `value` says between these frames, which are in order: as near to it as `isNear` wants a line
    /// to be to a value.
    public init(
        through turns: [Int64], _ value: (Int64) -> Double, isNear: (_ line: Double, _ value: Double) -> Bool
    ) {
        for (index, turn) in turns.enumerated() {
            if index == 0 { add(turn, value(turn)) } else { bend(turns[index - 1], turn, value, isNear) }
        }
        close()
    }

    init(product factors: [EnvelopeBuilder], times constant: Double = 1) {
        let corners = Set(factors.flatMap { $0.segments.map(\.start) }).filter { $0 > 0 }.sorted()
        for (index, start) in ([0] + corners).enumerated() {
            let segments = factors.map { $0.segment(at: start).segment }
            func value(_ frame: Int64) -> Double { segments.reduce(constant) { $0 * $1.value(at: frame) } }
            add(start, value(start))
            guard index < corners.count, corners[index] - 1 > start else { continue }
            let moving = segments.filter { $0.shape != .hold }
            if moving.allSatisfy({ $0.shape == .linear }), moving.count <= 1 {
                add(corners[index] - 1, value(corners[index] - 1))
            } else {
                bend(start, corners[index] - 1, value) {
                    abs($0 - $1) <= Self.tolerance * max(abs($1), Self.floor)
                }
            }
        }
        close()
    }

    /// Takes back its end, where that only says what was said before.
    private mutating func close() {
        while points.count > 1, points[points.count - 1].value == points[points.count - 2].value {
            points.removeLast()
        }
    }

    /// What the timeline says of a control.
    /// - Parameter value: what it is before the first event.
    public init(_ automation: Automation, startingAt value: Double, sampleRate: Int32) {
        self.init(product: [.automation(automation, startingAt: value, sampleRate: sampleRate)])
    }

    /// Up from silence, as clips begin: fades that count from frame 0.
    public init(rising fades: [ClipFade], sampleRate: Int32) {
        self.init(
            product: fades.filter { $0.duration > .zero }.map {
                .fadeIn($0.duration, from: .zero, curve: $0.curve, sampleRate: sampleRate)
            })
    }

    /// Down to silence, as clips end: fades that last to the frame `end`.
    public init(falling fades: [ClipFade], to end: Int64, sampleRate: Int32) {
        let time = MediaTime(frame: end, rate: sampleRate)
        self.init(
            product: fades.filter { $0.duration > .zero }.map {
                .fadeOut($0.duration, to: time, curve: $0.curve, sampleRate: sampleRate)
            })
    }

    /// What it says at a frame.
    public func value(at frame: Int64) -> Double {
        var (low, high) = (0, points.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if points[middle].frame <= frame { low = middle } else { high = middle }
        }
        guard high < points.count, frame > points[low].frame else { return points[low].value }
        let (a, b) = (points[low], points[high])
        return a.value + (b.value - a.value) * Double(frame - a.frame) / Double(b.frame - a.frame)
    }

    /// The same, every value multiplied by a number, and another added.
    public func times(_ factor: Double, plus offset: Double = 0) -> Polyline {
        var line = self
        line.points = points.map { Point(frame: $0.frame, value: $0.value * factor + offset) }
        return line
    }

    /// Lines from behind `low` to `high` that are near enough.
    private mutating func bend(
        _ low: Int64, _ high: Int64, _ value: (Int64) -> Double,
        _ isNear: (_ line: Double, _ value: Double) -> Bool
    ) {
        let (first, last) = (value(low), value(high))
        let isStraight = (1...3 as ClosedRange<Int64>).allSatisfy { quarter in
            let frame = low + (high - low) * quarter / 4
            return isNear(first + (last - first) * Double(frame - low) / Double(high - low), value(frame))
        }
        if isStraight || high - low < 2 { return add(high, last) }
        let middle = low + (high - low) / 2
        bend(low, middle, value, isNear)
        bend(middle, high, value, isNear)
    }

    /// Adds a point, and takes back the one before it where the line leads through that anyway.
    private mutating func add(_ frame: Int64, _ value: Double) {
        if points.count >= 2 {
            let (a, b) = (points[points.count - 2], points[points.count - 1])
            let straight = a.value + (value - a.value) * Double(b.frame - a.frame) / Double(frame - a.frame)
            if abs(b.value - straight) <= 1e-12 { points.removeLast() }
        }
        points.append(Point(frame: frame, value: value))
    }
}

extension Arrangement {
    /// What the timeline says of the volumes of all strips, sends and DCAs.
    public struct Volumes {
        let envelopes: [StripID: [EnvelopeBuilder]]

        /// Of several together: automation, mutes, fades and ducks, multiplied.
        public func polyline(of ids: [StripID], times constant: Double = 1) -> Polyline {
            Polyline(product: ids.flatMap { envelopes[$0] ?? [] }, times: constant)
        }
    }

    /// All of them, found by whose they are.
    public var volumes: Volumes {
        var envelopes = Dictionary(
            dcas.map { ($0.id, $0.envelopes) }, uniquingKeysWith: { first, _ in first })
        for line in lines {
            envelopes[line.id] = line.content.envelopes
            for send in line.paths.sends { envelopes[send.id] = send.envelopes }
        }
        return Volumes(envelopes: envelopes)
    }
}
