import AudioFile
import Files
import Realtime
import Speakers
import Synchronization
import Timeline

/// Writes to the disk what strips hear that are armed, on a thread of its own. Made and told by the control
/// thread.
public final class Recorder: @unchecked Sendable {
    // Safe to share: what threads share is behind `state`; a capture's disk side is the recording thread's
    // alone.
    private struct State {
        var captures: [Capture] = []
        /// Each with the turn in which it became whole.
        var takes: [(turn: Int, take: Take)] = []
        var folder = "."
        var session = ""
        /// What strips are called, by their numbers.
        var names: [Int: String] = [:]
        /// The files that clips play, or have played, without their folders.
        var files: Set<FilePath> = []
        /// How often it has looked what there is to write.
        var turns = 0
        /// A file could not be written on, since somebody asked.
        var hasFailed = false
    }

    private let state = Guarded(State())
    private var worker: Worker?
    private let sampleRate: Int32
    private let memoryLog: MemoryLog?
    /// The recording thread's.
    private var notes = MemoryNotes()

    /// Often enough that little waits, seldom enough that it costs nothing.
    private static let intervalMilliseconds = 50

    /// - Parameter memoryLog: there it is told what strips remember where a recording begins.
    init(sampleRate: Int32, _ memoryLog: MemoryLog?) {
        (self.sampleRate, self.memoryLog) = (sampleRate, memoryLog)
    }

    /// Where files go that are begun from now on; it is made with the first.
    var folder: String {
        get { state.withLock { $0.folder } }
        set { state.withLock { $0.folder = newValue } }
    }

    /// The name of the session's file, of which takes say that they are.
    var session: String {
        get { state.withLock { $0.session } }
        set { state.withLock { $0.session = newValue } }
    }

    /// What strips are called, by their numbers.
    var names: [Int: String] {
        get { state.withLock { $0.names } }
        set { state.withLock { $0.names = newValue } }
    }

    /// No take gets one of these names from now on: those of files that clips play, or have played, without
    /// their folders.
    func add(_ files: Set<FilePath>) { state.withLock { $0.files.formUnion(files) } }

    /// Writes what there is left, ends the thread.
    func stop() {
        worker?.stop()
        worker = nil
    }

    /// Begins to take what a strip hears.
    func add(_ capture: Capture) {
        state.withLock { $0.captures.append(capture) }
        start()
    }

    /// Something is recorded from now on: there is something to take.
    func start() {
        if worker == nil {
            worker = Worker("jmix-record", every: Self.intervalMilliseconds) { [unowned self] in drain() }
        }
    }

    /// The audio thread gives it nothing any more: what it has is written, and it goes.
    func leave(_ capture: Capture) {
        capture.isOver.store(true, ordering: .releasing)
        worker?.wake()
    }

    /// How often it has looked what there is to write.
    var turns: Int { state.withLock { $0.turns } }
    /// Soon, once more.
    func wake() { worker?.wake() }
    /// Files are being written, or takes wait to be asked for.
    var isBusy: Bool {
        state.withLock { state in !state.takes.isEmpty || state.captures.contains { $0.pass != 0 } }
    }

    /// Whether a file could not be written on since the last call.
    func takeFailure() -> Bool {
        state.withLock { state in
            defer { state.hasFailed = false }
            return state.hasFailed
        }
    }

    /// The first pass of which something is being written or waits to be asked for.
    var oldestPass: Int {
        state.withLock { state in
            (state.captures.map(\.pass).filter { $0 > 0 } + state.takes.map(\.take.pass)).min() ?? .max
        }
    }

    /// The takes that are whole since the last call: of each pass all that has come in or none, one pass
    /// after another.
    func takeFinished() -> [Take] {
        let hasEnded = worker == nil
        return state.withLock { state in
            let oldest = state.captures.map(\.pass).filter { $0 > 0 }.min() ?? .max
            // What ended with them may not have been looked at in the same turn.
            let turns = state.turns
            func isWhole(_ item: (turn: Int, take: Take)) -> Bool {
                hasEnded || item.take.pass < oldest && item.turn < turns
            }
            let newest = state.takes.filter { !isWhole($0) }.map(\.take.pass).min() ?? .max
            let whole = state.takes.filter { isWhole($0) && $0.take.pass < newest }.map(\.take)
            state.takes.removeAll { isWhole($0) && $0.take.pass < newest }
            return whole.sorted { $0.pass < $1.pass }
        }
    }

    private func readNotes() { if let memoryLog { notes.read(memoryLog) } }

    /// Recording thread: writes what has come.
    func drain() {
        let present = state.withLock { $0 }
        let captures = present.captures
        let over = captures.filter { $0.isOver.load(ordering: .acquiring) }
        readNotes()
        let takes = captures.flatMap { capture in
            capture.write(to: present.folder, of: present.session, sampleRate, known: present.files) {
                pass, start in
                // What was noted in a take is there before what comes behind it. Only the first player's
                // lines are noted.
                readNotes()
                if capture.player != 0 { return nil }
                return notes.memory(of: pass, from: start, own: capture.strip, present.names)
            }
        }
        for capture in captures { capture.lastRead.store(true, ordering: .releasing) }
        // All at once: what belongs together is found together.
        state.withLock { state in
            state.turns += 1
            state.takes += takes.map { (state.turns, $0) }
            if takes.contains(where: { $0.failure != nil }) { state.hasFailed = true }
            for capture in captures { capture.pass = capture.presentPass }
            state.captures.removeAll { capture in over.contains { $0 === capture } }
        }
    }
}
