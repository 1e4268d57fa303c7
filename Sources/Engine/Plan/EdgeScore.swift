import Realtime
import Timeline

/// Where one line's sound goes, and what the timeline says of that. Shared in the same way. Control thread.
final class EdgeScore {
    let paths: LinePaths
    let pan: Envelopes?
    let closings: Closings?
    let sends: [Send]
    /// What its envelopes take of memory.
    var bytes: Int { sends.reduce(pan?.bytes ?? 0) { $0 + $1.envelopes.bytes + ($1.pan?.bytes ?? 0) } }

    /// - Parameter closings: what closes those sends that anything closes.
    init(_ paths: LinePaths, closedBy closings: Closings? = nil) {
        (self.paths, self.closings) = (paths, closings)
        pan = paths.pan.map { Envelopes($0) }
        sends = paths.sends.map {
            Send(
                path: $0, envelopes: Envelopes($0.envelopes),
                closings: $0.closings.isEmpty ? nil : closings,
                pan: $0.pan.map { Envelopes($0) }, matrix: $0.matrix.map { SendMatrixMemory($0) })
        }
    }

    /// What the timeline says of a send.
    struct Send {
        let path: LinePaths.SendPath
        let envelopes: Envelopes
        /// nil: none.
        let closings: Closings?
        let pan: Envelopes?
        let matrix: SendMatrixMemory?

        /// Whether the timeline says something else of it than `other` does.
        /// - Parameter isElsewhere: it is read elsewhere.
        func differs(from other: Send, isElsewhere: Bool) -> Bool {
            if isElsewhere || path.lag != other.path.lag {
                return [self, other].contains {
                    $0.envelopes.count > 0 || $0.closings != nil || $0.pan != nil
                }
            }
            return envelopes !== other.envelopes
                && (path.envelopes != other.path.envelopes || path.closings != other.path.closings
                    || path.pan != other.path.pan)
        }
    }
}

extension EdgeScore.Send {
    /// The same in the memory of the audio thread.
    /// - Parameter moments: of its line's player, by how far behind the playhead they are.
    func sound(_ moments: [Int64: Int]) -> SendSound {
        SendSound(
            envelopes: envelopes.pointer, envelopeCount: envelopes.count, closings: closings?.pointer,
            closingCount: closings?.count ?? 0, pan: pan?.pointer,
            matrix: matrix?.matrix, moment: moments[path.lag] ?? 0)
    }
}
