import Glibc
import Logging
import Realtime

/// What the mixer writes for people: lines to standard error, pictures to standard output, on a thread of its
/// own. A terminal or a pipe that nobody reads holds up nobody else: then pictures are left out, and of the
/// lines only so many are kept.
package final class TerminalOutput: @unchecked Sendable {
    // Safe to share: all that changes is behind `state`.
    private struct State {
        var lines: [String] = []
        var picture: [String]?
        /// How many lines of the picture stand on the terminal.
        var shown = 0
        var lost = 0
        var isWriting = false
        var form = LineForm.plain
    }

    /// How lines begin.
    package enum LineForm: Sendable {
        case plain
        /// With the time.
        case timed
        /// For systemd's journal, which has the time itself: with the level as it is written there.
        case journal

        /// That of a mixer that runs: on a terminal nothing, in a file or a pipe the time.
        package static var ofLog: LineForm {
            getenv("JOURNAL_STREAM") != nil ? .journal : (isatty(2) == 1 ? .plain : .timed)
        }
    }

    package var form: LineForm {
        get { state.withLock { $0.form } }
        set { state.withLock { $0.form = newValue } }
    }

    private let state = Guarded(State())
    private var worker: Worker?

    private static let maximumLines = 1000

    package static let shared = TerminalOutput()

    private init() {
        let state = state
        worker = Worker("jmix-terminal", every: 60_000) {
            while let (text, descriptor) = Self.next(state) {
                Self.write(text, to: descriptor)
                state.withLock { $0.isWriting = false }
            }
        }
    }

    private static func next(_ state: Guarded<State>) -> (String, Int32)? {
        state.withLock { state in
            if !state.lines.isEmpty || state.picture != nil { state.isWriting = true }
            if !state.lines.isEmpty {
                defer { (state.lines, state.lost) = ([], 0) }
                return (
                    state.lines.joined()
                        + (state.lost > 0
                            ? "jmix: \(state.lost) lines more could not be shown in time\n" : ""),
                    2
                )
            }
            guard let picture = state.picture else { return nil }
            let up = state.shown > 0 ? "\u{1b}[\(state.shown)A" : "\u{1b}[?25l"
            (state.picture, state.shown) = (nil, picture.count)
            return (
                up + picture.map { "\r\u{1b}[K\($0)\n" }.joined() + "\u{1b}[J"
                    + (picture.isEmpty ? "\u{1b}[?25h" : ""), 1
            )
        }
    }

    /// A line for whoever started the mixer, apart from what it prints as its result. Any thread but the
    /// audio thread; never waits.
    package func line(_ text: String, isWarning: Bool = false) {
        state.withLock { state in
            let head =
                switch state.form {
                case .plain: ""
                case .timed: "\(localTime(time(nil))) "
                case .journal: isWarning ? "<4>" : "<5>"
                }
            if state.lines.count < Self.maximumLines {
                state.lines.append(head + Self.shown(text) + "\n")
            } else {
                state.lost += 1
            }
        }
        worker?.wake()
    }

    /// A name of somebody's file may hold what a terminal takes for an order: it is shown as it is written in
    /// Swift.
    private static func shown(_ text: String) -> String {
        func isOrder(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.generalCategory == .control && scalar != "\n" && scalar != "\t"
        }
        if !text.unicodeScalars.contains(where: isOrder) { return text }
        return text.unicodeScalars.map { isOrder($0) ? $0.escaped(asASCII: true) : String($0) }.joined()
    }

    /// Shows a picture in place of the one before, whether that has been shown or not. Without lines it ends,
    /// and the cursor is back.
    package func picture(_ lines: [String]) {
        state.withLock { $0.picture = lines }
        worker?.wake()
    }

    /// Waits until all is written, a moment at most.
    package func flush() {
        for _ in 0..<2500 {
            if state.withLock({ $0.lines.isEmpty && $0.picture == nil && !$0.isWriting }) { return }
            usleep(200)
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress!, $0.count) }
            if count < 0, errno == EAGAIN || errno == EINTR {
                // A terminal that is shared may have been told not to wait by another.
                if errno == EAGAIN { usleep(10_000) }
                continue
            }
            if count < 0 { return }
            bytes = bytes.dropFirst(count)
        }
    }
}

/// A line for the person at the terminal, apart from what the program prints as its result.
package func inform(_ text: String) { TerminalOutput.shared.line(text) }

/// A moment, in seconds since 1970, as the clock on the wall says it: 2026-03-01T18:30:05+0100.
package func localTime(_ seconds: time_t) -> String {
    var seconds = seconds
    var broken = tm()
    localtime_r(&seconds, &broken)
    var text = [CChar](repeating: 0, count: 40)
    let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S%z", &broken)
    return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
}
