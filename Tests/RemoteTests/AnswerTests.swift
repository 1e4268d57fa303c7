import JSON
import OSC
import Remote
import Testing
import TestSupport
import Timeline

/// What the mixer says is the same value where it arrives.
@Suite struct AnswerTests {
    /// Each answer, as it is and at the ends of its values.
    private static let answers: [Answer] =
        ofStrips + ofTheWhole + documents
        + StripKind.allCases.flatMap { kind in Control.of(kind).flatMap { told(kind, $0) } }
        + SendControl.allCases.flatMap { told(.track, .send(.name("hall & 1"), $0)) }
        + Control.ofProcessors.flatMap { told(.bus, $0) }
        + AutomixControl.allCases.flatMap { told(.bus, .automix($0)) }
        + MonitorControl.allCases.flatMap { control in
            values(of: control.kind).map { Answer.monitoring(control)($0) }
        }

    /// A control of a strip of that kind with the values that it may have.
    private static func told(_ kind: StripKind, _ control: Control) -> [Answer] {
        let place: StripPlace =
            switch kind {
            case .track: .track(17)
            case .bus: .bus(2)
            case .dca: .dca(3)
            case .master: .master
            }
        return values(of: control.entry.kind).map { .control(place, control, $0) }
    }

    /// With no more digits than OSC's floats carry.
    private static func values(of kind: Control.Kind) -> [ControlValue] {
        switch kind {
        case .volume, .reading: [.number(0), .number(0.1), .number(4)]
        case .scale(.db): [.number(-.infinity), .number(-0.3)]
        case .scale: [.number(0.78)]
        case .number(let range): [.number(range.lowerBound), .number(range.upperBound)]
        case .flag: [.flag(true), .flag(false)]
        case .text, .place: [.text("voice"), .text("a \"b\" /c")]
        case .choice(let words): words.map { .text($0) }
        case .channels: [.channels(.mono), .channels(.surround714)]
        case .matrix: [.text("standard"), .text("1,0/0,1")]
        case .names: [.names([]), .names(["a", "b c"])]
        case .duration, .delay: [.time(.time(.zero)), .time(.time(MediaTime(value: 1, timescale: 3)))]
        case .levels:
            [
                .levels(peaks: [0, 1], rms: [0.5, 0.25]),
                .levels(peaks: [0, 1, 2, 3], rms: [0.5, 0.25, 0.125, 1]),
            ]
        }
    }

    private static let ofStrips: [Answer] =
        [
            .loudness(
                .master,
                LoudnessSummary(momentary: -.infinity, shortTerm: -23.1, integrated: -70, truePeak: 0.5)),
            .loudnessRange(.bus(1), 7.5), .spectrum(.track(1), [-120, -6.5]), .spectrum(.track(1), []),
            .peak(.track(3), PeakSummary(1.5, overs: 12)), .peak(.master, PeakSummary(0, overs: 0)),
            .equaliser(.track(1), nil),
            .automix(.bus(1), nil), .sends(.track(1), []), .clips(.track(4), []), .input(.track(4), nil),
            .input(.track(4), Input(channels: 2, connect: ["system:capture_1", ""])),
        ] + DynamicsKind.allCases.map { Answer.dynamics($0)(.master, nil) }

    private static let ofTheWhole: [Answer] =
        [
            .added(.track(9)), .added(.bus(1)), .added(.dca(2)), .addedInput(3), .recording(true),
            .soundcheck(true),
            .silenced(false), .stopsAtEnd(true), .record(RecordState(isOn: true, 0.5...1.5)),
            .record(RecordState(isOn: false)),
            .loop(nil), .loop(0...12.25),
            .position(TransportPosition(frame: 1 << 40, seconds: 22_906_492.245)),
            .state(.rolling), .state(.stopped), .version("jmix 1"), .learned(.controller(channel: 1, 7)),
            .collection(.none), .collection(.running(0.5)), .collection(.done("x")),
            .collection(.failed("y")),
            .undone("a"), .redone(""), .edition(Edition(7, undo: "a", redo: "")), .pong(nil), .pong(-3),
            .note("n"),
            .notice(Answer.Notice(level: "warning", text: "the disk is full")),
        ] + SoloMode.allCases.map { Answer.soloMode($0) }
        + DirectOutMode.allCases.map { Answer.directOuts($0) }

