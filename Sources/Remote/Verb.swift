import Timeline

/// One word of the shell: how it is written, what it does, and the command it becomes. The table is the only
/// list of them: the shell, the REPL and help all read it.
public struct Verb: Sendable {
    public let name: String
    /// What follows the name.
    public let arguments: String
    public let summary: String
    public let example: String
    let valued: [String]
    let flags: [String]
    let parse: @Sendable (inout Words) throws(CommandError) -> Command

    public var usage: String { arguments.isEmpty ? name : "\(name) \(arguments)" }

    init(
        _ name: String, _ arguments: String, _ summary: String, example: String, valued: [String] = [],
        flags: [String] = [],
        parse: @escaping @Sendable (inout Words) throws(CommandError) -> Command
    ) {
        self.name = name
        self.arguments = arguments
        self.summary = summary
        self.example = example
        self.valued = valued
        self.flags = flags
        self.parse = parse
    }

    /// What to say of a verb that is not there.
    public static func unknown(_ name: String) -> String {
        if programs.contains(name) { return "\(name) needs no running mixer: jmix \(name)" }
        return
            """
            there is no verb "\(name)": \(nearest(to: name).map { "did you mean \($0)? " } ?? "")help lists \
            them
            """
    }

    /// What `jmix` does that is no verb.
    private static let programs = [
        "run", "new", "edit", "render", "join", "check", "inspect", "plot", "layout", "export", "import",
    ]

    public static func named(_ name: String) -> Verb? { all.first { $0.name == name } }

    public static let all: [Verb] = strip + controls + timeline + desk + inputs + tracks + transport + whole

    private static let strip: [Verb] = [
        Verb(
            "volume", "STRIP [V [TIME] | +DB] [--replace] [--by DB] [--of CONTROL]",
            """
            the fader now; no V: print it; with TIME: a point on the timeline, of CONTROL: pan, mute, trim, \
            send/BUS/volume, eq/2/gain, comp/threshold; +1dB, or --by -1dB: from where it stands
            """,
            example: "volume 2 -6dB", valued: ["--by", "--of"], flags: ["--replace"]
        ) { words throws(CommandError) in
            let (strip, control) = (try words.strip(), try words.control())
            if let change = try words.change(of: control) { return .nudge(strip, control, by: change) }
            if words.isEmpty { return .ask(strip, control) }
            let value = try words.value(of: control)
            if words.isEmpty { return .set(strip, control, value) }
            return .point(
                strip, control, value: value.ofTimeline, at: try words.time(),
                replace: words.flag("--replace"))
        },
        Verb(
            "fade", "STRIP V DURATION [--curve C] [--of CONTROL]",
            "the fader, or CONTROL, glides to V, starting now",
            example: "fade music 0 3s --curve scurve", valued: ["--curve", "--of"]
        ) { words throws(CommandError) in
            let (strip, control) = (try words.strip(), try words.control())
            if control.entry.kind == .flag {
                throw CommandError("\(control.word) is a switch, and does not fade", isUsage: true)
            }
            return .fade(
                strip, control, to: try words.ofTimeline(control), over: try words.time(),
                curve: try words.curve())
        },
    ]

    /// What is no more than a control, from the one table.
    private static let controls: [Verb] = Control.plain.compactMap { control in
        let entry = control.entry
        guard let verb = entry.verb else { return nil }
        let edge = ClipEdge(rawValue: control.path)
        let ofClip = edge == nil ? ("", "") : (" [--clip N [--curve C]]", "; --clip: of that clip alone")
        let nudge = entry.kind.isNudged ? (" [--by CHANGE]", "; +N, or --by: from where it stands") : ("", "")
        return Verb(
            verb.name,
            "\(entry.kinds == [.track] ? "TRACK" : "STRIP") [\(entry.kind.words)]\(ofClip.0)\(nudge.0)",
            "\(verb.summary); nothing: print it\(ofClip.1)\(nudge.1)",
            example: verb.example,
            valued: (edge == nil ? [] : ["--clip", "--curve"]) + (entry.kind.isNudged ? ["--by"] : [])
        ) { words throws(CommandError) in
            let strip = try words.strip()
            if let change = try words.change(of: control) { return .nudge(strip, control, by: change) }
            if let edge, let clip = words.text("--clip") {
                return .clips(
                    strip,
                    .fade(
                        try Words.index(clip, "the number of a clip"), edge, try words.time(),
                        try words.fadeCurve()))
            }
            return .control(strip, control, words.isEmpty ? nil : try words.value(of: control))
        }
    }

