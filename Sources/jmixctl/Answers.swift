import JSON
import OSC
import Remote

/// Turns answers into what a person reads, or with `--json` into what a script reads.
struct Answers {
    let command: Command
    let messages: [OSCMessage]

    /// The lines to print; none for a command that only sets.
    func text(json: Bool) -> [String] {
        if messages.isEmpty { return [] }
        switch command {
        case .tracks, .status, .automation, .history, .scene(.list), .sessions, .clips(_, .list), .missing:
            let documents = messages.compactMap(\.document)
            if json { return [(documents.count == 1 ? documents[0] : .array(documents)).prettyText()] }
            if case .tracks = command { return tracks(documents[0].arrayValue ?? []) }
            if case .status = command { return status(documents[0]) }
            if case .sessions = command { return documents[0].arrayValue?.compactMap(\.stringValue) ?? [] }
            if case .scene = command { return documents[0].arrayValue?.compactMap(\.stringValue) ?? [] }
            if case .history = command { return history(documents[0].arrayValue ?? []) }
            if case .missing = command { return missing(documents[0].arrayValue ?? []) }
            if case .clips = command { return documents.flatMap { clips($0.arrayValue ?? []) } }
            return documents.flatMap { automation($0.arrayValue ?? []) }
        case .position: return position(json)
        default:
            if json { return [values.prettyText()] }
            return messages.map { message in
                let shown = message.arguments.map(\.shown).joined(separator: "  ")
                return messages.count == 1 ? shown : "\(message.strip)  \(shown)"
            }
        }
    }

    /// `{ "track": 1, "volume": 0.5 }`, or a list of such.
    private var values: JSONValue {
        let items = messages.map { message -> JSONValue in
            var object = JSONObject()
            if message.address.hasPrefix("/track/"), let number = Int(message.strip) { object["track"] = .number(number) }
            if message.strip == "master" { object["track"] = .string("master") }
            let names = message.field == "meter" ? ["peakLeft", "peakRight", "rmsLeft", "rmsRight"] : []
            if names.count == message.arguments.count {
                for (name, argument) in zip(names, message.arguments) { object[name] = argument.json }
            } else if message.field == "add", let number = message.arguments.first {
                object["number"] = number.json
            } else {
                let values = message.arguments.map(\.json)
                object[message.field] = values.count == 1 ? values[0] : .array(values)
            }
            return .object(object)
        }
        return items.count == 1 ? items[0] : .array(items)
    }

    private func history(_ steps: [JSONValue]) -> [String] {
        steps.enumerated().map { "\(String($0 + 1).padded(4)) \($1["name"]?.stringValue ?? "")\($1["done"]?.boolValue == false ? "   (taken back)" : "")" }
    }

    private func position(_ json: Bool) -> [String] {
        guard messages.count == 2, messages[0].arguments.count == 2, let state = messages[1].arguments.first else { return [] }
        let (frame, seconds) = (messages[0].arguments[0].json, messages[0].arguments[1].json)
        if json { return [JSONValue.object(["state": state.json, "frame": frame, "seconds": seconds]).prettyText()] }
        return ["\(seconds.compactText) s  frame \(frame.compactText)  \(state.shown)"]
    }

    private func status(_ status: JSONValue) -> [String] {
        (status.objectValue?.fields ?? []).map { key, value in
            guard key == "streams", let streams = value.arrayValue else { return "\(key.padded(21)) \(value.plain)" }
            let lowest = streams.compactMap { $0["lowestFill"]?.intValue }.min() ?? 0
            return "\(key.padded(21)) \(streams.count), at least \(lowest) frames read ahead"
        }
    }

    private func tracks(_ tracks: [JSONValue]) -> [String] {
        ["\("#".padded(4)) \("name".padded(20)) \("fader".padded(8)) \("pan".padded(6)) mute solo clips events"] + tracks.map { track in
            func column(_ key: String, _ width: Int) -> String { (track[key]?.plain ?? "").padded(width) }
            return "\(column("number", 4)) \(column("name", 20)) \(column("fader", 8)) \(column("pan", 6)) "
                + "\(column("mute", 4)) \(column("solo", 4)) \(column("clips", 5)) \(column("events", 6))"
        }
    }

    private func automation(_ events: [JSONValue]) -> [String] {
        if events.isEmpty { return [] }
        return table(["#", "event", "volume", "from", "to", "curve"], events.enumerated().map { index, event in
            guard let ramp = event["ramp"]?.arrayValue, ramp.count == 2 else {
                return ["\(index + 1)", "point", event["volume"]?.plain ?? "", event["at"]?.plain ?? "", "", ""]
            }
            return ["\(index + 1)", "ramp", "\(ramp[0].plain) to \(ramp[1].plain)", event["from"]?.plain ?? "", event["to"]?.plain ?? "", event["curve"]?.plain ?? "linear"]
        })
    }

    private func clips(_ clips: [JSONValue]) -> [String] {
        if clips.isEmpty { return [] }
        return table(["#", "at", "end", "from", "file"], clips.enumerated().map { index, clip in
            ["\(index + 1)"] + ["at", "end", "from", "file"].map { clip[$0]?.plain ?? ($0 == "from" ? "0s" : "") }
        })
    }

    private func missing(_ files: [JSONValue]) -> [String] {
        files.flatMap { file -> [String] in
            let found = file["found"]?.arrayValue ?? []
            let name = file["file"]?.plain ?? ""
            return ["\(name)\(found.isEmpty ? "  (no file of its name found)" : "")"] + found.map { "    found: \($0.plain)" }
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

    /// "2" of /track/2/volume, "master" of /master/volume.
    fileprivate var strip: String {
        let parts = address.split(separator: "/")
        return String(parts.first == "track" && parts.count > 2 ? parts[1] : parts.first ?? "")
    }

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
        case .other: .null
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
    fileprivate func padded(_ width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
