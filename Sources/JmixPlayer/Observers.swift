import Engine
import Timeline

/// Who follows a player: their streams end with it.
final class Observers {
    var status: [Int: AsyncStream<Player.Status>.Continuation] = [:]
    var time: [Int: (interval: MediaTime, last: Int64, continuation: AsyncStream<MediaTime>.Continuation)] =
        [:]
    var boundary: [Int: (times: [MediaTime], continuation: AsyncStream<MediaTime>.Continuation)] = [:]
    var ending: [Int: AsyncStream<MediaTime>.Continuation] = [:]
    var takes: [Int: AsyncStream<RecordedTake>.Continuation] = [:]

    func endTimes() {
        for observer in time.values { observer.continuation.finish() }
        for observer in boundary.values { observer.continuation.finish() }
        for observer in ending.values { observer.finish() }
        for observer in takes.values { observer.finish() }
        (time, boundary, ending, takes) = ([:], [:], [:], [:])
    }

    func close() {
        endTimes()
        for observer in status.values { observer.finish() }
    }

    deinit { close() }
}
