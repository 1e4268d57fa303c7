import OSC
import Timeline

extension Address {
    public static let all: [Address] =
        StripKind.allCases.flatMap(strip) + ducks + talkbacks + automixes + AutomixControl.addresses + desk
        + MonitorControl.addresses + inputs + tracks + transport + ports + MIDICommand.addresses + whole
        + talk + miniMix

    /// What a kind of strip has, from the one table of controls.
    private static func strip(_ kind: StripKind) -> [Address] {
        let prefix = kind == .master ? "/master" : "/\(kind.rawValue)/N"
        let plain = Control.of(kind).flatMap { control in addresses(prefix, control) { _ in control } }
        let sends = SendControl.allCases.flatMap { send in
            addresses(prefix, .send(.name("BUS"), send)) { .send($0.bus, send) }
        }
        let bands = EqualiserControl.band(0).flatMap { control in
            addresses(prefix, .eq(control)) { .eq(control.ofBand($0.band)) }
        }
        let passes = EqualiserControl.ofNoBand.flatMap { control in
            addresses(prefix, .eq(control)) { _ in .eq(control) }
        }
        let levels = DynamicsKind.allCases.flatMap { kind in
            [dynamics(prefix, kind)]
                + DynamicsControl.all(kind).flatMap { control in
                    addresses(prefix, .dynamics(control)) { _ in .dynamics(control) }
                }
        }
        let loudness = kind == .bus || kind == .master ? loudness(prefix) : []
        return plain + loudness + (kind == .dca ? [] : peak(prefix) + [spectrum(prefix)])
            + (kind == .dca ? [] : [equaliser(prefix)] + passes + bands + levels)
            + moves("\(prefix)/", .volume) { _ in .volume }
            + (kind == .track || kind == .bus ? sends + sendWords(prefix) : [])
    }

    private static func equaliser(_ prefix: String) -> Address {
        .value(
            "\(prefix)/eq", "clear · WORD f ...", answers: "s",
            """
            its equaliser: JSON, as in the session file; clear takes it away; words as hp or 2/gain, each \
            with its value, as one step
            """
        ) {
            subject, arguments throws(CommandError) in
            if arguments.isEmpty { return .askEqualiser(subject.strip) }
            var settings: [EqualiserSetting] = []
            while !arguments.isEmpty {
                let word = try arguments.text("what of the equaliser is meant")
                if word == "clear", settings.isEmpty, arguments.isEmpty {
                    return .equalise(subject.strip, .clear)
                }
                guard let control = EqualiserControl.all.first(where: { $0.path == word }) else {
                    throw CommandError(
                        """
                        an equaliser has no "\(word)": \
                        \(EqualiserControl.all.map(\.path).joined(separator: ", "))
                        """
                    )
                }
                settings.append(EqualiserSetting(control, try arguments.value(control.kind, of: word)))
            }
            return .equalise(subject.strip, .set(settings))
        }
    }

    private static func loudness(_ prefix: String) -> [Address] {
        [
            .value(
                "\(prefix)/loudness", "", answers: "ffff",
                """
                momentary (400 ms), short-term (3 s) and integrated loudness in LUFS, true peak in dBTP; \
                measured from the first question on; -inf: silence
                """
            ) {
                subject, _ throws(CommandError) in .askLoudness(subject.strip)
            },
            .value(
                "\(prefix)/loudness/range", "", answers: "f",
                """
                loudness range in LU, by EBU Tech 3342; measured from the first question on, and from a reset
                """
            ) {
                subject, _ throws(CommandError) in .askLoudnessRange(subject.strip)
            },
            .action("\(prefix)/loudness/reset", "", "all of it is measured from now on") {
                subject, _ throws(CommandError) in
                .resetLoudness(subject.strip)
            },
        ]
    }

    private static func spectrum(_ prefix: String) -> Address {
        .value(
            "\(prefix)/spectrum", "", answers: "f...",
            """
            61 levels in dB of what leaves it, at 20 Hz and on in sixths of an octave to 20.48 kHz; measured \
            while it is asked for: 3 s long
            """
        ) {
            subject, _ throws(CommandError) in .askSpectrum(subject.strip)
        }
    }

    private static func peak(_ prefix: String) -> [Address] {
        [
            .value(
                "\(prefix)/peak", "", answers: "fi",
                """
                the highest absolute sample since peak/reset, linear, and how often a sample was above full \
                scale: at the most once in 10 ms
                """
            ) {
                subject, _ throws(CommandError) in .askPeak(subject.strip)
            },
            .action("\(prefix)/peak/reset", "", "the peak is held, and overs are counted, from now on") {
                subject, _ throws(CommandError) in
                .resetPeak(subject.strip)
            },
        ]
    }

