import Speakers
import Timeline

/// Something of a strip that a hand moves or an eye watches: the one table of them (`entry`). Addresses,
/// feedback to subscribers, verbs, help, completion, tablets and the names of steps to undo are made from it;
/// a new control is one new case with its entry, the field of `Strip` and of its file (`SessionFile`) that
/// keeps its value, and where the console reads and sets that (`Console+Controls.swift`).
public enum Control: Hashable, Sendable {
    case volume
    case volumeLevel
    case volumePosition
    case mute
    case muteMode
    case solo
    case soloSafe
    case pan
    case trim
    case delay
    case polarity
    case output
    case channels
    case monitor
    case arm
    case members
    case name
    case fadeIn
    case fadeOut
    case meter
    /// Of the send to a bus.
    case send(Selector, SendControl)
    /// Of the equaliser, once there is one.
    case eq(EqualiserControl)
    /// Of the gate, the compressor or the limiter, once there is one.
    case dynamics(DynamicsControl)
    /// The button of a duck by hand, once there is one.
    case duck
    /// The button of a talkback, once there is one, and the buses that it talks to.
    case talkback
    case talkbackTo
    /// Of the automix of a bus, once there is one, and of those that go there.
    case automix(AutomixControl)
    /// Whether a hand is on a control that the timeline moves.
    indirect case touch(Control)
    /// What hands do to what the timeline says of it: `WriteMode`.
    indirect case writeMode(Control)

    /// All but those of sends, of which there are as many as a strip has sends.
    public static let plain: [Control] = [
        .volume, .volumeLevel, .volumePosition, .touch(.volume), .mute, .muteMode, .solo, .soloSafe, .pan,
        .trim,
        .delay, .polarity, .output, .channels, .monitor, .arm, .members, .name, .fadeIn, .fadeOut, .meter,
    ]

    /// Those of the equaliser, the gate, the compressor and the limiter.
    public static let ofProcessors =
        EqualiserControl.all.map(Control.eq)
        + DynamicsKind.allCases.flatMap(DynamicsControl.all).map(Control.dynamics)

    /// What follows the strip in its address.
    public var path: String {
        switch self {
        case .volume: "volume"
        case .volumeLevel: "volume/db"
        case .volumePosition: "volume/position"
        case .mute: "mute"
        case .muteMode: "mutemode"
        case .solo: "solo"
        case .soloSafe: "solosafe"
        case .pan: "pan"
        case .trim: "trim"
        case .delay: "delay"
        case .polarity: "polarity"
        case .output: "output"
        case .channels: "channels"
        case .monitor: "monitor"
        case .arm: "arm"
        case .members: "members"
        case .name: "name"
        case .fadeIn: "fadein"
        case .fadeOut: "fadeout"
        case .meter: "meter"
        case .send(let bus, let control): "send/\(bus.text)/\(control.rawValue)"
        case .eq(let control): "eq/\(control.path)"
        case .dynamics(let control): control.path
        case .duck: "duck"
        case .talkback: "talkback"
        case .talkbackTo: "talkbackto"
        case .automix(let control): control.path
        case .touch(let control): "\(control.path)/touch"
        case .writeMode(let control): "\(control.path)/write"
        }
    }

    /// The last word of that, as messages say it.
    public var word: String {
        switch self {
        case .send(_, .volume): "volume"
        case .send(_, let control): control.rawValue
        case .automix(let control): control.rawValue
        default: path
        }
    }

    public struct Entry: Sendable {
        public let kind: Kind
        /// The kinds of strips that have it.
        public let kinds: Set<StripKind>
        /// What is said of it in help: of an address, and of a verb.
        public let summary: String
        /// The verb that sets and asks it, if there is one.
        let verb: (group: VerbGroup, name: String, summary: String, example: String)?
        /// What a step to undo is called.
        public let title: @Sendable (_ strip: String, _ value: ControlValue) -> String

        fileprivate init(
            _ kind: Kind, of kinds: Set<StripKind>, _ summary: String,
            verb: (group: VerbGroup, name: String, summary: String, example: String)? = nil,
            title: @escaping @Sendable (_ strip: String, _ value: ControlValue) -> String
        ) {
            (self.kind, self.kinds, self.summary, self.verb, self.title) = (kind, kinds, summary, verb, title)
        }
    }

    private static let all = Set(StripKind.allCases)
    private static let sounding: Set<StripKind> = [.track, .bus, .master]
    private static let feeding: Set<StripKind> = [.track, .bus]

