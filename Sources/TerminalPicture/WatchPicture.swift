import Glibc
import Remote
import Timeline

/// A watched mixer as lines of text, for a terminal of any size: a function of what is watched and nothing
/// else.
package struct WatchPicture {
    let mixer: WatchedMixer
    /// The strip that keys move: an index of `WatchedMixer.strips`.
    let selected: Int
    let width: Int
    let height: Int
    let style: TerminalStyle

    package static let keys =
        """
        up/down select  left/right 1 dB  u unity  m mute  s solo  space play/stop  , . 5 s  0 start  z undo  \
        x peaks  q quit
        """
    private static let fixed = 4

    package init(mixer: WatchedMixer, selected: Int, width: Int, height: Int, style: TerminalStyle) {
        (self.mixer, self.selected, self.width, self.height, self.style) = (
            mixer, selected, width, height, style
        )
    }

    /// As many lines as there are rows: the picture, and what keys do.
    package var lines: [String] {
        var text = strips
        while text.count < height - 1 { text.append("") }
        text.append(style.faint(String(Self.keys.prefix(width))))
        return Array(text.prefix(height))
    }

    /// The picture alone, as many lines as it needs.
    package var strips: [String] {
        let rows = max(1, height - Self.fixed)
        var text = [heading, timeline]
        // The selected strip is always seen.
        let strips = mixer.strips
        let first = max(0, min(strips.count - rows, selected - rows / 2))
        for index in first..<min(strips.count, first + rows) { text.append(line(strips[index], index)) }
        return text
    }

    private var heading: String {
        let state = TransportWord(isRolling: mixer.isRolling).rawValue
        let faults =
            """
            \(mixer.dropouts) dropouts  \(mixer.xruns) \
            xruns\(mixer.hasServer ? "" : "  waiting for the JACK server")\
            \(mixer.isSilenced ? "  SILENCED by a panic: space plays on" : "")\
            \(mixer.notice.isEmpty ? "" : "  ! \(mixer.notice)")
            """
        let loudness =
            mixer.loudness.map { "  S \(Self.level($0.shortTerm))  I \(Self.level($0.integrated)) LUFS" }
            ?? ""
        let session =
            mixer.session.split(separator: "/").suffix(2).joined(separator: "/")
            + (mixer.isUnsaved ? " *" : "")
        let text =
            """
            \(mixer.isRolling ? ">" : "=") \(state)  \(Self.clock(mixer.seconds)) / \
            \(Self.clock(mixer.end))  \(faults)  \(session)\(loudness)
            """
        return style.bold(String(text.prefix(width)))
    }

    /// The playhead between the session's start and end; a loop is marked.
    private var timeline: String {
        let room = max(8, width - 2)
        let end = max(mixer.end, mixer.seconds, mixer.loop?.upperBound ?? 0, 0.001)
        func place(_ seconds: Double) -> Int { max(0, min(room - 1, Int(seconds / end * Double(room)))) }
        var bar = Array(repeating: Character("-"), count: room)
        for i in 0..<place(mixer.seconds) { bar[i] = "=" }
        if let loop = mixer.loop { (bar[place(loop.lowerBound)], bar[place(loop.upperBound)]) = ("(", ")") }
        bar[place(mixer.seconds)] = "#"
        return "[\(String(bar))]"
    }

    private func line(_ strip: WatchedMixer.Strip, _ index: Int) -> String {
        let mark = index == selected ? ">" : " "
        let number = Self.word(mixer.place(index))
        let level = Readable.level(gain: strip.fader)
        let name = Self.left(strip.name, width < 50 ? 6 : 14)
        let head = "\(mark)\(Self.left(number, 4)) \(name) \(Self.right(level, 8)) "
        let flags = "\(strip.mute ? "M" : " ")\(strip.solo ? "S" : " ")\(Self.letter(strip.writeMode))"
        let tail = tail(strip)
        // On a narrow terminal its level says enough.
        let fader = width < 64 ? "" : Self.fader(strip.fader, width >= 100 ? 16 : 10)
        let room = max(8, width - head.count - fader.count - tail.count - flags.count - 3)
        let body = "\(head)\(fader) |\(meter(strip.meter, room))|\(tail)"
        return (index == selected ? style.bold(body) : body) + style.alert(flags)
    }

    /// Behind its meter.
    private func tail(_ strip: WatchedMixer.Strip) -> String {
        let peak = strip.meter.held
        let held = Self.right(peak > 0 ? Readable.decibels(gain: peak) : "", 6)
        return " \(held)\(strip.overs > 0 ? "!" : " ")\(reduction(strip)) "
    }

    private static func word(_ place: StripPlace) -> String {
        switch place {
        case .track(let number): "\(number)"
        case .bus(let number): "b\(number)"
        case .dca(let number): "d\(number)"
        case .master: ""
        }
    }

    /// What hands do to its automation: T touch, L latch, W write, - off.
    private static func letter(_ mode: WriteMode) -> String {
        switch mode {
        case .read: " "
        case .off: "-"
        case .touch, .latch, .write: mode.rawValue.prefix(1).uppercased()
        }
    }

    /// By how many decibels processors lower a strip; there is a column for it once some strip has one.
    private func reduction(_ strip: WatchedMixer.Strip) -> String {
        guard width >= 64, mixer.strips.contains(where: { !$0.reductions.isEmpty }) else { return "" }
        return Self.right(strip.reduction >= 0.05 ? "-\(Self.level(strip.reduction))" : "", 6)
    }

    /// With one decimal; silence has no level.
    private static func level(_ decibels: Double) -> String {
        decibels.isFinite ? "\((decibels * 10).rounded() / 10)" : "-inf"
    }

    /// RMS as #, the peak beyond it as =, the held peak as |, from -60 dB to +6 dB.
    private func meter(_ meter: WatchedMeter, _ room: Int) -> String {
        let (rms, peak) = (Self.cells(meter.rms, room), Self.cells(meter.peak, room))
        let held = Self.cells(meter.held, room)
        let (caution, danger) = (Self.cells(Volume.gain(level: -9), room), Self.cells(1, room))
        var text = ""
        for i in 0..<room {
            let character = i < rms ? "#" : (i < peak ? "=" : (held > 0 && i == held - 1 ? "|" : " "))
            text += style.meter(character, zone: i >= danger ? .danger : (i >= caution ? .caution : .safe))
        }
        return text
    }

    /// Samples may be of any size, and what is no number is full.
    private static func cells(_ gain: Double, _ room: Int) -> Int {
        gain == 0 ? 0 : Int(max(0, min(1, (Volume.level(gain: gain) + 60) / 66)) * Double(room))
    }

    private static func fader(_ gain: Double, _ room: Int) -> String {
        let place = max(0, min(room - 1, Int(FaderLaw.position(gain: gain) * Double(room - 1) + 0.5)))
        return String((0..<room).map { $0 == place ? Character("O") : "-" })
    }

    static func clock(_ seconds: Double) -> String {
        let tenths = Int((max(0, seconds) * 10).rounded(.down))
        let rest = tenths / 10 % 60
        return "\(tenths / 600):\(rest < 10 ? "0" : "")\(rest).\(tenths % 10)"
    }

    private static func left(_ text: String, _ width: Int) -> String {
        let cut = text.prefix(width)
        return cut + String(repeating: " ", count: width - cut.count)
    }

    private static func right(_ text: String, _ width: Int) -> String {
        let cut = text.prefix(width)
        return String(repeating: " ", count: width - cut.count) + cut
    }
}