    private static func dynamics(_ prefix: String, _ kind: DynamicsKind) -> Address {
        let first = DynamicsControl(kind, .parameter(kind.positions[0]))
        return .value(
            "\(prefix)/\(kind.rawValue)",
            kind == .limit ? "f · off · clear · WORD VALUE ..." : "clear · WORD VALUE ...", answers: "s",
            """
            its \(kind.name): JSON, as in the session file; \
            \(kind == .limit ? "a number is its level; " : "")clear takes it away; words as \(first.word) or \
            release, each with its value, as one step
            """
        ) { subject, arguments throws(CommandError) in
            if arguments.isEmpty { return .askDynamics(subject.strip, kind) }
            var settings: [DynamicsPart] = []
            if kind == .limit, arguments.isNumber {
                settings = [
                    DynamicsPart(first, try arguments.value(first.controlKind, of: first.word)),
                    DynamicsPart(DynamicsControl(kind, .on), .flag(true)),
                ]
            }
            while !arguments.isEmpty {
                let word = try arguments.text("what of the \(kind.name) is meant")
                if word == "clear", settings.isEmpty, arguments.isEmpty {
                    return .setDynamics(subject.strip, kind, .clear)
                }
                if ["on", "off"].contains(word), arguments.isEmpty {
                    settings.append(DynamicsPart(DynamicsControl(kind, .on), .flag(word == "on")))
                    continue
                }
                guard let control = DynamicsControl.all(kind).first(where: { $0.word == word }) else {
                    throw CommandError(
                        """
                        a \(kind.name) has no "\(word)": \
                        \(DynamicsControl.all(kind).map(\.word).joined(separator: ", "))
                        """
                    )
                }
                settings.append(DynamicsPart(control, try arguments.value(control.controlKind, of: word)))
            }
            return .setDynamics(subject.strip, kind, .set(settings))
        }
    }

    /// A control, and what moves it if anything does.
    private static func addresses(
        _ prefix: String, _ control: Control, named: @escaping @Sendable (Subject) -> Control
    ) -> [Address] {
        let entry = control.entry
        let path = "\(prefix)/\(control.path)"
        let nudges: [Address] =
            !entry.kind.isMoved
            ? []
            : [
                .action("\(path)/by", entry.kind.step, stepSummary(of: control)) {
                    subject, arguments throws(CommandError) in
                    .nudge(
                        subject.strip, named(subject), by: try arguments.step(entry.kind, of: control.word))
                }
            ]
        guard control.automation != nil else {
            return nudges + [
                .value(path, entry.kind.arguments, answers: entry.kind.answer, entry.summary) {
                    subject, arguments throws(CommandError) in
                    .control(
                        subject.strip, named(subject),
                        arguments.isEmpty ? nil : try arguments.value(of: control))
                }
            ]
        }
        let taken = entry.kind.arguments
        return nudges + [
            .value(
                path, "\(taken) · \(taken) TIME [T]", answers: entry.kind.answer,
                "\(entry.summary); with TIME a point on the timeline, with T behind it making room"
            ) {
                subject, arguments throws(CommandError) in
                if arguments.isEmpty { return .ask(subject.strip, named(subject)) }
                let value = try arguments.value(of: control)
                if arguments.isEmpty { return .set(subject.strip, named(subject), value) }
                return .point(
                    subject.strip, named(subject), value: value.ofTimeline, at: try arguments.time(),
                    replace: try arguments.replace())
            }
        ] + moves("\(path)/", control, named: named) + hands(control, prefix, named: named)
    }

    private static func stepSummary(of control: Control) -> String {
        if case .eq(let part) = control, part.isSlope { return "up to 24 dB for an octave, or down to 12" }
        return control.entry.kind.stepSummary
    }

    /// What hands do to a control that the timeline moves.
    private static func hands(
        _ control: Control, _ prefix: String, named: @escaping @Sendable (Subject) -> Control
    ) -> [Address] {
        // That of a fader is told like any control.
        let touch: [Control] = control == .volume ? [] : [.touch(control)]
        return (touch + [.writeMode(control)]).map { own in
            .action(
                "\(prefix)/\(own.path)", own.entry.kind.arguments, answers: own.entry.kind.answer,
                own.entry.summary
            ) { subject, arguments throws(CommandError) in
                let meant: Control =
                    if case .touch = own { .touch(named(subject)) } else { .writeMode(named(subject)) }
                return .control(
                    subject.strip, meant, arguments.isEmpty ? nil : try arguments.value(of: own))
            }
        }
    }

