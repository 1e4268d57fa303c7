import Engine
import Files
import Timeline

/// Where the session is kept: its file, and the folder that its clips' files are named from.
package struct SessionStore: Sendable {
    /// nil: the session has not been saved yet.
    package private(set) var path: String?
    package let folder: String

    /// The session of a file, whose .json may be left out, or, for a folder, of its `session.json`, or else
    /// of the only session in it; a folder without one may lie beside the file of that name, as that of its
    /// sounds. Without a name a new one in the current folder.
    package init(_ name: String?) {
        guard let name else {
            self.init(folder: ".")
            return
        }
        let bare = name.count > 1 && name.hasSuffix("/") ? String(name.dropLast()) : name
        let isFolder = Path.isFolder(bare)
        // What a folder holds is read only where the name may mean the file beside it.
        if Path.exists(bare + ".json"), isFolder ? !Self.holdsSessions(bare) : !Path.exists(bare) {
            self.init(file: bare + ".json")
        } else {
            self.init(file: isFolder ? Self.session(in: bare) : name)
        }
    }

    private init(file: String) { (path, folder) = (file, Path.folder(of: file)) }

    private static func holdsSessions(_ folder: String) -> Bool {
        !SessionStore(folder: folder).siblings.isEmpty
    }

    private static func session(in folder: String) -> String {
        let usual = Path.join(folder, "session.json")
        if Path.exists(usual) { return usual }
        let others = SessionStore(folder: folder).siblings
        return others.count == 1 ? file(others[0], in: folder) : usual
    }

    /// A session that is yet to be made: `name` is its file, with or without .json, or a folder that is to
    /// hold it.
    /// - Throws: `FileError` if there is one already.
    package init(new name: String) throws(FileError) {
        self.init(
            file: Path.isFolder(name)
                ? Self.session(in: name) : name.hasSuffix(".json") ? name : name + ".json")
        if let path, Path.exists(path) {
            throw FileError(
                path: path, action: "make a new session",
                reason: "there is one already: jmix run \(name) plays it, jmix edit \(name) changes it")
        }
        if !Path.isFolder(folder) {
            throw FileError(path: folder, action: "make a session there", reason: "there is no such folder")
        }
    }

    /// One that has not been saved yet, in `folder`.
    init(folder: String) { (path, self.folder) = (nil, folder) }

    /// Reads the session's file.
    /// - Throws: `FileError` if there is none or it cannot be read.
    package func read() throws(FileError) -> SessionFile.Reading {
        guard let path else { return SessionFile.Reading(session: Session(), problems: []) }
        return SessionFile.read(try AtomicFile.read(path))
    }

    /// Saves under the present name, or as `name` beside it, which is the present name from then on.
    /// - Throws: `CommandError`-worthy text in a `FileError`; the old file is whole.
    mutating func save(_ text: String, as name: String?) throws(FileError) {
        let target = name.map { Self.file($0, in: folder) } ?? path
        guard let target else {
            throw FileError(path: "session", action: "save", reason: "it has no name yet: save NAME")
        }
        try AtomicFile.write(text, to: target, keepsPrevious: true)
        path = target
    }

    /// Where unsaved changes are kept: a hidden file beside the session's.
    package var journal: String { hidden("journal") }

    /// Whether both keep what is not saved in one place: they are of one session's file.
    func isSameFile(as other: SessionStore) -> Bool { FilePath(journal) == FilePath(other.journal) }

    /// Whether both have a file, of one name.
    func hasSamePath(as other: SessionStore) -> Bool {
        guard let path, let others = other.path else { return false }
        return FilePath(path) == FilePath(others)
    }

    /// The session's file, whatever links lead to it; nil: it has none.
    var file: String? { path.flatMap(Path.resolved) }

    /// Where the steps of `jmix edit` are kept: among what the user's programs keep, one file for each
    /// session. nil: nowhere.
    var steps: String? {
        guard let file, let folder = Path.stateFolder else { return nil }
        return Path.join(folder, "steps/\(Path.stem(of: file))-\(SessionJournal.checksum(file)).json")
    }

    /// Where other programs of this machine find the address of the mixer that has the session open; true
    /// while that holds the journal's lock.
    package var presence: String { hidden("mixer") }

    /// Beside the file itself, whatever links lead to it: there all who open it meet.
    private func hidden(_ ending: String) -> String {
        let file = file ?? Path.join(folder, name)
        return Path.join(Path.folder(of: file), ".\(Path.name(of: file)).\(ending)")
    }

    /// What is kept of it is named after this.
    var name: String { path.map(Path.name) ?? "untitled.json" }

    /// The store of another session in the same folder.
    func sibling(_ name: String) -> SessionStore { SessionStore(Self.file(name, in: folder)) }

    /// The sessions in the same folder, by the names that they are loaded by; what was kept of them (`kept`)
    /// is not among them.
    var siblings: [String] {
        (Path.content(of: folder) ?? []).filter { name in
            guard !name.hasPrefix("."), Path.fileExtension(of: name) == "json", !KeptSession.isName(name),
                let text = try? AtomicFile.read(Path.join(folder, name))
            else { return false }
            return SessionFile.read(text).session != nil
        }.map(Path.stem)
    }

    private static func file(_ name: String, in folder: String) -> String {
        Path.join(folder, name.hasSuffix(".json") ? name : name + ".json")
    }
}
