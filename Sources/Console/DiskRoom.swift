import Files
import Realtime
import Remote
import Timeline

/// How much room there is on the disk that takes go to. The disk is asked on the files' thread, every five
/// seconds, so one that hangs holds nobody up.
struct DiskRoom {
    private var folder: String?
    private var bytes: Int64?
    private var obstacle: String?
    /// In nanoseconds of the monotonic clock.
    private var askedAt: UInt64 = 0
    private var toldAt: UInt64 = 0
    private var isAsked = false

    /// Bytes that are free in `folder`; nil until the disk has said so, and where it has not for a minute.
    func freeBytes(in folder: String, now: UInt64 = monotonicNanoseconds()) -> Int64? {
        folder == self.folder && now < toldAt + 60_000_000_000 ? bytes : nil
    }

    /// Why no take can be begun for a session in `folder`, as far as the disk has said so.
    func obstacle(in folder: String, now: UInt64 = monotonicNanoseconds()) -> String? {
        folder == self.folder && now < toldAt + 60_000_000_000 ? obstacle : nil
    }

    /// Somebody has been refused: who sets it right does not wait.
    mutating func askSoon() { askedAt = 0 }

    /// Whether the disk is to be asked now; then it counts as asked.
    mutating func shallAsk(for folder: String, now: UInt64 = monotonicNanoseconds()) -> Bool {
        guard !isAsked, folder != self.folder || now >= askedAt + 5_000_000_000 else { return false }
        (isAsked, askedAt) = (true, now)
        return true
    }

    mutating func receive(
        _ bytes: Int64?, _ obstacle: String?, in folder: String, now: UInt64 = monotonicNanoseconds()
    ) {
        (self.bytes, self.obstacle, self.folder, toldAt, isAsked) = (bytes, obstacle, folder, now, false)
    }
}

extension Console {
    /// Asks the disk from time to time what it has left.
    package func askForRoom() {
        let folder = store.folder
        guard room.shallAsk(for: folder) else { return }
        inspections.perform {
            (Path.freeBytes(on: folder), Path.obstacle(toFolder: "takes", in: folder))
        } then: { [self] in
            room.receive($0.0, $0.1, in: folder)
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