    /// What moves a control over time. The volume's have old names too, without the control.
    private static func moves(
        _ prefix: String, _ control: Control, named: @escaping @Sendable (Subject) -> Control
    ) -> [Address] {
        let value = control.entry.kind.arguments
        let ways: [Address] =
            control.entry.kind == .flag
            ? []
            : [
                .action("\(prefix)fade", "\(value) DURATION [CURVE]", "it glides there, starting now") {
                    subject, arguments throws(CommandError) in
                    .fade(
                        subject.strip, named(subject), to: try arguments.value(of: control).ofTimeline,
                        over: try arguments.time(), curve: try arguments.curve())
                },
                .action(
                    "\(prefix)fade/by", "\(control.entry.kind.step) DURATION [CURVE]",
                    "it glides so far from where it stands, starting now"
                ) { subject, arguments throws(CommandError) in
                    .fadeBy(
                        subject.strip, named(subject),
                        try arguments.step(control.entry.kind, of: control.word),
                        over: try arguments.time(), curve: try arguments.curve())
                },
                .action(
                    "\(prefix)ramp", "\(value) \(value) TIME TIME [CURVE] [T]",
                    "a ramp on the timeline; T: making room"
                ) { subject, arguments throws(CommandError) in
                    .ramp(
                        subject.strip, named(subject), from: try arguments.value(of: control).ofTimeline,
                        to: try arguments.value(of: control).ofTimeline,
                        start: try arguments.time(), end: try arguments.time(), curve: try arguments.curve(),
                        replace: try arguments.replace())
                },
            ]
        return ways + [
            .value(
                "\(prefix)automation", "", answers: "s",
                "the events on the timeline: JSON, as in the session file"
            ) { subject, _ throws(CommandError) in
                .automation(subject.strip, named(subject))
            },
            .action("\(prefix)automation/clear", "[TIME TIME]", "removes events, all or those of a range") {
                subject, arguments throws(CommandError) in
                if arguments.isEmpty {
                    return .clearAutomation(subject.strip, named(subject), from: nil, to: nil)
                }
                return .clearAutomation(
                    subject.strip, named(subject), from: try arguments.time(), to: try arguments.time())
            },
            .action("\(prefix)automation/remove", "i", "removes the event of that number, from 1") {
                subject, arguments throws(CommandError) in
                .removeEvent(subject.strip, named(subject), try arguments.index("the number of an event"))
            },
            .action("\(prefix)automation/move", "i TIME [T]", "moves it to begin there; T: making room") {
                subject, arguments throws(CommandError) in
                .moveEvent(
                    subject.strip, named(subject), try arguments.index("the number of an event"),
                    to: try arguments.time(), replace: try arguments.replace())
            },
        ]
    }

    private static func sendWords(_ prefix: String) -> [Address] {
        [
            .value("\(prefix)/sends", "", answers: "s", "its sends: JSON") {
                subject, _ throws(CommandError) in .sends(subject.strip)
            },
            .action(
                "\(prefix)/send/BUS", "[V] [pre · post] [matrix MATRIX]",
                """
                the send to BUS, made by a level if there is none: its level, whether it leaves before the \
                fader or behind it, and what goes from which channel to which
                """
            ) { subject, arguments throws(CommandError) in
                .send(subject.strip, subject.bus, settings: try arguments.sendSettings())
            },
            .action("\(prefix)/send/BUS/remove", "", "takes the send to BUS away") {
                subject, _ throws(CommandError) in .removeSend(subject.strip, subject.bus)
            },
        ]
    }

    private static let ducks: [Address] = [
        duck("/track/N/duck"), duck("/bus/N/duck"),
        .action("/duck", "TARGET UNDER V ... · TARGET hand V ...", "the same, the strip named first") {
            _, arguments throws(CommandError) in
            try duck(try arguments.strip(), &arguments)
        },
        .value("/ducks", "", answers: "s", "all ducks: JSON, as in the session file") {
            _, _ throws(CommandError) in .ducks
        },
    ]

    private static let automixes: [Address] = AutomixControl.allCases.flatMap { control in
        (control.isOfBus ? ["/bus/N"] : ["/track/N", "/bus/N"]).flatMap { prefix in
            addresses(prefix, .automix(control)) { _ in .automix(control) }
        }
    }

    private static let talkbacks: [Address] = [Control.talkback, .talkbackTo].flatMap { control in
        addresses("/track/N", control) { _ in control }
    }

    private static func duck(_ path: String) -> Address {
        .value(
            path,
            """
            switch · UNDER V [DURATION attack [DURATION release]] · UNDER V signal [threshold f] [attack T] \
            [hold T] [release T] [lookahead T] · hand V [DURATION attack [DURATION release]]
            """,
            answers: "i",
            """
            lowers the strip while UNDER has a clip, by signal while it is heard, or by hand, which the \
            switch presses; V 1 ends it
            """
        ) { subject, arguments throws(CommandError) in
            if arguments.isEmpty { return .ask(subject.strip, .duck) }
            if arguments.count == 1 {
                return .set(subject.strip, .duck, try arguments.value(.flag, of: "duck"))
            }
            return try duck(subject.strip, &arguments)
        }
    }

