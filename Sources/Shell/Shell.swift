import Files
import Glibc
import JSON
import OSC
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
            let messages = try mixer.run(command)
            let answers = messages.filter { !$0.isNote }
            let isNamed = json ? command.isOfPattern : answers.count > 1
            let names = isNamed ? names(for: command) : [:]
            for line in Answers(command: command, messages: answers, names: names).text(json: json) {
                print(line)
            }
            fflush(nil)
            for case .string(let text)? in messages.filter(\.isNote).map(\.arguments.first) {
                Voice(json: json).note(text)
            }
            return 0
        } catch {
            switch error {
            case .refused(let reason): return Voice(json: json).refuse(reason, code: 1)
            case .noMixer(let reason): return Voice(json: json).refuse(reason, code: 3)
            }
        }
    }

    /// What the strips are called that a pattern means, by what their addresses begin with.
    private func names(for command: Command) -> [String: String] {
        guard case .ask(let asked, let control) = command, control != .name else { return [:] }
        // Meters of all tracks come with those of buses and the master.
        let strip = control == .meter && asked.selector == .pattern("*") ? .any(.pattern("*")) : asked
        guard let answers = try? mixer.run(.ask(strip, .name))
        else { return [:] }
        return Dictionary(
            answers.compactMap { answer in
                if case .string(let name)? = answer.arguments.first { (answer.root, name) } else { nil }
            }, uniquingKeysWith: { first, _ in first })
    }

    /// A pattern that means several tracks takes something away from all of them: a person is asked, a script
    /// says --all.
    /// - Returns: the exit code if it is not to be done.
    private func confirm(_ verb: String, _ tracks: StripReference, _ voice: Voice) -> Int32? {
        // What else is wrong the command itself is told.
        guard case .pattern? = tracks.selector, let answers = try? mixer.run(.ask(tracks, .name)),
            answers.count > 1
        else { return nil }
        let names = answers.compactMap {
            if case .string(let name)? = $0.arguments.first { name } else { nil }
        }
        let kind = answers.allSatisfy { $0.address.hasPrefix("/track/") } ? "tracks" : "strips"
        let meant =
            """
            \(tracks.text) means \(names.count) \(kind): \
            \(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? " ..." : "")
            """
        guard isatty(0) == 1, isatty(2) == 1 else {
            return voice.refuse("\(meant); --all makes \(verb) take from all of them", code: 1)
        }
        complain("\(meant). \(verb) takes from all of them? [y/N]")
        return (readLine() ?? "").lowercased().hasPrefix("y") ? nil : 1
    }

    /// Waits until it is done.
    private func collect(to folder: String, json: Bool) throws(CommandFailure) -> Int32 {
        _ = try mixer.run(.collect(folder))
        while true {
            guard let arguments = try mixer.run(.collect(nil)).first?.arguments, arguments.count == 3,
                case .string(let state) = arguments[0], case .string(let text) = arguments[2]
            else { return 1 }
            if state == "failed" { throw .refused(text) }
            if state == "done" {
                print(json ? JSONValue.object(["collected": .string(text)]).prettyText() : text)
                return 0
            }
            usleep(50_000)
        }
    }

    private func sleep(_ time: TimeSpec) throws(CommandFailure) -> Int32 {
        var rate = Self.anyRate
        if case .frames = time, case .string(let status)? = try mixer.run(.status).first?.arguments.first {
            rate =
                (try? JSONValue(parsing: status))?["sessionRate"]?.intValue.flatMap { Int32(exactly: $0) }
                ?? rate
        }
        let end = monotonicNanoseconds() + UInt64(time.time(atRate: rate).seconds * 1e9)
        while case let now = monotonicNanoseconds(), now < end {
            usleep(UInt32(min((end - now + 999) / 1000, 1_000_000)))
        }
        return 0
    }

    /// A time in frames counts at the session's rate, which the mixer is asked for; others need none.
    private static let anyRate: Int32 = 48000

    /// Asks where the playhead is until it is there, or stands still before.
    private func sleep(until time: TimeSpec) throws(CommandFailure) -> Int32 {
        while true {
            let answers = try mixer.run(.position)
            guard case .int64(let frame)? = answers.first?.arguments.first,
                case .double(let seconds)? = answers.first?.arguments.last
            else { continue }
            let isThere =
                if case .frames(let wanted) = time { frame >= wanted } else {
                    seconds >= time.time(atRate: Self.anyRate).seconds
                }
            if isThere { return 0 }
            if answers.last?.arguments == [.string("stopped")] {
                throw .refused("the playhead stands at \(seconds) s, before that time: play first")
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
        case .add(let file, let at): return .add(file: full(file), at: at)
        case .relink(let file, let other): return .relink(file, to: full(other))
        case .collect(let folder?):
            // The folder is yet to be made; the one it lies in is there.
            let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
            let parent =
                folder.hasPrefix("/")
                ? folder
                : full(parts.count > 1 ? parts.dropLast().joined(separator: "/") : ".") + "/"
                    + parts[parts.count - 1]
            return .collect(parent)
        case .insert(let track, let file, let at, let from, let duration, let push, let crossfade):
            return .insert(
                track, file: full(file), at: at, from: from, duration: duration, push: push,
                crossfade: crossfade)
        case .clips(let track, .append(let file, from: nil, duration: nil, let crossfade))
        where Path.isFolder(file):
            return .clips(track, .playlist([full(file)], crossfade: crossfade))
        case .clips(let track, .append(let file, let from, let duration, let crossfade)):
            return .clips(
                track, .append(file: full(file), from: from, duration: duration, crossfade: crossfade))
        case .clips(let track, .playlist(let files, let crossfade)):
            return .clips(track, .playlist(files.map(full), crossfade: crossfade))
        default: return command
        }
    }
}

extension Command {
    /// It asks by a pattern, for a control: those who answer are named.
    fileprivate var isOfPattern: Bool {
        guard case .ask(let strip, let control) = self, control != .meter, case .pattern? = strip.selector
        else { return false }
        return true
    }
}
