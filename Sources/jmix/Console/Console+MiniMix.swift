import OSC
import Remote
import Timeline

extension Console {
    /// What JackMiniMix's clients ask: the same faders and names, under its addresses.
    func runMiniMix(_ command: MiniMixCommand) throws(CommandError) -> [OSCMessage] {
        switch command {
        case .count: return [OSCMessage("/mixer/channel_count", .int32(Int32(session.tracks.count)))]
        case .gain(let channel, let level):
            let strip = StripReference.track(.number(channel))
            if let level { _ = try run(.level(strip, .db, level <= Self.miniMixSilence ? -.infinity : level)) }
            let gain = engine.presentFader(session.tracks[try oneTrack(.number(channel))].id)
            return [OSCMessage("/mixer/channel/gain", .int32(Int32(channel)), .float(Float(max(Self.miniMixSilence, Volume.level(gain: gain)))))]
        case .label(let channel, let label):
            if let label { _ = try run(.name(.number(channel), label)) }
            return [OSCMessage("/mixer/channel/label", .int32(Int32(channel)), .string(session.tracks[try oneTrack(.number(channel))].name))]
        }
    }

    /// In dB: what counts as negative infinity there.
    private static let miniMixSilence = -90.0
}