    private static func duck(
        _ track: StripReference, _ arguments: inout Arguments
    ) throws(CommandError) -> Command {
        if arguments.takes("hand") {
            return .duckByHand(
                track, to: try arguments.volume(), attack: arguments.isEmpty ? nil : try arguments.time(),
                release: arguments.isEmpty ? nil : try arguments.time())
        }
        let (under, volume) = (try arguments.strip(), try arguments.volume())
        if arguments.takes("signal") {
            return .duckBySignal(track, under: under, to: volume, try SignalDuckWords(&arguments))
        }
        return .duck(
            track, under: under, to: volume,
            attack: arguments.isEmpty ? nil : try arguments.time(),
            release: arguments.isEmpty ? nil : try arguments.time())
    }

    private static let desk: [Address] = [
        .value("/buses", "", answers: "s", "all buses: JSON, as jmixctl --json prints it") {
            _, _ throws(CommandError) in .buses
        },
        .action(
            "/bus/add", "NAME [CHANNELS]", answers: "i",
            "a new bus, of 1, 2, 6, 8 or 12 channels, 2 unless told; answers its number"
        ) { _, arguments throws(CommandError) in
            .addBus(try arguments.text("the name"), arguments.isEmpty ? .stereo : try arguments.layout())
        },
        .action(
            "/bus/N/remove", "",
            "removes a bus and the sends to it; what went out through it goes to the master"
        ) { subject, _ throws(CommandError) in .remove(subject.strip) },
        .value(
            "/solomode", "in-place · afl · pfl", answers: "s",
            """
            what solo does: in place, or on ports of its own, monitor_1 and _2, behind the fader or before it
            """
        ) { _, arguments throws(CommandError) in
            .soloMode(
                arguments.isEmpty ? nil : try Words.soloMode(try arguments.text("in-place, afl or pfl")))
        },
        .value("/mutegroups", "", answers: "s", "buttons that silence several strips at once: JSON") {
            _, _ throws(CommandError) in .muteGroups
        },
        .action(
            "/mutegroup", "NAME switch", "silences the strips of a mute group, or lets them be heard again"
        ) { _, arguments throws(CommandError) in
            .muteGroup(try arguments.text("the name"), .turn(try arguments.flag()))
        },
        .action(
            "/mutegroup/members", "NAME STRIP ...",
            "the strips that a mute group silences, which is made if there is none"
        ) { _, arguments throws(CommandError) in
            .muteGroup(try arguments.text("the name"), .members(try arguments.strips()))
        },
        .action("/mutegroup/remove", "NAME", "takes a mute group away") { _, arguments throws(CommandError) in
            .muteGroup(try arguments.text("the name"), .remove)
        },
        .value(
            "/soundcheck", "switch", answers: "i",
            "what inputs have recorded is heard in place of what comes in now"
        ) { _, arguments throws(CommandError) in
            .soundcheck(arguments.isEmpty ? nil : try arguments.flag())
        },
        .value("/dcas", "", answers: "s", "all DCAs: JSON, as jmixctl --json prints it") {
            _, _ throws(CommandError) in .dcas
        },
        .action(
            "/dca/add", "NAME [STRIP ...]", answers: "i",
            "a new DCA, with strips that hang on it; answers its number"
        ) { _, arguments throws(CommandError) in
            .addDCA(try arguments.text("the name"), try arguments.strips())
        },
        .action(
            "/dca/N/assign", "STRIP ...",
            "hangs strips on a DCA, which multiplies their faders, and mutes them with its own mute"
        ) { subject, arguments throws(CommandError) in
            .assign(subject.strip, [try arguments.strip()] + (try arguments.strips()), true)
        },
        .action("/dca/N/unassign", "STRIP ...", "takes strips off a DCA") {
            subject, arguments throws(CommandError) in
            .assign(subject.strip, [try arguments.strip()] + (try arguments.strips()), false)
        },
        .action("/dca/N/remove", "", "removes a DCA") { subject, _ throws(CommandError) in
            .remove(subject.strip)
        },
    ]

    private static let inputs: [Address] = [
        .action(
            "/input/add", "NAME [PORT ...] [mono · stereo · 5.1 · 7.1 · 7.1.4]", answers: "i",
            """
            a new track that hears ports of other programs: one, mono, on both sides, two, or as many as the \
            word has; answers its number
            """
        ) { _, arguments throws(CommandError) in
            .addInput(try arguments.text("the name"), try arguments.inputPorts())
        },
        .value(
            "/track/N/input", "PORT [PORT] · mono · stereo · off", answers: "s",
            "the ports that it hears, connected whenever they are there: JSON, as in the session file"
        ) { subject, arguments throws(CommandError) in
            if arguments.isEmpty { return .askInput(subject.strip) }
            var rest = arguments
            if try rest.text("the port") == "off" {
                arguments = rest
                return .input(subject.strip, nil)
            }
            return .input(subject.strip, try arguments.inputPorts())
        },
        .value(
            "/record", "switch · TIME TIME · loop", answers: "i",
            """
            whether armed tracks record while the transport rolls; between two times, or the ends of the \
            loop; answers the times too, as dd
            """
        ) { _, arguments throws(CommandError) in
            if arguments.isEmpty { return .record(nil) }
            if arguments.count > 1 { return .record(.range(try arguments.time(), try arguments.time())) }
            var rest = arguments
            if let word = try? rest.text("loop"), word == "loop" {
                arguments = rest
                return .record(.loop)
            }
            return .record(try arguments.flag() ? .on : .off)
        },
    ]

