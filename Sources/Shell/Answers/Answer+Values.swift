import JSON
import Remote
import Timeline

extension Answer {
    /// The values of an answer that has no form of its own.
    var values: [PlainValue] {
        switch self {
        case .control(_, _, let value), .monitoring(_, let value): value.values
        case .added(let place): [.number(place.number)]
        case .addedInput(let track): [.number(track)]
        case .loudnessRange(_, let range): [.float(range)]
        case .spectrum(_, let levels): levels.map { .float(Double($0)) }
        case .soloMode(let mode): [.text(mode.rawValue)]
        case .directOuts(let mode): [.text(mode.rawValue)]
        case .soundcheck(let isOn), .silenced(let isOn), .stopsAtEnd(let isOn),
            .recording(let isOn):
            [.flag(isOn)]
        case .loop(let range):
            range.map { [.number($0.lowerBound), .number($0.upperBound)] }
                ?? [PlainValue(text: "off", json: false)]
        case .state(let isRolling): [.text(TransportWord(isRolling: isRolling).rawValue)]
        case .version(let text), .undone(let text), .redone(let text), .note(let text): [.text(text)]
        case .notice(let level, let text): [.text(level), .text(text)]
        case .learned(let source): [.text(source.text)]
        case .pong(let number): number.map { [.number(Int($0))] } ?? []
        case .edition(let number, let undo, let redo): [.number(number), .text(undo), .text(redo)]
        case .collection(let state): [.text(state.text)]
        case .automation, .clips, .buses, .dcas, .sends, .equaliser, .loudness, .peak, .dynamics, .muteGroups,
            .automix, .input, .record, .position, .connections, .ports, .tracks, .status, .sessions, .midi,
            .ducks, .scenes, .video, .markers, .missing, .history:
            []
        }
    }

    /// The strip that it is about.
    var place: StripPlace? {
        switch self {
        case .control(let place, _, _), .automation(let place, _, _), .sends(let place, _),
            .equaliser(let place, _), .loudness(let place, _, _, _, _), .loudnessRange(let place, _),
            .spectrum(let place, _), .peak(let place, _, _), .dynamics(let place, _, _),
            .automix(let place, _):
            place
        case .clips(let track, _), .input(let track, _): .track(track)
        default: nil
        }
    }

    /// What its value is called in JSON.
    var key: String {
        switch self {
        case .control(_, let control, _): control.key
        case .monitoring(let control, _): control.rawValue
        case .automation: "automation"
        case .clips: "clips"
        case .equaliser: "eq"
        case .dynamics(_, let kind, _): kind.rawValue
        case .automix: "automix"
        case .input: "input"
        case .added, .addedInput: "number"
        case .loudnessRange: "range"
        case .spectrum: "spectrum"
        case .soloMode: "soloMode"
        case .directOuts: "directOuts"
        case .soundcheck: "soundcheck"
        case .silenced: "silenced"
        case .recording: "recording"
        case .stopsAtEnd: "stopAtEnd"
        case .loop: "loop"
        case .state: "state"
        case .version: "version"
        case .undone: "undo"
        case .redone: "redo"
        case .note: "note"
        case .notice: "notice"
        case .learned: "learn"
        case .pong: "pong"
        case .edition: "edition"
        case .collection(.done): "collected"
        case .collection: "collect"
        default: ""
        }
    }
}

extension CollectionState {
    /// What it comes to, in words.
    fileprivate var text: String {
        switch self {
        case .none: Self.nothing
        case .running(let share): "\(percent(share)) is copied"
        case .done(let text), .failed(let text): text
        }
    }
}

extension Control {
    /// The bus of the send that it is of.
    var bus: Selector? {
        switch self {
        case .send(let bus, _): bus
        case .writeMode(let control), .touch(let control): control.bus
        default: nil
        }
    }

    /// As the session's file calls it; the last word of its path where that has no name of its own.
    fileprivate var key: String {
        switch self {
        case .fadeIn: "fadeIn"
        case .fadeOut: "fadeOut"
        case .soloSafe: "soloSafe"
        case .muteMode: "muteMode"
        default: path.split(separator: "/").last.map(String.init) ?? path
        }
    }
}

extension ControlValue {
    fileprivate var values: [PlainValue] {
        switch self {
        case .number(let number): [.float(number)]
        case .flag(let flag): [.flag(flag)]
        case .text(let text): [.text(text)]
        case .channels(let layout): [.number(layout.channels)]
        case .names(let names): names.map { .text($0) }
        case .time(.time(let time)): [.text("\(time)")]
        case .time(.frames(let frames)): [.number(Int(frames))]
        case .time(.seconds(let seconds)): [.number(seconds)]
        case .levels(let peaks, let rms): (peaks + rms).map { .float(Double($0)) }
        }
    }
}
