import Console
import Dialects
import Engine
import Logging
import Remote
import Timeline

/// The console as dialects see it: for one client.
final class ConsoleDesk: Desk {
    private let console: Console
    private let client: ClientID
    private let reader: MeterBook.Reader
    /// What hands are on, by the numbers that were given out for it.
    private var holds: [Int: Lane] = [:]
    private var lastHold = 0

    /// Commands other than moves that are refused are said in the log: nobody else is there to be told.
    private let logsRefusals: Bool

    init(_ console: Console, _ client: ClientID, meters reader: MeterBook.Reader, logsRefusals: Bool = false)
    {
        (self.console, self.client, self.reader) = (console, client, reader)
        self.logsRefusals = logsRefusals
    }

    var strips: [StripPlace] { console.session.places }

    func value(of control: Control, _ strip: StripPlace) -> ControlValue? {
        guard console.session.has(strip), control.entry.kinds.contains(strip.kind) else { return nil }
        if case .send(let bus, _) = control, console.send(bus, of: strip) == nil { return nil }
        return console.value(of: control, strip, for: reader)
    }

    func timelineVolume(_ strip: StripPlace) -> Double {
        console.session.has(strip) ? console.timelineVolume(strip) : 1
    }

    func identity(_ strip: StripPlace) -> Int {
        console.session.has(strip) ? console.document.openings << 40 | console.session[strip].id.rawValue : -1
    }

    func hold(_ control: Control, of strip: StripPlace) -> DeskHold? {
        let reference = StripReference(strip)
        guard control.automation != nil, let target = try? console.automated(reference, control).first,
            run(.set(reference, .touch(control), .flag(true)))
        else { return nil }
        lastHold += 1
        holds[lastHold] = target.lane(console.session)
        return DeskHold(lastHold)
    }

    func release(_ hold: DeskHold) {
        guard let lane = holds.removeValue(forKey: hold.number) else { return }
        if !console.touches.isHeld(lane, against: client) { console.touches.end(lane) }
    }

    func peaks(_ strip: StripPlace) -> [Float] {
        if case .levels(let peaks, _)? = value(of: .meter, strip) { peaks } else { [] }
    }

    func has(_ kind: DynamicsKind, _ strip: StripPlace) -> Bool {
        console.session.has(strip) && console.session[strip].has(kind)
    }

    var transport: DeskTransport {
        DeskTransport(
            isRolling: console.transport.isRolling, seconds: console.seconds(console.engine.frame),
            isLooping: console.loop != nil,
            isRecording: console.engine.recordedFrames != nil)
    }

    var scenes: [String] { console.session.scenes.map(\.name) }
    var presentScene: String? { console.presentScene }

    var muteGroups: [MuteGroupSummary] { console.muteGroups }

    @discardableResult
    func run(_ command: Command) -> Bool {
        var isRefused = false
        console.run(command, from: client) { [console, logsRefusals] outcome in
            guard case .failure(let error) = outcome else { return }
            isRefused = true
            if logsRefusals, !command.isMove {
                Logger(label: "jmix").warning("MIDI asked for \(command.title(console)): \(error)")
            }
        }
        return !isRefused
    }
}

extension Command {
    /// It only moves a control, as each step of a knob does.
    fileprivate var isMove: Bool {
        switch self {
        case .set, .nudge, .nudgeMonitor: true
        default: false
        }
    }
}

extension Console {
    /// What the timeline multiplies a strip's volume by at the playhead.
    func timelineVolume(_ strip: StripPlace) -> Double {
        let lane = Lane(owner: heard[strip].id, control: .volume)
        if heard.mode(of: lane, at: strip) == .off { return 1 }
        return heard[strip].automation.present(at: engine.frame, 1, sampleRate: engine.sampleRate)
    }
}
