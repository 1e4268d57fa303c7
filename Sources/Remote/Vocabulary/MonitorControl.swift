import Timeline

/// What a hand sets of the sound in the control room: the table of it. Its addresses (`/monitor/WORD`), the
/// verb `monitor`, help and feedback are made from that.
public enum MonitorControl: String, CaseIterable, Sendable {
    case source, level, dim, dimming, mono, mute

    /// What it is set to.
    public var kind: Control.Kind {
        switch self {
        case .source: .text
        case .level: .volume
        case .dim, .mono, .mute: .flag
        case .dimming: .number(Monitoring.dimmings)
        }
    }

    /// Its value is on or off.
    public var isSwitch: Bool { kind == .flag }

    var summary: String {
        switch self {
        case .source:
            """
            source of the ports monitor_1 and _2 while nothing is on solo in afl or pfl: a track, a bus, \
            master, or solo for silence
            """
        case .level: "gain of the monitor, linear, 0 to 4"
        case .dim: "lowers the monitor by the value of dimming"
        case .dimming: "how far dim lowers it, in dB, 0 to 60; 20 unless told"
        case .mono: "both ports play (left + right) / 2"
        case .mute: "silences the monitor ports"
        }
    }

    var address: String { "/monitor/\(rawValue)" }

    /// What a step to undo is called.
    public func title(_ value: ControlValue) -> String {
        switch (self, value) {
        case (.source, .text(let name)): "monitor \(name)"
        case (_, .flag(let flag)): "monitor \(rawValue) \(flag ? "on" : "off")"
        default: "monitor \(rawValue)"
        }
    }

    static let usage = allCases.map {
        "\($0.rawValue) [\($0 == .source ? "STRIP|master|solo" : $0.kind.words)]"
    }.joined(separator: " | ")
}

extension Words {
    /// Behind `monitor`: what of the control room is meant, or a track and which of its input and its clips
    /// it plays.
    mutating func monitor() throws(CommandError) -> Command {
        let track = try strip()
        if let control = MonitorControl(rawValue: track.text) {
            if let step = try step(control.kind, of: control.rawValue) {
                return .nudgeMonitor(control, by: step)
            }
            return .monitoring(control, isEmpty ? nil : try value(control.kind, of: control.rawValue))
        }
        if text("--by") != nil { throw CommandError("what a track plays takes no step", isUsage: true) }
        return .control(track, .monitor, isEmpty ? nil : try value(of: .monitor))
    }

    /// Behind `talkback`: a track, and its buses, or whether it talks, or both.
    mutating func talkback() throws(CommandError) -> Command {
        let track = try strip()
        guard let first = text("--to") else {
            return .control(track, .talkback, isEmpty ? nil : .flag(try onOff()))
        }
        var buses = [first]
        while !isEmpty, !isSwitchLast { buses.append(try word("a bus")) }
        let reach = Command.set(track, .talkbackTo, .names(buses))
        if isEmpty { return reach }
        if buses == ["none"] {
            throw CommandError("none takes a talkback away: it is neither on nor off then", isUsage: true)
        }
        return .several([reach, .set(track, .talkback, .flag(try onOff()))])
    }
}
