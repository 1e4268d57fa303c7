import OSC
import Timeline

/// The form of every answer, but for those of controls, whose addresses the one table of controls knows.
enum AnswerForms {
    // Of strips.
    static let sends = AnswerForm(ofStrip: "sends", .document, Answer.sends)
    static let equaliser = AnswerForm(ofStrip: "eq", .document, Answer.equaliser)
    static let automix = AnswerForm(ofStrip: "automix", .document, Answer.automix)
    static let spectrum = AnswerForm(ofStrip: "spectrum", .floats, Answer.spectrum)
    static let clips = AnswerForm(ofStrip: "clips", .document) { .clips(track: $0.number, $1) }
    static let input = AnswerForm(ofStrip: "input", .document) { .input(track: $0.number, $1) }

    static let loudnessRange = AnswerForm(
        ofStrip: "loudness/range",
        AnswerCoding<Double> {
            [.float(Float($0))]
        } read: {
            $0.first?.double
        },
        Answer.loudnessRange)

    static let loudness = AnswerForm(
        ofStrip: "loudness",
        AnswerCoding<[Double]> {
            $0.map { .float(Float($0)) }
        } read: {
            $0.compactMap(\.double).exactly(4)
        }
    ) {
        .loudness($0, momentary: $1[0], shortTerm: $1[1], integrated: $1[2], truePeak: $1[3])
    }

    static let peak = AnswerForm(
        ofStrip: "peak",
        AnswerCoding<(peak: Float, overs: Int)> {
            [.float($0.peak), .int32(Int32(clamping: $0.overs))]
        } read: {
            $0.compactMap(\.double).exactly(2).flatMap { values in
                Int(exactly: values[1]).map { (Float(values[0]), $0) }
            }
        }
    ) {
        .peak($0, $1.peak, overs: $1.overs)
    }

    static func dynamics(_ kind: DynamicsKind) -> AnswerForm<ProcessorSummary?> {
        AnswerForm(ofStrip: kind.rawValue, .document) { .dynamics($0, kind, $1) }
    }

    // Of the whole: documents.
    static let tracks = AnswerForm("/tracks", .document, Answer.tracks)
    static let buses = AnswerForm("/buses", .document, Answer.buses)
    static let dcas = AnswerForm("/dcas", .document, Answer.dcas)
    static let muteGroups = AnswerForm("/mutegroups", .document, Answer.muteGroups)
    static let status = AnswerForm("/status", .document, Answer.status)
    static let sessions = AnswerForm("/sessions", .document, Answer.sessions)
    static let scenes = AnswerForm("/scenes", .document, Answer.scenes)
    static let markers = AnswerForm("/markers", .document, Answer.markers)
    static let missing = AnswerForm("/session/missing", .document, Answer.missing)
    static let history = AnswerForm("/session/history", .document, Answer.history)
    static let video = AnswerForm("/session/video", .document, Answer.video)
    static let connections = AnswerForm("/connections", .document, Answer.connections)
    static let ports = AnswerForm("/ports", .document, Answer.ports)
    static let midi = AnswerForm("/midi/list", .document, Answer.midi)
    static let ducks = AnswerForm("/ducks", .document, Answer.ducks)

    // Words, numbers and switches.
    static let version = AnswerForm("/version", .text, Answer.version)
    static let undone = AnswerForm("/session/undo", .text, Answer.undone)
    static let redone = AnswerForm("/session/redo", .text, Answer.redone)
    static let note = AnswerForm("/note", .text, Answer.note)
    static let soloMode = AnswerForm("/solomode", .word, Answer.soloMode)
    static let directOuts = AnswerForm("/directouts", .word, Answer.directOuts)
    static let soundcheck = AnswerForm("/soundcheck", .flag, Answer.soundcheck)
    static let silenced = AnswerForm("/silenced", .flag, Answer.silenced)
    static let recording = AnswerForm("/recording", .flag, Answer.recording)
    static let stopsAtEnd = AnswerForm("/transport/stopatend", .flag, Answer.stopsAtEnd)
    static let addedInput = AnswerForm("/input/add", .number) { .addedInput(track: $0) }
    static let state = AnswerForm("/transport/state", AnswerCoding<TransportWord>.word) {
        .state(isRolling: $0 == .rolling)
    }

    static func added(_ kind: StripKind) -> AnswerForm<Int> {
        AnswerForm("/\(kind.rawValue)/add", .number) { .added(StripPlace(kind, $0)) }
    }

    static func monitoring(_ control: MonitorControl) -> AnswerForm<ControlValue> {
        AnswerForm(control.address, .value(control.kind)) { .monitoring(control, $0) }
    }

