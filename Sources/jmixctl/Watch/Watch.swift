import Glibc
import JSON
import OSC
import Realtime
import Remote
import Shell
import TerminalPicture
import Timeline

/// `jmixctl watch`: a live picture of a mixer, in a terminal with keys; elsewhere as lines of text, or of
/// JSON, once a second. Looks for the mixer again when it goes away.
final class Watch {
    private let url: OSCURL
    private let json: Bool
    private var client: OSCClient?
    private var mixer = WatchedMixer()
    private var selected = 0
    private var renewAt: UInt64 = 0
    private var askAt: UInt64 = 0
    private var connectAt: UInt64 = 0
    private var isEnding = false
    private var fault = ""

    private static let rate = 20
    private static let second: UInt64 = 1_000_000_000

    init(_ url: OSCURL, json: Bool) { (self.url, self.json) = (url, json) }

    /// - Returns: 0; 3 without a terminal, if there is no mixer.
    func run() -> Int32 {
        isatty(0) == 1 && isatty(1) == 1 && !json ? picture() : lines()
    }

    private func picture() -> Int32 {
        let screen = TerminalScreen()
        screen.open()
        defer { screen.close() }
        let style = TerminalStyle.present
        while !isEnding {
            listen()
            let (width, height) = TerminalScreen.size
            if client == nil {
                screen.draw(
                    ["no mixer at \(url): waiting for one", fault, "", "q quit"].map {
                        String($0.prefix(width))
                    })
            } else {
                screen.draw(
                    WatchPicture(mixer: mixer, selected: selected, width: width, height: height, style: style)
                        .lines)
            }
            for key in screen.keys(milliseconds: Int32(1000 / Self.rate)) { press(key) }
        }
        return 0
    }

    /// Without a terminal: the state once a second, until the reader goes away.
    private func lines() -> Int32 {
        let style = TerminalStyle(hasColours: false)
        listen()
        if client == nil {
            complain("no mixer at \(url). \(fault)")
            return 3
        }
        while true {
            let until = monotonicNanoseconds() + Self.second
            while monotonicNanoseconds() < until {
                listen()
                usleep(20_000)
            }
            guard client != nil else {
                complain("the mixer at \(url) is gone")
                return 3
            }
            let picture = WatchPicture(
                mixer: mixer, selected: -1, width: 100, height: mixer.strips.count + 4, style: style)
            let text =
                Array((json ? document.compactText : picture.strips.joined(separator: "\n") + "\n").utf8) + [
                    UInt8(ascii: "\n")
                ]
            if write(1, text, text.count) < 0 { return 0 }
        }
    }

    private var document: JSONValue {
        func strip(_ strip: WatchedMixer.Strip) -> JSONValue {
            .object([
                "name": .string(strip.name), "fader": .number(strip.fader), "mute": .bool(strip.mute),
                "solo": .bool(strip.solo),
                "peak": .number(strip.meter.held), "rms": .number(strip.meter.rms),
                "peakHold": .number(strip.peak),
                "overs": .number(strip.overs), "reduction": .number(strip.reduction),
            ])
        }
        // Silence has no level.
        func level(_ decibels: Double) -> JSONValue { decibels.isFinite ? .number(decibels) : .null }
        return .object([
            "state": TransportWord(isRolling: mixer.isRolling).json, "seconds": .number(mixer.seconds),
            "end": .number(mixer.end), "dropouts": .number(mixer.dropouts),
            "xruns": .number(mixer.xruns), "silenced": .bool(mixer.isSilenced),
            "notice": .string(mixer.notice),
            "tracks": .array(mixer.tracks.map(strip)),
            "buses": .array(mixer.buses.map(strip)), "dcas": .array(mixer.dcas.map(strip)),
            "master": strip(mixer.master),
            "loudness": mixer.loudness.map {
                .object([
                    "momentary": level($0.momentary), "shortTerm": level($0.shortTerm),
                    "integrated": level($0.integrated),
                ])
            } ?? .null,
        ])
    }

    // MARK: - The mixer

    /// Takes what has come; joins the mixer if need be, twice a second.
    private func listen() {
        let now = monotonicNanoseconds()
        do throws(OSCNetworkError) {
            guard try connect(now) else { return }
            guard let client else { return }
            if now >= renewAt {
                renewAt = now + 4 * Self.second
                try client.send(OSCMessage("/subscribe", .string("*")))
            }
            if now >= askAt {
                askAt = now + Self.second
                try client.send(OSCMessage("/status"))
                // It is measured from the first question on.
                try client.send(OSCMessage("/master/loudness"))
            }
            while let message = try client.receive(milliseconds: 0) { receive(message) }
            mixer.move(to: now)
            selected = max(0, min(mixer.strips.count - 1, selected))
        } catch {
            fault = error.reason
            client = nil
        }
    }

    /// - Returns: whether there is a connection.
    private func connect(_ now: UInt64) throws(OSCNetworkError) -> Bool {
        if client != nil { return true }
        guard now >= connectAt else { return false }
        connectAt = now + Self.second / 2
        // What a session has many of comes faster than datagrams find room.
        let overTCP = url.transport == .udp ? try? OSCClient(url.overTCP) : nil
        client = if let overTCP { overTCP } else { try OSCClient(url) }
        mixer = WatchedMixer()
        (renewAt, askAt) = (0, 0)
        return true
    }

    /// What is sent comes back to other subscribers only, so it is taken here at once.
    private func send(_ command: Command) {
        for message in command.messages {
            do throws(OSCNetworkError) { try client?.send(message) } catch { client = nil }
            receive(message)
        }
    }

    private func receive(_ message: OSCMessage) { if let answer = Answer(message) { mixer.receive(answer) } }

    // MARK: - Keys

    private func press(_ key: TerminalScreen.Key) {
        switch key {
        case .end, .character("q"): isEnding = true
        case .up, .character("k"): selected = max(0, selected - 1)
        case .down, .character("j"): selected = min(mixer.strips.count - 1, selected + 1)
        case .left, .character("-"): moveFader(by: -1)
        case .right, .character("+"), .character("="): moveFader(by: 1)
        case .character("u"): send(.set(strip, .volume, .number(1)))
        case .character("m"): send(.set(strip, .mute, .flag(!present.mute)))
        case .character("s"): if case .track = strip { send(.set(strip, .solo, .flag(!present.solo))) }
        case .character(" "): send(mixer.isRolling ? .stop(over: nil) : .play)
        case .character(","): send(.locate(.earlier(.seconds(5))))
        case .character("."): send(.locate(.later(.seconds(5))))
        case .home, .character("0"): send(.locate(.time(.time(.zero))))
        case .character("z"): send(.undo)
        case .character("x"): send(.resetPeak(.track(.pattern("*"))))
        case .character: break
        }
    }

    private var strip: StripReference { StripReference(mixer.place(selected)) }
    private var present: WatchedMixer.Strip { mixer.strips[min(selected, mixer.strips.count - 1)] }

    /// Whole decibels; below -60 dB is silence.
    private func moveFader(by decibels: Double) {
        let level = max(-61, present.fader > 0 ? Volume.level(gain: present.fader).rounded() : -61) + decibels
        send(
            .set(
                strip, .volume,
                .number(level < -60 ? 0 : min(Volume.range.upperBound, Volume.gain(level: level)))))
    }
}
