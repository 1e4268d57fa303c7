import Console
import Glibc
import Loop
import Realtime
import Remote
import TerminalPicture

/// The picture of `jmix run` on its terminal, ten times a second: the one that `jmixctl watch` shows, without
/// its keys.
final class RunPicture: EventSource {
    private let console: Console
    private var mixer = WatchedMixer()
    private let style = TerminalStyle.present
    private var drawAt: UInt64 = 0

    private static let interval: UInt64 = 100_000_000

    init(_ console: Console) { self.console = console }

    func close() { TerminalOutput.shared.picture([]) }

    var dueAt: UInt64? { drawAt }

    func dispatch() {
        let now = monotonicNanoseconds()
        guard now >= drawAt else { return }
        drawAt = now + Self.interval
        let (width, height) = TerminalScreen.size
        // Only the strips that are seen: there may be thousands.
        for answer in console.told(for: .terminal, strips: height) { mixer.receive(answer) }
        // A question is answered at once.
        console.run(.status, from: nil) { for answer in (try? $0.get()) ?? [] { self.mixer.receive(answer) } }
        mixer.move(to: now)
        TerminalOutput.shared.picture(
            WatchPicture(mixer: mixer, selected: -1, width: width, height: height, style: style).strips)
    }
}
