import Speakers
import Timeline

/// Verbs that say several commands, or write one otherwise than its fields: buses, sends, and what is heard
/// in the control room.
extension Verb {
    static let bus = Verb(
        .desk, "bus add NAME [--channels 1|2|6|8|12]", "a new bus, a sum of strips; prints its number",
        example: "bus add reverb", options: WordOptions(valued: ["--channels"])
    ) { words throws(CommandError) in
        guard try words.word("add") == "add" else {
            throw CommandError("bus takes add NAME; buses lists them", isUsage: true)
        }
        return .addBus(
            try words.word("the name"),
            try words.text("--channels").map { text throws(CommandError) in try Words.layout(text) }
                ?? .stereo)
    }

    static let send = Verb(
        .desk,
        "send STRIP BUS [V | STEP] [--by STEP] [--pre | --post] [--matrix MATRIX|standard] | STRIP BUS off",
        """
        how much of a strip goes to a bus beside its output; --pre: before its fader, --post: behind it; \
        --matrix: a row for each channel of the bus, in it a gain for each channel of the strip, as 1,0/0,1; \
        without a value: print it; off: remove the send; +1dB, --by -1dB or --by -0.05: from where it stands
        """, example: "send voice reverb -12dB",
        options: WordOptions(valued: ["--by", "--matrix"], flags: ["--pre", "--post"])
    ) { words throws(CommandError) in
        let (strip, bus) = (try words.strip(), try words.bus())
        if words.first == "off" {
            if words.text("--by") != nil {
                throw CommandError("off takes the send away: it takes no step", isUsage: true)
            }
            _ = try words.word("off")
            return .removeSend(strip, bus)
        }
        if let step = try words.step(.volume, of: "the send") {
            return .nudge(strip, .send(bus, .volume), by: step)
        }
        let settings = try words.sendSettings()
        return settings.isEmpty
            ? .ask(strip, .send(bus, .volume)) : .send(strip, bus, settings: settings)
    }
    .answering([.control(.send(.name(""), .volume))])

    static let talkback = Verb(
        .desk, "talkback TRACK [on|off] | TRACK --to BUS ... [on|off] | TRACK --to none",
        """
        let a track be heard on some buses while its button is down; on and off press the button; \
        without a value: whether it is down
        """, example: "talkback mic --to stage",
        options: WordOptions(valued: ["--to"])
    ) {
        words throws(CommandError) in try words.talkback()
    }
    .answering([.control(.talkback)])

    static let monitor = Verb(
        .desk, "monitor TRACK [auto|input|clips] | \(MonitorControl.usage)",
        """
        what a track plays, or the control room; TRACK: its clips, and its input while no clip plays \
        (auto), the input alone, or the clips alone; or what the ports monitor_1 and _2 play, how loud, \
        dimmed, mono or muted; without a value: print it; +1dB, or --by -1dB: from where it stands
        """, example: "monitor source master",
        options: WordOptions(valued: ["--by"])
    ) { words throws(CommandError) in try words.monitor() }
    .answering([.control(.monitor)] + MonitorControl.allCases.map { .kind(Answer.monitoring($0)) })
}
