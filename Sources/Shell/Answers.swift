import Glibc
import JSON
import OSC
import Remote
import Speakers
import Timeline

/// Turns answers into what a person reads, or with `--json` into what a script reads.
struct Answers {
    let command: Command
    let messages: [OSCMessage]
    /// What strips are called, by what their addresses begin with: told beside their numbers.
    var names: [String: String] = [:]

    /// The lines to print; none for a command that only sets.
    func text(json: Bool) -> [String] {
        if messages.isEmpty { return [] }
        if let lines = lines {
            if json { return [(documents.count == 1 ? documents[0] : .array(documents)).prettyText()] }
            return lines(documents)
        }
        switch command {
        case .record: return recording(json)
        case .position: return position(json)
        case .ask(_, .meter) where !json: return meters
        case .askLoudness: return loudness(json)
        case .askPeak: return peaks(json)
        default: return json ? [values.prettyText()] : plainValues
        }
    }

    private var plainValues: [String] {
        messages.map { message in
            let shown = message.arguments.map(\.shown).joined(separator: "  ") + level(message)
            return messages.count == 1 ? shown : "\(label(message))  \(shown)"
        }
    }

    private func label(_ message: OSCMessage) -> String {
        let name = names[message.root].map { "  \($0)" } ?? ""
        return message.word + name
    }

    /// The documents that answer: of questions whose answer may be nothing, such as whether there is an
    /// input, null for that.
    private var documents: [JSONValue] {
        switch command {
        case .askInput, .askEqualiser, .askDynamics, .askAutomix, .video:
            messages.map { $0.document ?? .null }
        default: messages.compactMap(\.document)
        }
    }

    /// How documents are printed; nil where what answers is no document.
    private var lines: (([JSONValue]) -> [String])? {
        switch command {
        case .askInput: { $0.map(input) }
        case .askEqualiser: { $0.flatMap(equaliser) }
        case .askDynamics(_, let kind): { $0.map { dynamics($0, kind) } }
        case .askAutomix: { $0.flatMap(automix) }
        case .midi(.list): { $0.flatMap(midi) }
        case .video(.ask): { $0.map(video) }
        case .status: { $0.first.map(status) ?? [] }
        default: listLines.map { lines in { documents in lines(documents.flatMap { $0.arrayValue ?? [] }) } }
        }
    }

    /// The same of lists, all of whose elements are printed together.
    private var listLines: (([JSONValue]) -> [String])? {
        switch command {
        case .tracks: tracks
        case .buses: buses
        case .dcas: dcas
        case .sends: sends
        case .muteGroups: { $0.map(muteGroup) }
        case .ducks: ducks
        case .sessions, .scene(.list): { $0.compactMap(\.stringValue) }
        case .history: history
        case .marker(.list): { $0.map { "\(time($0["at"]).padded(11)) \($0["name"]?.plain ?? "")" } }
        case .connections: connections
        case .ports: ports
        case .missing: missing
        case .clips(_, .list): clips
        case .automation(_, let control): { automation($0, of: control) }
        default: nil
        }
    }

    private func ducks(_ ducks: [JSONValue]) -> [String] {
        if ducks.isEmpty { return ["there are no ducks"] }
        return table(
            ["strip", "under", "to", "by", "attack", "release"],
            ducks.map { duck in
                [
                    duck["track"]?.plain ?? "",
                    duck["under"]?.arrayValue?.map(\.plain).joined(separator: ", ")
                        ?? duck["under"]?.plain ?? "a hand",
                    Readable.level(gain: duck["to"]?.doubleValue ?? 1), duck["by"]?.plain ?? "clips",
                    duck["attack"]?.plain ?? "", duck["release"]?.plain ?? "",
                ]
            })
    }

