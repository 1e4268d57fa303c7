import Files
import Glibc
import Realtime
import Remote
import Timeline

/// Carries out one line of words, wherever it comes from, and prints what comes back.
package final class Shell {
    private let mixer: any CommandTarget
    private let json: Bool
    private let help: (String?) -> Int32

    /// - Parameter help: prints what there is to say of a verb, or of all, and returns the exit code.
    package init(_ mixer: any CommandTarget, json: Bool, help: @escaping (String?) -> Int32) {
        (self.mixer, self.json, self.help) = (mixer, json, help)
    }

    /// How it says what is refused.
    var voice: Voice { Voice(json: json) }

    /// Says which mixer answers, or that none does.
    func greet() -> Int32 {
        do throws(CommandFailure) {
            print(try mixer.greeting())
            return 0
        } catch {
            guard case .noMixer(let reason) = error else { return 1 }
            print("\(reason) Each line looks for it again.")
            return 3
        }
    }

    /// - Returns: the exit code: 0 done, 1 refused, 2 usage, 3 no mixer.
    package func run(_ words: [String]) -> Int32 {
        if ["help", "--help", "-h"].contains(words[0]) { return help(words.dropFirst().first) }
        if words.contains("--help") { return help(words[0]) }
        let json = json || words.contains("--json")
        let voice = Voice(json: json)
        do throws(CommandError) {
            let command = Self.withLocalFile(try Command(words: words.filter { $0 != "--json" }))
            if let tracks = command.stripsThatLose, !words.contains("--all"),
                let code = confirm(words[0], tracks, voice)
            {
                return code
            }
            return run(command, json: json)
        } catch {
            return voice.refuse("\(error)", code: error.isUsage ? 2 : 1)
        }
    }

    private func run(_ command: Command, json: Bool) -> Int32 {
        do throws(CommandFailure) {
            if mixer.isRunning {
                if case .wait(let time) = command { return try sleep(time) }
                if case .waitUntil(let time) = command { return try sleep(until: time) }
            }
            if case .collect(let folder?) = command { return try collect(to: folder, json: json) }
            let (answers, notes) = Self.notesApart(try mixer.run(command))
            return show(answers, notes, of: command, json: json)
        } catch {
            switch error {
            case .refused(let reason): return Voice(json: json).refuse(reason, code: 1)
            case .noMixer(let reason): return Voice(json: json).refuse(reason, code: 3)
            }
        }
    }

    private func show(_ answers: [Answer], _ notes: [String], of command: Command, json: Bool) -> Int32 {
        let isNamed = json ? command.isOfPattern : answers.count > 1
        let names = isNamed ? names(for: command) : [:]
        let told = Answers(answers, names: names, isOfPattern: command.isOfPattern)
        for line in told.text(json: json) { print(line) }
        fflush(nil)
        for note in notes { Voice(json: json).note(note) }
        return 0
    }

    /// Answers, and what else whoever asked should know.
    private static func notesApart(_ answers: [Answer]) -> (answers: [Answer], notes: [String]) {
        answers.reduce(into: ([], [])) { parts, answer in
            if let text = answer[Answer.note] { parts.1.append(text) } else { parts.0.append(answer) }
        }
    }

    /// What the strips are called that a pattern means.
    private func names(for command: Command) -> [StripPlace: String] {
        guard let asked = command.askedStrips else { return [:] }
        if case .ask(_, .name) = command { return [:] }
        // What is measured of all tracks comes with what is of buses and the master.
        let strip = command.messages.count > 1 ? .any(.pattern("*")) : asked
        return Dictionary(names(of: strip), uniquingKeysWith: { first, _ in first })
    }

    /// The strips that are meant, with their names; none where the mixer says no.
    private func names(of strips: StripReference) -> [(StripPlace, String)] {
        ((try? mixer.run(.ask(strips, .name))) ?? []).compactMap { answer in
            if case .control(let place, .name, .text(let name)) = answer { (place, name) } else { nil }
        }
    }

    /// A pattern that means several tracks takes something away from all of them: a person is asked, a script
    /// says --all.
    /// - Returns: the exit code if it is not to be done.
    private func confirm(_ verb: String, _ tracks: StripReference, _ voice: Voice) -> Int32? {
        // What else is wrong the command itself is told.
        guard case .pattern? = tracks.selector else { return nil }
        let strips = names(of: tracks)
        if strips.count < 2 { return nil }
        let kind = strips.allSatisfy { $0.0.kind == .track } ? "tracks" : "strips"
        let names = strips.prefix(8).map(\.1).joined(separator: ", ") + (strips.count > 8 ? " ..." : "")
        let meant = "\(tracks.text) means \(strips.count) \(kind): \(names)"
        guard isatty(0) == 1, isatty(2) == 1 else {
            return voice.refuse("\(meant); --all makes \(verb) take from all of them", code: 1)
        }
        complain("\(meant). \(verb) takes from all of them? [y/N]")
        return (readLine() ?? "").lowercased().hasPrefix("y") ? nil : 1
    }

    /// Waits until it is done, or whoever waits has enough of it.
    private func collect(to folder: String, json: Bool) throws(CommandFailure) -> Int32 {
        _ = try mixer.run(.collect(folder))
        while true {
            guard let answer = try mixer.run(.collect(nil)).first, let state = answer[Answer.collection]
            else {
                return 1
            }
            switch state {
            case .failed(let reason): throw .refused(reason)
            case .done:
                for line in Answers([answer]).text(json: json) { print(line) }
                return 0
            case .none, .running:
                if LineEditor.isInterrupted { throw .refused(RemoteMixer.givenUp) }
                usleep(50_000)
            }
        }
    }

    private func sleep(_ time: TimeSpec) throws(CommandFailure) -> Int32 {
        var rate = Self.anyRate
        if case .frames = time, let status = try mixer.run(.status).first?[Answer.status] {
            rate = status.sessionRate
        }
        let end = monotonicNanoseconds() + UInt64(time.time(atRate: rate).seconds * 1e9)
        while case let now = monotonicNanoseconds(), now < end {
            if LineEditor.isInterrupted { return 1 }
            usleep(UInt32(min((end - now + 999) / 1000, 1_000_000)))
        }
        return 0
    }

    /// A time in frames counts at the session's rate, which the mixer is asked for; others need none.
    private static let anyRate: Int32 = 48000

    /// Asks where the playhead is until it is there, or stands still before.
    private func sleep(until time: TimeSpec) throws(CommandFailure) -> Int32 {
        while true {
            guard let (position, state) = Answers(try mixer.run(.position)).present else { continue }
            let isThere =
                if case .frames(let wanted) = time { position.frame >= wanted } else {
                    position.seconds >= time.time(atRate: Self.anyRate).seconds
                }
            if isThere { return 0 }
            if LineEditor.isInterrupted { return 1 }
            if state == .stopped {
                throw .refused("the playhead stands at \(position.seconds) s, before that time: play first")
            }
            usleep(5_000)
        }
    }

    /// A file named as seen from here is named in full, for the mixer may run elsewhere in the tree; what is
    /// not here is left to the mixer.
    private static func withLocalFile(_ command: Command) -> Command {
        func full(_ file: String) -> String {
            guard !file.hasPrefix("/"), let path = realpath(file, nil) else { return file }
            defer { free(path) }
            return String(cString: path)
        }
        switch command {
        case .collect(let folder?): return .collect(Self.newFolder(folder, full))
        case .clips(let track, .append(let file, from: nil, duration: nil, let crossfade))
        where Path.isFolder(file):
            return .clips(track, .playlist([full(file)], crossfade: crossfade))
        default: return command.renamingFiles(full)
        }
    }

    /// A folder is yet to be made; the one that it is to lie in is there.
    private static func newFolder(_ folder: String, _ full: (String) -> String) -> String {
        if folder.hasPrefix("/") { return folder }
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        let parent = parts.count > 1 ? parts.dropLast().joined(separator: "/") : "."
        return "\(full(parent))/\(parts[parts.count - 1])"
    }
}

extension Command {
    /// It asks by a pattern: as many answer as that means.
    fileprivate var isOfPattern: Bool { if case .pattern? = askedStrips?.selector { true } else { false } }
}