    private static let timeline: [Verb] = [
        Verb(
            "ramp", "STRIP V0 V1 T0 T1 [--curve C] [--replace] [--of CONTROL]",
            "a ramp on the timeline, from V0 at T0 to V1 at T1, of the volume or of CONTROL",
            example: "ramp 2 0.5 0.8 2s 4s", valued: ["--curve", "--of"], flags: ["--replace"]
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
        },
        Verb(
            "automation",
            "STRIP [clear [T0 T1] [--all] | remove N [--all] | move N TIME [--replace]] [--of CONTROL]",
            """
            the events on the timeline as a table, of the volume or of CONTROL; clear, remove or move them; \
            --all as for remove
            """,
            example: "automation 2 clear 2s 4s", valued: ["--of"], flags: ["--replace", "--all"]
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
        },
        Verb(
            "write", "STRIP [off | read | touch | latch | write] [--of CONTROL]",
            """
            what hands do to the automation of the volume or of CONTROL: touch writes what they do while \
            they \
            touch it, latch from then until it stops, write from play to stop; off: it is not played; \
            nothing: print it
            """,
            example: "write voice touch", valued: ["--of"]
        ) { words throws(CommandError) in
            let (strip, control) = (try words.strip(), Control.writeMode(try words.control()))
            return .control(strip, control, words.isEmpty ? nil : try words.value(of: control))
        },
        Verb(
            "duck",
            """
            TRACK --under STRIP --to V [--attack T] [--release T] [--by signal [--threshold DB] [--hold T] \
            [--lookahead T]] | TRACK --by hand --to V [--attack T] [--release T] | TRACK [on | off]
            """,
            """
            lower a strip while another has a clip, by signal while it is heard, or by hand: a button, which \
            on and off press; --to 1 ends it
            """,
            example: "duck music --under voice --to 0.3",
            valued: ["--under", "--to", "--attack", "--release", "--by"] + SignalDuckWords.names
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
        },
    ]

