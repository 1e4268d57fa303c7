import Realtime
import Timeline

/// Owns the matrix of one send. Control thread.
final class SendMatrixMemory {
    let matrix: Matrix
    private let parts: UnsafeMutablePointer<MatrixPart>

    init(_ matrix: SendMatrix) {
        let own = matrix.parts
        parts = LockedMemory.allocate(MatrixPart.self, own.count)
        for (place, part) in own.enumerated() {
            (parts + place).initialize(to: MatrixPart(from: part.from, to: part.to, gain: part.gain))
        }
        self.matrix = Matrix(parts: parts, count: own.count)
    }

    deinit { LockedMemory.free(parts, matrix.count) }
}
