import ArgumentParser
import Console
import Engine
import Files
import Glibc
import JSON
import Loop
import Remote
import Shell
import Timeline

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Name every problem in a session, one line each with its place.")

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Flag(help: "Print the problems as JSON.")
    var json = false

    @Flag(help: "Instead: what is kept of the session that was not saved, and how it differs.")
    var unsaved = false

    func run() throws {
        let opened = try OpenedSession(session)
        if unsaved { return try listUnsaved(opened) }
        let name = opened.store.path ?? session
        let cautions = opened.session.map { $0.cautions + $0.midi.cautions(in: $0) } ?? []
        let notes = (cautions + opened.strangers).map { "\($0)" }
        if json {
            print(JSONValue.array(opened.problems.map(Self.json)).prettyText())
            for note in notes { Voice(json: true).note("\(name): \(note)") }
        } else {
            for problem in opened.problems { print("\(name): \(problem)") }
            for note in notes { print("\(name): note: \(note)") }
        }
        if !opened.problems.isEmpty {
            throw Failure(
                "\(name): \(opened.problems.count) \(opened.problems.count == 1 ? "problem" : "problems")")
        }
        if !json { print("\(name): no problems") }
    }

    private static func json(_ problem: SessionProblem) -> JSONValue {
        var object: JSONObject = [
            "place": .string(problem.place), "message": .string(problem.message),
        ]
        object["in"] = problem.owner.map { .string($0) }
        return .object(object)
    }

    /// A session that is kept, and what it has otherwise than the file.
    private struct Kept {
        let path: String
        let at: String
        let isNewer: Bool
        let changes: [JSONDifference]

        var json: JSONValue {
            .object([
                "file": .string(path), "keptAt": .string(at), "newer": .bool(isNewer),
                "changes": .array(
                    changes.map { change in
                        .object([
                            "place": .string(change.place), "before": change.before ?? .null,
                            "after": change.after ?? .null,
                        ])
                    }),
            ])
        }
    }

    /// Everything that is kept, the newest first, each with what it has otherwise than the session's file.
    private func listUnsaved(_ opened: OpenedSession) throws(Failure) {
        let name = opened.store.path ?? session
        let kept = kept(in: opened)
        if json {
            print(JSONValue.array(kept.map(\.json)).prettyText())
        } else {
            for one in kept {
                show(one, of: name)
            }
        }
        if kept.contains(where: { $0.isNewer && !$0.changes.isEmpty }) {
            let advice =
                Journal.addressOfOwner(of: opened.store).map {
                    "the mixer at \($0) has them, and goes on with them: jmixctl save keeps them for good"
                } ?? "jmix run --recover goes on with the newest"
            throw Failure("\(name): unsaved changes are kept: \(advice)")
        }
        if !json { print("\(name): no unsaved changes") }
    }

    private func kept(in opened: OpenedSession) -> [Kept] {
        let session = opened.session ?? Session()
        let saved = document(session)
        return opened.store.unsaved(beside: session).map { kept in
            Kept(
                path: kept.path, at: localTime(time_t(kept.keptAt / 1_000_000_000)),
                isNewer: opened.store.isNewer(kept), changes: document(kept.session).differences(from: saved))
        }
    }

    private func show(_ one: Kept, of name: String) {
        let state =
            one.changes.isEmpty
            ? ": as \(name) is" : one.isNewer ? "" : ", before \(name) was saved"
        print("\(one.path), of \(one.at)\(state)")
        for change in one.changes { print("    \(change)") }
    }

    private func document(_ session: Session) -> JSONObject {
        SessionFile.json(session).objectValue ?? JSONObject()
    }
}
