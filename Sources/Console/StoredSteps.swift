import Files
import Glibc
import JSON
import Timeline

/// The steps of a session that is edited call by call, kept where the user's programs keep what outlasts
/// them: what one `jmix edit` has done the next can take back. They hold as long as the session's file is
/// where it was, and says what it said when they were written.
struct StoredSteps {
    /// The oldest first.
    var done: [Step] = []
    /// What was taken back, the last first to be made again.
    var undone: [Step] = []

    /// What it is called, and what makes the session that it leads to of the one that it is taken from.
    struct Step {
        let name: String
        let patch: JSONValue
    }

    /// More than an afternoon of edits; beyond it the oldest go.
    static let maximum = 100
    /// So many sessions have steps.
    private static let maximumSessions = 100
    /// In bytes, of each list.
    private static let maximumBytes = 4 << 20

    /// Those of a session whose file says `text`; none where they are another's.
    static func read(_ store: SessionStore, _ text: String) -> StoredSteps? {
        guard let path = store.steps, let stored = try? AtomicFile.read(path),
            let value = try? JSONValue(parsing: stored), value["file"]?.stringValue == store.file,
            value["of"]?.stringValue == SessionJournal.checksum(text)
        else { return nil }
        return StoredSteps(done: steps(value["done"]), undone: steps(value["undone"]))
    }

    private static func steps(_ list: JSONValue?) -> [Step] {
        (list?.arrayValue ?? []).prefix(maximum).compactMap { step in
            guard let name = step["name"]?.stringValue, let patch = step["patch"] else { return nil }
            return Step(name: name, patch: patch)
        }
    }

    /// Has them be those of a session whose file says `text`. What cannot be written is forgotten: the
    /// session itself is saved.
    func write(_ store: SessionStore, _ text: String) {
        guard let path = store.steps, let file = store.file else { return }
        // A link leads to what is not this program's.
        if done.isEmpty && undone.isEmpty || Path.isLink(path) {
            unlink(path)
            return
        }
        let value: JSONValue = .object([
            "file": .string(file), "of": .string(SessionJournal.checksum(text)), "done": Self.json(done),
            "undone": Self.json(undone),
        ])
        let folder = Path.folder(of: path)
        guard Path.makeFolder(folder), (try? AtomicFile.write(value.compactText, to: path)) != nil else {
            unlink(path)
            return
        }
        Self.forgetOldest(in: folder)
    }

    /// Sessions come and go: those that nobody has edited for the longest have no steps any more.
    private static func forgetOldest(in folder: String) {
        let paths = (Path.content(of: folder) ?? []).map { Path.join(folder, $0) }
        if paths.count <= maximumSessions { return }
        let byAge = paths.sorted { Path.changedAt($0) ?? 0 < Path.changedAt($1) ?? 0 }
        for path in byAge.prefix(paths.count - maximumSessions) { unlink(path) }
    }

    /// The newest of them that there is room for.
    private static func json(_ steps: [Step]) -> JSONValue {
        var (kept, bytes): ([JSONValue], Int) = ([], 0)
        for step in steps.suffix(maximum).reversed() {
            let value: JSONValue = .object(["name": .string(step.name), "patch": step.patch])
            bytes += value.compactText.utf8.count
            if bytes > maximumBytes { break }
            kept.append(value)
        }
        return .array(kept.reversed())
    }
}

extension Console {
    /// Takes up the steps that earlier calls have left.
    func takeUp(_ steps: StoredSteps) {
        let taken = History(
            done: steps.done.map { ($0.name, $0.patch) },
            undone: steps.undone.map { ($0.name, $0.patch) })
        changeDocument { $0.takeUp(taken) }
    }

    /// The steps that there are, for the next call.
    var stepsToStore: StoredSteps {
        StoredSteps(done: stored(history.done), undone: stored(history.undone))
    }

    /// Each as the patch that leads to where it was taken from: from the session that there is now on.
    private func stored(_ steps: [History.Step]) -> [StoredSteps.Step] {
        var (present, document) = (session, SessionFile.json(session))
        var stored: [StoredSteps.Step] = []
        for step in steps.suffix(StoredSteps.maximum).reversed() {
            switch step.before {
            case .strips(let strips): for (place, strip) in strips { present[place] = strip }
            case .session(let before): present = before
            // It has been stored before, and so has all that lies before it.
            case .patch(let patch):
                stored.append(StoredSteps.Step(name: step.name, patch: patch))
                continue
            // One session is edited at a time.
            case .document: return stored.reversed()
            }
            let next = SessionFile.json(present)
            stored.append(StoredSteps.Step(name: step.name, patch: document.patch(to: next)))
            document = next
        }
        return stored.reversed()
    }
}
