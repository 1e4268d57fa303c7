import AudioFile
import Files
import Realtime
import Speakers
import Synchronization
import Timeline

/// What one strip hears on its way to the disk: the memory of it, and its file.
package final class Capture: @unchecked Sendable {
    // Safe to share: the cursor is the audio thread's, what has no atomic is the recording thread's.
    let track: StripID
    /// Its strip's number.
    let strip: Int
    /// By whose playhead it records.
    let player: Int
    package let cursor: UnsafeMutablePointer<CaptureCursor>
    package let isOver = Atomic<Bool>(false)
    /// For ThreadSanitizer alone, which does not see that counted references order the recording thread's
    /// last read before the memory is given back.
    let lastRead = Atomic<Bool>(false)
    /// Guarded by the recorder's lock: what is being written.
    var pass = 0
    private let description: Guarded<Description>
    private let ring: SampleRing
    private let marks: Queue<CaptureMark>
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
        /// When its header last said how long it is, and how long it was then.
        var saved: (at: UInt64, frames: Int64)?
        /// What lies beside it.
        var mark: TakeMark?
    }

    /// 2.7 s at 48 kHz: what a disk may take for a breath.
    package static let frames = 131_072

    /// - Parameters:
    ///   - width: how many channels its strip has, as many or more.
    ///   - player: by whose playhead it records.
    ///   - strip: its strip's number; 0: it has none.
    package init(
        track: StripID, _ description: Description, width: Int, frames: Int = Capture.frames,
        player: Int = 0, strip: Int = 0
    ) {
        (self.track, self.strip, self.player) = (track, strip, player)
        self.description = Guarded(description)
        (ring, marks) = (SampleRing(capacity: frames, channels: width), Queue(capacity: 64))
        counters = LockedMemory.holding(CaptureCounters())
        cursor = LockedMemory.allocate(CaptureCursor.self)
        cursor.initialize(
            to: CaptureCursor(ring: ring, marks: marks, counters: counters, player: UInt8(player)))
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
    package struct Description: Sendable {
        var name: String
        var channels: Int

        package init(name: String, channels: Int) { (self.name, self.channels) = (name, channels) }
    }

    /// Control thread.
    /// - Returns: whether takes are wider or narrower now.
    func describe(_ next: Description) -> Bool {
        description.withLock { description in
            defer { description = next }
            return description.channels != next.channels
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

    /// What strips remembered where a pass began, at a frame of the timeline.
    package typealias Memory = (_ pass: Int, _ start: Int64) -> TakeMemory?

    /// Writes what the audio thread has given.
    /// - Parameters:
    ///   - known: names of files that takes do not get.
    ///   - memory: is kept in takes' files.
    /// - Returns: the takes that are whole now.
    package func write(
        to folder: String, of session: String, _ sampleRate: Int32, known: Set<FilePath> = [],
        _ memory: Memory = { _, _ in nil }
    ) -> [Take] {
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
            if goOn(as: mark) { finish(&takes, memory) }
            if mark.pass != failedPass, mark.kind == .take, open == nil {
                begin(mark, folder, sampleRate, known)
            }
        }
        // Whoever does not get to say that it is over has ended.
        if isOver.load(ordering: .acquiring), ring.written == taken { finish(&takes, memory) }
        if open?.failure != nil { finish(&takes, memory) }
        saveHeader()
        return takes
    }

    /// Goes on as a mark says, as far as that begins no take.
    /// - Returns: whether it ends the one that is open.
    private func goOn(as mark: CaptureMark) -> Bool {
        switch mark.kind {
        case .end:
            lead = nil
            fillGap(to: mark)
            return true
        case _ where mark.pass == failedPass: return false
        case .lead:
            lead = TakeLead(mark, places(description.withLock { $0.channels }))
            return true
        case .take:
            guard let open, open.pass == mark.pass else { return true }
            fillGap(to: mark)
            return false
        }
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

    private func begin(
        _ mark: CaptureMark, _ folder: String, _ sampleRate: Int32, _ known: Set<FilePath>
    ) {
        var next = OpenTake(
            writer: nil, start: mark.frame, pass: mark.pass, next: mark.frame, aired: Int64(mark.aired))
        defer { lead = nil }
        do throws(AudioFileError) {
            let take = description.withLock { $0 }
            let places = places(take.channels)
            next.writer = try TakeWriter(
                in: TakeWriter.Folder(folder, known: known), name: take.name, places: places,
                sampleRate: sampleRate, start: mark.frame,
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

    /// With the first frames, whenever there are twice as many, and twice a second: a program that is ended
    /// in the middle leaves at least half of what was recorded, and all but the last half second.
    private func saveHeader() {
        guard let open, open.failure == nil, open.next > open.start else { return }
        let frames = open.next - open.start
        if let saved = open.saved, frames < 2 * saved.frames,
            monotonicNanoseconds() < saved.at + 500_000_000
        {
            return
        }
        open.writer?.saveHeader()
        self.open?.saved = (monotonicNanoseconds(), frames)
    }

    private func finish(_ takes: inout [Take], _ memory: Memory) {
        guard var done = open else { return }
        open = nil
        if done.failure != nil { failedPass = done.pass }
        // A file without a frame goes: another is to keep it.
        let isThere = done.writer.map { $0.frames > 0 } ?? false
        let bytes = isThere ? memory(done.pass, done.start)?.bytes ?? [] : []
        do throws(AudioFileError) { try done.writer?.finish(memory: bytes) } catch {
            if done.failure == nil { done.failure = error }
        }
        takes.append(finished(done))
    }

    private func finished(_ done: OpenTake) -> Take {
        let frames = done.writer?.frames ?? 0
        if frames == 0, let path = done.writer?.path { TakeMark.remove(of: path) }
        return Take(
            track: track, path: done.writer?.path ?? "", start: done.start, frames: frames, lost: done.lost,
            aired: done.aired, pass: done.pass, failure: done.failure,
            finding: frames > 0 ? MediaFinding(SoundPlace(done.writer!.path)) : nil)
    }
}
