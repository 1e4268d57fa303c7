import JSON
import OSC
import Remote
import Timeline

/// What a mixer tells its subscribers, as it stands. Fed with messages, drawn by `WatchPicture`.
package struct WatchedMixer {
    package struct Strip {
        package var name = ""
        package var fader = 1.0
        package var mute = false
        package var solo = false
        /// What hands do to the automation of its volume: `read` unless told.
        package var writeMode = WriteMode.read
        package var pan = 0.0
        package var meter = WatchedMeter()
        /// The highest peak since the reset, linear, and how often it was above full scale.
        package var peak = 0.0
        package var overs = 0
        /// How far gate, compressor and limiter lower it, in dB.
        package var reductions: [String: Double] = [:]

        package var reduction: Double { reductions.values.reduce(0, +) }
    }

    package init() {}

    package var tracks: [Strip] = []
    package var buses: [Strip] = []
    package var dcas: [Strip] = []
    package var master = Strip(name: "master")
    /// Of the master, in LUFS; nil where nobody measures it.
    package var loudness: (momentary: Double, shortTerm: Double, integrated: Double)?
    package var isRolling = false
    package var seconds = 0.0
    package var loop: ClosedRange<Double>?
    // From /status.
    package var end = 0.0
    package var session = ""
    package var isUnsaved = false
    package var xruns = 0
    package var dropouts = 0
    package var hasServer = true
    /// A panic holds it silent.
    package var isSilenced = false
    /// What the mixer's log was last told from warnings on, since somebody looks.
    package var notice = ""

    /// Takes one answer of the mixer that this is part of.
    package mutating func take(_ answer: Answer) {
        switch answer {
        case .status(let status):
            keep(tracks: status.streams.count, buses: status.buses, dcas: status.dcas)
            (xruns, dropouts, end) = (status.server.xruns, status.dropouts, status.end)
            (session, isUnsaved, hasServer) = (
                status.session ?? "new session", status.hasUnsavedChanges, status.server.isRunning
            )
            isSilenced = status.isSilenced
        case .control, .peak, .loudness, .loop, .position, .state: take(answer.message)
        default: break
        }
    }

    /// Takes one message; others than those it watches say nothing.
    package mutating func take(_ message: OSCMessage) {
        let parts = message.address.split(separator: "/").map(String.init)
        switch parts.first {
        case "track" where parts.count > 2: Self.set(&tracks, parts, Session.maximumTracks, message.arguments)
        case "bus" where parts.count > 2: Self.set(&buses, parts, Session.maximumBuses, message.arguments)
        case "dca" where parts.count > 2: Self.set(&dcas, parts, Session.maximumDCAs, message.arguments)
        case "master" where parts == ["master", "loudness"]: setLoudness(message.arguments)
        case "master" where parts.count > 1: Self.set(&master, parts.dropFirst(), message.arguments)
        case "transport" where parts.count == 2: setTransport(parts[1], message.arguments)
        case "status": setStatus(message.arguments)
        case "notice":
            if message.arguments.count == 2, case .string(let text) = message.arguments[1] { notice = text }
        default: break
        }
    }

    /// Those that are no longer there are told of no more.
    private mutating func keep(tracks: Int, buses: Int, dcas: Int) {
        self.tracks.removeLast(max(0, self.tracks.count - max(0, tracks)))
        self.buses.removeLast(max(0, self.buses.count - max(0, buses)))
        self.dcas.removeLast(max(0, self.dcas.count - max(0, dcas)))
    }

    /// Tracks, buses, DCAs, and the master at the end.
    package var strips: [Strip] { tracks + buses + dcas + [master] }

    /// Which of its kind the strip at an index of `strips` is.
    package func place(_ index: Int) -> StripPlace {
        if index < tracks.count { return .track(index + 1) }
        if index < tracks.count + buses.count { return .bus(index - tracks.count + 1) }
        return index < tracks.count + buses.count + dcas.count
            ? .dca(index - tracks.count - buses.count + 1) : .master
    }

    /// Lets the meters fall; to be called before each picture.
    package mutating func move(to now: UInt64) {
        for index in tracks.indices { tracks[index].meter.move(to: now) }
        for index in buses.indices { buses[index].meter.move(to: now) }
        master.meter.move(to: now)
    }

    private static func set(
        _ strips: inout [Strip], _ parts: [String], _ limit: Int, _ arguments: [OSCArgument]
    ) {
        guard let number = Int(parts[1]), (1...limit).contains(number) else { return }
        while strips.count < number { strips.append(Strip()) }
        set(&strips[number - 1], parts.dropFirst(2), arguments)
    }

    private static func set(_ strip: inout Strip, _ field: ArraySlice<String>, _ arguments: [OSCArgument]) {
        switch field.joined(separator: "/") {
        case "volume": strip.fader = arguments.first?.number ?? strip.fader
        case "mute": strip.mute = arguments.first?.number == 1
        case "volume/write":
            if case .string(let word)? = arguments.first {
                strip.writeMode = WriteMode(rawValue: word) ?? .read
            }
        case "solo": strip.solo = arguments.first?.number == 1
        case "pan": strip.pan = arguments.first?.number ?? strip.pan
        case "name": if case .string(let name)? = arguments.first { strip.name = name }
        case "meter" where arguments.count == 4:
            let levels = arguments.map { $0.number ?? 0 }
            strip.meter.take(peak: max(levels[0], levels[1]), rms: max(levels[2], levels[3]))
        case "peak" where arguments.count == 2:
            (strip.peak, strip.overs) = (
                arguments[0].number ?? 0, Int(exactly: arguments[1].number ?? 0) ?? 0
            )
        case "gate/reduction", "comp/reduction", "limit/reduction":
            strip.reductions[field.first!] = arguments.first?.number
        default: break
        }
    }

    private mutating func setLoudness(_ arguments: [OSCArgument]) {
        let levels = arguments.compactMap(\.number)
        if levels.count == 4 { loudness = (levels[0], levels[1], levels[2]) }
    }

    private mutating func setTransport(_ field: String, _ arguments: [OSCArgument]) {
        switch field {
        case "state": isRolling = arguments.first == .string("rolling")
        case "position":
            if let number = arguments.last?.number, (0...MediaTime.latest.seconds).contains(number) {
                seconds = number
            }
        case "loop":
            let ends = arguments.compactMap(\.number)
            loop =
                arguments.count == 2 && ends.count == 2 && ends[0] < ends[1] && ends[0] >= 0
                    && ends[1] <= MediaTime.latest.seconds ? ends[0]...ends[1] : nil
        default: break
        }
    }

    private mutating func setStatus(_ arguments: [OSCArgument]) {
        guard case .string(let text)? = arguments.first, let status = try? JSONValue(parsing: text) else {
            return
        }
        func number(_ name: String) -> Int { status[name]?.intValue ?? 0 }
        keep(tracks: number("tracks"), buses: number("buses"), dcas: number("dcas"))
        (xruns, dropouts) = (number("xruns"), number("dropouts"))
        session = status["session"]?.stringValue ?? "new session"
        isUnsaved = status["unsaved"]?.boolValue ?? false
        hasServer = status["server"]?.boolValue ?? true
        isSilenced = status["silenced"]?.boolValue ?? false
        end = min(max(0, status["end"]?.doubleValue ?? 0), MediaTime.latest.seconds)
    }
}

/// A meter as the eye follows it: the peak falls by 20 dB a second, the highest is held for a moment.
package struct WatchedMeter {
    package private(set) var rms = 0.0
    package private(set) var peak = 0.0
    package private(set) var held = 0.0
    /// What was told last; it stands until something else is.
    private var level = 0.0
    private var heldAt: UInt64 = 0
    private var movedAt: UInt64 = 0

    private static let hold: UInt64 = 1_500_000_000
    private static let fall = 20.0

    mutating func take(peak: Double, rms: Double) {
        (level, self.rms) = (peak, rms)
    }

    /// To be called before each picture.
    mutating func move(to now: UInt64) {
        let fallen = peak * Volume.gain(level: -Self.fall * Double(now - movedAt) / 1e9)
        peak = max(level, fallen)
        movedAt = now
        if peak >= held || now - heldAt > Self.hold { (held, heldAt) = (peak, now) }
    }
}

extension OSCArgument {
    var number: Double? {
        switch self {
        case .int32(let value): Double(value)
        case .int64(let value): Double(value)
        case .float(let value): Double(value)
        case .double(let value): value
        case .bool(let flag): flag ? 1 : 0
        default: nil
        }
    }
}
