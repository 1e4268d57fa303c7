import Realtime
import Timeline

/// What holds back what leaves a line, and the levels that it goes by. Plans share it, so that it goes on.
/// Control thread.
struct LineDelays {
    /// Of what comes in for it; nil: nothing waits there.
    private(set) var input: Ring?
    /// Of what leaves before its gains, and behind them.
    private(set) var pre: Ring?
    private(set) var post: Ring?
    /// Of levels that come later than they are noted.
    private(set) var levels: [Key: Level] = [:]

    /// By whose level something goes, and how long that is held back.
    struct Key: Hashable {
        let strip: ObjectIdentifier
        let wait: Int64
    }

    /// The longest wait of each.
    private var waits: (input: Int64, pre: Int64, post: Int64) = (0, 0, 0)

    /// Nothing waits.
    init() {}

    /// - Parameters:
    ///   - strips: the live sides of all lines.
    ///   - previous: what the line has had; nil: nothing that goes on.
    init(_ line: ArrangedLine, _ strips: (StripID) -> StripHandle?, after previous: LineDelays?) {
        let (pre, post) = (line.paths.longestWait(isPre: true), line.paths.longestWait(isPre: false))
        waits = (line.content.inputWait, pre, post)
        input = Ring.holding(line.content.inputWait, channels: line.layout.channels, after: previous?.input)
        self.pre = Ring.holding(pre, channels: line.layout.channels, after: previous?.pre)
        self.post = Ring.holding(post, channels: line.layout.channels, after: previous?.post)
        for key in [line.keys.gate, line.keys.compressor].compactMap({ $0 }) + line.keys.ducks.map(\.key)
        where key.wait > 0 {
            guard let strip = strips(key.strip) else { continue }
            let place = Key(strip: ObjectIdentifier(strip), wait: key.wait)
            levels[place] = previous?.levels[place] ?? Level(key.wait)
        }
    }

    /// Nothing comes or leaves late.
    var isEmpty: Bool { input == nil && pre == nil && post == nil }

    /// So many frames it takes until all is there that they hold back and `previous` does not.
    func warmUp(after previous: LineDelays?) -> Int64 {
        func longest(_ ring: Ring?, _ wait: Int64, _ before: Ring?, _ waitBefore: Int64) -> Int64 {
            ring === before && wait <= waitBefore ? 0 : wait
        }
        let before = previous ?? LineDelays()
        return max(
            longest(input, waits.input, before.input, before.waits.input),
            longest(pre, waits.pre, before.pre, before.waits.pre),
            longest(post, waits.post, before.post, before.waits.post))
    }

    /// Owns a ring.
    final class Ring {
        let pointer: UnsafeMutablePointer<SideRings>
        /// So many frames it can hold back.
        private let longest: Int64

        private init(_ longest: Int64, channels: Int) {
            self.longest = longest
            pointer = LockedMemory.holding(SideRings(channels: channels, longest: longest))
        }

        deinit {
            pointer.pointee.deallocate()
            LockedMemory.free(pointer)
        }

        /// The same as before, where that is long enough: it does not become shorter while something waits
        /// there.
        fileprivate static func holding(_ longest: Int64, channels: Int, after previous: Ring?) -> Ring? {
            if longest == 0 { return nil }
            if let previous, previous.longest >= longest { return previous }
            // All that fits into the memory that it takes.
            return Ring(Int64(WaitRing.frames(longest) - Block.frames()), channels: channels)
        }
    }

    /// Owns a level's delay.
    final class Level {
        let pointer: UnsafeMutablePointer<LevelDelay>

        fileprivate init(_ wait: Int64) {
            pointer = LockedMemory.holding(LevelDelay(wait: wait))
        }

        deinit {
            pointer.pointee.deallocate()
            LockedMemory.free(pointer)
        }
    }
}

extension LinePaths {
    /// The longest of what leaves before the gains, or behind them.
    fileprivate func longestWait(isPre: Bool) -> Int64 {
        sends.filter { $0.isPre == isPre }.map(\.wait).reduce(isPre ? 0 : outputWait, max)
    }
}
