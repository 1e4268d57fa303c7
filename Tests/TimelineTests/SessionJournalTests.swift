import Testing
import Timeline

@Suite struct SessionJournalTests {
    /// A session that has changed in every way there is, and the journal of it.
    private func changed() throws -> (states: [Session], lines: [String]) {
        var session = Session()
        session.append(Track(name: "music"))
        session.append(Track(name: "voice"))
        var states = [session]
        var lines = [SessionJournal.line(beginning: session)]
        func change(_ body: (inout Session) throws -> Void) throws {
            var next = states[states.count - 1]
            try body(&next)
            lines.append(SessionJournal.line(from: states[states.count - 1], to: next))
            states.append(next)
        }
        try change { $0.tracks[0].fader = 0.3 }
        try change {
            try $0.tracks[1].automation.setRamp(
                from: 0, to: 1, over: TimeRange(start: .zero, end: MediaTime(value: 1, timescale: 3)))
        }
        try change { session in
            session.append(Track(name: "jingle"))
            session.tracks[2].clips = [Clip(file: "a \"b\"\n.wav")]
        }
        try change { $0.ducks = [Duck(track: $0.tracks[0].id, under: $0.tracks[1].id, to: 0.2)] }
        try change { $0.storeScene("verse") }
        try change { $0.removeTrack(at: 1) }
        try change { $0.master.mute = true }
        return (states, lines)
    }

    @Test func everyPrefixOfWholeLinesIsTheSessionAtThatTime() throws {
        let (states, lines) = try changed()
        for count in 1...lines.count {
            let text = lines[..<count].joined()
            let read = try #require(SessionJournal.replay(text))
            #expect(SessionFile.text(read.session) == SessionFile.text(states[count - 1]))
            #expect(read.length == text.utf8.count)
        }
    }

    @Test func whereverItIsTornTheWholeLinesBeforeCount() throws {
        let (states, lines) = try changed()
        let bytes = Array(lines.joined().utf8)
        var ends = [0]
        for line in lines { ends.append(ends[ends.count - 1] + line.utf8.count) }
        for cut in stride(from: 0, to: bytes.count, by: 7) {
            let whole = ends.lastIndex { $0 <= cut }!
            let read = SessionJournal.replay(String(decoding: bytes[..<cut], as: UTF8.self))
            #expect(
                read.map { SessionFile.text($0.session) }
                    == (whole == 0 ? nil : SessionFile.text(states[whole - 1])))
            #expect((read?.length ?? 0) == ends[whole])
        }
    }

    @Test func aSavedStateIsNotOfferedAgain() throws {
        let (states, lines) = try changed()
        let saved = SessionFile.text(states[3])
        let saving = lines[..<3].joined() + SessionJournal.line(saving: saved)
        #expect(SessionJournal.replay(saving, saved: saved) == nil)
        // The save failed, or someone has edited the file since: then it is all there is.
        #expect(
            SessionFile.text(try #require(SessionJournal.replay(saving, saved: "other")).session)
                == SessionFile.text(states[2]))
        // The next save did not come to be.
        #expect(SessionJournal.replay(saving + SessionJournal.line(saving: "next"), saved: saved) == nil)
        // Changed again since.
        let later = saving + SessionJournal.line(from: states[2], to: states[4])
        let replayed = try #require(SessionJournal.replay(later, saved: saved))
        #expect(
            SessionFile.text(replayed.session) == SessionFile.text(states[4])
                && replayed.length == later.utf8.count)
    }

    @Test func aLineThatWasSpoiltEndsIt() throws {
        let (states, lines) = try changed()
        var spoilt = lines
        spoilt[3] = spoilt[3].replacing("jingle", with: "jungle")
        #expect(
            SessionFile.text(try #require(SessionJournal.replay(spoilt.joined())).session)
                == SessionFile.text(states[2]))
        #expect(SessionJournal.replay("") == nil)
        #expect(SessionJournal.replay("nonsense\n") == nil)
    }

    /// It would make another session than any that there was.
    @Test func aLineThatDoesNotFitWhatWasBeforeEndsIt() throws {
        var three = Session()
        for name in ["a", "b", "c"] { three.append(Track(name: name)) }
        var changed = three
        changed.tracks[1].fader = 0.5
        var one = Session()
        one.append(Track(name: "a"))
        let begun = SessionJournal.line(beginning: one)
        let replayed = try #require(
            SessionJournal.replay(begun + SessionJournal.line(from: three, to: changed)))
        #expect(
            SessionFile.text(replayed.session) == SessionFile.text(one) && replayed.length == begun.utf8.count
        )
    }
}