    private static let documents: [Answer] = {
        var status = MixerStatus()
        (status.isRolling, status.session, status.streams) = (
            true, "/a/b.json", [MixerStatus.Stream(track: 1, dropouts: 2, lowestFill: 3)]
        )
        status.server.callback.times.median = 7
        (status.server.callback.late, status.freeBytes) = (5, 1 << 50)
        status.decoding = [MixerStatus.Decoding(path: "a.mka", share: 0.25)]
        return [
            .status(MixerStatus()), .status(status), .sessions([]), .sessions(["a", "b"]), .scenes(["verse"]),
            .markers([Marker(name: "intro", at: MediaTime(value: 1, timescale: 3))]), .video(nil),
            .video(Video(file: "film.mp4")), .missing([MissingFile(file: "a", found: ["b"])]),
            .history([HistoryStep(name: "a", isDone: true), HistoryStep(name: "b", isDone: false)]),
            .connections([PortConnection(port: "master_1", other: "x:y", isMade: false)]),
            .ports([ServerPort(name: "a", direction: .input, medium: .midi, isOwn: true)]),
            .muteGroups([MuteGroupSummary(name: "band", members: ["a"], isOn: true)]), .midi(MIDISummary()),
            .ducks([]), .buses([]), .tracks([]), .dcas([]),
        ]
    }()

    @Test(arguments: answers)
    func anAnswerArrivesAsItWasTold(_ answer: Answer) throws {
        let sent = answer.message
        let packet = try OSCPacket(sent.packet)
        let come = try #require(packet.messages.first).message
        #expect(Answer(come) == answer, "\(sent)")
    }

