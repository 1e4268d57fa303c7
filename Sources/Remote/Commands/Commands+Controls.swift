import OSC
import Timeline

/// What is asked and set of a strip's controls, and what moves them over time: each command stands for all
/// controls of the one table.
extension CommandEntry {
    static let controls: [CommandEntry] = [
        values.live(isHeard).overtaking(isTouch), moves.live(isFade), events.losing(losers),
        .of(verb: .volume), .of(verb: .fade),
        .of(verb: .ramp), .of(verb: .automation),
        .of(verb: .write),
    ]

    /// Of what is asked and set, what only a mixer that plays has.
    @Sendable private static func isHeard(_ command: Command) -> Bool {
        switch command {
        case .ask(_, .meter), .ask(_, .touch), .set(_, .touch, _): true
        default: false
        }
    }

    @Sendable private static func isTouch(_ command: Command) -> Bool {
        if case .set(_, .touch, _) = command { true } else { false }
    }

    @Sendable private static func isFade(_ command: Command) -> Bool {
        switch command {
        case .fade, .fadeBy: true
        default: false
        }
    }

    @Sendable private static func losers(_ command: Command) -> StripReference? {
        switch command {
        case .clearAutomation(let strips, _, _, _), .removeEvent(let strips, _, _): strips
        default: nil
        }
    }

    /// A verb that says several commands of other entries.
    static func of(verb: Verb) -> CommandEntry {
        CommandEntry(addresses: []) { _ in nil }.verb(verb)
    }

    private static let values = CommandEntry(
        addresses: ControlAddresses.all,
        asks: {
            switch $0 {
            case .ask, .automation: true
            default: false
            }
        }
    ) {
        switch $0 {
        case .ask(let strip, .meter): ofEveryStrip(strip.message(Control.meter.path))
        case .ask(let strip, let control): [strip.message(control.path)]
        case .set(let strip, let control, let value):
            [strip.message(control.path, value.exactArguments)]
        case .nudge(let strip, let control, let step):
            [strip.message("\(control.path)/by", step.argument(of: control.entry.kind))]
        case .automation(let strip, let control): [strip.message(control.path(of: "automation"))]
        default: nil
        }
    } title: { command, names in
        switch command {
        case .set(let strip, let control, let value):
            names.named(control).entry.title(names.name(strip), value)
        case .nudge(let strip, let control, _):
            names.named(control).entry.title(names.name(strip), .number(0))
        default: nil
        }
    }

    /// What glides, and what the timeline has; the addresses stand beside each control's others.
    private static let moves = CommandEntry(addresses: []) {
        switch $0 {
        case .fade(let strip, let control, let value, let time, let curve):
            [
                strip.message(
                    control.path(of: "fade"), number(value), argument(time), .string(curve.rawValue))
            ]
        case .fadeBy(let strip, let control, let step, let time, let curve):
            [
                strip.message(
                    control.path(of: "fade/by"), step.argument(of: control.entry.kind), argument(time),
                    .string(curve.rawValue))
            ]
        case .point(let strip, let control, let value, let time, let replace):
            [
                strip.message(
                    control.path, control.argument(value), argument(time), replace ? .bool(true) : nil)
            ]
        case .ramp(let strip, let control, let first, let last, let start, let end, let curve, let replace):
            [
                strip.message(
                    control.path(of: "ramp"), number(first), number(last), argument(start), argument(end),
                    .string(curve.rawValue), replace ? .bool(true) : nil)
            ]
        default: nil
        }
    } title: { command, names in
        switch command {
        case .fade(let strip, .volume, let volume, _, _):
            "fade of \(names.name(strip)) to \(Readable.level(gain: volume))"
        case .fade(let strip, let control, let value, _, _):
            "fade of \(control.ofTitle)\(names.name(strip)) to \(value)"
        case .fadeBy(let strip, let control, let step, _, _):
            "fade of \(control.ofTitle)\(names.name(strip)): \(step.readable)"
        case .point(let strip, let control, _, let time, _):
            "point on \(control.ofTitle)\(names.name(strip)) at \(names.text(time))"
        case .ramp(let strip, let control, _, _, let start, let end, _, _):
            """
            ramp on \(control.ofTitle)\(names.name(strip)) \(names.text(start))-\(names.text(end))
            """
        default: nil
        }
    }

    /// What is done to the events of the timeline; of their addresses too.
    private static let events = CommandEntry(addresses: []) {
        switch $0 {
        case .clearAutomation(let strip, let control, let start, let end):
            [
                strip.message(
                    control.path(of: "automation/clear"), start.map(argument), end.map(argument))
            ]
        case .removeEvent(let strip, let control, let number):
            [strip.message(control.path(of: "automation/remove"), .int32(Int32(clamping: number)))]
        case .moveEvent(let strip, let control, let number, let time, let replace):
            [
                strip.message(
                    control.path(of: "automation/move"), .int32(Int32(clamping: number)), argument(time),
                    replace ? .bool(true) : nil)
            ]
        default: nil
        }
    } title: { command, names in
        switch command {
        case .clearAutomation(let strip, let control, let start?, let end?):
            """
            clear automation of \(control.ofTitle)\(names.name(strip)) \(names.text(start))-\(names.text(end))
            """
        case .clearAutomation(let strip, let control, _, _):
            "clear automation of \(control.ofTitle)\(names.name(strip))"
        case .removeEvent(let strip, let control, _):
            "remove event on \(control.ofTitle)\(names.name(strip))"
        case .moveEvent(let strip, let control, _, let time, _):
            "move event on \(control.ofTitle)\(names.name(strip)) to \(names.text(time))"
        default: nil
        }
    }
}

extension Control {
    /// Where something that moves it is asked for: `pan/ramp`; of the volume the short name, `ramp`.
    func path(of move: String) -> String { self == .volume ? move : "\(path)/\(move)" }

    /// "pan of ", and nothing for the volume, which is what is meant unless told.
    fileprivate var ofTitle: String { self == .volume ? "" : "\(path) of " }

    /// A point's value, as the control has it.
    fileprivate func argument(_ value: Double) -> OSCArgument {
        entry.kind == .flag ? .bool(value == 1) : number(value)
    }
}
