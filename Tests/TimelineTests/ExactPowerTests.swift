import Foundation
import TestSupport
import Testing
import Timeline

/// Powers that are the same on every processor, beside the C library's, which are within a last place of what
/// is right.
@Suite struct ExactPowerTests {
    @Test func gainsAreTheNearestNumbers() {
        // Rounded from 60 digits.
        let known: [(Double, Double)] = [
            (0, 1), (-6, 0.5011872336272722), (12, 3.9810717055349727), (20, 10), (-20, 0.1), (-100, 1e-5),
            (-62.4, 0.0007585775750291839),
            (-0.1, 0.9885530946569389), (6.0205999132796239, 2), (-6.0205999132796239, 0.5),
            (-144, 6.309573444801932e-08),
        ]
        for (level, gain) in known { #expect(Volume.gain(level: level) == gain, "\(level) dB") }
    }

    @Test func theyAreWithinALastPlaceOfTheLibrarys() {
        var random = Seeded(state: 5)
        for _ in 0..<200_000 {
            let level = Double(Int64(bitPattern: random.next()) % 200_000) / 1000
            let (mine, other) = (Volume.gain(level: level), pow(10, level / 20))
            // 10^(x / 20) is asked of x / 20 there, which is rounded: that moves it by up to |x| / 20 ln 10
            // last places more.
            #expect(abs(mine - other) <= other.ulp * (1 + abs(level) / 20 * 2.31), "\(level) dB")
            let x = Double(Int64(bitPattern: random.next()) % 1_000_000) / 1000
            #expect(abs(ExactPower.ofTwo(x) - exp2(x)) <= exp2(x).ulp, "2^\(x)")
        }
    }

    @Test func wholePowersAreExactAndTheEndsAreHeld() {
        for exponent in -1021...1023 { #expect(ExactPower.ofTwo(Double(exponent)) == scalbn(1.0, exponent)) }
        #expect(
            ExactPower.ofTwo(-2000) == 0 && ExactPower.ofTwo(-.infinity) == 0
                && ExactPower.ofTwo(2000) == .infinity)
        #expect(ExactPower.ofTwo(.nan).isNaN)
        #expect(Volume.gain(level: -.infinity) == 0)
    }

    @Test func aFadersLawHoldsAtItsEnds() {
        #expect(FaderLaw.gain(position: 0) == 0 && FaderLaw.gain(position: 1) == 2)
        for step in 1...1000 {
            let position = Double(step) / 1000
            #expect(abs(FaderLaw.position(gain: FaderLaw.gain(position: position)) - position) < 1e-12)
        }
    }
}