    private static let desk: [Verb] = [
        Verb(
            "bus", "add NAME [--channels 1|2|6|8|12]", "a new bus, a sum of strips; prints its number",
            example: "bus add reverb", valued: ["--channels"]
        ) { words throws(CommandError) in
            guard try words.word("add") == "add" else {
                throw CommandError("bus takes add NAME; buses lists them", isUsage: true)
            }
            return .addBus(
                try words.word("the name"),
                try words.text("--channels").map { text throws(CommandError) in try Words.layout(text) }
                    ?? .stereo)
        },
        Verb("buses", "", "list the buses", example: "buses") { _ throws(CommandError) in .buses },
        Verb(
            "send", "STRIP BUS [V] [--pre | --post] [--matrix MATRIX|standard] | STRIP BUS off",
            """
            how much of a strip goes to a bus beside its output; --pre: before its fader, --post: behind it; \
            --matrix: for each channel of the bus a gain for each of the strip, as 1,0/0,1; nothing: print \
            it; off: none
            """,
            example: "send voice reverb -12dB", valued: ["--matrix"], flags: ["--pre", "--post"]
        ) { words throws(CommandError) in
            let (strip, bus) = (try words.strip(), try words.bus())
            if words.first == "off" {
                _ = try words.word("off")
                return .removeSend(strip, bus)
            }
            let settings = try words.sendSettings()
            return settings.isEmpty
                ? .ask(strip, .send(bus, .volume)) : .send(strip, bus, settings: settings)
        },
        Verb(
            "eq",
            """
            STRIP [on | off | clear | hp|lp FREQ|off [--slope 12|24] | BAND FREQ DB [Q] | BAND \
            bell|lowshelf|highshelf|off]
            """,
            "what a strip's sound is filtered by: a high pass, a low pass and four bands; nothing: print it",
            example: "eq voice hp 80", valued: ["--slope"]
        ) { words throws(CommandError) in
            let strip = try words.strip()
            return try words.equaliser(of: strip)
        },
        Verb(
            "gate",
            """
            STRIP [THRESHOLD | on | off | clear] [--close DB] [--range DB] [--attack T] [--hold T] \
            [--release T] [--key STRIP]
            """,
            "lower a strip where it is quieter than a threshold; nothing: print it",
            example: "gate voice -45 --hold 200ms",
            valued: ["--threshold", "--close", "--range", "--attack", "--hold", "--release", "--key"]
        ) { words throws(CommandError) in
            let strip = try words.strip()
            return try words.dynamics(.gate, of: strip)
        },
        Verb(
            "comp",
            """
            STRIP [THRESHOLD RATIO | on | off | clear] [--knee DB] [--attack T] [--release T] [--makeup DB] \
            [--key STRIP]
            """,
            "compress a strip: what is above a threshold comes out by the ratio less; nothing: print it",
            example: "comp voice -20 3 --makeup 4",
            valued: ["--threshold", "--ratio", "--knee", "--attack", "--release", "--makeup", "--key"]
        ) { words throws(CommandError) in
            let strip = try words.strip()
            return try words.dynamics(.comp, of: strip)
        },
        Verb(
            "limit", "STRIP [LEVEL | on | off | clear] [--release T]",
            "keep a strip's true peaks under a level in dBTP, last of all; nothing: print it",
            example: "limit master -1", valued: ["--level", "--release"]
        ) { words throws(CommandError) in
            let strip = try words.strip()
            return try words.dynamics(.limit, of: strip)
        },
        Verb(
            "loudness", "[BUS] [range | reset]",
            """
            the loudness of a bus or the master: momentary, short-term and integrated in LUFS, true peak in \
            dBTP; measured from the first question on; range: that of its soft and loud parts in LU; reset: \
            from now on
            """,
            example: "loudness master"
        ) { words throws(CommandError) in
            let isOfMaster = words.isEmpty || ["range", "reset", "master"].contains(words.first)
            if words.first == "master" { _ = try words.word("master") }
            let strip: StripReference = isOfMaster ? .master : .bus(try words.bus())
            if words.isEmpty { return .askLoudness(strip) }
            return switch try words.word("range or reset") {
            case "range": .askLoudnessRange(strip)
            case "reset": .resetLoudness(strip)
            default: throw CommandError("loudness BUS takes nothing, range, or reset", isUsage: true)
            }
        },
        Verb("sends", "STRIP", "list a strip's sends", example: "sends voice") { words throws(CommandError) in
            .sends(try words.strip())
        },
        Verb(
            "dca", "add NAME [STRIP ...] | NAME assign STRIP ... | NAME unassign STRIP ...",
            """
            a fader that several others hang on: it multiplies theirs, and its mute silences them; add \
            prints its number
            """,
            example: "dca add band drums bass"
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
        },
        Verb(
            "solo-mode", "[in-place|afl|pfl]",
            """
            what solo does: in place, or the mix stays and what is on solo is played on the ports monitor_1 \
            and _2, behind its fader (afl) or before it (pfl); nothing: print it
            """,
            example: "solo-mode pfl"
        ) { words throws(CommandError) in
            .soloMode(words.isEmpty ? nil : try Words.soloMode(try words.word("in-place, afl or pfl")))
        },
        Verb(
            "monitor", "TRACK [auto|input|clips] | \(MonitorControl.usage)",
            """
            which of its input and its clips a track plays: the clips while they play and the input else \
            (auto), the input alone, or the clips alone; or what the ports monitor_1 and _2 play, how loud, \
            dimmed, mono or muted; nothing: print it
            """,
            example: "monitor source master"
        ) { words throws(CommandError) in try words.monitor() },
        Verb(
            "automix",
            """
            BUS [on | off | clear] [--attack T] [--release T] | BUS MEMBER [in | out] [--weight V] \
            [--priority N]
            """,
            """
            have a bus share out among those that go there by how loud they are, so that many open \
            microphones are together as loud as one; nothing: print it
            """,
            example: "automix panel on", valued: ["--attack", "--release", "--weight", "--priority"]
        ) { words throws(CommandError) in try words.automix() },
        Verb(
            "mutegroup", "[NAME [STRIP ...] [on | off | remove]]",
            """
            a button that silences several strips at once, beside their own mutes; strips: these it \
            silences; nothing: list them
            """,
            example: "mutegroup band drums bass"
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
            default: return .muteGroup(name, .members(try words.strips()))
            }
        },
        Verb(
            "talkback", "TRACK [on|off] | TRACK --to BUS ... | TRACK --to none",
            "have a track be heard on some buses while somebody talks by it; nothing: whether it is",
            example: "talkback mic --to stage", valued: ["--to"]
        ) {
            words throws(CommandError) in try words.talkback()
        },
        Verb(
            "soundcheck", "[on|off]",
            "what inputs have recorded is heard in place of what comes in now; nothing: whether it is",
            example: "soundcheck on"
        ) {
            words throws(CommandError) in .soundcheck(words.isEmpty ? nil : try words.onOff())
        },
        Verb("dcas", "", "list the DCAs, and what hangs on them", example: "dcas") { _ throws(CommandError) in
            .dcas
        },
    ]

    private static let inputs: [Verb] = [
        Verb(
            "input",
            """
            add NAME [PORT ...] [--stereo | --channels N] | TRACK [PORT ...] [--stereo | --channels N] | \
            TRACK off
            """,
            """
            a new track that hears other programs' ports, or give a track such an input; one PORT is mono, \
            heard on both sides; each is connected whenever it is there; nothing: print it
            """,
            example: "input add mic system:capture_1", valued: ["--channels"], flags: ["--stereo"]
        ) { words throws(CommandError) in
            let first = try words.word("add, or the track")
            let layout =
                try words.flag("--stereo")
                ? .stereo
                : words.text("--channels").map { text throws(CommandError) in try Words.layout(text) }
            if first == "add" {
                let name = try words.word("the name")
                return .addInput(
                    name,
                    try InputPorts(parsing: words.isEmpty ? [] : try words.words("the port"), layout: layout))
            }
            let track = StripReference(first)
            if words.isEmpty, layout == nil { return .askInput(track) }
            let ports = words.isEmpty ? [] : try words.words("the port")
            return .input(track, ports == ["off"] ? nil : try InputPorts(parsing: ports, layout: layout))
        },
        Verb(
            "record", "[on | off | loop | T0 T1]",
            """
            armed tracks record what comes in while the transport rolls: all of it, between the ends of the \
            loop, or between two times; each take becomes a clip; nothing: print it
            """,
            example: "record on"
        ) { words throws(CommandError) in
            guard let first = words.first else { return .record(nil) }
            if first == "loop" || first == "on" || first == "off" {
                _ = try words.word("on, off or loop")
                return .record(first == "on" ? .on : first == "off" ? .off : .loop)
            }
            return .record(.range(try words.time(), try words.time()))
        },
    ]

    private static let tracks: [Verb] = [
        Verb(
            "add", "FILE [TIME]", "a new track from a file; prints its number", example: "add jingle.flac 12s"
        ) { words throws(CommandError) in
            .add(file: try words.word("the file"), at: words.isEmpty ? nil : try words.time())
        },
        Verb(
            "insert", "TRACK FILE TIME [--from T] [--duration T] [--push] [--crossfade D [--curve C]]",
            """
            a clip of a file on a track; --push: what lies there and behind makes room; --crossfade: it \
            overlaps the clip before it by D
            """,
            example: "insert 2 voice.flac 1:30 --from 2s --duration 4s",
            valued: ["--from", "--duration", "--crossfade", "--curve"], flags: ["--push"]
        ) { words throws(CommandError) in
            .insert(
                try words.strip(), file: try words.word("the file"), at: try words.time(),
                from: try words.time("--from"), duration: try words.time("--duration"),
                push: words.flag("--push"), crossfade: try words.crossfade())
        },
        Verb(
            "append", "TRACK FILE ... [--from T] [--duration T] [--crossfade D [--curve C]]",
            """
            a clip of a file where the track ends, or of several, or of all in a folder, one behind the \
            other; --crossfade: each overlaps the one before by D
            """,
            example: "append 2 voice.flac", valued: ["--from", "--duration", "--crossfade", "--curve"]
        ) { words throws(CommandError) in
            let (track, files) = (try words.strip(), try words.words("the file"))
            let (from, duration, crossfade) = (
                try words.time("--from"), try words.time("--duration"), try words.crossfade()
            )
            if files.count == 1, !files[0].hasSuffix("/") {
                return .clips(
                    track, .append(file: files[0], from: from, duration: duration, crossfade: crossfade))
            }
            if from != nil || duration != nil {
                throw CommandError("--from and --duration are for one file", isUsage: true)
            }
            return .clips(track, .playlist(files, crossfade: crossfade))
        },
        Verb("clips", "TRACK", "list the clips of a track", example: "clips 2") {
            words throws(CommandError) in .clips(try words.strip(), .list)
        },
        Verb("split", "TRACK TIME", "cut the clip there in two; that is not heard", example: "split 2 1:30") {
            words throws(CommandError) in
            .clips(try words.strip(), .split(try words.time()))
        },
        Verb(
            "clip",
            """
            TRACK CLIP gain V | trim T0 T1 | speed f | pitch f | tape on|off | reverse on|off | stretcher \
            soundtouch|rubberband | remove
            """,
            """
            what a clip's samples are multiplied by before all else, the clip named by its number; where it \
            begins and ends, what is heard staying in its place; how fast it plays its file, 0.25 to 4, and \
            how many semitones higher; its pitch going with its speed; backwards; or take it away; its \
            fades: fadein, fadeout with --clip
            """,
            example: "clip 2 1 gain -3dB"
        ) { words throws(CommandError) in
            let (track, clip) = (try words.strip(), try words.index("the number of a clip"))
            let what = (["gain", "trim", "remove"] + ClipPace.allCases.map(\.rawValue)).joined(
                separator: ", ")
            let word = try words.word(what)
            if word == "remove" { return .clips(track, .remove(clip)) }
            if word == "trim" {
                return .clips(track, .trim(clip, from: try words.time(), to: try words.time()))
            }
            if let pace = ClipPace(rawValue: word) {
                return .clips(track, .pace(clip, pace, try words.value(pace.kind, of: word)))
            }
            guard word == "gain" else {
                throw CommandError("\"\(word)\": clip TRACK CLIP takes one of \(what)", isUsage: true)
            }
            return .clips(track, .gain(clip, try words.volume()))
        },
        Verb(
            "move", "TRACK CLIP TIME [--push] [--crossfade D [--curve C]]",
            "move a clip, named by its number; --push and --crossfade as for insert",
            example: "move 2 3 1:40",
            valued: ["--crossfade", "--curve"], flags: ["--push"]
        ) { words throws(CommandError) in
            .clips(
                try words.strip(),
                .move(
                    try words.index("the number of a clip"), to: try words.time(), push: words.flag("--push"),
                    crossfade: try words.crossfade()))
        },
        Verb(
            "silence", "TRACK TIME DURATION", "open a silence; what lies behind moves back",
            example: "silence 2 10s 500ms"
        ) { words throws(CommandError) in
            .clips(try words.strip(), .silence(at: try words.time(), duration: try words.time()))
        },
        Verb(
            "remove-range", "TRACK T0 T1 [--gap] [--all]",
            "take out a stretch; what lies behind closes up, with --gap it stays; --all as for remove",
            example: "remove-range 2 10s 12s", flags: ["--gap", "--all"]
        ) { words throws(CommandError) in
            .clips(
                try words.strip(),
                .removeRange(from: try words.time(), to: try words.time(), keepsGap: words.flag("--gap")))
        },
        Verb(
            "strip-silence", "TRACK [--threshold V] [--min T] [--pad T] [--all]",
            """
            take the pauses out of a track's clips, so that ducks follow the speech: what stays below -40dB \
            for 0.5s at least, but for 50ms on either side; --all as for remove
            """,
            example: "strip-silence voice --threshold -45dB --min 0.7s",
            valued: ["--threshold", "--min", "--pad"], flags: ["--all"]
        ) { words throws(CommandError) in
            .clips(
                try words.strip(),
                .stripSilence(
                    StripSilence(
                        threshold: try words.text("--threshold").map(Words.volume),
                        minimum: try words.time("--min"), pad: try words.time("--pad"))))
        },
        Verb(
            "remove", "STRIP [--all]", "remove a track, a bus or a DCA; --all: a pattern may mean several",
            example: "remove 3", flags: ["--all"]
        ) { words throws(CommandError) in
            let strip = try words.strip()
            if strip == .master { throw CommandError("the master stays") }
            return .remove(strip)
        },
        Verb("tracks", "", "list the tracks", example: "tracks") { _ throws(CommandError) in .tracks },
        Verb(
            "spectrum", "STRIP",
            """
            61 levels in dB of what leaves a strip, from 20 Hz on, a sixth of an octave apart; the first \
            question begins it: ask again
            """,
            example: "spectrum master"
        ) { words throws(CommandError) in .askSpectrum(try words.strip()) },
        Verb(
            "peaks", "[STRIP] [reset]",
            "highest peak of a strip, or of all, and how often it was above full scale; reset: from now on",
            example: "peaks voice"
        ) { words throws(CommandError) in
            let isOfAll = words.isEmpty || words.first == "reset"
            let strip = isOfAll ? StripReference.track(.pattern("*")) : try words.strip()
            if words.isEmpty { return .askPeak(strip) }
            guard try words.word("reset") == "reset" else {
                throw CommandError("peaks STRIP takes nothing, or reset", isUsage: true)
            }
            return .resetPeak(strip)
        },
        Verb("meters", "", "peak since last asked and RMS of tracks, buses and the master", example: "meters")
        { _ throws(CommandError) in
            .ask(.track(.pattern("*")), .meter)
        },
    ]

    private static let transport: [Verb] = [
        Verb("play", "", "roll from where it stands", example: "play") { _ throws(CommandError) in .play },
        Verb(
            "stop", "[DURATION]", "stop; with DURATION fade to silence first, faders as before",
            example: "stop 3s"
        ) { words throws(CommandError) in
            .stop(over: words.isEmpty ? nil : try words.time())
        },
        Verb(
            "silenced", "",
            "whether a panic, or a stop over a time, holds the mix silent: play, stop or panic off ends it",
            example: "silenced"
        ) { _ throws(CommandError) in
            .silenced(nil)
        },
        Verb(
            "panic", "[DURATION | off]",
            """
            the mix silent in half a second or DURATION, whatever is held or pending, then all stopped; \
            faders as before
            """,
            example: "panic"
        ) { words throws(CommandError) in
            if words.first == "off" {
                _ = try words.word("off")
                return .silenced(false)
            }
            return .panic(over: words.isEmpty ? nil : try words.time())
        },
        Verb(
            "locate", "TIME|end",
            """
            go to a time, or by +5s or -5s from where it stands, or to where the last clip ends, or to a \
            marker by its name
            """,
            example: "locate 1:30"
        ) { words throws(CommandError) in
            .locate(try Destination(parsing: try words.word("the time")))
        },
        Verb(
            "loop", "[T0 T1 | on | off]",
            "play a stretch round and round, on: all of the session; nothing: print it", example: "loop 4s 8s"
        ) { words throws(CommandError) in
            if words.isEmpty { return .askLoop }
            if words.first == "on" || words.first == "off" { return try words.onOff() ? .loopOn : .loopOff }
            return .loop(from: try words.time(), to: try words.time())
        },
        Verb(
            "wait", "TIME | until TIME", "in a script: go on after a time, or when the playhead is there",
            example: "wait until 1:30"
        ) { words throws(CommandError) in
            guard words.first == "until" else { return .wait(try words.time()) }
            _ = try words.word("until")
            return .waitUntil(try words.time())
        },
        Verb(
            "stop-at-end", "[on|off]", "stop where the last clip ends; nothing: print it",
            example: "stop-at-end on"
        ) { words throws(CommandError) in
            .stopAtEnd(words.isEmpty ? nil : try words.onOff())
        },
        Verb("position", "", "where the playhead stands", example: "position") { _ throws(CommandError) in
            .position
        },
        Verb(
            "connect", "[PORT OTHER]",
            """
            connect a port of the mixer to another client's, or to all that match a pattern, now and \
            whenever they are there; kept with the session; nothing: list the connections
            """,
            example: "connect master_1 system:playback_3"
        ) { words throws(CommandError) in
            words.isEmpty
                ? .connections
                : .connect(port: try words.word("the port"), to: try words.word("the other port"))
        },
        Verb(
            "disconnect", "PORT [OTHER]", "take a connection away, or all of a port",
            example: "disconnect master_1 system:playback_3"
        ) { words throws(CommandError) in
            .disconnect(
                port: try words.word("the port"), from: words.isEmpty ? nil : try words.word("the other port")
            )
        },
    ]

    private static let whole: [Verb] = [
        Verb("status", "", "the mixer at a glance", example: "status") { _ throws(CommandError) in .status },
        Verb("save", "[NAME]", "save the session, or save it as NAME beside it", example: "save evening") {
            words throws(CommandError) in
            .save(words.isEmpty ? nil : try words.word("the name"))
        },
        Verb("load", "NAME", "go on with another session of the same folder", example: "load evening") {
            words throws(CommandError) in
            .load(try words.word("the name"))
        },
        Verb("new", "", "go on with an empty session; undo brings the old one back", example: "new") {
            _ throws(CommandError) in .new
        },
        Verb(
            "collect", "FOLDER", "copy the session and all its files to a new folder", example: "collect tour"
        ) { words throws(CommandError) in
            .collect(try words.word("the folder"))
        },
        Verb(
            "missing", "", "the files that are missing, and where files of their names are",
            example: "missing"
        ) { _ throws(CommandError) in .missing },
        Verb(
            "relink", "FILE FILE", "every clip of the first file plays the second",
            example: "relink music.flac takes/music.flac"
        ) { words throws(CommandError) in
            .relink(try words.word("the file"), to: try words.word("the other file"))
        },
        Verb(
            "video", "[FILE [TIME] [--from T] | off]",
            """
            the movie that the session belongs to: at TIME of the timeline its time T is seen, 0 unless \
            told; what a render as a movie has beside the mix; nothing: print it
            """,
            example: "video film.mp4 2s",
            valued: ["--from"]
        ) { words throws(CommandError) in
            if words.isEmpty { return .video(.ask) }
            if words.first == "off" {
                _ = try words.word("off")
                return .video(.remove)
            }
            return .video(
                .set(
                    try words.word("the file"), at: words.isEmpty ? nil : try words.time(),
                    from: try words.time("--from")))
        },
        Verb("sessions", "", "list the sessions of this folder", example: "sessions") {
            _ throws(CommandError) in .sessions
        },
        Verb(
            "scene",
            "list | store NAME | recall NAME [DURATION] [--only PARTS] [--strips STRIPS] | remove NAME",
            """
            all faders, pans, mutes, sends and processors under a name; DURATION: as a fade; --only: of \
            volume,pan,mute,sends,processors; --strips: of these alone, with commas between
            """,
            example: "scene recall verse 2s", valued: ["--only", "--strips"]
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
        },
        Verb(
            "marker", "list | add NAME [TIME] | remove NAME",
            """
            places with names, which are the chapters of a render; add without TIME: where the playhead stands
            """,
            example: "marker add intro 1:30"
        ) { words throws(CommandError) in
            let action = try words.word("list, add or remove")
            switch action {
            case "list": return .marker(.list)
            case "add":
                return .marker(.add(try words.word("the name"), at: words.isEmpty ? nil : try words.time()))
            case "remove": return .marker(.remove(try words.word("the name")))
            default: throw CommandError("\"\(action)\": marker takes list, add or remove", isUsage: true)
            }
        },
        Verb("history", "", "the steps that can be taken back or made again", example: "history") {
            _ throws(CommandError) in .history
        },
        Verb("undo", "", "take back the last change; prints its name", example: "undo") {
            _ throws(CommandError) in .undo
        },
        Verb("redo", "", "make it again; prints its name", example: "redo") { _ throws(CommandError) in .redo
        },
    ]
}

extension Command {
    /// Reads a command from the words of a shell or REPL line.
    /// - Throws: `CommandError`: no such verb, too few or too many words, something that is not what it
    ///   should be.
    public init(words: [String]) throws(CommandError) {
        guard let name = words.first else { throw CommandError("a verb is missing: try help", isUsage: true) }
        guard let verb = Verb.named(name) else { throw CommandError(Verb.unknown(name), isUsage: true) }
        var rest = try Words(
            Array(words.dropFirst()), valued: verb.valued, flags: verb.flags, usage: verb.usage)
        self = try verb.parse(&rest)
        try rest.end()
    }
}
