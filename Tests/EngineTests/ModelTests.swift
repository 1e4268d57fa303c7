import Engine
import TestSupport
import Testing
import Timeline

private let rate = Duel.rate
private let fade = Duel.fade

/// Random orders, any number of them between two callbacks of any size, on disks fast and slow, against the
/// contract in slow code.
@Suite struct ModelTests {
    /// As many sequences as `JMIX_MODEL_SEQUENCES` says, from the seed `JMIX_MODEL_SEED` on, in two parts at
    /// once. Without that each run tries others.
    @Test(arguments: [0, 1]) func ordersInAnyOrderSoundAsTheContractSays(
        part: Int
    ) throws {
        let count = (environmentNumber("JMIX_MODEL_SEQUENCES") ?? 6_000) / 2
        let seed = firstSeed("JMIX_MODEL_SEED")
        let first = seed + UInt64(part * count)
        let folder = TemporaryFolder()
        for file in 0..<3 {
            try folder.file("\(file).wav", frames: 12000, rate: rate) { n in
                (Oracle.sample(file, n), Oracle.sample(file, n))
            }
        }
        let library = folder.library
        var (faults, frames) = (0, 0)
        for seed in first..<first + UInt64(count) {
            let way = DuelWay(
                period: [64, 300][Int(seed % 2)],
                disk: [.prompt, .everySoOften(160), .stalling][Int(seed % 3)])
            let duel = Duel(seed: seed, way: way, library: library)
            if let fault = duel.play(callbacks: 40) {
                faults += 1
                Issue.record("seed \(seed): \(fault)")
                if faults == 5 { break }
            }
            frames += duel.frames
        }
        print("\(count) sequences from seed \(first), \(frames) frames compared")
    }
}
