import Timeline

/// Verbs that say several commands, or write one otherwise than its fields: what stands on the timeline.
extension Verb {
    static let ramp = Verb(
        .timeline, "ramp STRIP V0 V1 T0 T1 [--curve C] [--replace] [--of CONTROL]",
        "a ramp on the timeline; from V0 at T0 to V1 at T1, of the volume or of CONTROL",
        example: "ramp 2 0.5 0.8 2s 4s",
        options: WordOptions(valued: ["--curve", "--of"], flags: ["--replace"])
    ) { words throws(CommandError) in
        let (strip, control) = (try words.strip(), try words.control())
        if control.entry.kind == .flag {
            throw CommandError(
                "\(control.word) is a switch: it has points on the timeline, and no ramps", isUsage: true)
        }
        return .ramp(
            strip, control, from: try words.ofTimeline(control), to: try words.ofTimeline(control),
            start: try words.time(), end: try words.time(),
            curve: try words.curve(), replace: words.flag("--replace"))
    }

    static let automation = Verb(
        .timeline,
        """
        automation STRIP [clear [T0 T1] [--all] | remove N [--all] | move N TIME [--replace]] \
        [--of CONTROL]
        """,
        """
        the events on the timeline; a table, of the volume or of CONTROL; clear, remove or move them; \
        --all as for remove
        """, example: "automation 2 clear 2s 4s",
        options: WordOptions(valued: ["--of"], flags: ["--replace", "--all"])
    ) { words throws(CommandError) in
        let (strip, control) = (try words.strip(), try words.control())
        if words.isEmpty { return .automation(strip, control) }
        let action = try words.word("clear, remove or move")
        switch action {
        case "clear":
            return .clearAutomation(
                strip, control, from: words.isEmpty ? nil : try words.time(),
                to: words.isEmpty ? nil : try words.time())
        case "remove": return .removeEvent(strip, control, try words.index("the number of an event"))
        case "move":
            return .moveEvent(
                strip, control, try words.index("the number of an event"), to: try words.time(),
                replace: words.flag("--replace"))
        default:
            throw CommandError(
                "\"\(action)\": automation STRIP takes nothing, or clear, remove or move", isUsage: true)
        }
    }
    .answering([.automation])

    static let write = Verb(
        .timeline, "write STRIP [off | read | touch | latch | write] [--of CONTROL]",
        """
        what hands do to the automation of the volume or of CONTROL: touch writes while a hand is on the \
        control, latch from the first touch until playing stops, write from play to stop, read never; off: \
        the automation is not played; without a value: print it
        """, example: "write voice touch",
        options: WordOptions(valued: ["--of"])
    ) { words throws(CommandError) in
        let (strip, control) = (try words.strip(), Control.writeMode(try words.control()))
        return .control(strip, control, words.isEmpty ? nil : try words.value(of: control))
    }
    .answering([.control(.writeMode(.volume)), .control(.writeMode(.send(.name(""), .volume)))])

    static let duck = Verb(
        .timeline,
        """
        duck STRIP --under STRIP[,STRIP ...] --to V [--attack T] [--release T] [--by signal [--threshold DB] \
        [--hold T] \
        [--lookahead T]] | STRIP --by hand --to V [--attack T] [--release T] | STRIP [on | off]
        """,
        """
        lower a strip while another is heard; without --by: while the other, or any of several, has a clip; \
        --by signal: while it sounds; --by hand: while a button is down, which on and off press; \
        --to 1 removes the duck
        """, example: "duck music --under voice --to 0.3",
        options: WordOptions(
            valued: ["--under", "--to", "--attack", "--release", "--by"] + SignalDuckWords.names)
    ) { words throws(CommandError) in
        let track = try words.strip()
        if words.text("--by") == "hand" {
            guard let to = words.text("--to") else {
                throw CommandError("--to V is missing", isUsage: true)
            }
            return .duckByHand(
                track, to: try Words.volume(to), attack: try words.time("--attack"),
                release: try words.time("--release"))
        }
        if words.text("--under") == nil, words.text("--to") == nil {
            return words.isEmpty ? .ask(track, .duck) : .set(track, .duck, .flag(try words.onOff()))
        }
        guard let under = words.text("--under") else {
            throw CommandError("--under STRIP is missing", isUsage: true)
        }
        guard let to = words.text("--to") else { throw CommandError("--to V is missing", isUsage: true) }
        switch words.text("--by") ?? "clips" {
        case "signal":
            return .duckBySignal(
                track, under: StripReference(under), to: try Words.volume(to), try SignalDuckWords(&words)
            )
        case "clips": break
        case let word:
            throw CommandError("\"\(word)\": a duck goes by clips, by signal or by hand", isUsage: true)
        }
        if let word = SignalDuckWords.names.first(where: { words.text($0) != nil }) {
            throw CommandError("\(word) is of a duck --by signal", isUsage: true)
        }
        return .duck(
            track, under: StripReference(under), to: try Words.volume(to),
            attack: try words.time("--attack"), release: try words.time("--release"))
    }
    .answering([.control(.duck)])

    static let marker = Verb(
        .timeline, "marker list | add NAME [TIME] | remove NAME",
        """
        places with names, which are the chapters of a render; add without TIME: where the playhead stands
        """, example: "marker add intro 1:30"
    ) { words throws(CommandError) in
        let action = try words.word("list, add or remove")
        switch action {
        case "list": return .marker(.list)
        case "add":
            return .marker(.add(try words.word("the name"), at: words.isEmpty ? nil : try words.time()))
        case "remove": return .marker(.remove(try words.word("the name")))
        default: throw CommandError("\"\(action)\": marker takes list, add or remove", isUsage: true)
        }
    }
    .answering([.kind(Answer.markers)])
}
