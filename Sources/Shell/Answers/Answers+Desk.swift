import Remote
import Speakers
import Timeline

/// Strips, sends and meters as a person reads them.
extension Answers {
    static func lines(_ tracks: [TrackSummary]) -> [String] {
        let hasInputs = tracks.contains { $0.input != nil }
        let isRouted = tracks.contains { $0.output != "master" || $0.sends > 0 }
        return table(
            ["#", "name", "fader", "level", "pan", "mute", "solo", "clips", "events"]
                + (hasInputs ? ["input", "arm"] : []) + (isRouted ? ["output", "sends"] : []),
            tracks.map { track in
                columns(track) + (hasInputs ? [inputPorts(track.input), track.isArmed.word] : [])
                    + (isRouted ? [track.output, "\(track.sends)"] : [])
            })
    }

    /// What each track has.
    private static func columns(_ track: TrackSummary) -> [String] {
        faderColumns(track.number, track.name, track.fader)
            + [track.pan.short, track.mute.word, track.solo.word, "\(track.clips)", "\(track.events)"]
    }

    static func lines(_ buses: [BusSummary]) -> [String] {
        if buses.isEmpty { return ["there are no buses"] }
        return table(
            ["#", "name", "fader", "level", "pan", "mute", "solo", "events", "output", "sends"],
            buses.map { bus in
                faderColumns(bus.number, bus.name, bus.fader) + [
                    bus.pan.short, bus.mute.word, bus.solo.word, "\(bus.events)", bus.output, "\(bus.sends)",
                ]
            })
    }

    static func lines(_ dcas: [DCASummary]) -> [String] {
        if dcas.isEmpty { return ["there are no DCAs"] }
        return table(
            ["#", "name", "fader", "level", "mute", "solo", "members"],
            dcas.map { dca in
                faderColumns(dca.number, dca.name, dca.fader) + [
                    dca.mute.word, dca.solo.word, dca.members.joined(separator: ", "),
                ]
            })
    }

    private static func faderColumns(_ number: Int, _ name: String, _ fader: Double) -> [String] {
        ["\(number)", name, fader.rounded3, Readable.level(gain: fader)]
    }

    /// The ports that it is connected to, or how many channels wait for one.
    private static func inputPorts(_ input: Input?) -> String {
        guard let input else { return "" }
        let ports = input.connect.filter { !$0.isEmpty }
        return ports.isEmpty ? "\(input.channels) unconnected" : ports.joined(separator: ", ")
    }

    static func line(_ input: Input?) -> String {
        guard let input else { return "no input" }
        let ports = input.connect.filter { !$0.isEmpty }
        let source = ports.isEmpty ? "" : " from \(ports.joined(separator: ", "))"
        return (SpeakerLayout(rawValue: input.channels)?.name ?? "mono") + source
    }

    static func lines(_ sends: [SendSummary]) -> [String] {
        if sends.isEmpty { return ["there are no sends"] }
        let hasMatrices = sends.contains { $0.matrix != nil }
        return table(
            ["from", "to", "volume", "level", "pan", "mute", "tap"] + (hasMatrices ? ["matrix"] : []),
            sends.map { send in
                [
                    send.strip, send.bus, send.volume.rounded3, Readable.level(gain: send.volume),
                    send.pan.short, send.mute.word, send.isPre ? "pre" : "post",
                ] + (hasMatrices ? [send.matrix ?? SendMatrix.standardWord] : [])
            })
    }

    static func line(_ group: MuteGroupSummary) -> String {
        "\(group.name.padded(16)) \(group.isOn ? "on " : "off")  \(group.members.joined(separator: ", "))"
    }

    /// In dBFS.
    var meters: [String] {
        table(
            ["strip", "name", "peak L", "peak R", "RMS L", "RMS R"],
            all { answer in
                guard case .control(let place, .meter, .levels(let peaks, let rms)) = answer else {
                    return nil
                }
                return [place.word, names[place] ?? ""]
                    + (peaks.prefix(2) + rms.prefix(2)).map { Readable.decibels(gain: Double($0)) }
            })
    }

    /// In LUFS and dBTP; what is silent has none.
    var loudness: [String] {
        all { answer in
            guard
                case .loudness(let place, let momentary, let shortTerm, let integrated, let truePeak) = answer
            else { return nil }
            let recent = "momentary \(Self.tenths(momentary))  short-term \(Self.tenths(shortTerm))"
            let whole = "integrated \(Self.tenths(integrated)) LUFS  true peak \(Self.tenths(truePeak)) dBTP"
            let text = "\(recent)  \(whole)"
            return answers.count == 1 ? text : "\(label(place))  \(text)"
        }
    }

    private static func tenths(_ level: Double) -> String {
        level.isFinite ? "\((level * 10).rounded() / 10)" : "-inf"
    }

    /// In dBFS, and how often it was above full scale.
    var peaks: [String] {
        all { answer in
            guard case .peak(let place, let peak, let overs) = answer else { return nil }
            let times = overs > 0 ? "  above full scale \(overs) \(overs == 1 ? "time" : "times")" : ""
            let text = "\(Readable.level(gain: Double(peak)))FS\(times)"
            return answers.count == 1 ? text : "\(label(place))  \(text)"
        }
    }
}
