import Timeline

/// Verbs that say several commands, or write one otherwise than its fields: what moves faders, and what hangs
/// on them.
extension Verb {
    static let volume = Verb(
        .faders, "volume STRIP [V [TIME] | STEP] [--replace] [--by STEP] [--of CONTROL]",
        """
        the fader now; no V: print it; with TIME: a point on the timeline, of CONTROL: pan, mute, trim, \
        send/BUS/volume, eq/2/gain, comp/threshold; +1dB, --by -1dB or --by -0.05: from where it stands; \
        -6dB is a level
        """, example: "volume 2 -6dB",
        options: WordOptions(valued: ["--by", "--of"], flags: ["--replace"])
    ) { words throws(CommandError) in
        let (strip, control) = (try words.strip(), try words.control())
        if let step = try words.step(control.entry.kind, of: control.word) {
            return .nudge(strip, control, by: step)
        }
        if words.isEmpty { return .ask(strip, control) }
        let value = try words.value(of: control)
        if words.isEmpty { return .set(strip, control, value) }
        return .point(
            strip, control, value: value.ofTimeline, at: try words.time(),
            replace: words.flag("--replace"))
    }
    .answering([.controlOfTimeline])

    static let fade = Verb(
        .faders, "fade STRIP V DURATION | STRIP DURATION --by STEP [--curve C] [--of CONTROL]",
        """
        the fader, or CONTROL, glides to V, starting now; --by: so far from where it stands; +3dB is a \
        level here, not a step
        """, example: "fade music 0 3s --curve scurve",
        options: WordOptions(valued: ["--by", "--curve", "--of"])
    ) { words throws(CommandError) in
        let (strip, control) = (try words.strip(), try words.control())
        if control.entry.kind == .flag {
            throw CommandError("\(control.word) is a switch, and does not fade", isUsage: true)
        }
        if let text = words.text("--by") {
            return .fadeBy(
                strip, control, try Step(text, of: control.entry.kind, control.word),
                over: try words.time(), curve: try words.curve())
        }
        return .fade(
            strip, control, to: try words.ofTimeline(control), over: try words.time(),
            curve: try words.curve())
    }

    static let muteGroup = Verb(
        .faders, "mutegroup [NAME [STRIP ...] [on | off] | NAME remove]",
        """
        a button that silences several strips at once; beside their own mutes; strips: these it \
        silences; without a word: list them
        """, example: "mutegroup band drums bass"
    ) { words throws(CommandError) in
        if words.isEmpty { return .muteGroups }
        let name = try words.word("the name")
        if words.isEmpty {
            throw CommandError("mutegroup NAME takes strips, on, off or remove", isUsage: true)
        }
        switch words.first {
        case "on", "off": return .muteGroup(name, .turn(try words.onOff()))
        case "remove":
            _ = try words.word("remove")
            return .muteGroup(name, .remove)
        default:
            var strips: [StripReference] = []
            while !words.isEmpty, !words.isSwitchLast { strips.append(try words.strip()) }
            let isOn = words.isEmpty ? nil : try words.onOff()
            return .muteGroup(name, .members(strips, isOn: isOn))
        }
    }
    .answering([.kind(Answer.muteGroups)])

    static let dca = Verb(
        .faders, "dca add NAME [STRIP ...] | NAME assign STRIP ... | NAME unassign STRIP ...",
        """
        a fader that several others hang on: it multiplies theirs, and its mute silences them; add \
        prints its number
        """, example: "dca add band drums bass"
    ) { words throws(CommandError) in
        let first = try words.word("add, or the name of a DCA")
        if first == "add" { return .addDCA(try words.word("the name"), try words.strips()) }
        let action = try words.word("assign or unassign")
        guard action == "assign" || action == "unassign" else {
            throw CommandError("\"\(action)\": dca NAME takes assign or unassign", isUsage: true)
        }
        return .assign(
            first.hasPrefix("dca:") ? StripReference(first) : .dca(Selector(first)),
            [try words.strip()] + (try words.strips()), action == "assign")
    }

    static let scene = Verb(
        .faders,
        "scene list | store NAME | recall NAME [DURATION] [--only PARTS] [--strips STRIPS] | remove NAME",
        """
        where all strips stand, under a name; faders, pans, mutes, sends, processors, trims, outputs, \
        solos and members of DCAs; DURATION: as a fade; --only: of \
        \(ScenePart.allCases.map(\.rawValue).joined(separator: ",")); \
        --strips: of these alone, with commas between
        """, example: "scene recall verse 2s",
        options: WordOptions(valued: ["--only", "--strips"])
    ) { words throws(CommandError) in
        let action = try words.word("list, store, recall or remove")
        switch action {
        case "list": return .scene(.list)
        case "store": return .scene(.store(try words.word("the name")))
        case "recall":
            let (name, time) = (try words.word("the name"), words.isEmpty ? nil : try words.time())
            return .scene(
                .recall(
                    name, over: time, parts: try words.text("--only").map(Words.sceneParts),
                    strips: words.text("--strips").map(Words.strips)))
        case "remove": return .scene(.remove(try words.word("the name")))
        default:
            throw CommandError("\"\(action)\": scene takes list, store, recall or remove", isUsage: true)
        }
    }
    .answering([.kind(Answer.scenes)])
}
