import JSON
import Timeline

/// Answers as a person and as a script read them.
extension Answer {
    package var lines: [String] {
        switch self {
        case .control(_, _, let value): [value.values.text]
        case .automation(_, let control, let automation): automation.lines(of: control)
        case .said(let said): said.kind.lines(said.value)
        }
    }

    /// The JSON document, or nil if `fields` holds the answer.
    package var json: JSONValue? {
        switch self {
        case .control: nil
        case .automation(_, _, let automation): automation.json
        case .said(let said):
            if case .document(let json) = said.kind.content(said.value) { json } else { nil }
        }
    }

    /// What its value is called in JSON.
    package var key: String {
        switch self {
        case .control(_, let control, _): control.key
        case .automation: "automation"
        case .said(let said): said.kind.key
        }
    }

    /// The JSON fields besides the strip; empty if `json` is a document.
    package var fields: JSONObject {
        switch self {
        case .control(_, let control, let value): value.fields(of: control)
        case .automation: [:]
        case .said(let said): said.kind.fields(said.value) ?? [:]
        }
    }
}

extension Control {
    /// The bus of the send that it is of.
    fileprivate var bus: Selector? {
        switch self {
        case .send(let bus, _): bus
        case .writeMode(let control), .touch(let control): control.bus
        default: nil
        }
    }

    /// Its name in the session's file, or else the last word of its path.
    fileprivate var key: String {
        switch self {
        case .fadeIn: "fadeIn"
        case .fadeOut: "fadeOut"
        case .soloSafe: "soloSafe"
        case .muteMode: "muteMode"
        default: path.split(separator: "/").last.map(String.init) ?? path
        }
    }
}

extension ControlValue {
    /// One by one.
    var values: [PlainValue] {
        switch self {
        case .number(let number): [.float(number)]
        case .flag(let flag): [.flag(flag)]
        case .text(let text): [.text(text)]
        case .channels(let layout): [.number(layout.channels)]
        case .names(let names): names.map { .text($0) }
        case .time(.time(let time)): [.text("\(time)")]
        case .time(.frames(let frames)): [.number(Int(frames))]
        case .time(.seconds(let seconds)): [.number(seconds)]
        case .levels(let peaks, let rms): (peaks + rms).map { .float(Double($0)) }
        }
    }

    /// `{ "volume": 0.5 }`, or of a send `{ "send": "reverb", "volume": 0.5 }`.
    fileprivate func fields(of control: Control) -> JSONObject {
        var object = JSONObject()
        object["send"] = control.bus.map { .string($0.text) }
        switch self {
        case .levels(let peaks, let rms): object.merge(Self.levels(peaks, rms))
        case .names(let names): object[control.key] = names.json
        default: object[control.key] = values.json
        }
        return object
    }

    /// Left and right, and a list of the channels behind them.
    private static func levels(_ peaks: [Float], _ rms: [Float]) -> JSONObject {
        let (peaks, rms) = (
            peaks.map { JSONValue.float(Double($0)) }, rms.map { JSONValue.float(Double($0)) }
        )
        var object: JSONObject = [
            "peakLeft": peaks[0], "peakRight": peaks[1], "rmsLeft": rms[0], "rmsRight": rms[1],
        ]
        if peaks.count > 2 {
            object["further"] = .array(
                zip(peaks, rms).dropFirst(2).map { .object(["peak": $0, "rms": $1]) })
        }
        return object
    }
}

extension Control {
    /// What JSON says of it besides the strip.
    package var fields: [JSONSchema.Property] {
        let send = bus.map { _ in JSONSchema.Property("send", .text) }
        return [send].compactMap { $0 }
            + (entry.kind == .levels ? Self.levels : [JSONSchema.Property(key, entry.kind.schema)])
    }

    private static let levels =
        ["peakLeft", "peakRight", "rmsLeft", "rmsRight"].map { JSONSchema.Property($0, .number) } + [
            JSONSchema.Property(
                "further",
                .list(
                    of: .object([JSONSchema.Property("peak", .number), JSONSchema.Property("rms", .number)])),
                isRequired: false)
        ]
}
