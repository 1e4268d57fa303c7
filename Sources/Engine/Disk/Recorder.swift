import AudioFile
import Realtime
import Speakers
import Synchronization
import Timeline

/// What has been recorded of one track in one go.
public struct Take: Sendable {
    /// What it was recorded of.
    public let track: StripID
    /// The file's path.
    public let path: String
    /// Where its first frame lies: where the sound was played to that it came in with, less all latency.
    public let start: Int64
    /// How long it is.
    public let frames: Int64
    /// How many of its frames are silent because they could not be written in time.
    public let lost: Int64
    /// By how many frames it was heard live later on the timeline than it lies.
    public let aired: Int64
    /// Takes of one number belong together.
    public let pass: Int
    /// Why it ends early, if it does.
    public let failure: AudioFileError?
    /// What there is to know of the file; nil where there is none.
    public let finding: MediaFinding?
}

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
        /// How often it has looked what there is to write.
        var turns = 0
        /// A file could not be written on, since somebody asked.
        var hasFailed = false
    }

    private let state = Guarded(State())
    private var worker: Worker?
    private let sampleRate: Int32

    /// Often enough that little waits, seldom enough that it costs nothing.
    private static let intervalMilliseconds = 50

    init(sampleRate: Int32) { self.sampleRate = sampleRate }

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

    /// Writes what there is left, ends the thread.
    func end() {
        worker?.end()
        worker = nil
    }

    /// Begins to take what a strip hears.
    func add(_ capture: Capture) {
        state.withLock { $0.captures.append(capture) }
        if worker == nil {
            worker = Worker("jmix-record", every: Self.intervalMilliseconds) { [unowned self] in turn() }
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
    func look() { worker?.wake() }
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

    /// Recording thread: writes what has come.
    func turn() {
        let (captures, folder, session) = state.withLock { ($0.captures, $0.folder, $0.session) }
        let over = captures.filter { $0.isOver.load(ordering: .acquiring) }
        let takes = captures.flatMap { $0.write(to: folder, of: session, sampleRate) }
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

/// What one strip hears on its way to the disk: the memory of it, and its file.
package final class Capture: @unchecked Sendable {
    // Safe to share: the cursor is the audio thread's, what has no atomic is the recording thread's.
    let track: StripID
    package let cursor: UnsafeMutablePointer<CaptureCursor>
    package let isOver = Atomic<Bool>(false)
    /// For ThreadSanitizer alone, which does not see that counted references order the recording thread's
    /// last read before the memory is given back.
    let lastRead = Atomic<Bool>(false)
    /// Guarded by the recorder's lock: what is being written.
    var pass = 0
    private let description: Guarded<Description>
    private let ring: SampleRing
    private let marks: CaptureMarks
    private let counters: UnsafeMutablePointer<CaptureCounters>

    // The recording thread's.
    private var open: OpenTake?
    /// What has come in before the first frame of the next take, while there is none.
    private var lead: TakeLead?
    private var taken = 0
    /// The pass whose file could not be written on: nothing more of it is.
    private var failedPass = 0

    /// A file that is being written.
    private struct OpenTake {
        /// nil: it could not be made.
        var writer: TakeWriter?
        let start: Int64
        let pass: Int
        /// The frame of the timeline that is written next.
        var next: Int64
        let aired: Int64
        var lost: Int64 = 0
        var failure: AudioFileError?
        var savedAt = monotonicNanoseconds()
        /// What lies beside it.
        var mark: TakeMark?
    }

    /// 2.7 s at 48 kHz: what a disk may take for a breath.
    package static let frames = 131_072

    /// - Parameters:
    ///   - name: what its files are called.
    ///   - channels: of its takes.
    ///   - width: how many channels its strip has, as many or more.
    package init(track: StripID, name: String, channels: Int, width: Int, frames: Int = Capture.frames) {
        self.track = track
        description = Guarded(Description(name: name, channels: channels))
        (ring, marks) = (SampleRing(capacity: frames, channels: width), CaptureMarks())
        counters = LockedMemory.allocate(CaptureCounters.self)
        counters.initialize(to: CaptureCounters())
        cursor = LockedMemory.allocate(CaptureCursor.self)
        cursor.initialize(to: CaptureCursor(ring: ring, marks: marks, counters: counters))
    }

    deinit {
        _ = lastRead.load(ordering: .acquiring)
        LockedMemory.free(cursor)
        counters.deinitialize(count: 1)
        LockedMemory.free(counters)
        ring.destroy()
        marks.destroy()
    }

    /// What a take is called and how wide it is, of those that are begun from now on.
    private struct Description {
        var name: String
        var channels: Int
    }

    /// Control thread.
    /// - Returns: whether takes are wider or narrower now.
    func describe(name: String, channels: Int) -> Bool {
        description.withLock { description in
            defer { description = Description(name: name, channels: channels) }
            return description.channels != channels
        }
    }

    /// By how many frames what comes in is later than what goes out. Control thread.
    /// nil: that is not known yet, and nothing is recorded.
    var latency: Int? {
        get { CaptureCounters.latency(counters.pointee.latency.load(ordering: .relaxed)) }
        set { counters.pointee.latency.store(newValue ?? -1, ordering: .relaxed) }
    }

    /// By how many frames what comes in is heard live later on the timeline than it is laid. Control thread.
    var aired: Int {
        get { counters.pointee.aired.load(ordering: .relaxed) }
        set { counters.pointee.aired.store(newValue, ordering: .relaxed) }
    }

    /// Frames for which there was no room.
    package var lost: Int { counters.pointee.lost.load(ordering: .relaxed) }

    // MARK: - Recording thread

    /// Of the file that is being written; 0 without one.
    package var presentPass: Int { open?.pass ?? 0 }

    /// Writes what the audio thread has given.
    /// - Returns: the takes that are whole now.
    package func write(to folder: String, of session: String, _ sampleRate: Int32) -> [Take] {
        defer { mark(session) }
        var takes: [Take] = []
        // In this order: a mark is there before the frames that it is for.
        let written = ring.written
        while true {
            let mark = marks.peek()
            let end = min(written, mark?.index ?? .max)
            writeFrames(to: end)
            guard let mark, mark.index <= written else { break }
            marks.drop()
            switch mark.kind {
            case .end:
                lead = nil
                fillGap(to: mark)
                finish(&takes)
            case _ where mark.pass == failedPass: continue
            case .lead:
                finish(&takes)
                lead = TakeLead(mark, places(description.withLock { $0.channels }))
            case .take:
                if let open, open.pass == mark.pass {
                    fillGap(to: mark)
                } else {
                    finish(&takes)
                    begin(mark, folder, sampleRate)
                }
            }
        }
        // Whoever does not get to say that it is over has ended.
        if isOver.load(ordering: .acquiring), ring.written == taken { finish(&takes) }
        if open?.failure != nil { finish(&takes) }
        saveHeader()
        return takes
    }

    /// Says beside the take whose it is, and says it anew where its track or its session is renamed.
    private func mark(_ session: String) {
        guard let present = open, let path = present.writer?.path else { return }
        let mark = TakeMark(
            take: path, session: session, track: description.withLock { $0.name }, start: present.start,
            aired: present.aired)
        if present.mark == mark { return }
        mark.write()
        open?.mark = mark
    }

    private func begin(_ mark: CaptureMark, _ folder: String, _ sampleRate: Int32) {
        var next = OpenTake(
            writer: nil, start: mark.frame, pass: mark.pass, next: mark.frame, aired: Int64(mark.aired))
        defer { lead = nil }
        do throws(AudioFileError) {
            let take = description.withLock { $0 }
            let places = places(take.channels)
            next.writer = try TakeWriter(
                folder: folder, name: take.name, places: places, sampleRate: sampleRate, start: mark.frame,
                lead: lead?.samples(before: mark, places) ?? [])
        } catch {
            next.failure = error
        }
        open = next
    }

    /// Where what comes in is heard on its strip.
    private func places(_ channels: Int) -> [Int] {
        guard let input = SpeakerLayout(rawValue: channels),
            let strip = SpeakerLayout(rawValue: ring.channels)
        else { return Array(0..<channels) }
        return ChannelChoice.places(of: input, on: strip)
    }

    private func writeFrames(to end: Int) {
        while taken < end {
            let run = min(end - taken, ring.contiguous(from: taken))
            let samples = ring.samples(from: taken)
            lead?.add(samples, run)
            attempt { writer throws(AudioFileError) in try writer.write(samples, count: run) }
            open?.next += Int64(run)
            taken += run
            ring.consume(upTo: taken)
        }
    }

    private func fillGap(to mark: CaptureMark) {
        guard let open, mark.frame > open.next else { return }
        let missing = mark.frame - open.next
        attempt { writer throws(AudioFileError) in try writer.writeSilence(missing) }
        self.open?.lost += Int64(mark.lost)
        self.open?.next = mark.frame
    }

    /// Once it has failed, nothing more is tried: what is there stays.
    private func attempt(_ body: (TakeWriter) throws(AudioFileError) -> Void) {
        guard let writer = open?.writer, open?.failure == nil else { return }
        do throws(AudioFileError) { try body(writer) } catch { open?.failure = error }
    }

    private func saveHeader() {
        guard let open, open.failure == nil, monotonicNanoseconds() >= open.savedAt + 500_000_000 else {
            return
        }
        open.writer?.saveHeader()
        self.open?.savedAt = monotonicNanoseconds()
    }

    private func finish(_ takes: inout [Take]) {
        guard var done = open else { return }
        open = nil
        if done.failure != nil { failedPass = done.pass }
        do throws(AudioFileError) { try done.writer?.finish() } catch {
            if done.failure == nil { done.failure = error }
        }
        let frames = done.writer?.frames ?? 0
        if frames == 0, let path = done.writer?.path { TakeMark.remove(of: path) }
        takes.append(
            Take(
                track: track, path: done.writer?.path ?? "", start: done.start, frames: frames,
                lost: done.lost, aired: done.aired, pass: done.pass, failure: done.failure,
                finding: frames > 0 ? MediaFinding(SoundPlace(done.writer!.path)) : nil))
    }
}

/// What came in for a track from when a pass began until what was played then came in: it was heard live
/// where the take begins.
private struct TakeLead {
    private let pass: Int
    private let start: Int64
    private let places: [Int]
    private var interleaver = Interleaver()
    private var samples: [Float] = []

    /// Latencies are shorter than that, in frames.
    private static let longest = 1 << 20

    init(_ mark: CaptureMark, _ places: [Int]) {
        (pass, start, self.places) = (mark.pass, mark.frame, places)
    }

    mutating func add(_ block: Channels, _ count: Int) {
        guard samples.count < Self.longest * places.count else { return }
        samples += interleaver.lay(block, places, count).prefix(count * places.count)
    }

    /// As much of it as was heard at the take's own frames; silence where the pass was over before those came
    /// in.
    func samples(before mark: CaptureMark, _ places: [Int]) -> [Float] {
        let gap = mark.frame - start - Int64(samples.count / places.count)
        guard mark.pass == pass, places == self.places, (0...Int64(Self.longest)).contains(gap) else {
            return []
        }
        let silence = [Float](repeating: 0, count: Int(gap) * places.count)
        return Array((samples + silence).suffix(max(0, mark.aired) * places.count))
    }
}