    private static func clipFade(_ edge: ClipEdge, _ summary: String) -> Address {
        .action("/track/N/clip/\(edge.rawValue)", "i DURATION [CURVE]", summary) {
            subject, arguments throws(CommandError) in
            .clips(
                subject.strip,
                .fade(
                    try arguments.index("the number of a clip"), edge, try arguments.time(),
                    try arguments.fadeCurve()))
        }
    }

    private static let clipPaces: [Address] = ClipPace.allCases.map { pace in
        .action("/track/N/clip/\(pace.rawValue)", "i \(pace.kind.arguments)", pace.summary) {
            subject, arguments throws(CommandError) in
            .clips(
                subject.strip,
                .pace(
                    try arguments.index("the number of a clip"), pace,
                    try arguments.value(pace.kind, of: pace.rawValue)))
        }
    }

    private static let clipSteps: [Address] = ClipNumber.allCases.map { number in
        .action(
            "/track/N/clip/\(number.rawValue)/by", "i \(number.kind.step)",
            "of the clip of that number, from 1: \(number.kind.stepSummary)"
        ) { subject, arguments throws(CommandError) in
            .clips(
                subject.strip,
                .step(
                    try arguments.index("the number of a clip"), number,
                    try arguments.step(number.kind, of: number.rawValue)))
        }
    }

    private static let tracks: [Address] =
        clipPaces + clipSteps + [
            .action("/track/add", "FILE [PLACE]", answers: "i", "a new track from a file; answers its number")
            { _, arguments throws(CommandError) in
                .add(
                    file: try arguments.text("the file"), at: arguments.isEmpty ? nil : try arguments.place())
            },
            .action(
                "/track/N/insert", "FILE PLACE [TIME from [DURATION]] [crossfade DURATION [CURVE]] [T]",
                """
                a clip of a file on a track; crossfade: it overlaps the clip before it by DURATION; T: what \
                lies there and behind makes room
                """
            ) { subject, arguments throws(CommandError) in
                let (file, time, from, duration) = (
                    try arguments.text("the file"), try arguments.place(), try arguments.timeIfAny(),
                    try arguments.timeIfAny()
                )
                let crossfade = try arguments.crossfade()
                return .insert(
                    subject.strip, file: file, at: time, from: from, duration: duration,
                    push: try arguments.replace(), crossfade: crossfade)
            },
            .action(
                "/track/N/append", "FILE [TIME from [DURATION]] [crossfade DURATION [CURVE]]",
                "a clip of a file where the track ends"
            ) { subject, arguments throws(CommandError) in
                .clips(
                    subject.strip,
                    .append(
                        file: try arguments.text("the file"), from: try arguments.timeIfAny(),
                        duration: try arguments.timeIfAny(), crossfade: try arguments.crossfade()))
            },
            .action(
                "/track/N/playlist", "FILE ... [crossfade DURATION [CURVE]]",
                """
                files one behind the other where the track ends; a folder is all files in it that can be \
                played
                """
            ) {
                subject, arguments throws(CommandError) in
                .clips(subject.strip, .playlist(try arguments.files(), crossfade: try arguments.crossfade()))
            },
            .action(
                "/track/N/clip/remove", "i",
                "takes the clip of that number, from 1, away; what lies behind stays"
            ) { subject, arguments throws(CommandError) in
                .clips(subject.strip, .remove(try arguments.index("the number of a clip")))
            },
            .action(
                "/track/N/clip/trim", "i TIME TIME",
                """
                has the clip of that number, from 1, begin and end there; what is heard in between stays \
                where it is
                """
            ) { subject, arguments throws(CommandError) in
                .clips(
                    subject.strip,
                    .trim(
                        try arguments.index("the number of a clip"), from: try arguments.time(),
                        to: try arguments.time()))
            },
            .action(
                "/track/N/clip/gain", "i V",
                "what the samples of the clip of that number, from 1, are multiplied by before all else"
            ) { subject, arguments throws(CommandError) in
                .clips(
                    subject.strip, .gain(try arguments.index("the number of a clip"), try arguments.volume()))
            },
            clipFade(.fadeIn, "a fade from silence where the clip begins; 0 for none"),
            clipFade(.fadeOut, "a fade to silence where it ends; 0 for none"),
            .value("/track/N/clips", "", answers: "s", "its clips: JSON, as in the session file") {
                subject, _ throws(CommandError) in .clips(subject.strip, .list)
            },
            .action("/track/N/split", "PLACE", "cuts the clip there in two; that is not heard") {
                subject, arguments throws(CommandError) in
                .clips(subject.strip, .split(try arguments.place()))
            },
            .action(
                "/track/N/move", "i PLACE [crossfade DURATION [CURVE]] [T]",
                """
                moves the clip of that number, from 1; +5s, -5s: from where it lies; T: making room
                """
            ) { subject, arguments throws(CommandError) in
                let (clip, time, crossfade) = (
                    try arguments.index("the number of a clip"), try arguments.place(),
                    try arguments.crossfade()
                )
                return .clips(
                    subject.strip, .move(clip, to: time, push: try arguments.replace(), crossfade: crossfade))
            },
            .action("/track/N/silence", "TIME DURATION", "opens a silence; what lies behind moves back") {
                subject, arguments throws(CommandError) in
                .clips(subject.strip, .silence(at: try arguments.time(), duration: try arguments.time()))
            },
            .action(
                "/track/N/removerange", "TIME TIME [T] [automation]",
                """
                takes out a stretch; what lies behind closes up, with T it stays; of all tracks it is taken \
                out of automation and markers too, and the movie comes earlier whose picture begins behind \
                it, unless automation says that they stay
                """
            ) { subject, arguments throws(CommandError) in
                let (start, end) = (try arguments.time(), try arguments.time())
                let keepsAutomation = arguments.takes("automation")
                let keepsGap = try arguments.replace()
                return .clips(
                    subject.strip,
                    .removeRange(
                        from: start, to: end, keepsGap: keepsGap,
                        keepsAutomation: arguments.takes("automation") || keepsAutomation))
            },
            .action(
                "/track/N/stripsilence", "[V [DURATION min [DURATION pad]]] [close]",
                """
                takes the pauses out of its clips: what stays below V (-40dB) for 0.5s at least, but for \
                50ms on either side; close: what lies behind a pause closes up
                """
            ) { subject, arguments throws(CommandError) in
                var closes = arguments.takes("close")
                func isOver() -> Bool {
                    closes = closes || arguments.takes("close")
                    return closes || arguments.isEmpty
                }
                let threshold = isOver() ? nil : try arguments.volume()
                let minimum = isOver() ? nil : try arguments.time()
                let pad = isOver() ? nil : try arguments.time()
                _ = isOver()
                return .clips(
                    subject.strip,
                    .stripSilence(
                        StripSilence(threshold: threshold, minimum: minimum, pad: pad, closes: closes)))
            },
            .action("/track/N/remove", "", "removes a track") { subject, _ throws(CommandError) in
                .remove(subject.strip)
            },
        ]

