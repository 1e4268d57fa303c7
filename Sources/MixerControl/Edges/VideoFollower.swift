import Console
import Files
import Glibc
import JSON
import Logging
import Loop
import Realtime
import Timeline

/// Has mpv show the session's movie where the mixer is: it plays when that rolls, stands where that stands,
/// and is kept within a frame by going a little faster or slower (mpv's JSON IPC).
package final class VideoFollower: EventSource {
    private let console: Console
    private let log = Logger(label: "jmix")
    private var process: ChildProcess?
    /// Those that are about to end: nobody waits for them.
    private var ending: [ChildProcess] = []
    /// This end of what mpv listens to; -1: it does not run.
    private var socket: Int32 = -1
    private var received: [UInt8] = []
    /// What it has not taken yet.
    private var unsent: [UInt8] = []
    private var lookAt: UInt64 = 0

    /// The movie that it was sent.
    private var shown: (file: FilePath, folder: String)?
    /// What it has been told; nil: that may not stand any more.
    private var isPaused: Bool?
    private var speed: Double?
    /// Where it was sent, or where it would be by now if it plays on, and when that was.
    private var expected: (seconds: Double, at: UInt64)?
    /// Where it stood last though it was to stand elsewhere.
    private var stood: Double?
    private var askedAt: UInt64 = 0
    /// An answer is still to come.
    private var isAsked = false
    /// How many movies it was sent: what it says of one is not taken for another's.
    private var loads = 0
    /// Seconds of a frame of its, and of all of it, its sound too.
    private var frame = 0.04
    private var duration: Double?
    /// It shows its last picture.
    private var isOver = false
    /// Where the mixer has been, as far back as what is heard now, the oldest first.
    private var past: [Moment] = []

    private static let interval: UInt64 = 20_000_000
    private static let askInterval: UInt64 = 100_000_000
    private static let askIntervalAtStandstill: UInt64 = 250_000_000
    /// Farther off than this it is sent there at once.
    private static let farOff = 0.5
    /// What is heard later than this, in seconds, is not waited for.
    private static let latest = 10.0
    /// What lies between it and mpv at most, in bytes: one that is slow is told what holds then, and not all
    /// that held before.
    private static let queue: Int32 = 16384
    /// What is asked of it, or observed.
    private enum Question: Int {
        case place = 1
        case pace, length, pause, isOver
    }

    /// Where the mixer was at a time.
    private struct Moment {
        let at: UInt64
        let place: Double
        let isRolling: Bool
    }

    /// Shows nothing until the session has a movie.
    package init(_ console: Console) { self.console = console }

    /// - Throws: `Failure`: mpv is not installed.
    package static func check() throws(Failure) {
        guard ChildProcess.path(of: "mpv") != nil else {
            throw Failure("--video-sync shows the movie with mpv, which is not installed: apt install mpv")
        }
    }

    /// Ends the picture at once: mpv has nothing to save.
    package func close() {
        if socket >= 0 { Glibc.close(socket) }
        if let process {
            process.kill()
            ending.append(process)
        }
        (socket, process, unsent, received) = (-1, nil, [], [])
    }

    package var descriptors: [pollfd] {
        socket < 0 ? [] : [pollfd(fd: socket, events: Int16(POLLIN), revents: 0)]
    }
    package var dueAt: UInt64? { lookAt }

    package func dispatch() {
        let now = monotonicNanoseconds()
        hear()
        guard now >= lookAt else { return }
        lookAt = now + Self.interval
        remember(now)
        ending.removeAll { $0.hasEnded }
        let video = console.session.video
        if video?.file != shown?.file || video != nil && console.library.folder != shown?.folder {
            show(video)
        }
        guard let video, socket >= 0 else { return }
        // Whoever closes its window has seen enough.
        if process?.hasEnded == true { return lose() }
        if flush() { follow(heard(now) - video.offset, now) }
    }

    private func lose() {
        log.notice("the picture is closed")
        close()
    }

    // MARK: - What is heard

    /// What is mixed now takes its way to the loudspeakers: what is heard was mixed so long ago.
    private func heardAt(_ now: UInt64) -> UInt64 {
        let late = Double(console.server?.latency ?? 0) / Double(console.engine.sampleRate)
        return now - UInt64(min(max(0, late), Self.latest) * 1e9)
    }

    private func remember(_ now: UInt64) {
        past.append(
            Moment(
                at: now, place: Double(console.engine.frame) / Double(console.engine.sampleRate),
                isRolling: console.transport.isRolling))
        let heardAt = heardAt(now)
        past.removeFirst(max(0, (past.firstIndex { $0.at > heardAt } ?? past.count) - 1))
    }

    /// What is heard, in seconds of the timeline.
    private func heard(_ now: UInt64) -> Double {
        let heardAt = heardAt(now)
        return past[0].place
            + (past[0].isRolling && heardAt > past[0].at ? Double(heardAt - past[0].at) / 1e9 : 0)
    }

    private func show(_ video: Video?) {
        shown = video.map { ($0.file, console.library.folder) }
        (frame, duration, isOver, loads) = (0.04, nil, false, loads + 1)
        forget()
        guard let video else { return close() }
        if socket < 0 { start() }
        say(["loadfile", .string(Path.absolute(console.library.path(of: video.file)))], always: true)
    }

    private func start() {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else {
            return log.warning("the picture cannot be shown: \(String(cString: strerror(errno)))")
        }
        Self.makeOurs(ends[0])
        defer { Glibc.close(ends[1]) }
        do throws(FileError) {
            process = try Self.newPlayer(on: ends[1])
            socket = ends[0]
            for (question, property) in [(Question.pause, "pause"), (.isOver, "eof-reached")] {
                say(["observe_property", .number(question.rawValue), .string(property)], always: true)
            }
        } catch {
            Glibc.close(ends[0])
            log.warning("the picture cannot be shown: \(error)")
        }
    }

    /// The player gets the other end alone, and what is written to this one never waits.
    private static func makeOurs(_ end: Int32) {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
        var queue = queue
        setsockopt(end, SOL_SOCKET, SO_SNDBUF, &queue, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func newPlayer(on end: Int32) throws(FileError) -> ChildProcess {
        try ChildProcess([
            "mpv", "--idle=yes", "--force-window=yes", "--pause", "--no-audio", "--keep-open=always",
            "--keep-open-pause=no", "--hr-seek=yes", "--no-terminal", "--no-input-default-bindings",
            "--osc=no", "--title=jmix: ${filename}", "--input-ipc-client=fd://\(end)",
        ])
    }

    // MARK: - Where it is to be

    private func follow(_ place: Double, _ now: UInt64) {
        // Before its beginning and beyond its end it stands, on its first frame or its last.
        let wanted = min(max(0, place), duration.map { max(0, $0 - frame / 2) } ?? .infinity)
        let pauses = !past[0].isRolling || wanted != place
        let due = expected.map { $0.seconds + (isPaused == true ? 0 : Double(now - $0.at) / 1e9) }
        // Elsewhere than it would be by now: it was located, or looped.
        let hasJumped = due.map { abs($0 - wanted) > (pauses ? 0.001 : 0.1) } ?? true
        if hasJumped || pauses != isPaused {
            stood = nil
            go(to: wanted)
        }
        if pauses != isPaused { say(["set_property", "pause", .bool(pauses)]) }
        // Unless it took none of it.
        if unsent.isEmpty { (isPaused, expected) = (pauses, (wanted, now)) }
        askPlace(pauses, now)
    }

    /// Asks now and then where the player is.
    private func askPlace(_ stands: Bool, _ now: UInt64) {
        guard !isAsked, now >= askedAt + (stands ? Self.askIntervalAtStandstill : Self.askInterval) else {
            return
        }
        (askedAt, isAsked) = (now, true)
        say(["get_property", "time-pos"], .place)
    }

    /// It shows the frame that began there.
    private func correct(_ shown: Double) {
        guard let isPaused, let expected, let video = console.session.video else { return }
        if isPaused { return stay(shown, expected.seconds) }
        let wanted = heard(monotonicNanoseconds()) - video.offset
        let error = shown + frame / 2 - wanted
        // Its sound may be longer than its picture.
        if isOver, error < 0 { return }
        if abs(error) > Self.farOff {
            go(to: wanted)
        } else {
            setSpeed(abs(error) < frame / 4 ? 1 : min(max(1 - 2 * error, 0.8), 1.25))
        }
    }

    /// It stands, and somebody else may send it elsewhere: then it is sent back. Where its frames are not all
    /// as long, or its sound is longer than its picture, it may not show the frame that is expected: that is
    /// tried once.
    private func stay(_ shown: Double, _ wanted: Double) {
        if abs(shown + frame / 2 - wanted) <= frame / 2 + 0.003 {
            // While it is on its way there it says that it is.
            if abs(shown - target(wanted)) > 0.001 { stood = nil }
            return
        }
        if let stood, abs(shown - stood) < 0.001 { return }
        stood = shown
        go(to: wanted)
    }

    /// To the frame that is seen then. mpv shows the first that begins at the time it is sent to, or later,
    /// but for 5 ms (its hr-seek). Half a millisecond more is for files that round where a frame begins to
    /// whole ones (Matroska): so late in a frame the next one is seen.
    private func go(to seconds: Double) {
        say(["seek", .number(target(seconds)), "absolute+exact"])
        setSpeed(1)
    }

    private func target(_ seconds: Double) -> Double { max(0, seconds - frame + 0.0055) }

    private func setSpeed(_ wanted: Double) {
        if let speed, abs(speed - wanted) < 0.002 { return }
        speed = wanted
        say(["set_property", "speed", .number(wanted)])
    }

    // MARK: - Its IPC

    /// More than there are.
    private static let questions = 16

    /// All of it is to be said anew.
    private func forget() { (isPaused, speed, expected, stood, isAsked) = (nil, nil, nil, nil, false) }

    /// - Parameter always: it is kept until mpv takes it; the rest is said anew by then, as it holds then.
    private func say(_ command: [JSONValue], _ question: Question? = nil, always: Bool = false) {
        if socket < 0 { return }
        guard always || unsent.isEmpty else { return forget() }
        var message: JSONObject = ["command": .array(command)]
        if let question { message["request_id"] = .number(question.rawValue + Self.questions * loads) }
        unsent += Array((JSONValue.object(message).compactText + "\n").utf8)
        flush()
    }

    /// - Returns: whether mpv has taken all that it was told.
    @discardableResult
    private func flush() -> Bool {
        while !unsent.isEmpty {
            let count = send(socket, unsent, unsent.count, Int32(MSG_NOSIGNAL))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                forget()
                return false
            }
            unsent.removeFirst(count)
        }
        return true
    }

    private func hear() {
        if socket < 0 { return }
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(socket, &chunk, chunk.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            // It may go on without listening, as one whose window does not close.
            guard count > 0 else { return lose() }
            received += chunk[..<count]
            while let end = received.firstIndex(of: 0x0a) {
                receive(String(decoding: received[..<end], as: UTF8.self))
                received.removeSubrange(...end)
            }
            // A line is short.
            if received.count > 1 << 20 { received = [] }
        }
    }

    private func receive(_ line: String) {
        guard let answer = try? JSONValue(parsing: line) else { return }
        switch answer["event"]?.stringValue {
        case "file-loaded":
            // What was said before is not for this file.
            forget()
            say(["get_property", "container-fps"], .pace, always: true)
            say(["get_property", "duration"], .length, always: true)
        case "property-change": receiveChange(answer)
        default: receiveAnswer(answer)
        }
    }

    private func receiveChange(_ answer: JSONValue) {
        let data = answer["data"]?.boolValue
        switch answer["id"]?.intValue.flatMap(Question.init) {
        // Somebody else pauses it, or has it go on.
        case .pause: if let isPaused, data != isPaused { forget() }
        case .isOver: isOver = data ?? false
        default: break
        }
    }

    private func receiveAnswer(_ answer: JSONValue) {
        guard let id = answer["request_id"]?.intValue, id / Self.questions == loads,
            let question = Question(rawValue: id % Self.questions)
        else { return }
        if question == .place { isAsked = false }
        guard let value = answer["data"]?.doubleValue else { return }
        switch question {
        case .place: correct(value)
        case .pace: if value > 1 { frame = 1 / value }
        case .length: duration = value
        case .pause, .isOver: break
        }
    }
}