    // Several values each.
    static let loop = AnswerForm("/transport/loop", .loop, Answer.loop)
    static let record = AnswerForm("/record", .record) { .record(isOn: $0.isOn, $0.range) }
    static let position = AnswerForm("/transport/position", .position) {
        .position(frame: $0.frame, seconds: $0.seconds)
    }
    static let collection = AnswerForm("/session/collect", .collection, Answer.collection)
    static let edition = AnswerForm("/session/edition", .edition) { .edition($0.0, undo: $0.1, redo: $0.2) }

    static let notice = AnswerForm(
        "/notice",
        AnswerCoding<(level: String, text: String)> {
            [.string($0.level), .string($0.text)]
        } read: {
            $0.compactMap(\.text).exactly(2).map { ($0[0], $0[1]) }
        }
    ) {
        .notice(level: $0.level, $0.text)
    }

    static let learned = AnswerForm(
        "/midi/learn",
        AnswerCoding<MIDISource> {
            [.string($0.text)]
        } read: {
            $0.first?.text.flatMap(MIDISource.init)
        },
        Answer.learned)

    static let pong = AnswerForm(
        "/pong",
        AnswerCoding<Int32?> {
            $0.map { [.int32($0)] } ?? []
        } read: { arguments in
            .some(arguments.first?.double.flatMap { Int32(exactly: $0) })
        }, Answer.pong)

    /// Those of strips, by what stands behind a strip's address.
    static let ofStrips = table(
        [
            sends.reader, equaliser.reader, automix.reader, spectrum.reader, clips.reader, input.reader,
            loudnessRange.reader, loudness.reader, peak.reader,
        ] + DynamicsKind.allCases.map { dynamics($0).reader })

    /// All others, by their addresses.
    static let ofTheWhole = table(
        [
            tracks.reader, buses.reader, dcas.reader, muteGroups.reader, status.reader, sessions.reader,
            scenes.reader, markers.reader, missing.reader, history.reader, video.reader, connections.reader,
            ports.reader, midi.reader, ducks.reader, version.reader, undone.reader, redone.reader,
            note.reader, soloMode.reader, directOuts.reader, soundcheck.reader, silenced.reader,
            recording.reader, stopsAtEnd.reader, addedInput.reader, state.reader, loop.reader, record.reader,
            position.reader,
            collection.reader, edition.reader, learned.reader, notice.reader, pong.reader,
        ] + [StripKind.track, .bus, .dca].map { added($0).reader }
            + MonitorControl.allCases.map { monitoring($0).reader })

    private static func table(_ readers: [AnswerReader]) -> [String: AnswerReader] {
        Dictionary(uniqueKeysWithValues: readers.map { ($0.path, $0) })
    }
}

extension Answer {
    /// As it travels, in its form.
    var told: ToldAnswer {
        switch self {
        case .control(let place, let control, let value):
            ToldAnswer(address: place.address(of: control), content: .values(value.arguments))
        case .automation(let place, let control, let automation):
            ToldAnswer(
                address: control == .volume
                    ? "\(place.address)/automation" : "\(place.address(of: control))/automation",
                content: .document(automation.json))
        case .clips(let track, let clips): AnswerForms.clips.told(.track(track), clips)
        case .added(let place): AnswerForms.added(place.kind).told(place.number)
        case .buses(let buses): AnswerForms.buses.told(buses)
        case .dcas(let dcas): AnswerForms.dcas.told(dcas)
        case .sends(let place, let sends): AnswerForms.sends.told(place, sends)
        case .equaliser(let place, let equaliser): AnswerForms.equaliser.told(place, equaliser)
        case .loudness(let place, let momentary, let shortTerm, let integrated, let truePeak):
            AnswerForms.loudness.told(place, [momentary, shortTerm, integrated, truePeak])
        case .loudnessRange(let place, let range): AnswerForms.loudnessRange.told(place, range)
        case .spectrum(let place, let levels): AnswerForms.spectrum.told(place, levels)
        case .peak(let place, let peak, let overs): AnswerForms.peak.told(place, (peak, overs))
        case .dynamics(let place, let kind, let processor):
            AnswerForms.dynamics(kind).told(place, processor)
        case .soloMode(let mode): AnswerForms.soloMode.told(mode)
        case .directOuts(let mode): AnswerForms.directOuts.told(mode)
        case .muteGroups(let groups): AnswerForms.muteGroups.told(groups)
        case .monitoring(let control, let value): AnswerForms.monitoring(control).told(value)
        case .automix(let place, let automix): AnswerForms.automix.told(place, automix)
        case .soundcheck(let isOn): AnswerForms.soundcheck.told(isOn)
        case .silenced(let isOn): AnswerForms.silenced.told(isOn)
        case .addedInput(let track): AnswerForms.addedInput.told(track)
        case .input(let track, let input): AnswerForms.input.told(.track(track), input)
        case .record(let isOn, let range): AnswerForms.record.told((isOn, range))
        case .recording(let isSo): AnswerForms.recording.told(isSo)
        case .loop(let range): AnswerForms.loop.told(range)
        case .position(let frame, let seconds): AnswerForms.position.told((frame, seconds))
        case .state(let isRolling): AnswerForms.state.told(TransportWord(isRolling: isRolling))
        case .stopsAtEnd(let isOn): AnswerForms.stopsAtEnd.told(isOn)
        case .connections(let connections): AnswerForms.connections.told(connections)
        case .ports(let ports): AnswerForms.ports.told(ports)
        case .tracks(let tracks): AnswerForms.tracks.told(tracks)
        case .status(let status): AnswerForms.status.told(status)
        case .version(let version): AnswerForms.version.told(version)
        case .sessions(let names): AnswerForms.sessions.told(names)
        case .midi(let map): AnswerForms.midi.told(map)
        case .ducks(let ducks): AnswerForms.ducks.told(ducks)
        case .learned(let source): AnswerForms.learned.told(source)
        case .scenes(let names): AnswerForms.scenes.told(names)
        case .video(let video): AnswerForms.video.told(video)
        case .markers(let markers): AnswerForms.markers.told(markers)
        case .collection(let state): AnswerForms.collection.told(state)
        case .missing(let files): AnswerForms.missing.told(files)
        case .undone(let step): AnswerForms.undone.told(step)
        case .redone(let step): AnswerForms.redone.told(step)
        case .history(let steps): AnswerForms.history.told(steps)
        case .edition(let number, let undo, let redo): AnswerForms.edition.told((number, undo, redo))
        case .pong(let number): AnswerForms.pong.told(number)
        case .note(let text): AnswerForms.note.told(text)
        case .notice(let level, let text): AnswerForms.notice.told((level, text))
        }
    }
}