    private static let transport: [Address] = [
        .action("/transport/play", "[switch]", "rolls from where it stands") {
            _, arguments throws(CommandError) in
            try arguments.isPressed() ? .play : .nothing
        },
        .action(
            "/transport/stop", "[switch · DURATION]",
            "stops, with a fade of 5 ms; DURATION, as a string: fades to silence first, faders as before"
        ) { _, arguments throws(CommandError) in
            if let time = try arguments.writtenTime() { return .stop(over: time) }
            return try arguments.isPressed() ? .stop(over: nil) : .nothing
        },
        .value(
            "/silenced", "switch", answers: "i",
            "a panic, or a stop over a time, holds the mix silent; 0 has it be heard again, 1 is a panic"
        ) { _, arguments throws(CommandError) in
            .silenced(arguments.isEmpty ? nil : try arguments.flag())
        },
        .action(
            "/panic", "[switch · DURATION]",
            """
            the mix silent in half a second or DURATION, whatever is held or pending, then all stopped; \
            faders as before
            """
        ) { _, arguments throws(CommandError) in
            if let time = try arguments.writtenTime() { return .panic(over: time) }
            return try arguments.isPressed() ? .panic(over: nil) : .nothing
        },
        .action(
            "/transport/locate", "PLACE", "goes to a time, to a marker or the end, or by +5s or -5s"
        ) { _, arguments throws(CommandError) in
            .locate(try arguments.place())
        },
        .value(
            "/transport/loop", "TIME TIME · switch · on · off", answers: "dd",
            "plays a stretch round and round, or all of the session; answers seconds, or F"
        ) { _, arguments throws(CommandError) in
            if arguments.isEmpty { return .askLoop }
            // Alone, 0 and 1 are a switch; before another time they are one.
            if arguments.count == 1 {
                let start = arguments
                if let flag = try? arguments.flag() { return flag ? .loopOn : .loopOff }
                arguments = start
                if let text = try? arguments.text("on or off"), text == "on" || text == "off" {
                    return text == "on" ? .loopOn : .loopOff
                }
                arguments = start
            }
            return .loop(from: try arguments.time(), to: try arguments.time())
        },
        .value("/transport/stopatend", "switch", answers: "i", "stops where the last clip ends") {
            _, arguments throws(CommandError) in
            .stopAtEnd(arguments.isEmpty ? nil : try arguments.flag())
        },
        .value("/transport/position", "", answers: "hd", "frame at the session's rate, seconds") {
            _, _ throws(CommandError) in .position
        },
        .value("/transport/state", "", answers: "s", "rolling or stopped") { _, _ throws(CommandError) in
            .state
        },
    ]

