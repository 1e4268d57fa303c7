import Realtime

/// A limiter as it is set: the ceiling, linear, and how much of the way back to 1 its gain goes in a frame.
package struct LimiterSetting: Equatable {
    let ceiling: Double
    let release: Double
}

/// Keeps the true peaks of what passes at or under a ceiling, with look-ahead: nothing is cut. Audio thread
/// only; wait-free.
///
/// With x what came in, q its top band (`LimiterTaps`), p(n) the highest of all channels at n and of the
/// points between n - 1 and n + 1, and L the ceiling less 0.12 dB:
///
///     E(n) = 3 e(n), e(n) = max(|q(n)|, e(n - 1) 199 / 200)
///     w(n) = 1 - held(1 - min(1, 2 (p(n) + E(n) - L) / E(n))) over 8 frames,
///            where p(n) + E(n) > L; else 1 is held
///     x'(n) = x(n) - w(n) q(n)
///     y(n) = x'(n) held(min(1, L / p'(n))) over 1.5 ms
///
/// `held` is `HeldGain`. p looks at quarters of frames with the short taps; p' does, and at the four points
/// of the filter that BS.1770-5 prints, and with the long taps at quarters, and at eighths by six quarters
/// about each. What is close to half the rate is taken out only
/// while something is to be limited: no filter of a few milliseconds sees how high it swings between frames.
struct LimiterLine {
    private let taps: LimiterTaps
    /// What came in, its top band, and what is left of it: of each some frames that have passed, and a block.
    private let x: Channels
    private let q: Channels
    private let y: Channels
    private var top: HeldGain
    private var gain: HeldGain
    private var held = 0.0
    /// Frames that it has taken since it began.
    private(set) var given: Int64 = 0
    /// Behind the last that is not silence.
    private var ending: Int64 = .max
    private let work: UnsafeMutablePointer<Double>
    /// What the last frame was multiplied by.
    private(set) var last: Float = 1

    /// How many frames have passed and are kept.
    @_noLocks
    private static func xPast() -> Int { 64 }
    @_noLocks
    private static func qPast() -> Int { 16 }
    @_noLocks
    private static func yPast(_ reach: Int) -> Int { reach + 112 }
    @_noLocks
    private func yPast() -> Int { Self.yPast(gain.reach) }

    /// The frames over which the top band comes and goes.
    @_noLocks
    private static func topReach() -> Int { 8 }
    /// From what came in to what is left of it.
    @_noLocks
    private static func topDelay() -> Int { LimiterTaps.topSide() - 1 + topReach() }
    /// From there to the last frame whose peak is known.
    @_noLocks
    private static func peakDelay() -> Int { LimiterTaps.side() + 1 }

    /// 1.5 ms.
    static func reach(_ sampleRate: Int32) -> Int { Int(0.0015 * Double(sampleRate) + 0.5) }

    /// By how many frames what passes is late.
    static func latency(_ sampleRate: Int32) -> Int { topDelay() + peakDelay() + reach(sampleRate) }

    init(channels: Int, sampleRate: Int32) {
        taps = LimiterTaps.all
        (top, gain) = (HeldGain(reach: Self.topReach()), HeldGain(reach: Self.reach(sampleRate)))
        func room(_ past: Int) -> Channels {
            let stride = past + Block.frames()
            return Channels(
                LockedMemory.allocate(Float.self, channels * stride), stride: stride, count: channels)
        }
        (x, q, y) = (room(Self.xPast()), room(Self.qPast()), room(Self.yPast(gain.reach)))
        work = LockedMemory.allocate(Double.self, 2 * Block.frames())
        reset()
    }

    func deallocate() {
        for (channels, past) in [(x, Self.xPast()), (q, Self.qPast()), (y, yPast())] {
            LockedMemory.free(channels.channel(0), channels.count * (past + Block.frames()))
        }
        LockedMemory.free(work, 2 * Block.frames())
        top.deallocate()
        gain.deallocate()
    }

    /// Silence came before.
    @_noLocks
    mutating func reset() {
        (held, given, last, ending) = (0, 0, 1, .max)
        top.reset()
        gain.reset()
        x.clear(Self.xPast())
        q.clear(Self.qPast())
        y.clear(yPast())
    }

