import Console
import Files
import Foundation
import Glibc
import Loop
import MixerControl
import TestSupport
import Testing
import Timeline

@Suite struct NTPTimeTests {
    private func until(_ seconds: UInt64, from now: Int) -> Int64 {
        NTPTime.nanoseconds(until: seconds << 32 | 0x8000_0000, from: timespec(tv_sec: now, tv_nsec: 0))
    }

    @Test func aTimeIsTheMomentNearestToNowAlsoBehind2036() {
        let now = 1_800_000_000  // in 2027
        #expect(until(UInt64(now + 2_208_988_800 + 5), from: now) == 5_500_000_000)
        #expect(until(UInt64(now + 2_208_988_800 - 5), from: now) == -4_500_000_000)
        // The upper half comes round on 7 February 2036.
        let turn = (1 << 32) - 2_208_988_800
        #expect(until(3, from: turn - 2) == 5_500_000_000, "a time of the next era, said in this one")
        #expect(until(3, from: turn + 1) == 2_500_000_000)
        #expect(
            until((1 << 32) - 1, from: turn + 1) == -1_500_000_000, "a time of the last era, said in this one"
        )
    }
}

/// The journal as another process, or someone with a link, meets it.
@Suite struct JournalTests {
    private let folder = TemporaryFolder()
    private var store: SessionStore { SessionStore(folder("s.json")) }

    private func session(_ tracks: Int) -> Session {
        var session = Session()
        for n in 0..<tracks { session.append(Track(name: "t\(n)")) }
        return session
    }

    private func wait(_ what: String, until condition: () -> Bool) {
        for _ in 0..<2000 {
            if condition() { return }
            usleep(5000)
        }
        Issue.record("still not after 10 s: \(what)")
    }

    @Test func theJournalHoldsUnsavedChangesAlone() throws {
        let saved = session(1)
        try AtomicFile.write(SessionFile.text(saved), to: folder("s.json"))
        let first = Journal(store, saved)
        first.begin(saved)
        first.record(session(2))
        #expect(first.close() == .left, "something is left")
        let second = Journal(store, saved)
        #expect(second.found.map { SessionFile.text($0.session) } == SessionFile.text(session(2)))
        second.begin(session(2))
        second.noteSaving(SessionFile.text(session(2)), after: second.changes)
        second.noteSaved(session(2))
        #expect(second.close() == .nothing, "nothing is left")
        #expect(!Path.exists(second.path))
    }

    /// Of a session that was saved with one track: with two it is to be saved, as `text`; it has three before
    /// that begins.
    private func journalOfAnOvertakenSave() throws -> (journal: Journal, text: String, changes: Int) {
        let saved = session(1)
        try AtomicFile.write(SessionFile.text(saved), to: folder("s.json"))
        let journal = Journal(store, saved)
        journal.begin(saved)
        journal.record(session(2))
        let (text, changes) = (SessionFile.text(session(2)), journal.changes)
        journal.record(session(3))
        return (journal, text, changes)
    }

    @Test func aChangeDuringASaveIsKept() throws {
        let (journal, text, changes) = try journalOfAnOvertakenSave()
        journal.noteSaving(text, after: changes)
        try AtomicFile.write(text, to: folder("s.json"))
        journal.noteSaved(session(2))
        #expect(journal.close() == .left)
        let next = Journal(store, session(2))
        #expect(next.found.map { SessionFile.text($0.session) } == SessionFile.text(session(3)))
        next.close()
    }

    /// The change is on the disk before the save begins, the save is not told as done: as a crash between the
    /// two leaves it.
    @Test func aStateBeforeTheSaveIsNotTakenForSaved() throws {
        let (journal, text, changes) = try journalOfAnOvertakenSave()
        wait("the third track is in the journal") {
            (try? AtomicFile.read(journal.path))?.contains("\"t2\"") == true
        }
        journal.noteSaving(text, after: changes)
        let left = try SessionJournal.replay(AtomicFile.read(journal.path), saved: text)
        #expect(left.map { SessionFile.text($0.session) } == SessionFile.text(session(3)))
        journal.close()
    }

    @Test func aLinkInItsPlaceIsNotFollowed() throws {
        let victim = folder("victim")
        try AtomicFile.write("precious", to: victim)
        #expect(symlink(victim, store.journal) == 0)
        let journal = Journal(store, session(1))
        #expect(!journal.isKept)
        journal.begin(session(1))
        journal.record(session(2))
        journal.close()
        #expect(try AtomicFile.read(victim) == "precious")
        #expect(Path.exists(store.journal))
    }

    @Test func twoInOneProcessKnowOfEachOther() throws {
        let first = Journal(store, session(1))
        first.begin(session(1))
        let second = Journal(store, session(1))
        #expect(second.isHeldByAnother)
        second.close()
        first.record(session(2))
        #expect(first.close() == .left && Path.exists(first.path), "the second has taken nothing away")
    }

    @Test func aJournalThatIsTakenAwayTakesNothingFromTheNext() throws {
        let first = Journal(store, session(1))
        first.begin(session(1))
        unlink(first.path)
        let second = Journal(store, session(1))
        #expect(!second.isHeldByAnother)
        second.begin(session(1))
        second.record(session(2))
        first.close()
        #expect(second.close() == .left && Path.exists(second.path))
    }
}

@Suite struct MediaAccessTests {
    private let folder = TemporaryFolder()

    @Test(arguments: ["plain", "jürgen", "日本語", "e\u{301}", "two words"])
    func aFileIsNamedFromTheSessionsFolderWhateverItsLetters(name: String) throws {
        let home = folder(name)
        try FileManager.default.createDirectory(atPath: home + "/takes", withIntermediateDirectories: true)
        try AtomicFile.write("x", to: home + "/takes/söng.wav")
        let access = MediaAccess(folders: [])
        #expect(try access.name(of: "takes/söng.wav", from: home) == "takes/söng.wav")
        #expect(try access.name(of: home + "/takes/söng.wav", from: home) == "takes/söng.wav")
    }

    @Test func aFileOutsideTheFolderIsRefusedBehindLinksToo() throws {
        let home = folder("home")
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        try AtomicFile.write("x", to: folder("outside.wav"))
        #expect(symlink(folder("outside.wav"), home + "/link.wav") == 0)
        for name in ["../outside.wav", folder("outside.wav"), "link.wav", "", "nothing.wav", "a\0b"] {
            #expect(throws: (any Error).self) { try MediaAccess(folders: []).name(of: name, from: home) }
        }
        #expect(
            try MediaAccess(folders: [folder.path]).name(of: "link.wav", from: home).hasSuffix("/outside.wav")
        )
    }
}
