import Engine
import TestSupport
import Testing
import Timeline

/// Random gates, compressors, keys and ducks, turned while it plays, stops, goes elsewhere and is edited,
/// against slow code that knows the formulas.
@Suite struct DynamicsModelTests {
    /// Sequences that found faults which the first few hundred do not find.
    private static let found: [UInt64] = [1_084_593_696, 1_665_104_192]

    @Test func dynamicsAreAsTheFormulasSay() throws {
        let count: UInt64 = environmentNumber("JMIX_DYNAMICS_SEQUENCES") ?? 300
        let first: UInt64 = environmentNumber("JMIX_DYNAMICS_SEED") ?? 1
        print("\(count) sequences of dynamics from seed \(first)")
        let folder = TemporaryFolder()
        for track in 0..<4 {
            try folder.file("\(track).wav", frames: 40000) { n in
                (DynamicsDuel.sample(track, n), DynamicsDuel.sample(track, n))
            }
        }
        var faults = 0
        for seed in Self.found + Array(first..<first + count) {
            guard let fault = DynamicsDuel(seed: seed, library: folder.library).play(callbacks: 40) else {
                continue
            }
            Issue.record("seed \(seed): \(fault)")
            faults += 1
            if faults == 5 { break }
        }
    }
}
