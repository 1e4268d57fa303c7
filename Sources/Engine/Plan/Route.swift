/// In which order the frames of the timeline are played: from `start` on, and round and round the loop once
/// its end is reached.
///
/// Streams are read ahead along a route, so a loop is as gapless as any other stretch. An index counts played
/// frames. Each locate and each change of the loop makes a route of its own: two that lead the same way are
/// two all the same, since a stream that was read along one may be far ahead of where the other begins.
public struct Route: Sendable {
    /// Which route it is: they are numbered as they are made, from 1. Some are never sent.
    let number: Int
    /// The first frame that is played.
    public let start: Int64
    /// First frame of the loop, and the frame after its last; `Int64.max` where there is none ahead.
    public let loopStart: Int64
    /// The frame after the loop's last.
    public let loopEnd: Int64
    /// So many frames have been played that lead up to its start: the loop has changed, and nobody has gone
    /// anywhere.
    let lead: Int64

    /// Where a playhead may be: up to the last whole number that a Double is sure of.
    static let positions: ClosedRange<Int64> = 0...1 << 53

    /// A loop that ends at or before `start` is never reached and does not count.
    /// - Parameter lead: so many frames have been played that lead up to its start.
    public init(number: Int, start: Int64, loop: Range<Int64>?, lead: Int64 = 0) {
        self.number = number
        self.lead = lead
        self.start = start
        if let loop, start < loop.upperBound, !loop.isEmpty {
            (loopStart, loopEnd) = (loop.lowerBound, loop.upperBound)
        } else {
            (loopStart, loopEnd) = (0, .max)
        }
    }

    /// Whether a loop lies ahead.
    @_noLocks
    public func loops() -> Bool { loopEnd != .max }

    /// The frame of the timeline that is played at `index`.
    @_noLocks
    public func frame(at index: Int64) -> Int64 {
        let frame = start + index
        if frame < loopEnd { return frame }
        return loopStart + (frame - loopEnd) % (loopEnd - loopStart)
    }

    /// How many frames from `index` on follow each other on the timeline.
    @_noLocks
    public func framesUntilTurn(from index: Int64) -> Int64 { loops() ? loopEnd - frame(at: index) : .max }
}

/// Where something begins along a route.
struct RoutePlace {
    let route: Route
    let index: Int64
}
