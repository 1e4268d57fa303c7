import JSON
import TestSupport
import Testing
import Timeline

/// Random sessions (`JMIX_SESSIONS` from `JMIX_SEED` on) with no field at its default, as text and back.
@Suite struct SessionRoundTripTests {
    private var random = Seeded(state: 0)

    private mutating func pick<T>(_ values: [T]) -> T { values.randomElement(using: &random)! }

    private mutating func time() -> MediaTime {
        let scale = pick([1, 1000, 44100, 48000, 7919, 1_000_000_000, Int32.max])
        let seconds: Int64 = pick([100, 100, 100, 1_000_000_000])
        return MediaTime(
            value: Int64.random(in: 1...Int64(scale) * seconds, using: &random), timescale: scale)
    }

    private mutating func unknown() -> JSONObject {
        [
            "x\(pick(["", "\0"]))\(Int.random(in: 0..<9, using: &random))": pick([
                .null, .number(1), .string("ü\"\\\n"), .array([.bool(true)]), .object(["y": .number(0.1)]),
                .number("123456789012345678901234567890"), .number("-0.10"), .string("\0"),
            ])
        ]
    }

    private mutating func track(_ number: Int) -> Track {
        var track = Track(name: "t\(number)" + pick(["", " ü", " [x]", "{a}", "*", "?"]))
        track.fader = pick([0, 0.5, 4, 1e-9, 0.1])
        track.pan = pick([-1, 0.25, 1])
        (track.mute, track.solo) = (pick([true, false]), pick([true, false]))
        (track.fadeIn, track.fadeOut) = (time(), time())
        var at = MediaTime.zero
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            var clip = Clip(file: pick(["a.wav", "söng [final].flac", "/absolute/b.wav"]))
            at += time()
            (clip.at, clip.from) = (at, time())
            if pick([true, false]) { clip.duration = time() }
            if pick([true, false]) { clip.stream = pick([2, 64]) }
            if pick([true, false]) {
                clip.channels = ChannelPair(left: pick([1, 3, 1024]), right: pick([1, 2]))
            }
            clip.gain = pick([0, 1, 0.3, 4])
            for path in [\Clip.fadeIn, \.fadeOut, \.crossfade] where pick([true, false]) {
                clip[keyPath: path] = ClipFade(time(), curve: pick([.linear, .scurve, .equalpower]))
            }
            clip.unknown = unknown()
            track.clips.append(clip)
        }
        track.automation = automation(.volume)
        track.unknown = unknown()
        return track
    }

    private mutating func automation(_ control: Automation.Control) -> Automation {
        var automation = Automation(control)
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            let (start, length) = (time(), time())
            let values: [Double] =
                switch control {
                case .volume, .trim: [0, 0.3, 4]
                case .pan: [-1, 0.25, 0, 1]
                case .mute: [0, 1]
                default:
                    [
                        control.range.lowerBound, control.range.upperBound,
                        (control.range.lowerBound + control.range.upperBound) / 3,
                    ]
                }
            if pick([true, false]) {
                try? automation.setValue(pick(values), at: start, unknown: unknown())
            } else {
                let range = pick([
                    TimeRange(start: start, duration: length), TimeRange(start: start, end: start + length),
                ])
                try? automation.setRamp(
                    from: pick(values), to: pick(values), over: range, curve: pick(Curve.allCases),
                    unknown: unknown())
            }
        }
        return automation
    }

    /// Buses, DCAs, sends and what comes with them.
    private mutating func furnish(_ session: inout Session) {
        for number in 0..<Int.random(in: 0...3, using: &random) {
            session.addBus(named: "b\(number)" + pick(["", " ü", ":x"]))
        }
        for number in 0..<Int.random(in: 0...2, using: &random) {
            let members = session.strips.map(\.id).filter { id in
                pick([true, false]) && !session.dcas.contains { $0.id == id }
            }
            session.addDCA(named: "d\(number)", members: members)
        }
        for place in session.places {
            if place != .master, place.kind != .dca {
                (session[place].solo, session[place].soloSafe) = (pick([true, false]), pick([true, false]))
                session[place].output = pick(
                    [.master, .none, .ports] + later(than: place, session).map { .bus($0) })
            }
            if place.kind != .dca {
                (session[place].pan, session[place].trim, session[place].polarity) = (
                    pick([0, -1, 0.5]), pick([1, 0, 2]), pick([true, false])
                )
                for control in [Automation.Control.pan, .trim]
                    + Automation.Control.ofProcessors.shuffled(using: &random).prefix(3)
                {
                    session[place][automation: control] = automation(control)
                }
            }
            (session[place].fader, session[place].mute) = (pick([1, 0, 0.25]), pick([true, false]))
            for control in [Automation.Control.volume, .mute] {
                session[place][automation: control] = automation(control)
            }
            if place != .master { session[place].unknown = unknown() }
            let controls: [Automation.Control] =
                place.kind == .dca ? [.volume, .mute] : [.volume, .pan, .trim, .mute, .gain2, .gateRange]
            for control in controls {
                session[place].writing[control] = pick([.read, .off, .touch, .latch, .write])
            }
        }
        for place in session.places where place.kind == .track || place.kind == .bus {
            for bus in later(than: place, session) where pick([true, false]) {
                let (volume, pan, mute, isPre, rest) = (
                    pick([0, 1, 0.3]), pick([0, -1, 0.5]), pick([true, false]), pick([true, false]), unknown()
                )
                let lanes = [Automation.Control.volume, .pan, .mute].map { automation($0) }
                let (rows, columns) = (session.layout(of: bus).channels, session[place].layout.channels)
                let matrix = pick([
                    nil,
                    try? SendMatrix(
                        (0..<rows).map { _ in (0..<columns).map { _ in pick([0, 1, -4, 1 / 3, 1e-9]) } }),
                ])
                session.setSend(of: place, to: bus) { send in
                    (send.volume, send.pan, send.mute, send.isPre, send.unknown) = (
                        volume, pan, mute, isPre, rest
                    )
                    send.isTalkback = mute
                    send.writing[.volume] = isPre ? .touch : .read
                    send.writing[.pan] = isPre ? .read : .off
                    send.matrix = matrix
                    for lane in lanes { send[automation: lane.control] = lane }
                }
            }
        }
    }

    /// What is heard in the control room, and automixes.
    private mutating func monitor(_ session: inout Session) {
        let strips = (session.tracks.map(\.strip) + session.buses).map(\.id)
        session.monitoring.source = pick([.solo, .master, .strip(pick(strips))])
        (session.monitoring.level, session.monitoring.dimming) = (pick([0, 0.5, 4]), pick([0, 20, 60]))
        (session.monitoring.isDimmed, session.monitoring.isMono, session.monitoring.isMuted) = (
            pick([true, false]), pick([true, false]), pick([true, false])
        )
        for number in 0..<Int.random(in: 0...2, using: &random) {
            var group = MuteGroup(name: "g\(number)")
            (group.members, group.isOn, group.unknown) = (
                Array(Set((0..<2).map { _ in pick(strips) })).sorted { $0.rawValue < $1.rawValue },
                pick([true, false]), unknown()
            )
            session.muteGroups.append(group)
        }
        for place in session.places where place != .master { session[place].muteMode = pick([.main, .all]) }
        if session.monitoring != Monitoring() { session.monitoring.unknown = unknown() }
        for place in session.places where place.kind == .track || place.kind == .bus {
            (session[place].automixing.weight, session[place].automixing.priority) = (
                pick([0, 1, 100]), pick([0, 4])
            )
            session[place].automixing.isIn = pick([true, false])
        }
        for place in session.places where place.kind == .bus && pick([true, false]) {
            var automix = Automix()
            (automix.attack, automix.release, automix.isOn, automix.unknown) = (
                pick([.zero, MediaTime(value: 1, timescale: 3)]), MediaTime(value: 10, timescale: 1),
                pick([true, false]), unknown()
            )
            session[place].automix = automix
            if Routing(session).loop != nil { session[place].automix = nil }
        }
    }

    /// The buses that a strip may feed without a loop.
    private func later(than place: StripPlace, _ session: Session) -> [StripID] {
        let number = if case .bus(let number) = place { number } else { 0 }
        return session.buses.dropFirst(number).map(\.id)
    }

    private mutating func session() -> Session {
        var session = Session()
        session.sampleRate = pick([8000, 44100, 384_000])
        for number in 0..<Int.random(in: 2...5, using: &random) { session.append(track(number)) }
        let hasDesk = pick([true, false])
        if hasDesk {
            furnish(&session)
            monitor(&session)
        }
        let ends =
            session.strips.map(\.id).filter { id in !session.dcas.contains { $0.id == id } } + [.monitor]
        for _ in 0..<(hasDesk ? Int.random(in: 0...3, using: &random) : 0) {
            var link = PortLink(
                strip: pick(ends), side: pick([1, 2]), other: pick(["system:playback_1", "x ü:*", "y:z"]))
            link.unknown = unknown()
            _ = session.addConnection(link)
        }
        for scene in ["loud", "soft ü", "3"].prefix(Int.random(in: 0...3, using: &random)) {
            session.storeScene(scene)
            session.scenes[session.scenes.count - 1].unknown = unknown()
            for index in session.tracks.indices {
                (session.tracks[index].fader, session.tracks[index].mute) = (
                    pick([0, 2.5]), pick([true, false])
                )
            }
            (session.master.fader, session.master.mute) = (pick([0, 0.7]), pick([true, false]))
        }
        for name in ["intro", "ü 2", "out"].prefix(Int.random(in: 0...3, using: &random)) {
            var marker = Marker(name: name, at: time())
            marker.unknown = unknown()
            session.setMarker(marker)
        }
        var duck = Duck(track: session.tracks[1].id, under: session.tracks[0].id, to: pick([0, 0.3, 4]))
        (duck.attack, duck.release, duck.unknown) = (time(), time(), unknown())
        session.ducks = pick([[duck], []])
        session.master.unknown = unknown()
        session.unknown = unknown()
        return session
    }

    @Test mutating func writtenSessionsAreReadAsTheyWere() throws {
        let first = firstSeed("JMIX_SEED")
        print("random sessions from seed \(first)")
        for seed in first..<first + (environmentNumber("JMIX_SESSIONS") ?? 1000) {
            random = Seeded(state: seed)
            let session = session()
            let text = SessionFile.text(session)
            #expect(
                text.hasPrefix("{\n  \"jmix\": 1,")
                    == (session.buses.isEmpty
                        && session.strips.allSatisfy {
                            !text.contains("\"lanes\"") && $0.trim == 1 && !$0.polarity && !$0.soloSafe
                        } && session.dcas.isEmpty && session.connections.isEmpty && session.master.pan == 0
                        && session.master.automation.events.isEmpty && !text.contains("\"output\"")
                        && !text.contains("\"automixing\"") && !text.contains("\"muteMode\"")
                        && session.muteGroups.isEmpty && session.monitoring == Monitoring()),
                "seed \(seed): \(text.prefix(30))")
            let reading = SessionFile.read(text)
            #expect(reading.problems == [] && reading.session == session, "seed \(seed): \(text)")
            #expect(reading.session.map { SessionFile.text($0) } == text, "seed \(seed)")
            // A journal's lines too.
            #expect(
                SessionJournal.replay(SessionJournal.line(beginning: session))?.session == session,
                "seed \(seed)")
            if reading.session != session { return }
        }
    }

    /// Fields that this version does not know stay in the processors of a scene, also when it is stored anew.
    @Test func aSceneKeepsWhatItsProcessorsSay() throws {
        let strip = #"{ "track": "t", "processors": { "delay": "1ms", "later": [1] } }"#
        let master = #"{ "processors": { "later": 2 } }"#
        let scene = #"{ "name": "a", "tracks": [\#(strip)], "master": \#(master) }"#
        let file = #"{ "jmix": 3, "tracks": [{ "name": "t", "delay": "1ms" }], "scenes": [\#(scene)] }"#
        var session = try #require(SessionFile.read(file).session)
        for _ in 0..<2 {
            let written = try JSONValue(parsing: SessionFile.text(session))
            let kept = written["scenes"]?.arrayValue?.first
            #expect(
                kept?["tracks"]?.arrayValue?.first?["processors"]?["later"] == .array([.number(1)]))
            #expect(kept?["master"]?["processors"]?["later"] == .number(2))
            session.storeScene("a")
        }
    }

    /// A list of events from back to front is the same as from front to back; a fault keeps its place.
    @Test func eventsMayStandInAnyOrder() throws {
        func text(_ events: [String]) -> String {
            #"{ "jmix": 1, "tracks": [{ "automation": [\#(events.joined(separator: ","))] }] }"#
        }
        let events = (0..<20_000).map { #"{ "volume": 0.\#($0 % 10), "at": "\#($0)f" }"# }
        let (forwards, backwards) = (
            SessionFile.read(text(events)).session, SessionFile.read(text(events.reversed())).session
        )
        #expect(
            forwards != nil && forwards == backwards && forwards?.tracks[0].automation.events.count == 20_000)
        let ramps = [
            #"{ "ramp": [0, 1], "from": 4, "to": 6 }"#, #"{ "volume": 9 }"#,
            #"{ "ramp": [0, 1], "from": 1, "to": 2 }"#, #"{ "volume": 1, "at": 5 }"#,
        ]
        #expect(
            SessionFile.read(text(ramps)).problems.map(\.place) == [
                "track 1, automation 2, volume", "track 1, automation 4",
            ])
        // Of two points at one time the later in the list counts.
        #expect(
            SessionFile.read(text([#"{ "volume": 1, "at": 5 }"#, #"{ "volume": 0.5, "at": 5 }"#])).session?
                .tracks[0].automation.events.map(\.kind) == [.point(value: 0.5, at: MediaTime(seconds: 5))])
    }

    @Test(arguments: [
        (#""scenes": [{ "name": "a" }, { "name": "a" }]"#, "scene 2, name"),
        (#""scenes": [{ "name": "" }]"#, "scene 1, name"), (#""scenes": [{}]"#, "scene 1, name"),
        (
            #"""
            "tracks": [{ "name": "t" }], "scenes": [{ "name": "a", "tracks": [{ "track": "t" },
            { "track": "t" }] }]
            """#,
            "scene 1, track 2, track"
        ),
        (#""scenes": [{ "name": "a", "tracks": [{ "track": "t" }] }]"#, "scene 1, track 1, track"),
        (#""scenes": [{ "name": "a", "master": 5 }]"#, "scene 1, master"),
        (#""scenes": [{ "name": "a", "master": { "fader": 9 } }]"#, "scene 1 master, fader"),
        (
            #""tracks": [{ "clips": [{ "file": "" }, { "file": "a", "duration": "x" }] }]"#,
            "track 1, clip 1, file|track 1, clip 2, duration"
        ),
        (#""tracks": [5, { "name": "a" }, { "name": "a" }]"#, "track 1|track 3, name"),
        (
            #""tracks": [{ "name": "a" }], "buses": [{ "name": "a" }, { "name": "none" }]"#,
            "bus 1, name|bus 2, name"
        ),
        (
            #"""
            "buses": [{ "name": "a", "output": "b" }, { "name": "b", "sends": [{ "to": "a" },
            { "to": "a" }, {}, { "to": "x" }] }]
            """#,
            "bus 2, send 2, to|bus 2, send 3, to|bus 2, send 4, to|bus 2, send 1"
        ),
        (
            #""dcas": [{ "name": "d" }, { "name": "e", "members": ["d", "x", 1] }]"#,
            "DCA 2, member 1|DCA 2, member 2|DCA 2, member 3"
        ), (#""soloMode": "loud""#, "soloMode"), (#""directOuts": "all""#, "directOuts"),
        (
            #"""
            "tracks": [{ "lanes": { "pan": [{ "ramp": ["-6dB", 0], "to": 1 }, { "value": 2 }],
            "mute": [{ "value": 1 }, { "ramp": [0, 1], "to": 2 }], "eq": [] } }]
            """#,
            "track 1, pan 1, ramp|track 1, pan 2, value|track 1, mute 1, value|track 1, mute 2|track 1, lanes"
        ),
        (
            #"""
            "tracks": [{ "output": "nowhere", "trim": 5 }], "connections": [{ "port": "x_1",
            "to": "a:b" }, { "port": "master_1" }]
            """#,
            "track 1, trim|track 1, output|connection 1, port|connection 2, to"
        ), (#""scenes": [{ "name": 1 }, { "name": 2 }]"#, "scene 1, name|scene 2, name"),
    ]) func everyFaultIsNamedByItsPlace(fields: String, place: String) {
        #expect(
            SessionFile.read("{ \"jmix\": 1, \(fields) }").problems.map(\.place).joined(separator: "|")
                == place)
    }

    /// The last time that the finest timescale can say of a timeline, and one that a sum of odd timescales
    /// makes.
    @Test(arguments: [
        MediaTime(value: 3_600_000_000 * Int64(Int32.max) - 1, timescale: .max),
        MediaTime(value: 1_000_000_000_000_000_000, timescale: 1_999_999_973),
        MediaTime(value: 22_050_000_000_001, timescale: 44100)
            + MediaTime(value: 1_000_000_001, timescale: 1_000_000_000),
    ])
    func aSessionThatEndsLateIsReadAgain(time: MediaTime) throws {
        #expect(time.isOnTimeline)
        #expect(try TimeSpec(parsing: time.description).time(atRate: 48000) == time)
    }

    /// What spoke of a strip that is removed goes with it, so that the file can be read.
    @Test func nothingIsLeftOfAStripThatIsRemoved() throws {
        var session = Session()
        let (voice, hall) = (session.append(Track(name: "voice")), session.addBus(named: "hall"))
        session.addDCA(named: "d", members: [voice, hall])
        session.setSend(of: .track(1), to: hall) { $0.volume = 0.5 }
        session.ducks = [Duck(track: hall, under: voice, to: 0.5)]
        _ = session.addConnection(PortLink(strip: hall, side: 1, other: "a:b"))
        session.storeScene("a")
        session.removeBus(at: 0)
        #expect(
            session.ducks.isEmpty && session.connections.isEmpty && session.dcas[0].members == [voice]
                && session.tracks[0].sends.isEmpty)
        #expect(SessionFile.read(SessionFile.text(session)).problems == [])
        session.removeTrack(at: 0)
        session.removeDCA(at: 0)
        #expect(
            SessionFile.read(SessionFile.text(session)).problems == [] && session.scenes[0].strips.count == 1)
    }

    @Test func aFreeNameIsOneThatMayBeGiven() {
        var session = Session()
        for wanted in [
            "x:y", "x-y", "x-y", String(repeating: "ü", count: 50), String(repeating: "ü", count: 50), "none",
            "a*b", "7",
        ] {
            let name = session.freeName(wanted)
            #expect(
                StripName.problem(ofNew: name) == nil
                    && !session.tracks.contains { StripName.ofPorts($0.name) == StripName.ofPorts(name) },
                "\(name)")
            session.append(Track(name: name))
        }
    }
}
