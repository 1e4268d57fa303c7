import JSON
import TestSupport
import Testing
import Timeline

/// Scenes.
extension SessionRoundTripTests {
    @Test func aSceneThatIsStoredAgainIsWhatItIsNow() throws {
        var session = Session()
        session.append(Track(name: "t"))
        session.storeScene("a")
        (session.tracks[0].fader, session.tracks[0].pan, session.tracks[0].mute, session.master.fader) = (
            0.5, -1, true, 0.25
        )
        session.storeScene("a")
        #expect(session.scenes.count == 1)
        let stored = session
        (
            session.tracks[0].fader, session.tracks[0].pan, session.tracks[0].mute, session.master.fader,
            session.master.mute
        ) = (2, 0, false, 1, true)
        session.recall(session.scenes[0])
        #expect(session == stored)
    }

    @Test func aSceneKeepsWhatItDoesNotKnow() throws {
        let text = #"""
            { "jmix": 1, "tracks": [{ "name": "t" }], "scenes": [{ "name": "a", "hue": 1,
            "tracks": [{ "track": "t", "fader": 0.5, "send": 2 }], "master": { "fader": 0.5, "eq": 3 } }] }
            """#
        var session = try #require(SessionFile.read(text).session)
        for _ in 0..<2 {
            let written = SessionFile.text(session)
            for kept in ["\"hue\": 1", "\"send\": 2", "\"eq\": 3"] { #expect(written.contains(kept)) }
            session.storeScene("a")
        }
    }
}
