import Remote
import Timeline

/// The mixer as a dialect sees it: the tables of controls and commands, and where all of it stands at
/// present. A dialect asks and says; it knows nothing of what carries that out.
public protocol Desk: AnyObject {
    /// Tracks, buses, DCAs and the master, each kind in the order of its numbers.
    var strips: [StripPlace] { get }
    /// Where a control stands; nil where there is no such strip, or send.
    func value(of control: Control, _ strip: StripPlace) -> ControlValue?
    /// What the timeline multiplies a strip's volume by at present.
    func timelineVolume(_ strip: StripPlace) -> Double
    /// What a strip is known by, wherever it moves in its list; another session has none of them.
    func identity(_ strip: StripPlace) -> Int
    /// A hand is on a control: nobody else moves its fader until it is let go, whatever becomes of its strip.
    /// - Returns: nil where another's hand is on it, or the timeline does not move it.
    func hold(_ control: Control, of strip: StripPlace) -> DeskHold?
    func release(_ hold: DeskHold)
    /// Peaks since this dialect asked last, linear, for each channel; nothing for what has no meter.
    func peaks(_ strip: StripPlace) -> [Float]
    /// Whether a strip has a compressor, a gate or a limiter, be it on or off.
    func has(_ kind: DynamicsKind, _ strip: StripPlace) -> Bool
    var transport: DeskTransport { get }
    /// The names of the scenes, in their order.
    var scenes: [String] { get }
    /// The scene that was recalled or stored last, by whoever.
    var presentScene: String? { get }
    /// The mute groups, in their order.
    var muteGroups: [MuteGroupSummary] { get }
    /// Carries out a command: at once, or where it waits for a disk soon.
    /// - Returns: false if it is refused.
    @discardableResult
    func run(_ command: Command) -> Bool
}

extension Desk {
    package func isOn(_ control: Control, _ strip: StripPlace) -> Bool {
        value(of: control, strip) == .flag(true)
    }

    package func number(_ control: Control, _ strip: StripPlace) -> Double? {
        if case .number(let number)? = value(of: control, strip) { number } else { nil }
    }

    package func text(_ control: Control, _ strip: StripPlace) -> String? {
        if case .text(let text)? = value(of: control, strip) { text } else { nil }
    }

    /// What a strip's volume is at present, linear: its fader times what the timeline says.
    package func heardVolume(_ strip: StripPlace) -> Double {
        (number(.volume, strip) ?? 0) * timelineVolume(strip)
    }

    /// What a strip is called.
    func name(_ strip: StripPlace) -> String { text(.name, strip) ?? "" }

    @discardableResult
    func set(_ control: Control, of strip: StripPlace, to value: ControlValue) -> Bool {
        run(.set(StripReference(strip), control, value))
    }

    /// The other position of a switch.
    func toggle(_ control: Control, of strip: StripPlace) {
        set(control, of: strip, to: .flag(!isOn(control, strip)))
    }
}