    public var entry: Entry {
        switch self {
        case .volume:
            Entry(.volume, of: Self.all, "the fader, linear, 0 to 4") { strip, _ in "volume of \(strip)" }
        case .volumeLevel:
            Entry(.scale(.db), of: Self.all, "the same fader in dB, -inf to +12") { strip, _ in
                "volume of \(strip)"
            }
        case .volumePosition:
            Entry(
                .scale(.position), of: Self.all,
                "the same fader as 0 to 1: silence at 0, unity at 0.78, +6 dB and above at 1"
            ) { strip, _ in "volume of \(strip)" }
        case .mute:
            Entry(
                .flag, of: Self.all, "silences it",
                verb: (.faders, "mute", "silence a strip", "mute voice on")
            ) {
                strip, value in
                "\(value == .flag(true) ? "mute" : "unmute") \(strip)"
            }
        case .muteMode:
            Entry(
                .choice(MuteMode.allCases.map(\.rawValue)), of: [.track, .bus, .dca],
                """
                which signals the mute silences: main (those after the fader) or all (the sends before the \
                fader too)
                """,
                verb: (
                    .faders, "mute-mode",
                    """
                    what a strip's mute silences: what leaves behind its fader (main), or all, the sends \
                    before it too
                    """,
                    "mute-mode voice all"
                )
            ) { strip, value in
                if case .text(let word) = value {
                    "mute mode of \(strip) to \(word)"
                } else {
                    "mute mode of \(strip)"
                }
            }
        case .solo:
            Entry(
                .flag, of: [.track, .bus, .dca],
                """
                only strips on solo, the strips that feed them and the strips that they feed are heard; of a \
                DCA: its members are on solo
                """,
                verb: (.faders, "solo", "hear only the strips on solo", "solo 1 on")
            ) { strip, value in
                "solo \(strip) \(value == .flag(true) ? "on" : "off")"
            }
        case .soloSafe:
            Entry(
                .flag, of: Self.feeding, "another's solo does not silence it",
                verb: (.faders, "solo-safe", "keep a strip heard whatever is on solo", "solo-safe 2 on")
            ) { strip, value in
                "solo-safe \(strip) \(value == .flag(true) ? "on" : "off")"
            }
        case .pan:
            Entry(
                .number(-1...1), of: Self.sounding, "balance, -1 left to 1 right",
                verb: (.faders, "pan", "balance, -1 left, 0 centre, 1 right", "pan 1 -0.5")
            ) { strip, _ in "pan of \(strip)" }
        case .trim:
            Entry(
                .volume, of: Self.sounding, "input gain, before all processing, linear, 0 to 4",
                verb: (
                    .faders, "trim", "what a strip's sound is multiplied by before all else", "trim 1 -3dB"
                )
            ) { strip, _ in "trim of \(strip)" }
        case .delay:
            Entry(
                .delay, of: Self.sounding,
                "delay of the strip: 0 to 2 s, or a distance in air as 12m or 40ft",
                verb: (
                    .sound, "delay",
                    "how much later a strip is heard: up to 2s, or 12m or 40ft in air; 0 or off: not at all",
                    "delay voice 12ms"
                )
            ) { strip, _ in "delay of \(strip)" }
        case .polarity:
            Entry(
                .flag, of: Self.sounding, "inverts the polarity of the strip",
                verb: (.sound, "polarity", "turn a strip's sound upside down", "polarity 1 on")
            ) { strip, value in
                "polarity of \(strip) \(value == .flag(true) ? "on" : "off")"
            }
        case .output:
            Entry(
                .place, of: Self.feeding,
                "where its sound goes: a bus, master, none or ports; sends work all the same",
                verb: (
                    .desk, "output",
                    """
                    where a strip's sound goes: a bus, the master, nowhere, or ports of its own; sends work \
                    all the same
                    """,
                    "output 1 master"
                )
            ) { strip, value in
                if case .text(let name) = value {
                    "output of \(strip) to \(name)"
                } else {
                    "output of \(strip)"
                }
            }
        case .channels:
            Entry(
                .channels, of: Self.feeding,
                "its channels: 1 mono, 2 stereo, 6 as 5.1, 8 as 7.1, 12 as 7.1.4",
                verb: (
                    .desk, "channels", "how many channels a strip has: 1, 2, 6 (5.1), 8 (7.1) or 12 (7.1.4)",
                    "channels 1 6"
                )
            ) { strip, value in
                if case .channels(let layout) = value {
                    "\(strip) to \(layout.name)"
                } else {
                    "channels of \(strip)"
                }
            }
        case .monitor:
            Entry(
                .choice(Monitor.allCases.map(\.rawValue)), of: [.track],
                """
                source of the track: input, clips, or auto (clips while it rolls, the input at a standstill; \
                always the input if the track is armed or has no clips)
                """
            ) { strip, value in
                if case .text(let word) = value {
                    "monitor of \(strip) to \(word)"
                } else {
                    "monitor of \(strip)"
                }
            }
        case .arm:
            Entry(
                .flag, of: [.track], "what comes in is recorded while record is on and the transport rolls",
                verb: (
                    .recording, "arm",
                    "have a track record what comes in; while record is on and the transport rolls",
                    "arm mic on"
                )
            ) { strip, value in
                "\(value == .flag(true) ? "arm" : "disarm") \(strip)"
            }
        case .members:
            Entry(.names, of: [.dca], "the strips that hang on it, by their names") { strip, _ in
                "members of \(strip)"
            }
        case .name:
            Entry(
                .text, of: [.track, .bus, .dca], "its name",
                verb: (.session, "name", "rename a strip", "name 1 music")
            ) { strip, value in
                if case .text(let name) = value { "rename \(strip) to \(name)" } else { "rename \(strip)" }
            }
        case .fadeIn:
            Entry(
                .duration, of: [.track], "the fade from the start of the first clip",
                verb: (
                    .clips, "fadein", "fade in from the start of the first clip; 0 for none", "fadein 1 500ms"
                )
            ) { strip, _ in "fade-in of \(strip)" }
        case .fadeOut:
            Entry(
                .duration, of: [.track], "the fade to the end of the last clip",
                verb: (.clips, "fadeout", "fade out to the end of the last clip; 0 for none", "fadeout 1 2s")
            ) { strip, _ in "fade-out of \(strip)" }
        case .meter:
            Entry(
                .levels, of: Self.sounding,
                """
                linear levels: peak of left and right since any client last asked, RMS of both over 300 ms; \
                then peak and RMS of each channel from the third on
                """
            ) { _, _ in "" }
        case .send(let bus, let control):
            Entry(control.kind, of: Self.feeding, control.summary) { strip, _ in
                "\(control.title) from \(strip) to \(bus.text)"
            }
        case .eq(let control):
            Entry(control.kind, of: Self.sounding, control.summary) { strip, _ in "eq of \(strip)" }
        case .dynamics(let control):
            Entry(control.controlKind, of: Self.sounding, control.summary) { strip, _ in
                "\(control.kind.rawValue) of \(strip)"
            }
        case .duck:
            Entry(.flag, of: [.track, .bus], "a hand lowers it by its duck by hand") { strip, _ in
                "duck of \(strip)"
            }
        case .talkback:
            Entry(
                .flag, of: [.track],
                "1 while the talkback button is down; the buses of the talkback hear the track meanwhile"
            ) { strip, _ in "talkback of \(strip)" }
        case .automix(let control):
            Entry(control.kind, of: control.isOfBus ? [.bus] : Self.feeding, control.summary) { strip, _ in
                "automix\(control.isOfBus ? "" : " \(control.rawValue)") of \(strip)"
            }
        case .touch(let control):
            Entry(
                .flag, of: control.entry.kinds,
                control == .volume
                    ? "1 while a hand is on the fader; other clients cannot move it then"
                    : """
                    1 while a hand is on the control; other clients cannot touch it then, and its moves may \
                    be written as automation
                    """
            ) { strip, _ in "\(control.path) of \(strip)" }
        case .writeMode(let control):
            Entry(
                .choice(WriteMode.allCases.map(\.rawValue)), of: control.entry.kinds,
                """
                automation mode, read unless told; off: not played, moves are not written; read: played, \
                moves are not written; touch: moves are written during a touch; latch: from the first touch \
                to the stop; write: from play, or from when the mode is set, to the stop
                """
            ) { strip, value in
                if case .text(let word) = value {
                    "\(control.path) of \(strip) to \(word)"
                } else {
                    "\(control.path) of \(strip)"
                }
            }
        case .talkbackTo:
            Entry(
                .names, of: [.track],
                "the names of the buses that hear its talkback; the single word none removes the talkback"
            ) { strip, _ in "talkback of \(strip)" }
        }
    }

    /// Those that a kind of strip has, but for its sends'.
    public static func of(_ kind: StripKind) -> [Control] { plain.filter { $0.entry.kinds.contains(kind) } }

    /// All that say the same in other words: who sets one of them knows the others.
    public var alike: [Control] {
        switch self {
        case .volume, .volumeLevel, .volumePosition: [.volume, .volumeLevel, .volumePosition]
        case .send(let bus, .volume), .send(let bus, .volumeLevel), .send(let bus, .volumePosition):
            [.send(bus, .volume), .send(bus, .volumeLevel), .send(bus, .volumePosition)]
        default: [self]
        }
    }
}
