import OSC
import Remote
import Timeline

/// What only OSC has: the namespace of JackMiniMix, which names the same faders and names otherwise, and help
/// on addresses.
enum MiniMix {
    /// In dB: what counts as negative infinity there.
    private static let silence = -90.0

    /// The commands that say the same: what sets, if it does, and what asks; and how the answer is told.
    static func commands(
        _ command: MiniMixCommand
    ) -> (set: Command?, ask: Command, answer: (Answer) -> OSCMessage?) {
        switch command {
        case .count:
            return (
                nil, .status,
                { answer in
                    answer[Answer.status].map {
                        OSCMessage("/mixer/channel_count", .int32(Int32($0.tracks)))
                    }
                }
            )
        case .gain(let channel, let level):
            let strip = StripReference.track(.number(channel))
            return (
                level.map { .set(strip, .volumeLevel, .number($0 <= silence ? -.infinity : $0)) },
                .ask(strip, .volumeLevel),
                { answer in
                    guard case .control(_, _, .number(let level)) = answer else { return nil }
                    return OSCMessage(
                        "/mixer/channel/gain", .int32(Int32(channel)), .float(Float(max(silence, level))))
                }
            )
        case .label(let channel, let label):
            let strip = StripReference.track(.number(channel))
            return (
                label.map { .set(strip, .name, .text($0)) }, .ask(strip, .name),
                { answer in
                    guard case .control(_, _, .text(let name)) = answer else { return nil }
                    return OSCMessage("/mixer/channel/label", .int32(Int32(channel)), .string(name))
                }
            )
        }
    }

    /// A message for each address that is meant.
    static func help(_ address: String?) throws(CommandError) -> [OSCMessage] {
        let found = Address.described(by: address)
        if found.isEmpty {
            throw CommandError("there is no address \(address ?? ""): /help without arguments lists all")
        }
        return found.map {
            OSCMessage(
                "/help", .string($0.path), .string($0.arguments), .string($0.answer), .string($0.summary))
        }
    }
}
