import Realtime
import Speakers

/// What makes the channels of one layout of those of another. Audio thread: read only.
struct Matrix {
    /// In the order in which they are added.
    let parts: UnsafePointer<MatrixPart>
    let count: Int
}

/// How much of one channel goes to another.
struct MatrixPart {
    let from: Int
    let to: Int
    let gain: Double
}

/// Owns a matrix for each two layouts, found by how many channels both have (`SpeakerLayout.parts`).
struct MatrixTable {
    private let parts: UnsafeMutablePointer<MatrixPart>
    private let matrices: UnsafeMutablePointer<Matrix>
    private let partCount: Int
    private let width = SpeakerLayout.maximumChannels + 1

    init() {
        let pairs = SpeakerLayout.allCases.flatMap { from in SpeakerLayout.allCases.map { (from, $0) } }
        let lists = pairs.map { $0.parts(to: $1) }
        partCount = lists.reduce(0) { $0 + $1.count }
        parts = LockedMemory.allocate(MatrixPart.self, partCount)
        matrices = LockedMemory.allocate(Matrix.self, width * width)
        matrices.initialize(repeating: Matrix(parts: parts, count: 0), count: width * width)
        var place = 0
        for ((from, to), list) in zip(pairs, lists) {
            matrices[from.channels * width + to.channels] = Matrix(parts: parts + place, count: list.count)
            for part in list {
                (parts + place).initialize(to: MatrixPart(from: part.from, to: part.to, gain: part.gain))
                place += 1
            }
        }
    }

    func deallocate() {
        LockedMemory.free(parts, partCount)
        LockedMemory.free(matrices, width * width)
    }

    /// From so many channels to so many. Audio thread too; wait-free.
    @_noLocks
    func matrix(from: Int, to: Int) -> Matrix { matrices[from * width + to] }
}
