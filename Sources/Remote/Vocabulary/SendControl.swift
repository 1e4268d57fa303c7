import OSC
import Timeline

/// What a send has.
public enum SendControl: String, CaseIterable, Sendable {
    case volume
    case volumeLevel = "volume/db"
    case volumePosition = "volume/position"
    case pan
    case mute
    case pre
    case matrix

    var kind: Control.Kind {
        switch self {
        case .volume: .volume
        case .volumeLevel: .scale(.db)
        case .volumePosition: .scale(.position)
        case .pan: .number(-1...1)
        case .mute, .pre: .flag
        case .matrix: .matrix
        }
    }

    var summary: String {
        switch self {
        case .volume: "the level of the send to BUS, linear, 0 to 4; makes the send if there is none"
        case .volumeLevel: "the same level in dB, -inf to +12"
        case .volumePosition: "the same level as a fader's position, 0 to 1"
        case .pan: "balance of the send, -1 left to 1 right"
        case .mute: "silences the send"
        case .pre: "the send leaves before the strip's automation, fader, mute and pan; else behind them"
        case .matrix:
            """
            gains between channels, as 1,0/0,1: for each channel of the bus a row of gains (-4 to 4), one \
            for each channel of the strip; standard: by ITU-R BS.775
            """
        }
    }

    var title: String {
        switch self {
        case .volume, .volumeLevel, .volumePosition: "send"
        case .pan: "pan of the send"
        case .mute: "mute of the send"
        case .pre: "tap of the send"
        case .matrix: "matrix of the send"
        }
    }
}

extension Command {
    /// Settings of a send: one by itself is that of a control.
    static func send(
        _ strip: StripReference, _ bus: Selector, settings: [SendSetting]
    ) -> Command {
        if let only = settings.first, settings.count == 1 {
            return .set(strip, .send(bus, only.control), only.value)
        }
        return .send(strip, bus, settings)
    }
}

extension Arguments {
    /// What a message to a send says: its level, then its tap, then its matrix, each if it is there.
    mutating func sendSettings() throws(CommandError) -> [SendSetting] {
        var settings: [SendSetting] = []
        if !isWord(["pre", "post", "matrix"]) {
            settings.append(SendSetting(.volume, .number(try volume())))
        }
        if isWord(["pre", "post"]) {
            settings.append(SendSetting(.pre, .flag(try text("pre or post") == "pre")))
        }
        if let matrix = try word(behind: "matrix") {
            settings.append(SendSetting(.matrix, .text(try Control.Kind.matrix.check(matrix, "matrix"))))
        }
        if !isEmpty {
            let word = try text("pre, post or matrix")
            throw CommandError("\"\(word)\" is none of pre, post and matrix, in this order")
        }
        return settings
    }
}

extension Words {
    /// The same in the shell, the tap and the matrix as options.
    mutating func sendSettings() throws(CommandError) -> [SendSetting] {
        if flag("--pre"), flag("--post") {
            throw CommandError("a send leaves before the fader or behind it: --pre or --post", isUsage: true)
        }
        var settings: [SendSetting] = []
        if !isEmpty { settings.append(SendSetting(.volume, .number(try volume()))) }
        if flag("--pre") || flag("--post") { settings.append(SendSetting(.pre, .flag(flag("--pre")))) }
        if let matrix = text("--matrix") {
            settings.append(SendSetting(.matrix, .text(try Control.Kind.matrix.check(matrix, "matrix"))))
        }
        return settings
    }

    /// The matrix of a send, or nil for the standard one.
    static func matrix(_ text: String) throws(CommandError) -> SendMatrix? {
        if text == SendMatrix.standardWord { return nil }
        do { return try SendMatrix(parsing: text) } catch { throw CommandError("\(error)") }
    }
}
