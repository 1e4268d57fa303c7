import AudioFile
import Engine
import Files
import Glibc
import JSON
import Loudness
import Timeline

/// One line on the terminal that shows how far it is; nothing in a pipe.
final class ProgressBar {
    private let name: String
    private let isTerminal = isatty(2) == 1
    private var shown = -1

    init(_ name: String) { self.name = name }

    func show(_ share: Double) {
        let percent = Int(share * 100)
        guard isTerminal, percent != shown else { return }
        shown = percent
        let full = percent * 40 / 100
        print(
            """
            \r\u{1b}[K[\(String(repeating: "#", count: full))\(String(repeating: " ", count: 40 - full))] \
            \(percent) % \(name)
            """
        )
    }

    func clear() { if isTerminal, shown >= 0 { print("\r\u{1b}[K") } }

    private func print(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(2, bytes, bytes.count)
    }
}
