import Realtime
import Timeline

/// What a limiter looks between frames with, and what it takes the highest frequencies out with. Made once,
/// by sums and products that give the same bits on every processor.
///
/// A point at `quarter` / 4 behind frame n is the sum of h(t) x over the frames around it, with h(t) =
/// sinc(t) I0(b sqrt(1 - (t / side)^2)) / I0(b) at their distances t (J. F. Kaiser's window). The short one,
/// of 16 frames a side and b = 9, sees what meters with other filters see; the long one, of 48 frames
/// and b = 3, what lies between them close to half the rate. The third is the filter that BS.1770-5 prints.
/// The top band is a Hann window of 47 frames moved there.
struct LimiterTaps {
    /// For the quarters 1 to 3, one after another: `2 side` taps each, for the frames from n + 1 - side to n
    /// + side.
    let long: UnsafeMutablePointer<Float>
    let short: UnsafeMutablePointer<Float>
    /// For the phases 0 to 3 of the filter in Annex 2 of BS.1770-5, one after another: 16 taps each, for
    /// the frames from n - 7 to n + 8.
    let printed: UnsafeMutablePointer<Float>
    /// One that is zero, then those of the frames from n - 23 to n + 23.
    let top: UnsafeMutablePointer<Float>

    @_noLocks
    static func side() -> Int { 48 }
    @_noLocks
    static func shortSide() -> Int { 16 }
    @_noLocks
    static func printedSide() -> Int { 8 }
    @_noLocks
    static func topSide() -> Int { 24 }

    /// Kept for as long as the program runs. Not on the audio thread.
    nonisolated(unsafe) static let all = LimiterTaps()

    private init() {
        long = Self.kernels(side: Self.side(), shape: 3)
        short = Self.kernels(side: Self.shortSide(), shape: 9)
        printed = Self.printedKernels()
        let topSide = Self.topSide()
        top = LockedMemory.allocate(Float.self, 2 * topSide)
        // Whatever lay in its memory.
        top[0] = 0
        for k in 1 - topSide..<topSide {
            // cos(pi k / 24) as the sine of so many quarter turns.
            let turns = 1 - 2 * Double(abs(k)) / Double(topSide)
            let cosine = turns < 0 ? -sineOfQuarterTurns(-turns) : sineOfQuarterTurns(turns)
            top[topSide + k] = Float((0.5 + 0.5 * cosine) / Double(topSide) * (k % 2 == 0 ? 1 : -1))
        }
    }

    private static func kernels(side: Int, shape: Double) -> UnsafeMutablePointer<Float> {
        let taps = LockedMemory.allocate(Float.self, 3 * 2 * side)
        for quarter in 1...3 {
            // sin(pi t) at t = quarter / 4 - frame, but for its sign.
            let sine = quarter == 2 ? 1 : 0.5.squareRoot()
            for place in 0..<2 * side {
                let frame = place + 1 - side
                let t = Double(quarter) / 4 - Double(frame)
                let (x, sign) = (t / Double(side), frame % 2 == 0 ? 1.0 : -1.0)
                taps[(quarter - 1) * 2 * side + place] = Float(
                    sign * sine / (.pi * t) * (bessel(shape * (1 - x * x).squareRoot()) / bessel(shape)))
            }
        }
        return taps
    }

    /// Its phases 2 and 3 are its phases 1 and 0 from the end.
    private static func printedKernels() -> UnsafeMutablePointer<Float> {
        let first: [Float] = [
            0.0017089843750, 0.0109863281250, -0.0196533203125, 0.0332031250000, -0.0594482421875,
            0.1373291015625, 0.9721679687500, -0.1022949218750, 0.0476074218750, -0.0266113281250,
            0.0148925781250, -0.0083007812500,
        ]
        let second: [Float] = [
            -0.0291748046875, 0.0292968750000, -0.0517578125000, 0.0891113281250, -0.1665039062500,
            0.4650878906250, 0.7797851562500, -0.2003173828125, 0.1015625000000, -0.0582275390625,
            0.0330810546875, -0.0189208984375,
        ]
        let taps = LockedMemory.allocate(Float.self, 4 * 2 * printedSide())
        taps.initialize(repeating: 0, count: 4 * 2 * printedSide())
        for (phase, row) in [first, second, second.reversed(), first.reversed()].enumerated() {
            // A filter's first tap is for the newest frame, n + 6.
            for (k, tap) in row.enumerated() { taps[phase * 2 * printedSide() + 13 - k] = tap }
        }
        return taps
    }

    /// I0, the modified Bessel function of order 0, by its series.
    private static func bessel(_ z: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for k in 1..<60 {
            let factor = z / Double(2 * k)
            term *= factor * factor
            sum += term
        }
        return sum
    }
}

/// The sum of products over `count` frames, a multiple of eight, always in the same order.
@_noLocks
func dot(_ taps: UnsafePointer<Float>, _ samples: UnsafePointer<Float>, _ count: Int) -> Float {
    var sums = SIMD8<Float>(repeating: 0)
    var i = 0
    while i < count {
        sums += load(taps + i) * load(samples + i)
        i += 8
    }
    let four = sums.lowHalf + sums.highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
}