    private static let ports: [Address] = [
        .value("/connections", "", answers: "s", "what the mixer's ports are connected to, or will be: JSON")
        { _, _ throws(CommandError) in .connections },
        .value("/ports", "", answers: "s", "the ports on the JACK server, the mixer's own among them: JSON") {
            _, _ throws(CommandError) in .ports
        },
        .action(
            "/connect", "PORT PORT",
            """
            connects a port of the mixer to another client's, or to all that match a pattern, now and \
            whenever they are there; kept with the session
            """
        ) { _, arguments throws(CommandError) in
            .connect(port: try arguments.text("the port"), to: try arguments.text("the other port"))
        },
        .value(
            "/directouts", "off · pre · post", answers: "s",
            """
            whether all tracks and buses have ports of their own: none, as they are before automation, \
            fader, mute and pan, or behind them
            """
        ) { _, arguments throws(CommandError) in
            .directOuts(
                arguments.isEmpty ? nil : try Words.directOuts(try arguments.text("off, pre or post")))
        },
        .action("/disconnect", "PORT [PORT]", "takes a connection away, or all of a port") {
            _, arguments throws(CommandError) in
            .disconnect(
                port: try arguments.text("the port"),
                from: arguments.isEmpty ? nil : try arguments.text("the other port"))
        },
    ]

    private static let whole: [Address] = [
        .value("/tracks", "", answers: "s", "all tracks: JSON, as jmixctl --json prints it") {
            _, _ throws(CommandError) in .tracks
        },
        .value("/status", "", answers: "s", "the mixer at a glance: JSON, as jmixctl --json prints it") {
            _, _ throws(CommandError) in .status
        },
        .value("/version", "", answers: "s", "the program's name and version") { _, _ throws(CommandError) in
            .version
        },
        .action(
            "/quit", "now",
            """
            the mixer ends: changes that were not saved are kept for the next run; without the word nothing \
            ends, so who sends every address that there is does no harm
            """
        ) { _, arguments throws(CommandError) in
            guard !arguments.isEmpty, try arguments.text("the word now") == "now" else {
                throw CommandError("the mixer ends when it is told to by the word now: /quit now")
            }
            return .quit
        },
        .action("/session/save", "[NAME]", "saves the session, or saves it as NAME beside it") {
            _, arguments throws(CommandError) in
            .save(arguments.isEmpty ? nil : try arguments.text("the name"))
        },
        .action("/session/load", "NAME", "goes on with another session of the same folder") {
            _, arguments throws(CommandError) in
            .load(try arguments.text("the name"))
        },
        .value("/sessions", "", answers: "s", "the names of the sessions in this one's folder: JSON") {
            _, _ throws(CommandError) in .sessions
        },
        .action("/session/new", "[switch]", "goes on with an empty session") {
            _, arguments throws(CommandError) in
            try arguments.isPressed() ? .new : .nothing
        },
        .value(
            "/session/collect", "FOLDER", answers: "sfs",
            """
            copies the session and all its files there; answers running, done or failed, how much is copied \
            (0 to 1), and a word
            """
        ) {
            _, arguments throws(CommandError) in
            .collect(arguments.isEmpty ? nil : try arguments.text("the folder"))
        },
        .value(
            "/session/missing", "", answers: "s",
            "the files that are missing, and where files of their names are: JSON"
        ) { _, _ throws(CommandError) in .missing },
        .action("/session/relink", "FILE FILE", "every clip of the first file plays the second") {
            _, arguments throws(CommandError) in
            .relink(try arguments.text("the file"), to: try arguments.text("the other file"))
        },
        .value(
            "/session/video", "FILE [TIME] [from TIME] | off", answers: "s",
            """
            the movie that the session belongs to: at TIME of the timeline its time `from` is seen; JSON, \
            null for none
            """
        ) { _, arguments throws(CommandError) in
            if arguments.isEmpty { return .video(.ask) }
            let file = try arguments.text("the file, or off")
            if file == "off" { return .video(.remove) }
            let at = try arguments.timeUnless(["from"])
            return .video(.set(file, at: at, from: try arguments.time(behind: "from")))
        },
        .value("/session/history", "", answers: "s", "the steps that can be taken back or made again: JSON") {
            _, _ throws(CommandError) in .history
        },
        .value(
            "/session/edition", "", answers: "iss",
            """
            a number that grows whenever the timeline, markers, scenes or strips change, and the names of \
            the steps that undo and redo lead to
            """
        ) { _, _ throws(CommandError) in .edition },
        .value("/scenes", "", answers: "s", "the scenes' names: JSON") { _, _ throws(CommandError) in
            .scene(.list)
        },
        .action("/scene/store", "NAME", "notes where all faders, pans, mutes, sends and processors stand") {
            _, arguments throws(CommandError) in
            .scene(.store(try arguments.text("the name")))
        },
        .action(
            "/scene/recall", "NAME [DURATION] [only PARTS] [strips STRIPS]",
            """
            sets them to where they stood, at once or as a fade; only: of \
            \(ScenePart.allCases.map(\.rawValue).joined(separator: ", ")), with commas between; strips: of \
            these alone
            """
        ) { _, arguments throws(CommandError) in
            let (name, time) = (try arguments.text("the name"), try arguments.timeUnless(["only", "strips"]))
            let parts = try arguments.word(behind: "only").map(Words.sceneParts)
            return .scene(
                .recall(
                    name, over: time, parts: parts,
                    strips: try arguments.word(behind: "strips").map(Words.strips)))
        },
        .action("/scene/remove", "NAME", "forgets a scene") { _, arguments throws(CommandError) in
            .scene(.remove(try arguments.text("the name")))
        },
        .value("/markers", "", answers: "s", "the markers: JSON, as in the session file") {
            _, _ throws(CommandError) in .marker(.list)
        },
        .action(
            "/marker/add", "NAME [TIME]",
            "a place with a name, where the playhead stands unless told; one of that name goes there"
        ) { _, arguments throws(CommandError) in
            .marker(.add(try arguments.text("the name"), at: arguments.isEmpty ? nil : try arguments.time()))
        },
        .action("/marker/remove", "NAME", "forgets a marker") { _, arguments throws(CommandError) in
            .marker(.remove(try arguments.text("the name")))
        },
        .action("/session/undo", "[switch]", answers: "s", "takes back the last change; answers its name") {
            _, arguments throws(CommandError) in
            try arguments.isPressed() ? .undo : .nothing
        },
        .action("/session/redo", "[switch]", answers: "s", "makes it again; answers its name") {
            _, arguments throws(CommandError) in
            try arguments.isPressed() ? .redo : .nothing
        },
    ]

