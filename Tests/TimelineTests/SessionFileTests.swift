import JSON
import Testing
import Timeline

private let contractExample = """
    { "jmix": 1, "sampleRate": 48000, "stage": { "left": [1, 2.50] },
      "tracks": [
        { "name": "music", "fader": 1.0, "pan": 0, "mute": false, "solo": false, "fadeIn": "1s", "fadeOut": \
    "2s", "colour": "red",
          "clips": [ { "file": "music.flac", "at": "0s", "from": "0s", "duration": "15s", "take": 3 } ],
          "automation": [ { "volume": 0.5, "at": "0s", "by": "ann" },
                          { "ramp": [0.5, 0.8], "from": "2s", "to": "4s" },
                          { "volume": "-6dB", "at": 7 } ] },
        { "name": "voice", "clips": [ { "file": "voice.flac" } ] } ],
      "ducks": [ { "track": "music", "under": "voice", "to": 0.3, "attack": "500ms", "release": "500ms", \
    "why": "talk" } ],
      "master": { "fader": 1.0, "dim": false } }
    """

@Suite struct SessionFileTests {
    @Test func theContractsExampleIsReadAndWrittenWithAllItHas() throws {
        let reading = SessionFile.read(contractExample)
        #expect(reading.problems.isEmpty)
        let session = try #require(reading.session)
        #expect(session.tracks.map(\.name) == ["music", "voice"])
        #expect(session.tracks[0].automation.events.count == 3)
        #expect(session.tracks[1].clips[0].duration == nil)
        #expect(session.ducks[0].to == 0.3)

        let text = SessionFile.text(session)
        #expect(SessionFile.read(text).session == session)
        for kept in [
            "\"colour\": \"red\"", "\"take\": 3", "\"by\": \"ann\"", "\"why\": \"talk\"", "\"dim\": false",
            "\"left\": [1, 2.50]",
        ] {
            #expect(text.contains(kept), "\(kept)")
        }
        #expect(SessionFile.text(try #require(SessionFile.read(text).session)) == text)
    }

