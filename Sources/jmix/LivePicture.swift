import Engine
import Glibc
import Realtime
import Timeline

/// A picture of the running mixer on the terminal, ten times a second: playhead, and for each track its volume and meter.
final class LivePicture {
    private let console: Console
    private var lastDrawn: UInt64 = 0
    private var lines = 0
    /// Levels fall by 20 dB a second, so that the eye can follow.
    private var shown: [TrackID?: Float] = [:]

    private static let interval: UInt64 = 100_000_000
    private static let fall: Float = 0.794

    init(_ console: Console) { self.console = console }

    func open() { put("\u{1b}[?25l") }

    func close() { put("\u{1b}[?25h") }

    func draw() {
        let now = monotonicNanoseconds()
        guard now - lastDrawn >= Self.interval else { return }
        lastDrawn = now
        var text: [String] = [heading]
        let (width, height) = size
        for track in console.session.tracks.prefix(max(1, height - 4)) {
            let mark = track.mute ? "M" : (console.session.isAudible(track) ? " " : "-")
            text.append(line(track.name + (track.solo ? " (solo)" : ""), mark, console.engine.presentVolume(track.id), meter(track.id), width))
        }
        text.append(line("master", console.session.master.mute ? "M" : " ", console.engine.presentFader(nil), meter(nil), width))
        let up = lines > 0 ? "\u{1b}[\(lines)A" : ""
        put(up + text.map { "\r\u{1b}[K\($0)\n" }.joined() + "\u{1b}[J")
        lines = text.count
    }

    private var heading: String {
        let status = console.serverStatus()
        let server = status.isRunning ? "\(status.xruns) xruns" : "waiting for the JACK server"
        let tenths = Int((console.seconds(console.engine.frame) * 10).rounded(.down))
        let clock = "\(tenths / 600):\(tenths / 10 % 60 < 10 ? "0" : "")\(tenths / 10 % 60).\(tenths % 10)"
        return "\(console.transport.isRolling ? ">" : "=") \(clock)  \(console.state)  \(console.engine.dropouts) dropouts  \(server)"
    }

    private func line(_ name: String, _ mark: String, _ gain: Double, _ rms: Float, _ width: Int) -> String {
        let volume = gain > 0 ? "\(rounded(Volume.level(gain: gain))) dB" : "-inf"
        let room = max(10, width - 32)
        // From -60 dB to +6 dB over the width.
        let level = rms > 0 ? (Volume.level(gain: Double(rms)) + 60) / 66 : 0
        let full = max(0, min(room, Int(level * Double(room))))
        return "\(mark) \(padded(name, 16)) \(padded(volume, 9)) |\(String(repeating: "=", count: full))\(String(repeating: " ", count: room - full))|"
    }

    private func padded(_ text: String, _ width: Int) -> String {
        let cut = text.prefix(width)
        return cut + String(repeating: " ", count: width - cut.count)
    }

    private func meter(_ id: TrackID?) -> Float {
        let level = max(console.engine.rms(id), (shown[id] ?? 0) * Self.fall)
        shown[id] = level
        return level
    }

    private var size: (width: Int, height: Int) {
        var window = winsize()
        guard ioctl(1, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0 else { return (80, 24) }
        return (Int(window.ws_col), Int(window.ws_row))
    }

    private func put(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(1, bytes, bytes.count)
    }
}
