import Console
import Engine
import Foundation
import Glibc
import Realtime
import Remote
import TestSupport
import Testing
import Timeline

/// A console with an engine that nobody calls.
final class Desk {
    let folder = TemporaryFolder()
    let console: Console
    let client = ClientID(edge: "test", key: [1])

    init(tracks: Int = 3, eventsOfEach events: Int = 0) throws {
        var session = Session()
        var automation = Automation()
        for frame in 0..<events {
            try automation.setValue(0.5, at: MediaTime(value: Int64(frame), timescale: 48000))
        }
        for n in 0..<tracks {
            try folder.file("\(n).wav", frames: 48000) { _ in (0.5, 0.5) }
            var track = Track(name: "t\(n)")
            track.clips = [Clip(file: "\(n).wav")]
            track.automation = automation
            session.append(track)
        }
        let store = SessionStore(folder("s.json"))
        console = Console(
            Document(session, saved: session, in: store, Journal(store, session)),
            library: MediaLibrary(folder: folder.path), media: MediaAccess(folders: []),
            engine: PlaybackEngine(sampleRate: 48000, readAhead: ReadAhead(threads: 1)))
    }

    deinit {
        console.close()
        console.closeJournal()
    }

    @discardableResult
    func run(_ line: String, from client: ClientID? = nil) throws -> [Answer] {
        try run(Command(words: try LineWords.split(line)), from: client)
    }

    @discardableResult
    func run(_ command: Command, from client: ClientID? = nil) throws -> [Answer] {
        var outcome: Result<[Answer], CommandError>?
        console.run(command, from: client ?? self.client) { outcome = $0 }
        dispatchFiles(until: { outcome != nil })
        return try #require(outcome, "\(command) is not answered within two minutes").get()
    }

    /// Takes what comes from the files, until `isDone` or for two minutes: under a sanitizer, with all else
    /// at once, each step takes a hundred times as long.
    func dispatchFiles(until isDone: () -> Bool) {
        let end = monotonicNanoseconds() + 120_000_000_000
        while !isDone(), monotonicNanoseconds() < end {
            usleep(500)
            console.dispatchFiles()
        }
    }

    var text: String { SessionFile.text(console.session) }
}

