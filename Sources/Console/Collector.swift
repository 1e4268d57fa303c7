import Dispatch
import Files
import Glibc
import Realtime
import Remote
import Timeline

/// Copies a session and every file it plays to a new folder, where it is whole by itself. On a thread of its
/// own, for gigabytes take their time.
package final class Collector: @unchecked Sendable {
    // Safe to share: what changes is behind `state`.
    private struct Copy {
        let source: String
        let name: String
        let bytes: Int64
    }

    private let folder: String
    /// It was not there before.
    private let isNew: Bool
    private let name: String
    private let copies: [Copy]
    /// The session with its files named as they will lie.
    private let session: Session
    private let work = DispatchGroup()
    private let state = Guarded((state: CollectionState.running(0), isCancelled: false))

    package var present: CollectionState { state.withLock { $0.state } }

    /// - Parameters:
    ///   - home: where the session's files are named from.
    ///   - folder: where to; it is made, and must not hold anything.
    ///   - name: the session's file there.
    /// - Throws: `FileError`: files are missing, the folder is not empty or cannot be made.
    package init(_ session: Session, from home: String, to folder: String, as name: String) throws(FileError)
    {
        (self.folder, self.name) = (folder, name)
        var collected = session
        var names: [FilePath: String] = [:]
        var copies: [Copy] = []
        var missing: [String] = []
        /// What a file is called in the folder; nil: it is not there.
        func collect(_ file: FilePath) -> String? {
            let source = Path.join(home, file.text)
            if let known = names[FilePath(source)] { return known }
            guard let bytes = Path.size(of: source) else {
                missing.append(source)
                return nil
            }
            let free = Self.freeName(Path.name(of: source), besides: Set(names.values).union([name]))
            names[FilePath(source)] = free
            copies.append(Copy(source: source, name: free, bytes: bytes))
            return free
        }
        collected.renameFiles { file in collect(file).map { FilePath($0) } ?? file }
        if let first = missing.first {
            throw FileError(
                path: first, action: "collect",
                reason: missing.count == 1
                    ? "there is no such file"
                    : "it and \(missing.count - 1) more files are missing: see missing")
        }
        (self.copies, self.session) = (copies, collected)
        isNew = try Self.makeEmpty(folder)
    }

    /// - Returns: whether the folder was made.
    private static func makeEmpty(_ folder: String) throws(FileError) -> Bool {
        let isNew = mkdir(folder, 0o777) == 0
        guard isNew || errno == EEXIST else { throw FileError("make the folder", folder) }
        guard let content = Path.content(of: folder), content.isEmpty else {
            throw FileError(
                path: folder, action: "collect there", reason: "the folder is not empty: name a new one")
        }
        return isNew
    }

    /// Two files of one name from two folders are told apart.
    private static func freeName(_ wanted: String, besides taken: Set<String>) -> String {
        if !taken.contains(wanted) { return wanted }
        var number = 2
        while taken.contains(Path.numbered(wanted, number)) { number += 1 }
        return Path.numbered(wanted, number)
    }

    package func begin() { DispatchQueue(label: "jmix-collect").async(group: work) { self.copyAndWrite() } }

    /// Gives it up, and waits until that is done.
    package func cancel() {
        state.withLock { $0.isCancelled = true }
        _ = work.wait(timeout: .now() + .seconds(2))
    }

    /// Copies everything, then writes the session: whoever finds that finds all.
    private func copyAndWrite() {
        var done: [String] = []
        do throws(FileError) {
            try copyAll(&done)
            let path = Path.join(folder, name)
            try AtomicFile.write(SessionFile.text(session), to: path)
            let count = "\(copies.count) \(copies.count == 1 ? "file" : "files")"
            state.withLock { $0.state = .done("\(path): the session and \(count)") }
        } catch {
            // A part of it is of no use, and would keep the folder from being named again.
            for name in done { unlink(Path.join(folder, name)) }
            if isNew { rmdir(folder) }
            state.withLock {
                $0.state = .failed($0.isCancelled ? "it was interrupted; nothing is left of it" : "\(error)")
            }
        }
    }

    /// Copies the files, and notes which have been.
    private func copyAll(_ done: inout [String]) throws(FileError) {
        let total = max(1, copies.reduce(0) { $0 + $1.bytes })
        var before: Int64 = 0
        for copy in copies {
            try AtomicFile.copy(copy.source, to: Path.join(folder, copy.name)) { done in
                state.withLock { state in
                    state.state = .running(Double(before + done) / Double(total))
                    return !state.isCancelled
                }
            }
            done.append(copy.name)
            before += copy.bytes
        }
    }
}
