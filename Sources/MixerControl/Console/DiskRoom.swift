import Files
import Realtime
import Remote
import Timeline

/// How much room there is on the disk that takes go to. The disk is asked on the files' thread, every five
/// seconds, so one that hangs holds nobody up.
struct DiskRoom {
    private var folder: String?
    private var bytes: Int64?
    /// In nanoseconds of the monotonic clock.
    private var askedAt: UInt64 = 0
    private var toldAt: UInt64 = 0
    private var isAsked = false

    /// Bytes that are free in `folder`; nil until the disk has said so, and where it has not for a minute.
    func freeBytes(in folder: String, now: UInt64 = monotonicNanoseconds()) -> Int64? {
        folder == self.folder && now < toldAt + 60_000_000_000 ? bytes : nil
    }

    /// Whether the disk is to be asked now; then it counts as asked.
    mutating func shallAsk(for folder: String, now: UInt64 = monotonicNanoseconds()) -> Bool {
        guard !isAsked, folder != self.folder || now >= askedAt + 5_000_000_000 else { return false }
        (isAsked, askedAt) = (true, now)
        return true
    }

    mutating func take(_ bytes: Int64?, in folder: String, now: UInt64 = monotonicNanoseconds()) {
        (self.bytes, self.folder, toldAt, isAsked) = (bytes, folder, now, false)
    }
}

extension Console {
    /// Asks the disk from time to time what it has left.
    package func askForRoom() {
        let folder = store.folder
        guard room.shallAsk(for: folder) else { return }
        looks.perform {
            Path.freeBytes(on: folder)
        } then: { [self] in
            room.take($0, in: folder)
        }
    }

    /// For how many seconds what is armed can be recorded, or else all inputs, with so many bytes; nil
    /// without inputs.
    func recordingSeconds(within bytes: Int64) -> Double? {
        let inputs = session.tracks.filter { $0.input != nil }
        let armed = inputs.filter(\.isArmed)
        let channels = (armed.isEmpty ? inputs : armed).compactMap(\.input?.channels).reduce(0, +)
        guard channels > 0 else { return nil }
        return Double(bytes) / Double(channels * MemoryLayout<Float>.size) / Double(engine.sampleRate)
    }
}