    @_noLocks
    mutating func pass(_ page: inout MemoryPage) {
        top.pass(&page)
        gain.pass(&page)
        page.pass(&held)
        page.pass(&given)
        page.pass(&last)
        for channel in 0..<x.count {
            page.pass(x.channel(channel), Self.xPast())
            page.pass(q.channel(channel), Self.qPast())
            page.pass(y.channel(channel), yPast())
        }
    }

    /// Nothing but silence comes any more: what its filters make of the end is cut off there, as whoever
    /// takes it cuts it off.
    mutating func finish() { ending = given }

    /// Takes a block, and gives in its place what came so much earlier, limited.
    @_noLocks
    mutating func process(_ block: Channels, _ setting: LimiterSetting, _ count: Int) {
        x.from(Self.xPast()).copy(block, count)
        takeTop(setting, count)
        leaveTop(count)
        for i in 0..<count { work[i] = 0 }
        if 4.73 * Double(loudest(of: y, from: yPast() - 100, to: yPast() + count)) > setting.ceiling {
            lookForPeaks(count)
        }
        for i in 0..<count {
            work[i] = gain.push(work[i] > setting.ceiling ? setting.ceiling / work[i] : 1, setting.release)
        }
        give(block, count)
        keep(x, Self.xPast(), count)
        keep(q, Self.qPast(), count)
        keep(y, yPast(), count)
    }

    /// Gives what came so much earlier, times the gains in the place for work.
    @_noLocks
    private mutating func give(_ block: Channels, _ count: Int) {
        let place = yPast() - Self.peakDelay() - gain.reach
        for channel in 0..<block.count {
            let (samples, out) = (y.channel(channel) + place, block.channel(channel))
            for i in 0..<count { out[i] = work[i] == 1 ? samples[i] : Float(Double(samples[i]) * work[i]) }
        }
        last = Float(work[count - 1])
        given += Int64(count)
    }

    /// Moves what is kept to where it is looked for.
    @_noLocks
    private mutating func keep(_ channels: Channels, _ past: Int, _ count: Int) {
        for channel in 0..<channels.count {
            let samples = channels.channel(channel)
            UnsafeMutableRawPointer(samples).copyMemory(
                from: samples + count, byteCount: past * MemoryLayout<Float>.stride)
        }
    }

    @_noLocks
    private mutating func loudest(of channels: Channels, from first: Int, to end: Int) -> Float {
        var loudest: Float = 0
        for channel in 0..<channels.count {
            let samples = channels.channel(channel)
            for i in first..<end where abs(samples[i]) > loudest { loudest = abs(samples[i]) }
        }
        return loudest
    }

    // MARK: - The top band

    /// Works out the top band, and how much of it is left out: w, in the place for work.
    @_noLocks
    private mutating func takeTop(_ setting: LimiterSetting, _ count: Int) {
        let (side, bands) = (LimiterTaps.topSide(), work + Block.frames())
        // The frame that is worked on is the last that has as many behind it as the top band needs.
        let place = Self.xPast() - (side - 1)
        for i in 0..<count { (work[i], bands[i]) = (0, 0) }
        for channel in 0..<x.count { filterTop(channel, from: place, into: bands, count) }
        var most = held
        for i in 0..<count { most = max(most, bands[i]) }
        // What the short taps make of a sample is less than 2.36 times that.
        if 2.36 * Double(loudest(of: x, from: place - 16, to: place + count + 16)) + 3 * most
            > setting.ceiling
        {
            for channel in 0..<x.count {
                raise(x.channel(channel) + place, count, taps.short, LimiterTaps.shortSide(), points: 3)
            }
        }
        for i in 0..<count { work[i] = topShare(peak: work[i], band: bands[i], setting) }
    }

    /// Works out the top band of one channel, and raises `bands` to its magnitudes.
    @_noLocks
    private mutating func filterTop(
        _ channel: Int, from place: Int, into bands: UnsafeMutablePointer<Double>, _ count: Int
    ) {
        let (samples, band) = (x.channel(channel) + place, q.channel(channel) + Self.qPast())
        let side = LimiterTaps.topSide()
        for i in 0..<count {
            band[i] = dot(taps.top, samples + i - side, 2 * side)
            if Double(abs(band[i])) > bands[i] { bands[i] = Double(abs(band[i])) }
        }
    }