    private func muteGroup(_ group: JSONValue) -> String {
        let names = group["members"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let state = group["on"]?.boolValue == true ? "on " : "off"
        return "\((group["name"]?.plain ?? "").padded(16)) \(state)  \(names.joined(separator: ", "))"
    }

    /// The surface that is on, and each binding with its number.
    private func midi(_ map: JSONValue) -> [String] {
        let surface = map["surface"].map { surface in
            ["\(surface.plain), units \(map["units"]?.intValue ?? 1)"]
        }
        let bindings = map["bindings"]?.arrayValue ?? []
        if surface == nil, bindings.isEmpty {
            return ["nothing is bound: midi learn STRIP binds what moves next"]
        }
        return (surface ?? [])
            + bindings.enumerated().map { index, binding in
                let send = binding["send"].map { "send/\($0.plain)/" } ?? ""
                let what =
                    binding["do"]?.plain
                    ?? "\(binding["strip"]?.plain ?? "")  \(send)\(binding["control"]?.plain ?? "")"
                // What does something has no way to move.
                let mode =
                    binding["do"] != nil ? "" : binding["mode"]?.plain ?? MIDIBinding.Mode.jump.rawValue
                let message = (binding["message"]?.plain ?? "").padded(14)
                return "\("\(index + 1)".padded(4)) \(message) \(mode.padded(10)) \(what)"
            }
    }

    /// In LUFS and dBTP; what is silent has none.
    private func loudness(_ json: Bool) -> [String] {
        let readings = messages.map { ($0.word, $0.arguments.map(\.json)) }.filter { $0.1.count == 4 }
        if json {
            let objects = readings.map { _, values in
                JSONValue.object([
                    "momentary": values[0], "shortTerm": values[1], "integrated": values[2],
                    "truePeak": values[3],
                ])
            }
            return [(objects.count == 1 ? objects[0] : .array(objects)).prettyText()]
        }
        return readings.map { strip, values in
            func shown(_ value: JSONValue) -> String {
                value.doubleValue.map { "\(($0 * 10).rounded() / 10)" } ?? "-inf"
            }
            let text =
                """
                momentary \(shown(values[0]))  short-term \(shown(values[1]))  integrated \
                \(shown(values[2])) LUFS  true peak \(shown(values[3])) dBTP
                """
            return readings.count == 1 ? text : "\(strip)  \(text)"
        }
    }

    /// In dBFS, and how often it was above full scale.
    private func peaks(_ json: Bool) -> [String] {
        let readings = messages.filter { $0.arguments.count == 2 }
        if json {
            let objects = readings.map { message in
                var object = place(of: message)
                (object["peak"], object["overs"]) = (message.arguments[0].json, message.arguments[1].json)
                return JSONValue.object(object)
            }
            return [(objects.count == 1 ? objects[0] : .array(objects)).prettyText()]
        }
        return readings.map { message in
            let level = Readable.level(gain: message.arguments[0].json.doubleValue ?? 0)
            let overs = message.arguments[1].json.intValue ?? 0
            let text =
                "\(level)FS\(overs > 0 ? "  above full scale \(overs) \(overs == 1 ? "time" : "times")" : "")"
            return readings.count == 1 ? text : "\(message.word)  \(text)"
        }
    }

    /// Beside a fader's value a person reads its level; a script that takes the line reads the value alone.
    private func level(_ message: OSCMessage) -> String {
        guard case .ask(_, let control) = command, control.entry.kind == .volume, isatty(1) == 1,
            let gain = message.arguments.first?.json.doubleValue
        else { return "" }
        return "  \(Readable.level(gain: gain))"
    }

    /// OSC's 1 and 0 are true and false.
    private var isSwitch: Bool {
        switch command {
        case .ask(_, let control): if case .flag = control.entry.kind { true } else { false }
        case .stopAtEnd, .soundcheck, .silenced: true
        case .monitoring(let control, _): control.isSwitch
        default: false
        }
    }

    /// The strip that a message is of: `{ "track": 1 }`.
    private func place(of message: OSCMessage) -> JSONObject {
        var object = JSONObject()
        if let kind = message.kind, let number = Int(message.strip) {
            object[kind.rawValue] = .number(number)
        }
        if message.strip == "master" { object["track"] = .string("master") }
        return object
    }

    /// `{ "track": 1, "volume": 0.5 }`, `{ "track": 1, "send": "reverb", "volume": 0.5 }`, or a list of such.
    private var values: JSONValue {
        let items = messages.map { message -> JSONValue in
            var object = place(of: message)
            if let name = names[message.root] { object["name"] = .string(name) }
            if let bus = message.send { object["send"] = .string(bus) }
            let names = message.field == "meter" ? ["peakLeft", "peakRight", "rmsLeft", "rmsRight"] : []
            if message.field == "members" {
                object["members"] = .array(message.arguments.map(\.json))
            } else if !names.isEmpty, names.count <= message.arguments.count {
                for (name, argument) in zip(names, message.arguments) { object[name] = argument.json }
                object["further"] = further(message.arguments.dropFirst(names.count).map(\.json))
            } else if message.field == "add", let number = message.arguments.first {
                object["number"] = number.json
            } else {
                let values = message.arguments.map { isSwitch ? .bool($0.json.intValue == 1) : $0.json }
                object[Self.key(message.field)] = values.count == 1 ? values[0] : .array(values)
            }
            return .object(object)
        }
        return items.count == 1 ? items[0] : .array(items)
    }

    /// Peak and RMS of the channels behind the second, one after another; nil without such.
    private func further(_ levels: [JSONValue]) -> JSONValue? {
        if levels.isEmpty { return nil }
        return .array(
            stride(from: 0, to: levels.count - 1, by: 2).map {
                .object(["peak": levels[$0], "rms": levels[$0 + 1]])
            })
    }

    /// What an address's word is called in the session's file, and here.
    private static func key(_ field: String) -> String {
        [
            "fadein": "fadeIn", "fadeout": "fadeOut", "stopatend": "stopAtEnd", "solosafe": "soloSafe",
            "solomode": "soloMode", "directouts": "directOuts", "mutemode": "muteMode",
        ][field] ?? field
    }

    private func recording(_ json: Bool) -> [String] {
        guard let isOn = messages[0].arguments.first?.json.intValue else { return [] }
        let range = messages[0].arguments.dropFirst().compactMap { $0.json.doubleValue }
        if json {
            var object: JSONObject = ["record": .bool(isOn == 1)]
            if range.count == 2 { (object["from"], object["to"]) = (.number(range[0]), .number(range[1])) }
            return [JSONValue.object(object).prettyText()]
        }
        return [
            isOn == 0
                ? "off"
                : range.count == 2
                    ? "on from \(Readable.clock(range[0])) to \(Readable.clock(range[1]))" : "on"
        ]
    }

    private func video(_ video: JSONValue) -> String {
        guard let file = video["file"]?.stringValue else { return "no video" }
        let (at, from) = (video["at"].map { " at \($0.plain)" }, video["from"].map { " from \($0.plain)" })
        return file + (at ?? "") + (from ?? "")
    }

    /// A line for each part of it that does something.
    private func equaliser(_ equaliser: JSONValue) -> [String] {
        guard equaliser.objectValue != nil else { return ["no equaliser"] }
        var lines = [equaliser["on"]?.boolValue == false ? "off" : "on"]
        for (field, name) in [("hp", "high pass"), ("lp", "low pass")] {
            if let frequency = equaliser[field] {
                lines.append(
                    "\(name)  \(frequency.plain) Hz  \(equaliser["\(field)Slope"]?.plain ?? "12") dB/octave")
            }
        }
        for (index, band) in (equaliser["bands"]?.arrayValue ?? []).enumerated()
        where band["gain"]?.doubleValue ?? 0 != 0 {
            let quality = band["q"].map { "  q \($0.plain)" } ?? ""
            lines.append(
                """
                band \(index + 1)  \(band["type"]?.plain ?? "bell")  \(band["freq"]?.plain ?? "") Hz  \
                \(band["gain"]?.plain ?? "") dB\(quality)
                """
            )
        }
        return lines
    }

    /// A line for each member.
    private func automix(_ automix: JSONValue) -> [String] {
        guard automix.objectValue != nil else { return ["no automix"] }
        let head =
            """
            \(automix["on"]?.boolValue == false ? "off" : "on")  attack \(automix["attack"]?.plain ?? "")  \
            release \(automix["release"]?.plain ?? "")
            """
        return [head]
            + (automix["members"]?.arrayValue ?? []).map { member in
                func text(_ key: String) -> String { member[key]?.plain ?? "" }
                let gain = Readable.level(gain: member["gain"]?.doubleValue ?? 0)
                return
                    """
                    \(text("name").padded(20)) \(member["in"]?.boolValue == false ? "out" : gain)  weight \
                    \(text("weight"))  priority \(text("priority"))
                    """
            }
    }

    /// On one line, as it would be written in the shell.
    private func dynamics(_ processor: JSONValue, _ kind: DynamicsKind) -> String {
        if processor.doubleValue != nil { return "on  level \(processor.plain)" }
        guard let fields = processor.objectValue else { return "no \(kind.name)" }
        let isOn = processor["on"]?.boolValue ?? true
        let numbers = fields.fields.filter { $0.0 != "on" }.map { "\($0.0) \($0.1.plain)" }
        return ([isOn ? "on" : "off"] + numbers).joined(separator: "  ")
    }

    private func input(_ input: JSONValue) -> String {
        guard let channels = input["channels"]?.intValue else { return "no input" }
        let ports = input["connect"]?.arrayValue?.compactMap(\.stringValue).filter { !$0.isEmpty } ?? []
        let source = ports.isEmpty ? "" : " from \(ports.joined(separator: ", "))"
        return (SpeakerLayout(rawValue: channels)?.name ?? "mono") + source
    }

    private func history(_ steps: [JSONValue]) -> [String] {
        steps.enumerated().map {
            """
            \(String($0 + 1).padded(4)) \
            \($1["name"]?.stringValue ?? "")\($1["done"]?.boolValue == false ? "   (taken back)" : "")
            """
        }
    }

    private func position(_ json: Bool) -> [String] {
        guard messages.count == 2, messages[0].arguments.count == 2, let state = messages[1].arguments.first
        else { return [] }
        let (frame, seconds) = (messages[0].arguments[0].json, messages[0].arguments[1].json)
        if json {
            return [JSONValue.object(["state": state.json, "frame": frame, "seconds": seconds]).prettyText()]
        }
        return ["\(Readable.clock(seconds.doubleValue ?? 0))  \(state.shown)  frame \(frame.compactText)"]
    }

    private func status(_ status: JSONValue) -> [String] {
        func number(_ key: String) -> Double { status[key]?.doubleValue ?? 0 }
        func text(_ key: String) -> String { status[key]?.plain ?? "" }
        let callback = status["callbackMicroseconds"]
        let fill = status["streams"]?.arrayValue?.compactMap { $0["lowestFill"]?.doubleValue }.min()
        let decoding = (status["decoding"]?.arrayValue ?? []).map {
            "\($0["file"]?.plain ?? "") (\(Int(($0["done"]?.doubleValue ?? 0) * 100)) %)"
        }.joined(separator: ", ")
        let waiting = Int(number("waitingEdits"))
        let server =
            status["server"]?.boolValue == true
            ? """
            '\(text("serverName"))', \(text("sampleRate")) Hz, \(text("period")) frames a period, heard \
            \(text("latency")) frames later
            """
            : "waiting for it"
        let lines =
            [
                ("mixer", "jmix \(text("version"))"),
                ("JACK server", server),
                (
                    "session",
                    (status["session"]?.stringValue ?? "not saved yet")
                        + (status["unsaved"]?.boolValue == true ? ", with unsaved changes" : "")
                ),
                (
                    "transport",
                    """
                    \(text("state")) at \(Readable.clock(number("seconds"))) of \
                    \(Readable.clock(number("end")))
                    """
                ),
                ("tracks", text("tracks") + (fill.map { ", at least \(Int($0)) frames read ahead" } ?? "")),
                (
                    "recording",
                    ([status["recording"]?.boolValue == true ? "armed tracks, while it rolls" : "off"]
                        + disk(status)).joined(separator: ", ")
                ),
                ("dropouts", "\(text("dropouts")), and \(text("xruns")) xruns of the server"),
                (
                    "callback",
                    """
                    \(callback?["median"]?.plain ?? "") us, 999 of 1000 within \
                    \(callback?["percentile999"]?.plain ?? ""), the longest \
                    \(callback?["longest"]?.plain ?? "")
                    """
                ),
                ("periods", "\(text("periods")), \(text("latePeriods")) of them late"),
                ("realtime", "\(text("realtime")), memory locked: \(text("memoryLocked"))"),
            ] + (decoding.isEmpty ? [] : [("decoding", decoding)])
            + (waiting == 0
                ? [] : [("waiting", "\(waiting) \(waiting == 1 ? "edit" : "edits"), until that is decoded")])
            + (status["silenced"]?.boolValue == true
                ? [("mix", "silenced by a panic: play, stop or panic off ends that")] : [])
        return lines.map { "\($0.padded(13))\($1)" }
    }

    /// What is free where takes go, and for how long that is enough; empty where nobody knows.
    private func disk(_ status: JSONValue) -> [String] {
        guard let bytes = status["freeBytes"]?.doubleValue else { return [] }
        let free = "\((bytes / 1e8).rounded() / 10) GB free"
        guard let seconds = status["recordingSeconds"]?.doubleValue else { return [free] }
        let minutes = Int(min(seconds, MediaTime.latest.seconds) / 60)
        return ["\(free), enough to record for \(minutes / 60) h \(minutes % 60) min"]
    }

    private func tracks(_ tracks: [JSONValue]) -> [String] {
        strips(
            tracks,
            ["pan", "mute", "solo", "clips", "events"]
                + (tracks.allSatisfy { $0["input"] == .null } ? [] : ["input", "arm"])
                + (tracks.allSatisfy { $0["output"]?.stringValue == "master" && $0["sends"]?.intValue == 0 }
                    ? [] : ["output", "sends"]))
    }

    private func buses(_ buses: [JSONValue]) -> [String] {
        buses.isEmpty
            ? ["there are no buses"] : strips(buses, ["pan", "mute", "solo", "events", "output", "sends"])
    }

    private func strips(_ strips: [JSONValue], _ keys: [String]) -> [String] {
        table(
            ["#", "name", "fader", "level"] + keys,
            strips.map { strip in
                let fader = strip["fader"]?.doubleValue ?? 0
                return [
                    strip["number"]?.plain ?? "", strip["name"]?.plain ?? "", rounded(fader),
                    Readable.level(gain: fader),
                ] + keys.map { $0 == "input" ? inputPorts(of: strip) : strip[$0]?.plain ?? "" }
            })
    }

    /// The ports that it is connected to, or how many channels wait for one.
    private func inputPorts(of strip: JSONValue) -> String {
        guard let input = strip["input"], input != .null else { return "" }
        let ports = (input["connect"]?.arrayValue ?? []).map(\.plain).filter { !$0.isEmpty }
        return ports.isEmpty ? "\(input["channels"]?.plain ?? "") unconnected" : ports.joined(separator: ", ")
    }

    private func dcas(_ dcas: [JSONValue]) -> [String] {
        if dcas.isEmpty { return ["there are no DCAs"] }
        return table(
            ["#", "name", "fader", "level", "mute", "solo", "members"],
            dcas.map { dca in
                let fader = dca["fader"]?.doubleValue ?? 0
                let members = dca["members"]?.arrayValue?.map(\.plain).joined(separator: ", ") ?? ""
                return [
                    dca["number"]?.plain ?? "", dca["name"]?.plain ?? "", rounded(fader),
                    Readable.level(gain: fader), dca["mute"]?.plain ?? "", dca["solo"]?.plain ?? "",
                    members,
                ]
            })
    }

    private func sends(_ sends: [JSONValue]) -> [String] {
        if sends.isEmpty { return ["there are no sends"] }
        let hasMatrices = sends.contains { $0["matrix"] != nil }
        return table(
            ["from", "to", "volume", "level", "pan", "mute", "tap"] + (hasMatrices ? ["matrix"] : []),
            sends.map { send in
                let volume = send["volume"]?.doubleValue ?? 0
                return [
                    send["from"]?.plain ?? "", send["to"]?.plain ?? "", rounded(volume),
                    Readable.level(gain: volume), send["pan"]?.plain ?? "", send["mute"]?.plain ?? "",
                    send["pre"]?.boolValue == true ? "pre" : "post",
                ] + (hasMatrices ? [send["matrix"]?.plain ?? "standard"] : [])
            })
    }

    private func rounded(_ gain: Double) -> String { "\((gain * 1000).rounded() / 1000)" }

    /// In dBFS.
    private var meters: [String] {
        table(
            ["strip", "name", "peak L", "peak R", "RMS L", "RMS R"],
            messages.map { message in
                [message.word, names[message.root] ?? ""]
                    + message.arguments.map { Readable.decibels(gain: $0.json.doubleValue ?? 0) }
            })
    }

    private func automation(_ events: [JSONValue], of control: Control) -> [String] {
        if events.isEmpty { return ["there is no automation of \(control.word)"] }
        let isLevel = control.entry.kind == .volume
        func level(_ value: JSONValue?) -> String {
            value.map { isLevel ? "\($0.plain) (\(Readable.level(gain: $0.doubleValue ?? 0)))" : $0.plain }
                ?? ""
        }
        return table(
            ["#", "event", control.word, "from", "to", "curve"],
            events.enumerated().map { index, event in
                guard let ramp = event["ramp"]?.arrayValue, ramp.count == 2 else {
                    return [
                        "\(index + 1)", "point", level(event["volume"] ?? event["value"]), time(event["at"]),
                        "", "",
                    ]
                }
                return [
                    "\(index + 1)", "ramp", "\(level(ramp[0])) to \(level(ramp[1]))", time(event["from"]),
                    time(event["to"]), event["curve"]?.plain ?? "linear",
                ]
            })
    }

    private func clips(_ clips: [JSONValue]) -> [String] {
        if clips.isEmpty { return [] }
        let isPlain = clips.allSatisfy { clip in
            ["gain", "fadeIn", "fadeOut", "crossfade"].allSatisfy { clip[$0] == nil }
        }
        func pace(_ clip: JSONValue) -> String {
            let parts: [String?] = [
                clip["speed"].map { "\($0.plain)x" }, clip["tape"]?.boolValue == true ? "tape" : nil,
                clip["pitch"].map { "\($0.plain) st" }, clip["reverse"]?.boolValue == true ? "reverse" : nil,
                clip["stretcher"]?.plain,
            ]
            return parts.compactMap { $0 }.joined(separator: ", ")
        }
        let isAsItIs = clips.allSatisfy { pace($0).isEmpty }
        return table(
            ["#", "at", "end", "from"] + (isPlain ? [] : ["gain", "fades"]) + (isAsItIs ? [] : ["pace"]) + [
                "file"
            ],
            clips.enumerated().map { index, clip in
                let fades = [
                    ("in", clip["fadeIn"]), ("out", clip["fadeOut"]), ("crossfade", clip["crossfade"]),
                ].compactMap { name, value in value.map { "\(name) \($0.plain)" } }
                let shape = [
                    Readable.level(gain: clip["gain"]?.doubleValue ?? 1), fades.joined(separator: ", "),
                ]
                return [
                    "\(index + 1)", time(clip["at"]),
                    (clip["estimated"]?.boolValue == true ? "~" : "") + time(clip["end"]),
                    time(clip["from"] ?? .string("0s")),
                ] + (isPlain ? [] : shape) + (isAsItIs ? [] : [pace(clip)]) + [clip["file"]?.plain ?? ""]
            })
    }

    /// A time as the document has it; "-" where it is not known.
    private func time(_ value: JSONValue?) -> String {
        value?.stringValue.flatMap { try? TimeSpec(parsing: $0) }.map {
            Readable.clock($0.time(atRate: 48000).seconds)
        } ?? "-"
    }

    private func connections(_ connections: [JSONValue]) -> [String] {
        if connections.isEmpty { return ["nothing is connected"] }
        return table(
            ["port", "to", ""],
            connections.map {
                [
                    $0["port"]?.plain ?? "", $0["other"]?.plain ?? "",
                    $0["connected"]?.boolValue == true ? "" : "not there yet",
                ]
            })
    }

    private func ports(_ ports: [JSONValue]) -> [String] {
        if ports.isEmpty { return ["there is no JACK server at present"] }
        return table(
            ["port", "", "carries", ""],
            ports.map {
                [
                    $0["port"]?.plain ?? "", $0["direction"]?.plain ?? "", $0["medium"]?.plain ?? "",
                    $0["own"]?.boolValue == true ? "the mixer's" : "",
                ]
            })
    }

    private func missing(_ files: [JSONValue]) -> [String] {
        files.flatMap { file -> [String] in
            let found = file["found"]?.arrayValue ?? []
            let name = file["file"]?.plain ?? ""
            return ["\(name)\(found.isEmpty ? "  (no file of its name found)" : "")"]
                + found.map { "    found: \($0.plain)" }
        }
    }

    /// Columns as wide as their widest entry.
    private func table(_ head: [String], _ rows: [[String]]) -> [String] {
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        return ([head] + rows).map { row in
            let line = zip(row, widths).map { $0.padded($1) }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }
}

extension OSCMessage {
    /// The JSON document that the message carries.
    fileprivate var document: JSONValue? {
        guard case .string(let text)? = arguments.first else { return nil }
        return try? JSONValue(parsing: text)
    }

    private var parts: [Substring] { address.split(separator: "/") }

    /// The kind of strip that it is about, which counts from 1.
    fileprivate var kind: StripKind? { parts.count > 2 ? StripKind(rawValue: String(parts[0])) : nil }

    /// "2" of /track/2/volume, "master" of /master/volume.
    fileprivate var strip: String { String(kind != nil && kind != .master ? parts[1] : parts.first ?? "") }

    /// The strip as the shell takes it: "2" of /track/2/volume, "bus:1" of /bus/1/volume.
    /// "/track/2" of /track/2/volume.
    package var root: String { "/" + parts.prefix(2).joined(separator: "/") }

    fileprivate var word: String { kind == .bus || kind == .dca ? "\(kind!.rawValue):\(strip)" : strip }

    /// "reverb" of /track/2/send/reverb/volume.
    fileprivate var send: String? { parts.count > 4 && parts[2] == "send" ? String(parts[3]) : nil }

    /// "volume" of /track/2/volume.
    fileprivate var field: String { String(address.split(separator: "/").last ?? "") }
}

extension OSCArgument {
    fileprivate var shown: String {
        switch self {
        case .int32(let value): "\(value)"
        case .int64(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .bool(let flag): flag ? "on" : "off"
        case .blob(let bytes): "(\(bytes.count) bytes)"
        case .other(let tag): "(\(tag))"
        }
    }

    fileprivate var json: JSONValue {
        switch self {
        case .int32(let value): .number(value)
        case .int64(let value): .number(value)
        // A float as the shortest decimal that names it.
        case .float(let value): value.isFinite ? .number(Double("\(value)") ?? Double(value)) : .null
        case .double(let value): .number(value)
        case .string(let value): .string(value)
        case .bool(let flag): .bool(flag)
        case .blob, .other: .null
        }
    }
}

extension JSONValue {
    fileprivate var plain: String {
        switch self {
        case .string(let text): text
        case .bool(let flag): flag ? "on" : "off"
        case .null: "-"
        default: compactText
        }
    }
}

extension String {
    fileprivate func padded(_ width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