@Suite struct ConsoleTests {
    @Test func everyControlIsAnsweredAsItWasSet() throws {
        let desk = try Desk()
        for line in ["bus add reverb", "dca add band", "send 1 reverb 0.5"] { _ = try desk.run(line) }
        for (line, strip, control, value) in [
            ("trim 1 0.5", StripPlace.track(1), Control.trim, ControlValue.number(0.5)),
            ("polarity reverb on", .bus(1), .polarity, .flag(true)),
            ("solo-safe 2 on", .track(2), .soloSafe, .flag(true)),
            ("output 2 reverb", .track(2), .output, .text("reverb")),
            ("volume band -6dB", .dca(1), .volume, .number(Volume.gain(level: -6))),
            ("dca band assign 3 reverb", .dca(1), .members, .names(["t2", "reverb"])),
            ("send 1 reverb 0.25 --pre", .track(1), .send(.name("reverb"), .pre), .flag(true)),
            ("send t0 bus:1 0.75", .track(1), .send(.name("reverb"), .volume), .number(0.75)),
            ("pan reverb 1", .bus(1), .pan, .number(1)), ("name bus:1 hall", .bus(1), .name, .text("hall")),
            ("volume master 1 --of trim", .master, .trim, .number(1)),
            ("volume 1 0.5", .track(1), .volume, .number(0.5)),
            ("volume master 0.25", .master, .volume, .number(0.25)),
            ("mute 2 on", .track(2), .mute, .flag(true)), ("mute master on", .master, .mute, .flag(true)),
            ("solo 3 on", .track(3), .solo, .flag(true)),
            ("pan 1 -0.5", .track(1), .pan, .number(-0.5)), ("name 1 lead", .track(1), .name, .text("lead")),
            ("fadein 2 1s", .track(2), .fadeIn, .time(.time(MediaTime(seconds: 1)))),
            ("fadeout 2 500ms", .track(2), .fadeOut, .time(.time(MediaTime(value: 500, timescale: 1000)))),
        ] {
            #expect(try desk.run(line) == [])
            #expect(
                try desk.run(.ask(StripReference(strip), control)) == [
                    .control(strip, control, value)
                ], "\(line)")
            #expect(desk.console.told().contains(.control(strip, control, value)), "\(line) is told")
        }
    }

    @Test func everyControlIsToldOfEveryStripThatHasIt() throws {
        let desk = try Desk()
        for line in ["bus add reverb", "dca add band 1", "send 2 reverb 0.5"] { _ = try desk.run(line) }
        let told = Set(
            desk.console.told().compactMap { answer -> String? in
                guard case .control(let strip, let control, _) = answer else { return nil }
                return "\(strip) \(control)"
            })
        var expected: Set<String> = []
        for place in [StripPlace.track(1), .track(2), .track(3), .bus(1), .dca(1), .master] {
            expected.formUnion(Control.of(place.kind).map { "\(place) \($0)" })
        }
        expected.formUnion(
            SendControl.allCases.map { "\(StripPlace.track(2)) \(Control.send(.name("reverb"), $0))" })
        #expect(told == expected)
    }

    @Test(arguments: [
        "volume 9 1", "volume 0 1", "pan 1 2", "mute nobody on", "name 1 t1", "name 1 master", "name 1 7",
        "ramp 1 0 1 4s 2s", "remove 9", "split 1 5s", "duck 1 --under 1 --to 0.5",
        "add nothing.wav", "add ../x.wav", "insert 1 0.wav 0.5s", "scene recall none", "load none",
        "relink a b", "undo", "automation 1 remove 1", "loop 2s 1s", "loop 0f 10f",
        "silence 1 0.5s 3600000000s", "save a/b", "save \"a\u{9b}b\"", "save \"a\nb\"", "load \"a\u{7f}\"",
    ])
    func aRefusedCommandChangesNothing(line: String) throws {
        let desk = try Desk()
        let before = desk.text
        #expect(throws: CommandError.self) { try desk.run(line) }
        #expect(desk.text == before && !desk.console.hasUnsavedChanges)
    }

    @Test func aFingerOnAFaderKeepsOthersAway() throws {
        let desk = try Desk()
        let (one, other) = (ClientID(edge: "test", key: [1]), ClientID(edge: "test", key: [2]))
        try desk.run(.set(.track(.number(1)), .touch(.volume), .flag(true)), from: one)
        try desk.run("volume 1 0.5", from: one)
        #expect(throws: CommandError.self) { try desk.run("volume 1 0.7", from: other) }
        #expect(throws: CommandError.self) { try desk.run("undo", from: other) }
        try desk.run("volume 2 0.7", from: other)
        try desk.run(.set(.track(.number(1)), .touch(.volume), .flag(false)), from: one)
        try desk.run("volume 1 0.7", from: other)
    }

    /// Random edits, with undo and redo between them in any order, against a list of what the session was.
    @Test func undoAndRedoGoThroughWhatTheSessionWas() throws {
        for seed in UInt64(1)...10 {
            var random = Seeded(state: seed)
            let desk = try Desk()
            // What the session was, and where in that list it is.
            var states = [desk.text]
            var present = 0
            for step in 0..<60 {
                let pick = Int.random(in: 0..<10, using: &random)
                if pick < 3, present > 0 {
                    try desk.run("undo")
                    present -= 1
                } else if pick < 5, present < states.count - 1 {
                    try desk.run("redo")
                    present += 1
                } else {
                    let line = [
                        // Mutes and edits of the timeline are a step each; sweeps of faders are tested below.
                        """
                        mute \(Int.random(in: 1...2, using: &random)) \
                        \(Bool.random(using: &random) ? "on" : "off")
                        """,
                        "volume 1 0.5 \(step)s --replace", "ramp 2 0 1 \(step)s \(step + 1)s --replace",
                        "add 0.wav", "remove 1", "fadein 1 \(step)ms", "name 1 n\(step)",
                        "scene store s\(step % 3)", "fade 1 0.\(step) 1s", "new",
                    ].randomElement(using: &random)!
                    guard (try? desk.run(line)) != nil else {
                        #expect(desk.text == states[present], "seed \(seed): \(line) was refused")
                        continue
                    }
                    // What changes nothing is no step, and what was taken back can still be made again.
                    if desk.text == states[present], line != "new" { continue }
                    states.removeLast(states.count - 1 - present)
                    states.append(desk.text)
                    present += 1
                }
                #expect(desk.text == states[present], "seed \(seed), step \(step)")
                if desk.text != states[present] { return }
            }
        }
    }

    @Test func anUndoneStepIsHeardAndKeptInItsOwnJournal() throws {
        let desk = try Desk()
        let id = desk.console.session.tracks[0].id
        try desk.run("volume 1 0.5")
        #expect(desk.console.engine.presentFader(id) == 0.5)
        try desk.run("undo")
        #expect(desk.console.engine.presentFader(id) == 1)
        try desk.run("redo")
        #expect(desk.console.engine.presentFader(id) == 0.5)
        try desk.run("save")
        try desk.run("volume 1 0.25")
        try desk.run("undo")
        #expect(!desk.console.hasUnsavedChanges)
        try desk.run("new")
        let other = desk.console.journalPath
        try desk.run("undo")
        #expect(
            desk.console.journalPath == desk.folder(".s.json.journal") && other != desk.console.journalPath)
        try desk.run("volume 1 0.25")
        try desk.run("undo")
        #expect(desk.console.closeJournal() == .nothing, "what was taken back is not left for the next run")
    }

    @Test func aSweptFaderIsOneStepAndSoAreSeveralThatAreSweptAtOnce() throws {
        let desk = try Desk()
        let before = desk.text
        for n in 0..<20 {
            try desk.run("volume 1 0.\(n)")
            try desk.run("volume 2 0.\(n)")
        }
        guard let steps = try desk.run("history").first?[Answer.history] else { return }
        #expect(steps.map(\.name) == ["volume of t0", "volume of t1"])
        try desk.run("undo")
        try desk.run("undo")
        #expect(desk.text == before)
        #expect(throws: CommandError.self) { try desk.run("undo") }
        try desk.run("redo")
        try desk.run("mute 3 on")
        #expect(throws: CommandError.self, "what was taken back is gone with a new edit") {
            try desk.run("redo")
        }
    }

    /// What is changed again within a second is one step; after a pause, or behind another step, it is
    /// another. Undo goes to what was before the whole of it.
    @Test func aSweepThatPausesIsTwoSteps() throws {
        let desk = try Desk()
        let before = desk.text
        for n in 1...5 { try desk.run("volume 1 0.\(n)") }
        let first = desk.text
        usleep(1_100_000)
        for n in 1...5 { try desk.run("volume 1 1.\(n)") }
        let second = desk.text
        try desk.run("mute 1 on")
        for n in 1...5 { try desk.run("volume 1 2.\(n)") }
        let third = desk.text
        #expect(try desk.run("undo") == [.undone("volume of t0")])
        try desk.run("undo")
        #expect(desk.text == second)
        try desk.run("undo")
        #expect(desk.text == first)
        try desk.run("undo")
        #expect(desk.text == before)
        for _ in 0..<4 { try desk.run("redo") }
        #expect(desk.text == third)
        // Not the same step again after it was taken back.
        try desk.run("undo")
        try desk.run("volume 1 3")
        try desk.run("undo")
        #expect(desk.text.contains("1.5"))
    }

    /// Steps that hold more than 64 MiB in all: the oldest go, and the others lead where they should.
    @Test func theHistoryIsBounded() throws {
        let desk = try Desk(tracks: 1, eventsOfEach: 100_000)
        var states = [desk.console.session]
        for n in 0..<12 {
            try desk.run("volume 1 0.25 \(n + 10)s --replace")
            states.append(desk.console.session)
        }
        var undone = 0
        while undone < states.count, (try? desk.run("undo")) != nil {
            undone += 1
            #expect(
                states.indices.contains(states.count - 1 - undone)
                    && desk.console.session == states[states.count - 1 - undone], "after \(undone)")
        }
        #expect((1..<12).contains(undone), "\(undone) of 12 steps of 100,000 events")
    }

    /// What buses, sends, lanes and scenes hold counts like what tracks hold.
    @Test func theHistoryOfABusIsBoundedToo() throws {
        let desk = try Desk(tracks: 1)
        try desk.run("bus add b")
        var automation = Automation()
        for frame in 0..<100_000 {
            try automation.setValue(0.5, at: MediaTime(value: Int64(frame), timescale: 48000))
        }
        var history = History()
        var session = desk.console.session
        session[.bus(1)].automation = automation
        for n in 0..<12 {
            let before = session
            try session[.bus(1)].automation.setValue(Double(n) / 12, at: MediaTime(seconds: 10))
            history.add("n", before: .session(before), next: session, sweep: nil)
        }
        #expect((1..<12).contains(history.done.count), "\(history.done.count) of 12 steps of 100,000 events")
    }

    @Test func aSavedSessionIsWhatItWasWhenSavingBegan() throws {
        let desk = try Desk()
        try desk.run("volume 1 0.5")
        var isSaved = false
        desk.console.run(.save(nil), from: nil) { _ in isSaved = true }
        let saved = desk.text
        try desk.run("volume 1 0.25")
        desk.dispatchFiles(until: { isSaved })
        #expect(try String(contentsOfFile: desk.folder("s.json"), encoding: .utf8) == saved)
        #expect(desk.console.hasUnsavedChanges, "the edit that came meanwhile is not saved")
        try desk.run("save")
        #expect(!desk.console.hasUnsavedChanges)
    }

    /// Commands on the document wait for each other, whoever asks: what is saved is what is open, and the
    /// journal is that of what is open.
    @Test func documentsAreNotMixedUpHoweverManyAskAtOnce() throws {
        for seed in UInt64(1)...8 {
            var random = Seeded(state: seed)
            let desk = try Desk()
            try desk.run("save")
            // Not by commands: undo would take the names back.
            for name in ["b", "c"] {
                var session = Session()
                session.append(Track(name: name))
                try SessionFile.text(session).write(
                    toFile: desk.folder("\(name).json"), atomically: true, encoding: .utf8)
            }
            var asked = 0
            var answered = 0
            for _ in 0..<40 {
                let line = [
                    "save", "load b", "load c", "load s", "undo", "redo", "undo", "volume 1 0.5",
                    "volume 1 0.25", "new", "save d",
                ].randomElement(using: &random)!
                asked += 1
                desk.console.run(try Command(words: try LineWords.split(line)), from: nil) { _ in
                    answered += 1
                }
                if Bool.random(using: &random) {
                    usleep(300)
                    desk.console.dispatchFiles()
                }
            }
            desk.dispatchFiles(until: { answered >= asked })
            #expect(answered == asked, "seed \(seed)")
            // Tracks are named by the file they belong to.
            for (file, name) in [("b", "b"), ("c", "c")] {
                let saved = try #require(
                    SessionFile.read(String(contentsOfFile: desk.folder("\(file).json"), encoding: .utf8))
                        .session)
                #expect(saved.tracks.first?.name == name, "seed \(seed): \(file).json is another's")
            }
            guard let status = try desk.run("status").first?[Answer.status] else { return }
            if let open = status.session {
                #expect(
                    desk.console.journalPath == desk.folder(".\(open.split(separator: "/").last!).journal"),
                    "seed \(seed)")
            }
        }
    }

    @Test func savingUnderAnotherNameAndLoadingAndUndoComeBack() throws {
        let desk = try Desk()
        try desk.run("save")
        try desk.run("volume 1 0.5")
        try desk.run("save other")
        #expect(try desk.run("sessions") == [.sessions(["other", "s"])])
        try desk.run("load s")
        #expect(desk.console.session.tracks[0].fader == 1 && !desk.console.hasUnsavedChanges)
        try desk.run("undo")
        #expect(desk.console.session.tracks[0].fader == 0.5 && !desk.console.hasUnsavedChanges)
        try desk.run("new")
        #expect(desk.console.session.tracks.isEmpty)
        // Nothing was changed in it: nothing of it is kept.
        try desk.run("undo")
        desk.console.closeJournal()
        #expect(
            (try? FileManager.default.contentsOfDirectory(atPath: desk.folder.path))?.contains {
                $0.hasSuffix(".journal")
            } == false)
    }
}