    @Test func timesInTheFileAreExact() throws {
        let session = try #require(
            SessionFile.read(
                """
                { "jmix": 1, "sampleRate": 44100, "tracks": [ { "clips": [ { "file": "a", "at": 0.1 }, { \
                "file": "b", "at": "44101f" } ] } ] }
                """
            ).session)
        #expect(session.tracks[0].clips[0].at == MediaTime(value: 1, timescale: 10))
        #expect(session.tracks[0].clips[1].at == MediaTime(value: 44101, timescale: 44100))
    }

    /// One fault in each field: it is named by its place, and only it.
    @Test(arguments: [
        (#""sampleRate": 0"#, "sampleRate"), (#""sampleRate": 44100.5"#, "sampleRate"),
        (#""sampleRate": "fast""#, "sampleRate"),
        (#""tracks": 5"#, "tracks"), (#""tracks": [7]"#, "track 1"),
        (#""tracks": [{ "name": 5 }]"#, "track 1, name"), (#""tracks": [{ "name": "" }]"#, "track 1, name"),
        (#""tracks": [{ "name": "12" }]"#, "track 1, name"),
        (#""tracks": [{ "name": "a" }, { "name": "a" }]"#, "track 2, name"),
        (#""tracks": [{ "fader": -1 }]"#, "track 1, fader"),
        (#""tracks": [{ "fader": 5 }]"#, "track 1, fader"),
        (#""tracks": [{ "fader": true }]"#, "track 1, fader"),
        (#""tracks": [{ "pan": 2 }]"#, "track 1, pan"), (#""tracks": [{ "pan": "left" }]"#, "track 1, pan"),
        (#""tracks": [{ "mute": 1 }]"#, "track 1, mute"),
        (#""tracks": [{ "solo": "yes" }]"#, "track 1, solo"),
        (#""tracks": [{ "fadeIn": "soon" }]"#, "track 1, fadeIn"),
        (#""tracks": [{ "fadeOut": -1 }]"#, "track 1, fadeOut"),
        (#""tracks": [{ "clips": {} }]"#, "track 1, clips"),
        (#""tracks": [{ "clips": ["x"] }]"#, "track 1, clip 1"),
        (#""tracks": [{ "clips": [{}] }]"#, "track 1, clip 1, file"),
        (#""tracks": [{ "clips": [{ "file": 1 }] }]"#, "track 1, clip 1, file"),
        (#""tracks": [{ "clips": [{ "file": "a", "at": "x" }] }]"#, "track 1, clip 1, at"),
        (#""tracks": [{ "clips": [{ "file": "a", "from": [] }] }]"#, "track 1, clip 1, from"),
        (#""tracks": [{ "clips": [{ "file": "a", "duration": "0s" }] }]"#, "track 1, clip 1, duration"),
        (#""tracks": [{ "clips": [{ "file": "a", "channels": [1] }] }]"#, "track 1, clip 1, channels"),
        (#""tracks": [{ "clips": [{ "file": "a", "channels": [0, 1] }] }]"#, "track 1, clip 1, channels"),
        (#""tracks": [{ "clips": [{ "file": "a", "gain": 5 }] }]"#, "track 1, clip 1, gain"),
        (#""markers": [{ "at": "1s" }]"#, "marker 1, name"),
        (#""markers": [{ "name": "1:30" }]"#, "marker 1, name"),
        (#""markers": [{ "name": "a", "at": "1s" }, { "name": "a" }]"#, "marker 2, name"),
        (#""tracks": [{ "clips": [{ "file": "a", "fadeIn": "-1s" }] }]"#, "track 1, clip 1, fadeIn"),
        (
            #""tracks": [{ "clips": [{ "file": "a", "fadeOutCurve": "exponential" }] }]"#,
            "track 1, clip 1, fadeOutCurve"
        ),
        (
            #""tracks": [{ "clips": [{ "file": "a", "crossfadeCurve": "wavy" }] }]"#,
            "track 1, clip 1, crossfadeCurve"
        ),
        (#""tracks": [{ "automation": 1 }]"#, "track 1, automation"),
        (#""tracks": [{ "automation": [{}] }]"#, "track 1, automation 1"),
        (#""tracks": [{ "automation": [{ "volume": 9 }] }]"#, "track 1, automation 1, volume"),
        (#""tracks": [{ "automation": [{ "volume": 1, "at": "x" }] }]"#, "track 1, automation 1, at"),
        (
            #""tracks": [{ "automation": [{ "ramp": [1], "from": 0, "to": 1 }] }]"#,
            "track 1, automation 1, ramp"
        ),
        (#""tracks": [{ "automation": [{ "ramp": [0, 1], "from": 0 }] }]"#, "track 1, automation 1, to"),
        (
            #""tracks": [{ "automation": [{ "ramp": [0, 1], "from": "x", "to": 1 }] }]"#,
            "track 1, automation 1, from"
        ),
        (#""tracks": [{ "automation": [{ "ramp": [0, 1], "from": 3, "to": 1 }] }]"#, "track 1, automation 1"),
        (
            #""tracks": [{ "automation": [{ "ramp": [0, 1], "from": 0, "to": 1, "curve": "wavy" }] }]"#,
            "track 1, automation 1, curve"
        ),
        (
            #"""
            "tracks": [{ "automation": [{ "ramp": [0, 1], "from": 0, "to": 1, "curve": "exponential" }] }]
            """#,
            "track 1, automation 1"
        ),
        (
            #"""
            "tracks": [{ "automation": [{ "ramp": [0, 1], "from": 0, "to": 2 }, { "ramp": [0, 1],
            "from": 1, "to": 3 }] }]
            """#,
            "track 1, automation 2"
        ),
        (#""tracks": [{ "name": "a" }], "ducks": [{ "under": "a", "to": 0 }]"#, "duck 1, track"),
        (
            #"""
            "tracks": [{ "name": "a" }, { "name": "b" }], "ducks": [{ "track": "a", "under": "c", "to": 0 }]
            """#,
            "duck 1, under"
        ),
        (
            #""tracks": [{ "name": "a" }, { "name": "b" }], "ducks": [{ "track": "a", "under": "b" }]"#,
            "duck 1, to"
        ),
        (
            #"""
            "tracks": [{ "name": "a" }, { "name": "b" }], "ducks": [{ "track": "a", "under": "b",
            "to": 0.5, "attack": "x" }]
            """#,
            "duck 1, attack"
        ),
        (
            #"""
            "tracks": [{ "name": "a" }, { "name": "b" }], "ducks": [{ "track": "a", "under": "b",
            "to": 0.5, "release": {} }]
            """#,
            "duck 1, release"
        ),
        (
            #""tracks": [{ "name": "a" }], "ducks": [{ "track": "a", "under": "a", "to": 0.5 }]"#,
            "duck 1, under"
        ),
        (#""master": 1"#, "master"), (#""master": { "fader": "loud" }"#, "master, fader"),
        (#""master": { "mute": 0 }"#, "master, mute"),
    ])
    func everyFaultIsNamedByItsPlace(fields: String, place: String) {
        let problems = SessionFile.read("{ \"jmix\": 1, \(fields) }").problems
        #expect(problems.map(\.place) == [place])
    }

    @Test func allFaultsAreFoundAtOnce() {
        let problems = SessionFile.read(
            #"""
            { "jmix": 1, "sampleRate": 1, "tracks": [{ "fader": 9, "pan": 9 }, { "mute": 3 }], "master": [] }
            """#
        ).problems
        #expect(
            Set(problems.map(\.place)) == [
                "sampleRate", "track 1, fader", "track 1, pan", "track 2, mute", "master",
            ])
    }

    @Test(arguments: [
        "", "{", "[1, 2", "{ \"jmix\": 1 } x", "nonsense", "{ 'jmix': 1 }", "42", "{ \"jmix\": 0 }", "{ }",
        "{ \"jmix\": \"1\" }", "{ \"jmix\": 4 }", "\u{0}",
    ])
    func aTextThatIsNoSessionOfThisVersionIsRefused(text: String) {
        let reading = SessionFile.read(text)
        #expect(reading.session == nil)
        #expect(reading.problems.count == 1)
    }

    @Test func namesThatAreNoTextAreNotTakenForDoubled() {
        let problems = SessionFile.read(#"{ "jmix": 1, "tracks": [{ "name": 3 }, { "name": 4 }] }"#).problems
        #expect(problems.map(\.place) == ["track 1, name", "track 2, name"])
        let scenes = SessionFile.read(#"{ "jmix": 1, "tracks": [], "scenes": [{}, {}] }"#)
        #expect(
            scenes.problems.map(\.place) == ["scene 1, name", "scene 2, name"]
                && scenes.session?.scenes.isEmpty == true)
    }

    @Test func ofTwoRampsTheLaterIsInTheWay() {
        let ramps =
            #"{ "ramp": [0, 1], "from": "2s", "to": "4s" }, { "ramp": [0, 1], "from": "1s", "to": "3s" }"#
        let problems = SessionFile.read(
            #"{ "jmix": 1, "tracks": [{ "name": "t", "automation": [\#(ramps)] }] }"#
        ).problems
        #expect(problems.map(\.place) == ["track 1, automation 1"])
    }

    @Test func theFirstSyntaxErrorHasItsLine() {
        #expect(
            SessionFile.read("{ \"jmix\": 1,\n  \"tracks\": [ oops ] }").problems[0].message.hasPrefix(
                "line 2, column"))
    }

    @Test(arguments: [
        (#"{ "a": 1 }"#, #"{ "a": 1 }"#, []),
        (
            #"{ "a": 1, "b": [1, 2] }"#, #"{ "b": [1, 3, 4], "c": null }"#,
            ["a: removed: 1", "b: [1, 2] -> [1, 3, 4]", "c: added: null"]
        ),
        (#"{ "a": { "b": { "c": 1 } } }"#, #"{ "a": { "b": { "c": [] } } }"#, ["a, b, c: 1 -> []"]),
        (
            #"{ "clips": [{ "v": 1 }, { "v": 2 }] }"#, #"{ "clips": [{ "v": 1 }, { "v": 3 }, {}] }"#,
            ["clip 2, v: 2 -> 3", "clip 3: added: {}"]
        ),
        (#"{ "clips": [{ "v": 1 }] }"#, #"{ "clips": [] }"#, [#"clip 1: removed: { "v": 1 }"#]),
        (
            #"{ "tracks": [{ "name": "x", "v": 1 }, { "name": "y" }] }"#,
            #"{ "tracks": [{ "name": "y", "w": 0 }, { "name": "z" }] }"#,
            [
                #"track 1: removed: { "name": "x", "v": 1 }"#, "track 1, w: added: 0",
                #"track 2: added: { "name": "z" }"#,
            ]
        ),
        (
            #"{ "tracks": [{ "name": "x", "v": 1 }, { "name": "y" }] }"#,
            #"{ "tracks": [{ "name": "y" }, { "name": "x", "v": 2 }] }"#,
            ["track 2, v: 1 -> 2", #"tracks, their order: ["x", "y"] -> ["y", "x"]"#]
        ),
        (
            #"{ "tracks": [{ "name": "x" }, { "name": "x" }] }"#,
            #"{ "tracks": [{ "name": "x" }, { "name": "z" }] }"#, [#"track 2, name: "x" -> "z""#]
        ),
    ])
    func differencesAreNamedByTheirPlace(old: String, new: String, differences: [String]) throws {
        let (old, new) = try (
            #require(JSONValue(parsing: old).objectValue), #require(JSONValue(parsing: new).objectValue)
        )
        #expect(new.differences(from: old).map(\.description) == differences)
    }
}