    /// The answers of a random session's strips, read back from the text that is sent.
    @Test(arguments: 0..<100) func aSessionsListsArriveAsTheyWereTold(_ seed: Int) throws {
        var random = Seeded(state: UInt64(seed))
        let session = Self.session(&random)
        var answers: [Answer] = [
            .tracks(
                session.tracks.enumerated().map {
                    TrackSummary(number: $0 + 1, track: $1, fader: 0.3, output: "master")
                }),
            .buses(
                session.buses.enumerated().map {
                    BusSummary(number: $0 + 1, bus: $1, fader: 1 / 3, output: "none")
                }),
            .ducks(try #require([DuckSummary](json: SessionFile.ducks(of: session)))),
        ]
        for (index, track) in session.tracks.enumerated() {
            answers.append(
                .clips(.track(index + 1), track.clips.map { ClipSummary($0, end: $0.at, isEstimated: true) }))
            answers.append(.automation(.track(index + 1), .volume, track.automation))
            answers.append(.equaliser(.track(index + 1), track.equaliser))
            answers.append(
                .sends(
                    .track(index + 1),
                    track.sends.map { SendSummary(strip: track.name, bus: "b", send: $0, volume: 2) }))
            for kind in DynamicsKind.allCases {
                let json = track.strip.json(of: kind, in: session)
                let processor = try #require(ProcessorSummary?(json: json))
                #expect(processor.json == json, "seed \(seed)")
                answers.append(Answer.dynamics(kind)(.track(index + 1), processor))
            }
        }
        for answer in answers { #expect(Answer(answer.message) == answer, "seed \(seed): \(answer.message)") }
    }

    private static func session(_ random: inout Seeded) -> Session {
        var session = Session()
        func time(_ random: inout Seeded) -> MediaTime {
            MediaTime(value: Int64.random(in: 0...1000, using: &random), timescale: 48)
        }
        for index in 0..<Int.random(in: 1...4, using: &random) {
            var track = Track(name: "track \(index)")
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                var clip = Clip(file: "a \(index).wav")
                (clip.at, clip.from, clip.gain) = (time(&random), time(&random), 0.5)
                (clip.fadeIn.duration, clip.pitch, clip.isReversed) = (
                    time(&random), -3, Bool.random(using: &random)
                )
                track.clips.append(clip)
            }
            let end = MediaTime(value: 30, timescale: 1)
            try? track.automation.setRamp(
                from: 0.25, to: 1, over: TimeRange(start: time(&random), end: end), curve: .scurve)
            if Bool.random(using: &random) {
                var equaliser = Equaliser()
                (equaliser.bands[0].gain, equaliser.highPass) = (
                    -3, Equaliser.Pass(frequency: 80, slope: .steep)
                )
                track.equaliser = equaliser
            }
            var limiter = Limiter()
            limiter.level = -3
            if Bool.random(using: &random) { limiter.isOn = false }
            track.limiter = Bool.random(using: &random) ? limiter : nil
            track.compressor = Bool.random(using: &random) ? Compressor() : nil
            session.append(track)
        }
        return session
    }

    /// A clip that begins where the timeline ends goes on beyond it.
    @Test func aClipThatEndsBeyondTheTimelineArrives() {
        var clip = Clip(file: "a.wav")
        clip.at = .latest
        let answer = Answer.clips(
            .track(1),
            [
                ClipSummary(clip, end: .latest + MediaTime(value: 7, timescale: 3)),
                ClipSummary(clip, end: nil),
            ])
        #expect(Answer(answer.message) == answer)
    }

    /// What is no answer, or says something else than one of its address, is none.
    @Test(arguments: [
        OSCMessage("/nothing"), OSCMessage("/track/1/volume"), OSCMessage("/track/1/volume", .string("x")),
        OSCMessage("/track/x/volume", .float(1)), OSCMessage("/track/0/volume", .float(1)),
        OSCMessage("/track/1/peak", .float(0.5), .float(.nan)),
        OSCMessage("/track/1/peak", .float(0.5), .double(1e30)),
        OSCMessage("/session/edition", .float(.infinity), .string(""), .string("")),
        OSCMessage("/transport/position", .int64(5), .double(.nan)), OSCMessage("/tracks", .string("{")),
        OSCMessage("/tracks", .string("[1]")),
        OSCMessage("/tracks", .int32(1)),
        OSCMessage("/tracks", .string(#"[{"number": "1"}]"#)),
        OSCMessage("/status", .string(#"{"state": "flying"}"#)),
        OSCMessage("/transport/loop", .double(2), .double(1)), OSCMessage("/transport/position", .double(1)),
        OSCMessage("/track/1/meter", .float(1)), OSCMessage("/track/1/peak", .float(1)),
        OSCMessage("/track/1/automation", .string("{}")), OSCMessage("/track/1/nothing", .float(1)),
        OSCMessage("/session/collect", .string("?"), .float(1), .string("")),
        OSCMessage("/midi/learn", .string("cc 99")),
        OSCMessage(""), OSCMessage("/"), OSCMessage("/track"), OSCMessage("/track//volume", .float(1)),
        OSCMessage("/track/99999999999999999999/volume", .float(1)),
    ])
    func whatIsNoAnswerIsNone(_ message: OSCMessage) { #expect(Answer(message) == nil, "\(message)") }

    /// Whatever a peer answers is read or is none.
    @Test(arguments: 0..<200) func noAnswerOfAPeerCrashes(_ seed: Int) {
        var random = Seeded(state: UInt64(seed))
        let addresses = Self.answers.map(\.message.address)
        for _ in 0..<200 {
            let arguments: [OSCArgument] = (0..<Int.random(in: 0...5, using: &random)).map { _ in
                switch Int.random(in: 0...7, using: &random) {
                case 0: .int32([0, -1, .max, .min].randomElement(using: &random)!)
                case 1: .int64([0, -1, .max, .min].randomElement(using: &random)!)
                case 2: .float([0, .nan, .infinity, 3e38].randomElement(using: &random)!)
                case 3: .double([1e300, -1e300, .nan, 0.5].randomElement(using: &random)!)
                case 4: .bool(Bool.random(using: &random))
                case 5: .string(["", "off", "{}", "[]", "[null]", "rolling"].randomElement(using: &random)!)
                case 6: .string(#"{"done": 1e300, "seconds": 1e400, "frame": 1e30, "state": "rolling"}"#)
                default: .other("N")
                }
            }
            _ = Answer(OSCMessage(addresses.randomElement(using: &random)!, arguments))
        }
    }
}
