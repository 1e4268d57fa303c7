import Glibc
import Realtime
import Remote
import TerminalPicture

/// The picture of `jmix run` on its terminal, ten times a second: the one that `jmixctl watch` shows, without its keys.
final class RunPicture: EventSource {
    private let console: Console
    private var mixer = WatchedMixer()
    private var style: TerminalStyle
    private var drawAt: UInt64 = 0
    private var lines = 0

    private static let interval: UInt64 = 100_000_000

    init(_ console: Console) {
        self.console = console
        style = .present
        TerminalOutput.shared.picture("\u{1b}[?25l")
    }

    func close() { TerminalOutput.shared.picture("\u{1b}[?25h") }

    var dueAt: UInt64? { drawAt }

    func turn() {
        let now = monotonicNanoseconds()
        guard now >= drawAt else { return }
        drawAt = now + Self.interval
        for answer in console.told(for: .terminal) + ((try? console.run(.status, from: nil)) ?? []) { mixer.take(answer.message) }
        mixer.move(to: now)
        let (width, height) = TerminalScreen.size
        let picture = WatchPicture(mixer: mixer, selected: -1, width: width, height: height, style: style).strips
        let up = lines > 0 ? "\u{1b}[\(lines)A" : ""
        TerminalOutput.shared.picture(up + picture.map { "\r\u{1b}[K\($0)\n" }.joined() + "\u{1b}[J")
        lines = picture.count
    }
}
