import OSC
import Timeline

extension Answer {
    /// The message that says it, at the address that was asked.
    public var message: OSCMessage {
        if let json { return OSCMessage(address, .string(json.compactText)) }
        switch self {
        case .control(_, _, let value): return OSCMessage(address, value.arguments)
        case .loudness(_, let momentary, let shortTerm, let integrated, let truePeak):
            return OSCMessage(
                address, [momentary, shortTerm, integrated, truePeak].map { .float(Float($0)) })
        case .loudnessRange(_, let range): return OSCMessage(address, .float(Float(range)))
        case .spectrum(_, let levels): return OSCMessage(address, levels.map { .float($0) })
        case .peak(_, let peak, let overs):
            return OSCMessage(address, .float(peak), .int32(Int32(clamping: overs)))
        case .added(let place): return OSCMessage(address, .int32(Int32(place.number)))
        case .addedInput(let track): return OSCMessage(address, .int32(Int32(track)))
        case .record(let isOn, let range):
            return OSCMessage(
                address,
                [.int32(isOn ? 1 : 0)]
                    + (range.map { [.double($0.lowerBound), .double($0.upperBound)] } ?? []))
        case .loop(nil): return OSCMessage(address, .bool(false))
        case .loop(let loop?): return OSCMessage(address, .double(loop.lowerBound), .double(loop.upperBound))
        case .monitoring(_, let value): return OSCMessage(address, value.arguments)
        case .silenced(let flag): return OSCMessage(address, .int32(flag ? 1 : 0))
        case .soundcheck(let flag): return OSCMessage(address, .int32(flag ? 1 : 0))
        case .soloMode(let mode): return OSCMessage(address, .string(mode.rawValue))
        case .directOuts(let mode): return OSCMessage(address, .string(mode.rawValue))
        case .stopsAtEnd(let flag): return OSCMessage(address, .int32(flag ? 1 : 0))
        case .position(let frame, let seconds): return OSCMessage(address, .int64(frame), .double(seconds))
        case .state(let isRolling): return OSCMessage(address, .string(isRolling ? "rolling" : "stopped"))
        case .version: return OSCMessage(address, .string("jmix \(programVersion)"))
        case .collection(let state): return OSCMessage(address, state.arguments)
        case .edition(let number, let undo, let redo):
            return OSCMessage(
                address, .int32(Int32(truncatingIfNeeded: number)), .string(undo), .string(redo))
        case .learned(let source): return OSCMessage(address, .string(source.text))
        case .undone(let text), .redone(let text), .note(let text): return OSCMessage(address, .string(text))
        case .pong(let number): return OSCMessage(address, number.map { [.int32($0)] } ?? [])
        case .equaliser, .dynamics, .automix, .muteGroups, .automation, .clips, .input, .connections, .ports,
            .tracks,
            .buses, .dcas, .sends, .status, .sessions, .scenes, .markers, .missing, .history, .video, .midi,
            .ducks:
            return OSCMessage(address)
        }
    }

    private var address: String {
        switch self {
        case .control(let strip, let control, _): strip.address(of: control)
        case .automation(let place, .volume, _): "\(place.address)/automation"
        case .automation(let place, let control, _): "\(place.address(of: control))/automation"
        case .clips(let track, _): "/track/\(track)/clips"
        case .added(let place): "/\(place.kind.rawValue)/add"
        case .addedInput: "/input/add"
        case .input(let track, _): "/track/\(track)/input"
        case .record: "/record"
        case .buses: "/buses"
        case .soloMode: "/solomode"
        case .directOuts: "/directouts"
        case .monitoring(let control, _): control.address
        case .soundcheck: "/soundcheck"
        case .silenced: "/silenced"
        case .equaliser(let place, _): "\(place.address)/eq"
        case .loudness(let place, _, _, _, _): "\(place.address)/loudness"
        case .loudnessRange(let place, _): "\(place.address)/loudness/range"
        case .spectrum(let place, _): "\(place.address)/spectrum"
        case .peak(let place, _, _): "\(place.address)/peak"
        case .dynamics(let place, let kind, _): "\(place.address)/\(kind.rawValue)"
        case .muteGroups: "/mutegroups"
        case .automix(let place, _): "\(place.address)/automix"
        case .dcas: "/dcas"
        case .sends(let place, _): "\(place.address)/sends"
        case .loop: "/transport/loop"
        case .stopsAtEnd: "/transport/stopatend"
        case .connections: "/connections"
        case .ports: "/ports"
        case .position: "/transport/position"
        case .state: "/transport/state"
        case .tracks: "/tracks"
        case .status: "/status"
        case .version: "/version"
        case .sessions: "/sessions"
        case .scenes: "/scenes"
        case .markers: "/markers"
        case .video: "/session/video"
        case .collection: "/session/collect"
        case .missing: "/session/missing"
        case .midi: "/midi/list"
        case .ducks: "/ducks"
        case .learned: "/midi/learn"
        case .undone: "/session/undo"
        case .redone: "/session/redo"
        case .history: "/session/history"
        case .edition: "/session/edition"
        case .pong: "/pong"
        case .note: "/note"
        }
    }
}

extension OSCMessage {
    /// It is beside the answers: what else whoever asked should know.
    public var isNote: Bool { address == "/note" }
}

extension StripPlace {
    /// From 1; 0 for the master.
    public var number: Int {
        switch self {
        case .track(let number), .bus(let number), .dca(let number): number
        case .master: 0
        }
    }

    /// What its addresses begin with.
    public var address: String { self == .master ? "/master" : "/\(kind.rawValue)/\(number)" }

    /// Where a control of it is set and told.
    public func address(of control: Control) -> String { "\(address)/\(control.path)" }
}

extension Answer {
    /// The reason of a refusal over UDP: over TCP the same question is answered.
    public static let tooLong = "the answer is too long for a datagram: ask over TCP"
}

extension ControlValue {
    /// As it is told.
    var arguments: [OSCArgument] {
        switch self {
        case .number(let value): [.float(Float(value))]
        case .flag(let flag): [.int32(flag ? 1 : 0)]
        case .text(let text): [.string(text)]
        case .channels(let layout): [.int32(Int32(layout.channels))]
        case .names(let names): names.map { .string($0) }
        case .time(.time(let time)): [.string("\(time)")]
        case .time(.frames(let frames)): [.int64(frames)]
        case .time(.seconds(let seconds)): [.double(seconds)]
        case .levels(let peaks, let rms):
            // What has one channel is heard on both sides.
            [peaks[0], peaks[peaks.count > 1 ? 1 : 0], rms[0], rms[rms.count > 1 ? 1 : 0]].map { .float($0) }
                + zip(peaks, rms).dropFirst(2).flatMap { [.float($0), .float($1)] }
        }
    }

    /// As it is asked to be set: no digit is lost.
    var exactArguments: [OSCArgument] {
        switch self {
        // A float where that says the number as well as a double does: 0.8 but not 1/3.
        case .number(let value): [Double("\(Float(value))") == value ? .float(Float(value)) : .double(value)]
        case .flag(let flag): [.bool(flag)]
        default: arguments
        }
    }
}

extension CollectionState {
    fileprivate var arguments: [OSCArgument] {
        let (word, share, text): (String, Double, String) =
            switch self {
            case .none: ("none", 0, "nothing has been collected")
            case .running(let share): ("running", share, "")
            case .done(let path, let files):
                ("done", 1, "\(path): the session and \(files) \(files == 1 ? "file" : "files")")
            case .failed(let reason): ("failed", 0, reason)
            }
        return [.string(word), .float(Float(share)), .string(text)]
    }
}