    /// How much of the top band is left out at the next frame.
    @_noLocks
    private mutating func topShare(peak: Double, band: Double, _ setting: LimiterSetting) -> Double {
        // What is without end would be held for ever.
        held = min(max(band, held * (199.0 / 200)), 1e30)
        let margin = 3 * held
        let share = 2 * (peak + margin - setting.ceiling) / max(margin, 1e-9)
        return 1
            - top.push(peak + margin > setting.ceiling ? (share < 1 ? 1 - share : 0) : 1, setting.release)
    }

    /// Raises the peaks in the place for work to those of one channel: frames, and points between them.
    /// - Parameters:
    ///   - kernels: for each of the points behind a frame `2 side` taps.
    @_noLocks
    private mutating func raise(
        _ samples: UnsafeMutablePointer<Float>, _ count: Int, _ kernels: UnsafePointer<Float>, _ side: Int,
        points: Int
    ) {
        var before: Float = 0
        for i in -1..<count {
            var behind: Float = 0
            for point in 0..<points {
                behind = max(behind, abs(dot(kernels + point * 2 * side, samples + i + 1 - side, 2 * side)))
            }
            if i >= 0 {
                let peak = Double(max(max(before, behind), abs(samples[i])))
                if peak > work[i] { work[i] = peak }
            }
            before = behind
        }
    }

    /// Works out what is left behind the top band, as far as that is known; before the first frame is
    /// silence.
    @_noLocks
    private mutating func leaveTop(_ count: Int) {
        let first = given - Int64(Self.topDelay())
        let silent = Int(max(0, min(Int64(count), -first)))
        let end = Int(max(Int64(silent), min(Int64(count), ending == .max ? .max : ending - first)))
        for channel in 0..<x.count {
            let samples = x.channel(channel) + Self.xPast() - Self.topDelay()
            let (band, rest) = (
                q.channel(channel) + Self.qPast() - Self.topReach(), y.channel(channel) + yPast()
            )
            for i in 0..<silent { rest[i] = 0 }
            for i in end..<count { rest[i] = 0 }
            for i in silent..<end {
                rest[i] = work[i] == 0 ? samples[i] : Float(Double(samples[i]) - work[i] * Double(band[i]))
            }
        }
    }

    // MARK: - Peaks

    /// Works out the peaks of what is left, in the place for work.
    @_noLocks
    private mutating func lookForPeaks(_ count: Int) {
        for channel in 0..<y.count {
            let samples = y.channel(channel) + yPast() - Self.peakDelay()
            raise(samples, count, taps.short, LimiterTaps.shortSide(), points: 3)
            raise(samples, count, taps.printed, LimiterTaps.printedSide(), points: 4)
            raiseByLong(samples, count)
        }
    }

    /// Raises the peaks by the long taps too: at quarters, and at eighths by the six about each.
    @_noLocks
    private mutating func raiseByLong(_ samples: UnsafeMutablePointer<Float>, _ count: Int) {
        // Of the frames from two before one to the one behind it.
        var points = InlineArray<16, Float>(repeating: 0)
        for frame in 0..<3 { lay(&points, samples + frame - 3, at: 4 * (frame + 1)) }
        var before: Float = 0
        for i in -1..<count {
            for k in 0..<12 { points[k] = points[k + 4] }
            lay(&points, samples + i + 1, at: 12)
            let behind = highest(points)
            if i >= 0 {
                let peak = Double(max(max(before, behind), abs(points[8])))
                if peak > work[i] { work[i] = peak }
            }
            before = behind
        }
    }

    /// A frame and the quarters behind it.
    @_noLocks
    private mutating func lay(
        _ points: inout InlineArray<16, Float>, _ samples: UnsafeMutablePointer<Float>, at place: Int
    ) {
        let side = LimiterTaps.side()
        points[place] = samples[0]
        for quarter in 0..<3 {
            points[place + 1 + quarter] = dot(taps.long + quarter * 2 * side, samples + 1 - side, 2 * side)
        }
    }

    /// The highest of the quarters and the eighths behind the frame at the eighth of the points.
    @_noLocks
    private mutating func highest(_ points: InlineArray<16, Float>) -> Float {
        var highest: Float = 0
        for k in 8..<12 {
            if k > 8 { highest = max(highest, abs(points[k])) }
            let (one, two, three) = (
                points[k] + points[k + 1], points[k - 1] + points[k + 2], points[k - 2] + points[k + 3]
            )
            highest = max(highest, abs((150 * one - 25 * two + 3 * three) * (1 / 256)))
        }
        return highest
    }
}
