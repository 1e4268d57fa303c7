import Glibc

/// The terminal as a screen to draw on and a keyboard to read, given back as it was.
package final class TerminalScreen {
    package init() {}

    private var saved = termios()
    private var isOpen = false

    package enum Key: Equatable {
        case up, down, left, right, home
        case character(Character)
        case end
    }

    /// In characters; 80 by 24 where that cannot be known.
    package static var size: (width: Int, height: Int) {
        var window = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return (80, 24) }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    /// Keys come at once and are not shown; the screen is the terminal's other one.
    package func open() {
        tcgetattr(0, &saved)
        var raw = saved
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG)
        tcsetattr(0, TCSAFLUSH, &raw)
        isOpen = true
        put("\u{1b}[?1049h\u{1b}[?25l")
    }

    package func close() {
        guard isOpen else { return }
        put("\u{1b}[?25h\u{1b}[?1049l")
        tcsetattr(0, TCSAFLUSH, &saved)
        isOpen = false
    }

    package func draw(_ lines: [String]) {
        put("\u{1b}[H" + lines.map { "\($0)\u{1b}[K" }.joined(separator: "\r\n") + "\u{1b}[J")
    }

    /// The keys that have been pressed, waiting for one as long as that.
    package func keys(milliseconds: Int32) -> [Key] {
        var ready = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, milliseconds) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(0, &bytes, bytes.count)
        guard count > 0 else { return [.end] }
        return Self.keys(String(decoding: bytes[..<count], as: UTF8.self))
    }

    private static func keys(_ text: String) -> [Key] {
        var keys: [Key] = []
        var rest = text[...]
        while let first = rest.first {
            if let (sequence, key) = sequences.first(where: { rest.hasPrefix($0.0) }) {
                keys.append(key)
                rest = rest.dropFirst(sequence.count)
                continue
            }
            rest = rest.dropFirst()
            // Ctrl-C and Ctrl-D.
            keys.append(first == "\u{3}" || first == "\u{4}" ? .end : .character(first))
        }
        return keys
    }

    private static let sequences: [(String, Key)] = [
        ("\u{1b}[A", .up), ("\u{1b}OA", .up), ("\u{1b}[B", .down), ("\u{1b}OB", .down),
        ("\u{1b}[C", .right), ("\u{1b}OC", .right), ("\u{1b}[D", .left), ("\u{1b}OD", .left),
        ("\u{1b}[H", .home), ("\u{1b}[1~", .home), ("\u{1b}OH", .home),
    ]

    private func put(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(1, $0.baseAddress!, $0.count) }
            if count < 0, errno != EINTR { return }
            bytes = bytes.dropFirst(max(0, count))
        }
    }
}
