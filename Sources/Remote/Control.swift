import Timeline

/// Something of a strip that a hand moves or an eye watches: the one table of them (`entry`). Addresses, feedback to subscribers, verbs, help, completion, tablets
/// and the names of steps to undo are made from it; a new control is one new case with its entry, and where the console keeps its value.
public enum Control: String, CaseIterable, Sendable {
    // Called as they are addressed.
    case volume
    case volumeLevel = "volume/db"
    case volumePosition = "volume/position"
    case volumeTouch = "volume/touch"
    case mute
    case solo
    case pan
    case name
    case fadeIn = "fadein"
    case fadeOut = "fadeout"
    case meter

    /// What kind of value it has, with its range.
    public enum Kind: Equatable, Sendable {
        /// A linear gain, 0 to 4: `Volume.range`.
        case volume
        /// The same gain on another scale.
        case scale(FaderScale)
        case number(ClosedRange<Double>)
        case flag
        case text
        case duration
        /// Peaks and RMS of both sides; only to be asked.
        case levels
    }

    public struct Entry: Sendable {
        public let kind: Kind
        /// The master has it too.
        public let isOfMaster: Bool
        /// What is said of it in help: of an address, and of a verb.
        public let summary: String
        /// The verb that sets and asks it, if there is one.
        let verb: (name: String, summary: String, example: String)?
        /// What a step to undo is called.
        public let title: @Sendable (_ strip: String, _ value: ControlValue) -> String
    }

    public var entry: Entry {
        switch self {
        case .volume:
            Entry(kind: .volume, isOfMaster: true, summary: "the fader, linear, 0 to 4", verb: nil) { strip, _ in "volume of \(strip)" }
        case .volumeLevel:
            Entry(kind: .scale(.db), isOfMaster: true, summary: "the same fader in dB, -inf to +12", verb: nil) { strip, _ in "volume of \(strip)" }
        case .volumePosition:
            Entry(kind: .scale(.position), isOfMaster: true, summary: "the same fader as 0 to 1: silence at 0, unity at 0.78, +6 dB at 1", verb: nil) { strip, _ in
                "volume of \(strip)"
            }
        case .volumeTouch:
            Entry(kind: .flag, isOfMaster: true, summary: "a finger is on the fader: nobody else moves it", verb: nil) { strip, _ in "volume of \(strip)" }
        case .mute:
            Entry(kind: .flag, isOfMaster: true, summary: "silences it", verb: ("mute", "silence a track", "mute voice on")) { strip, value in
                "\(value == .flag(true) ? "mute" : "unmute") \(strip)"
            }
        case .solo:
            Entry(kind: .flag, isOfMaster: false, summary: "only tracks on solo are heard", verb: ("solo", "hear only the tracks on solo", "solo 1 on")) { strip, value in
                "solo \(strip) \(value == .flag(true) ? "on" : "off")"
            }
        case .pan:
            Entry(kind: .number(-1...1), isOfMaster: false, summary: "balance, -1 left to 1 right",
                  verb: ("pan", "balance, -1 left, 0 centre, 1 right", "pan 1 -0.5")) { strip, _ in "pan of \(strip)" }
        case .name:
            Entry(kind: .text, isOfMaster: false, summary: "the track's name", verb: ("name", "rename a track", "name 1 music")) { strip, value in
                if case .text(let name) = value { "rename \(strip) to \(name)" } else { "rename \(strip)" }
            }
        case .fadeIn:
            Entry(kind: .duration, isOfMaster: false, summary: "the fade from the start of the first clip",
                  verb: ("fadein", "fade in from the start of the first clip; 0 for none", "fadein 1 500ms")) { strip, _ in "fade-in of \(strip)" }
        case .fadeOut:
            Entry(kind: .duration, isOfMaster: false, summary: "the fade to the end of the last clip",
                  verb: ("fadeout", "fade out to the end of the last clip; 0 for none", "fadeout 1 2s")) { strip, _ in "fade-out of \(strip)" }
        case .meter:
            Entry(kind: .levels, isOfMaster: true, summary: "peak left, right since last asked; RMS left, right over 300 ms; linear", verb: nil) { _, _ in "" }
        }
    }

    /// Those that the master has too.
    public static let ofMaster = allCases.filter(\.entry.isOfMaster)

    /// All that say the same in other words: who sets one of them knows the others.
    public var alike: [Control] {
        switch self {
        case .volume, .volumeLevel, .volumePosition: [.volume, .volumeLevel, .volumePosition]
        default: [self]
        }
    }
}

/// What a control stands at, or is set to.
public enum ControlValue: Equatable, Sendable {
    case number(Double)
    case flag(Bool)
    case text(String)
    case time(TimeSpec)
    /// Linear.
    case levels(peakLeft: Float, peakRight: Float, rmsLeft: Float, rmsRight: Float)
}

extension Control.Kind {
    /// What setting it takes, as help says it.
    var arguments: String {
        switch self {
        case .volume: "V"
        case .scale, .number: "f"
        case .flag: "switch"
        case .text: "s"
        case .duration: "DURATION"
        case .levels: ""
        }
    }

    /// The same in the shell.
    var words: String {
        switch self {
        case .volume: "V"
        case .scale: "f"
        case .number(let range): "\(Int(range.lowerBound))..\(Int(range.upperBound))"
        case .flag: "on|off"
        case .text: "NEW"
        case .duration: "DURATION"
        case .levels: ""
        }
    }

    /// The OSC types of the answer.
    var answer: String {
        switch self {
        case .volume, .scale, .number: "f"
        case .flag: "i"
        case .text, .duration: "s"
        case .levels: "ffff"
        }
    }

    /// Refuses what is out of range; never clamps.
    public func check(_ number: Double, _ name: String) throws(CommandError) -> Double {
        guard case .number(let range) = self else { return number }
        guard range.contains(number) else { throw CommandError("\(number) is not a \(name): it goes from \(range.lowerBound) to \(range.upperBound)") }
        return number + 0  // -0 becomes 0
    }
}
