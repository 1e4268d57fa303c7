import Engine
import TestSupport
import Testing
import Timeline

/// Random gates, compressors, keys and ducks, turned while it plays, stops, goes elsewhere and is edited,
/// against slow code that knows the formulas.
@Suite struct DynamicsModelTests {
    @Test func dynamicsAreAsTheFormulasSay() throws {
        let count: UInt64 = environmentNumber("JMIX_DYNAMICS_SEQUENCES") ?? 150
        let first: UInt64 =
            environmentNumber("JMIX_DYNAMICS_SEED") ?? .random(in: 0...UInt64(UInt32.max))
        print("\(count) sequences of dynamics from seed \(first)")
        let folder = TemporaryFolder()
        for track in 0..<4 {
            try folder.file("\(track).wav", frames: 40000) { n in
                (DynamicsDuel.sample(track, n), DynamicsDuel.sample(track, n))
            }
        }
        var faults = 0
        for seed in first..<first + count {
            guard let fault = DynamicsDuel(seed: seed, library: folder.library).play(callbacks: 40) else {
                continue
            }
            Issue.record("seed \(seed): \(fault)")
            faults += 1
            if faults == 5 { break }
        }
    }
}
