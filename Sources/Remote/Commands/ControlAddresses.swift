import JSON
import OSC
import Timeline

/// The addresses of one control of a kind of strip: to set and ask it, to move it from where it stands, what
/// moves it over time, and what hands do to it.
struct ControlAddresses {
    /// Where the strip's addresses begin.
    let prefix: String
    let control: Control
    /// The control that an address means, which may name a bus or a band.
    let named: @Sendable (Address.Subject) -> Control

    /// All of the controls of all kinds of strips.
    static let all: [Address] =
        (StripKind.allCases.flatMap(of) + ofTalkback + ofAutomix).flatMap(\.all)

    private init(
        _ prefix: String, _ control: Control, named: (@Sendable (Address.Subject) -> Control)? = nil
    ) {
        (self.prefix, self.control) = (prefix, control)
        self.named = named ?? { _ in control }
    }

    /// What a kind of strip has, from the one table of controls.
    private static func of(_ kind: StripKind) -> [ControlAddresses] {
        let plain = Control.of(kind).map { ControlAddresses(kind.root, $0) }
        if kind == .dca { return plain }
        let sends = SendControl.allCases.map { send in
            ControlAddresses(kind.root, .send(.name("BUS"), send)) { .send($0.bus, send) }
        }
        let passes = EqualiserControl.ofNoBand.map { ControlAddresses(kind.root, .eq($0)) }
        let bands = EqualiserControl.band(0).map { control in
            ControlAddresses(kind.root, .eq(control)) { .eq(control.ofBand($0.band)) }
        }
        let dynamics = DynamicsKind.allCases.flatMap(DynamicsControl.all).map {
            ControlAddresses(kind.root, .dynamics($0))
        }
        return plain + passes + bands + dynamics + (kind == .master ? [] : sends)
    }

    private static let ofTalkback = [Control.talkback, .talkbackTo].map {
        ControlAddresses(StripKind.track.root, $0)
    }

    private static let ofAutomix = AutomixControl.allCases.flatMap { control in
        (control.isOfBus ? [StripKind.bus] : [.track, .bus]).map {
            ControlAddresses($0.root, .automix(control))
        }
    }

    private var path: String { "\(prefix)/\(control.path)" }
    private var entry: Control.Entry { control.entry }

    private var all: [Address] {
        let steps = entry.kind.isMoved ? [step] : []
        guard control.automation != nil else { return steps + [value] }
        // The volume's have old names too, without the control.
        let paths = [path] + (control == .volume ? [prefix] : [])
        return steps + [valueOrPoint] + paths.flatMap { moves($0) + events($0) } + hands
    }

    /// What it is, and of a number of a processor the range.
    private var summary: String {
        guard control.isOfProcessor, case .number(let range) = entry.kind else { return entry.summary }
        let (lowest, highest) = (JSONValue.number(range.lowerBound), JSONValue.number(range.upperBound))
        return "\(entry.summary); \(lowest.compactText) to \(highest.compactText)"
    }

    private var step: Address {
        .action("\(path)/by", entry.kind.step, stepSummary) { subject, arguments throws(CommandError) in
            .nudge(subject.strip, named(subject), by: try arguments.step(entry.kind, of: control.word))
        }
    }

    private var stepSummary: String {
        if case .eq(let part) = control, part.isSlope {
            return "a positive step: 24 dB per octave; a negative one: 12"
        }
        return entry.kind.stepSummary
    }

    private var value: Address {
        .value(path, entry.kind.arguments, answers: entry.kind.answer, summary) {
            subject, arguments throws(CommandError) in
            .control(
                subject.strip, named(subject), arguments.isEmpty ? nil : try arguments.value(of: control))
        }
    }

    private var valueOrPoint: Address {
        let taken = entry.kind.arguments
        return .value(
            path, "\(taken) · \(taken) TIME [T]", answers: entry.kind.answer,
            "\(summary); with TIME a point on the timeline; T first removes a ramp around that point"
        ) { subject, arguments throws(CommandError) in
            if arguments.isEmpty { return .ask(subject.strip, named(subject)) }
            let value = try arguments.value(of: control)
            if arguments.isEmpty { return .set(subject.strip, named(subject), value) }
            return .point(
                subject.strip, named(subject), value: value.ofTimeline, at: try arguments.time(),
                replace: try arguments.replace())
        }
    }

    /// What moves it over time; a switch has no way between.
    private func moves(_ path: String) -> [Address] {
        if entry.kind == .flag { return [] }
        let value = entry.kind.arguments
        return [
            .action(
                "\(path)/fade", "\(value) DURATION [CURVE]",
                "fades the control to this value, starting now"
            ) { subject, arguments throws(CommandError) in
                .fade(
                    subject.strip, named(subject), to: try arguments.value(of: control).ofTimeline,
                    over: try arguments.time(), curve: try arguments.curve())
            },
            .action(
                "\(path)/fade/by", "\(entry.kind.step) DURATION [CURVE]",
                "fades the control by this step from its present value, starting now"
            ) { subject, arguments throws(CommandError) in
                .fadeBy(
                    subject.strip, named(subject), try arguments.step(entry.kind, of: control.word),
                    over: try arguments.time(), curve: try arguments.curve())
            },
            ramp(path, value),
        ]
    }

    private func ramp(_ path: String, _ value: String) -> Address {
        .action(
            "\(path)/ramp", "\(value) \(value) TIME TIME [CURVE] [T]",
            "a ramp on the timeline; T first removes the events that it overlaps"
        ) { subject, arguments throws(CommandError) in
            .ramp(
                subject.strip, named(subject), from: try arguments.value(of: control).ofTimeline,
                to: try arguments.value(of: control).ofTimeline,
                start: try arguments.time(), end: try arguments.time(), curve: try arguments.curve(),
                replace: try arguments.replace())
        }
    }

    private func events(_ path: String) -> [Address] {
        [
            .value(
                "\(path)/automation", "", answers: "s",
                "the events on the timeline: JSON, as in the session file"
            ) { subject, _ throws(CommandError) in
                .automation(subject.strip, named(subject))
            },
            clearing(path),
            .action("\(path)/automation/remove", "i", "removes the event of that number, from 1") {
                subject, arguments throws(CommandError) in
                .removeEvent(subject.strip, named(subject), try arguments.index("the number of an event"))
            },
            .action(
                "\(path)/automation/move", "i TIME [T]",
                "moves event i so that it begins at TIME; T first removes the events that it overlaps"
            ) { subject, arguments throws(CommandError) in
                .moveEvent(
                    subject.strip, named(subject), try arguments.index("the number of an event"),
                    to: try arguments.time(), replace: try arguments.replace())
            },
        ]
    }

    private func clearing(_ path: String) -> Address {
        .action(
            "\(path)/automation/clear", "[TIME TIME]",
            """
            removes all events; if two times are given, only the points between them and the ramps that \
            overlap that range
            """
        ) { subject, arguments throws(CommandError) in
            if arguments.isEmpty {
                return .clearAutomation(subject.strip, named(subject), from: nil, to: nil)
            }
            return .clearAutomation(
                subject.strip, named(subject), from: try arguments.time(), to: try arguments.time())
        }
    }

    /// What hands do to a control that the timeline moves.
    private var hands: [Address] {
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
}

extension Control {
    fileprivate var isOfProcessor: Bool {
        switch self {
        case .eq, .dynamics, .automix: true
        default: false
        }
    }
}