extension AnswerCoding<ClosedRange<Double>?> {
    /// From and to in seconds, or a switch that is off.
    fileprivate static let loop = AnswerCoding { range in
        range.map { [.double($0.lowerBound), .double($0.upperBound)] } ?? [.bool(false)]
    } read: { arguments in
        if arguments == [.bool(false)] { return .some(nil) }
        return ClosedRange(arguments[...]).map { .some($0) }
    }
}

extension AnswerCoding<(isOn: Bool, range: ClosedRange<Double>?)> {
    fileprivate static let record = AnswerCoding {
        [.int32($0.isOn ? 1 : 0)] + ($0.range.map { [.double($0.lowerBound), .double($0.upperBound)] } ?? [])
    } read: { arguments in
        arguments.first?.double.map { ($0 != 0, ClosedRange(arguments.dropFirst())) }
    }
}

extension AnswerCoding<(frame: Int64, seconds: Double)> {
    fileprivate static let position = AnswerCoding {
        [.int64($0.frame), .double($0.seconds)]
    } read: { arguments in
        guard arguments.count == 2, case .int64(let frame) = arguments[0], let seconds = arguments[1].double,
            seconds.isFinite
        else { return nil }
        return (frame, seconds)
    }
}

extension AnswerCoding<(Int, String, String)> {
    fileprivate static let edition = AnswerCoding {
        [.int32(Int32(truncatingIfNeeded: $0.0)), .string($0.1), .string($0.2)]
    } read: { arguments in
        guard arguments.count == 3, let number = arguments[0].double.flatMap({ Int(exactly: $0) }),
            let undo = arguments[1].text, let redo = arguments[2].text
        else { return nil }
        return (number, undo, redo)
    }
}

extension AnswerCoding<CollectionState> {
    /// A word, the share that is copied, and where it is or why it is not.
    fileprivate static let collection = AnswerCoding { state in
        let (word, share, text): (String, Double, String) =
            switch state {
            case .none: ("none", 0, CollectionState.nothing)
            case .running(let share): ("running", share, "")
            case .done(let what): ("done", 1, what)
            case .failed(let reason): ("failed", 0, reason)
            }
        return [.string(word), .float(Float(share)), .string(text)]
    } read: { arguments in
        guard arguments.count == 3, let share = arguments[1].double, let text = arguments[2].text else {
            return nil
        }
        return switch arguments[0].text {
        case "none": CollectionState.none
        case "running": .running(share)
        case "done": .done(text)
        case "failed": .failed(text)
        default: nil
        }
    }
}

extension ClosedRange<Double> {
    /// Two numbers, the first of which is not above the second.
    fileprivate init?(_ arguments: ArraySlice<OSCArgument>) {
        let bounds = arguments.compactMap(\.double)
        guard bounds.count == 2, bounds[0] <= bounds[1] else { return nil }
        self = bounds[0]...bounds[1]
    }
}

extension Array {
    /// Itself if there are so many; else nil.
    fileprivate func exactly(_ count: Int) -> Array? { self.count == count ? self : nil }
}
