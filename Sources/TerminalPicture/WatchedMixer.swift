import Remote
import Timeline

/// What a mixer tells its subscribers, as it stands. Fed with answers, drawn by `WatchPicture`.
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
    package var loudness: LoudnessSummary?
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
    /// What the mixer's log was last told from warnings on, since somebody looks: what has come within ten
    /// seconds stands together.
    package var notice: String { notices.map(\.text).joined(separator: " \u{b7} ") }
    /// With when they were first seen: at the next picture.
    private var notices: [(text: String, at: UInt64?)] = []

    private static let noticeTime: UInt64 = 10_000_000_000
    private static let maximumNotices = 4

    /// One answer of the mixer; others than those that it shows say nothing.
    package mutating func receive(_ answer: Answer) {
        if case .control(let place, let control, let value) = answer {
            change(place) { $0.set(control, value) }
        } else if let place = answer.place {
            receive(answer, of: place)
        } else {
            receiveOfTheWhole(answer)
        }
    }

    private mutating func receive(_ answer: Answer, of place: StripPlace) {
        if let peak = answer[Answer.peak] {
            change(place) { ($0.peak, $0.overs) = (Double(peak.peak), peak.overs) }
        }
        if place == .master, let measured = answer[Answer.loudness] { loudness = measured }
    }

    private mutating func receiveOfTheWhole(_ answer: Answer) {
        if let status = answer[Answer.status] { receive(status) }
        if let state = answer[Answer.state] { isRolling = state == .rolling }
        if let position = answer[Answer.position], Self.timeline.contains(position.seconds) {
            seconds = position.seconds
        }
        if let range = answer[Answer.loop] {
            loop = range.flatMap { Self.timeline.contains($0) && !$0.isEmpty ? $0 : nil }
        }
        if let notice = answer[Answer.notice] {
            notices = (notices + [(notice.text, nil)]).suffix(Self.maximumNotices)
        }
    }

    private static let timeline = 0...MediaTime.latest.seconds

    private mutating func receive(_ status: MixerStatus) {
        keep(tracks: status.tracks, buses: status.buses, dcas: status.dcas)
        (xruns, dropouts) = (status.server.xruns, status.dropouts)
        (session, isUnsaved) = (status.session ?? "new session", status.hasUnsavedChanges)
        (hasServer, isSilenced) = (status.server.isRunning, status.isSilenced)
        end = min(max(0, status.end), Self.timeline.upperBound)
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
        for index in notices.indices where notices[index].at == nil { notices[index].at = now }
        notices = notices.suffix(max(1, notices.count { now - ($0.at ?? now) < Self.noticeTime }))
        for index in tracks.indices { tracks[index].meter.move(to: now) }
        for index in buses.indices { buses[index].meter.move(to: now) }
        master.meter.move(to: now)
    }

    /// Changes a strip, which is there from the first that is told of it.
    private mutating func change(_ place: StripPlace, _ change: (inout Strip) -> Void) {
        switch place {
        case .track(let number): Self.change(&tracks, number, Session.maximumTracks, change)
        case .bus(let number): Self.change(&buses, number, Session.maximumBuses, change)
        case .dca(let number): Self.change(&dcas, number, Session.maximumDCAs, change)
        case .master: change(&master)
        }
    }

    private static func change(
        _ strips: inout [Strip], _ number: Int, _ limit: Int, _ change: (inout Strip) -> Void
    ) {
        guard (1...limit).contains(number) else { return }
        while strips.count < number { strips.append(Strip()) }
        change(&strips[number - 1])
    }
}

extension WatchedMixer.Strip {
    fileprivate mutating func set(_ control: Control, _ value: ControlValue) {
        switch (control, value) {
        case (.volume, .number(let volume)): fader = volume
        case (.pan, .number(let pan)): self.pan = pan
        case (.mute, .flag(let isOn)): mute = isOn
        case (.solo, .flag(let isOn)): solo = isOn
        case (.name, .text(let name)): self.name = name
        case (.writeMode(.volume), .text(let word)): writeMode = WriteMode(rawValue: word) ?? .read
        case (.meter, .levels(let peaks, let rms)):
            meter.receive(peak: Double(peaks.max() ?? 0), rms: Double(rms.max() ?? 0))
        case (.dynamics(let control), .number(let reduction)) where control.part == .reduction:
            reductions[control.kind.rawValue] = reduction
        default: break
        }
    }
}
