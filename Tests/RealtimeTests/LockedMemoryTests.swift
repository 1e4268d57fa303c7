import Foundation
import Realtime
import TestSupport
import Testing

@Suite struct LockedMemoryTests {
    @Test func piecesOfAllSizesLieApartFromEachOther() async {
        // Several threads at once, as the control thread and the disk threads are.
        await withTaskGroup(of: Void.self) { group in
            for seed in 1...4 {
                group.addTask {
                    var random = Seeded(state: UInt64(seed))
                    var held: [(memory: UnsafeMutablePointer<Int>, count: Int, mark: Int)] = []
                    for mark in 0..<600 {
                        if held.count > 40, Bool.random(using: &random) {
                            let piece = held.remove(at: Int.random(in: held.indices, using: &random))
                            #expect((0..<piece.count).allSatisfy { piece.memory[$0] == piece.mark })
                            LockedMemory.free(piece.memory, piece.count)
                        } else {
                            let count = [0, 1, 7, 8, 9, 64, 1000, 5000, 40_000].randomElement(using: &random)!
                            let memory = LockedMemory.allocate(Int.self, count)
                            #expect(Int(bitPattern: memory) % 64 == 0)
                            memory.initialize(repeating: mark * 8 + seed, count: count)
                            held.append((memory, count, mark * 8 + seed))
                        }
                    }
                    for piece in held {
                        #expect((0..<piece.count).allSatisfy { piece.memory[$0] == piece.mark })
                        LockedMemory.free(piece.memory, piece.count)
                    }
                }
            }
        }
    }

    /// In a process of its own: there nobody else takes memory or gives any back.
    @Test func freedMemoryIsGivenAgainAndNoMoreIsKeptThanIsInUse() async {
        await #expect(processExitsWith: .success) {
            let count = 256 << 20 / 8
            func megabytes() throws -> Int {
                let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS") })
                return try #require(Int(line.split(whereSeparator: { !$0.isNumber })[0])) / 1024
            }
            let before = try megabytes()
            let first = LockedMemory.allocate(Int.self, count)
            let second = LockedMemory.allocate(Int.self, count)
            // The sanitizers take the call that locks, and so meets, pages for themselves.
            memset(first, 0, count * 8)
            memset(second, 0, count * 8)
            #expect(try megabytes() > before + 400)
            LockedMemory.free(second, count)
            #expect(LockedMemory.allocate(Int.self, count) == second)
            LockedMemory.free(first, count)
            LockedMemory.free(second, count)
            #expect(try megabytes() < before + 200)
        }
    }
}