    private static let talk: [Address] = [
        .action(
            "/subscribe", "[PATTERN [HZ]]",
            "changes come to the sender for 10 s, each value at most HZ times a second (1 to 100; 30)"
        ) { _, arguments throws(CommandError) in
            let pattern = arguments.isEmpty ? Subscription.everything : try arguments.text("the pattern")
            let rate =
                arguments.isEmpty ? Double(Subscription.standardRate) : try arguments.number("the rate")
            guard (1...Double(Subscription.maximumRate)).contains(rate) else {
                throw CommandError(
                    "\(rate) is not a rate: it goes from 1 to \(Subscription.maximumRate) times a second")
            }
            return .subscribe(pattern: pattern, rate: Int(rate))
        },
        .action("/unsubscribe", "[PATTERN]", "no more of one subscription, or of all") {
            _, arguments throws(CommandError) in
            .unsubscribe(pattern: arguments.isEmpty ? nil : try arguments.text("the pattern"))
        },
        .action("/clear", "", "forgets all messages of bundles whose time has not come") {
            _, _ throws(CommandError) in .clear
        },
        .action("/ping", "[i]", answers: "i", "answers /pong with it, after all that came before it is done")
        { _, arguments throws(CommandError) in
            if arguments.isEmpty { return .ping(nil) }
            return .ping(Int32(exactly: try arguments.number("the number")) ?? 0)
        },
        .action(
            "/help", "[ADDRESS]", answers: "ssss",
            "an answer for each address: address, arguments, answer, what it is"
        ) { _, arguments throws(CommandError) in
            .help(arguments.isEmpty ? nil : try arguments.text("the address"))
        },
    ]

    /// The namespace of JackMiniMix, whose clients find a mixer here too. Gains are in dB; -90 and below is
    /// silence.
    private static let miniMix: [Address] = [
        .action("/mixer/get_channel_count", "", answers: "i", "JackMiniMix: answers /mixer/channel_count") {
            _, _ throws(CommandError) in .miniMix(.count)
        },
        .action(
            "/mixer/channel/get_gain", "i", answers: "if", "JackMiniMix: answers /mixer/channel/gain, in dB"
        ) { _, arguments throws(CommandError) in
            .miniMix(.gain(try arguments.channel(), nil))
        },
        .action(
            "/mixer/channel/set_gain", "i f", answers: "if",
            "JackMiniMix: a fader in dB, -90 is silence; answers /mixer/channel/gain"
        ) { _, arguments throws(CommandError) in
            .miniMix(.gain(try arguments.channel(), try arguments.level()))
        },
        .action("/mixer/channel/get_label", "i", answers: "is", "JackMiniMix: answers /mixer/channel/label") {
            _, arguments throws(CommandError) in
            .miniMix(.label(try arguments.channel(), nil))
        },
        .action(
            "/mixer/channel/set_label", "i s", answers: "is",
            "JackMiniMix: a track's name; answers /mixer/channel/label"
        ) { _, arguments throws(CommandError) in
            .miniMix(.label(try arguments.channel(), try arguments.text("the label")))
        },
    ]
}
