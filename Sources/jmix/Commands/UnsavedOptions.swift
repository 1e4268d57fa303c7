import ArgumentParser
import Console
import Files
import Glibc
import Loop
import Timeline

/// What to do about changes that an earlier run has left without saving them.
struct UnsavedOptions: ParsableArguments {
    @Flag(help: "Go on with the unsaved changes that an earlier run has left.")
    var recover = false

    @Flag(help: "Drop the unsaved changes that an earlier run has left.")
    var discard = false

    func validate() throws {
        if recover, discard { throw ValidationError("--recover and --discard: one or the other") }
    }

    /// Which session to go on with, if an earlier run has left changes that were not saved. Whatever is
    /// decided, nothing is lost but what `--discard` drops.
    func decide(_ journal: Journal, _ store: SessionStore, saved: Session) throws -> Session {
        for line in journal.warnings { inform("jmix: \(line)") }
        let everything = store.kept
        let kept = everything.filter { store.isNewer($0) && $0.session != saved }
        if discard {
            for old in kept where unlink(old.path) == 0 { inform("jmix: \(old.path) is dropped") }
            return saved
        }
        let all = ([journal.found].compactMap { $0 } + kept).sorted { $0.keptAt > $1.keptAt }
        guard let newest = all.first else {
            let older = everything.isEmpty ? "" : Self.older
            if recover { inform("jmix: nothing is kept that is newer than the session\(older)") }
            return saved
        }
        guard try recover || (journal.found != nil && wantsToGoOn()) else {
            if let found = journal.found { try keepAside(found, store) }
            for old in kept { sayKept(old) }
            return saved
        }
        // Nothing else is lost by it.
        if let found = journal.found, found.path != newest.path { try keepAside(found, store) }
        let others = all.count > 1 ? "; jmix check --unsaved lists what is older" : ""
        inform("jmix: going on with what was kept as \(newest.path)\(others)")
        return newest.session
    }

    private func sayKept(_ old: KeptSession) {
        inform(
            """
            jmix: an earlier run has left unsaved changes, kept as \(old.path) (until this session is saved \
            --recover goes on with the newest and --discard drops them; jmix check --unsaved lists them)
            """
        )
    }

    private static let older = ": what is older jmix check --unsaved lists, and jmix run FILE opens"

    /// Asks, where somebody can answer.
    private func wantsToGoOn() throws -> Bool {
        guard isatty(0) == 1, isatty(2) == 1 else { return false }
        inform("jmix: an earlier run has left unsaved changes. Go on with them? [Y/n]")
        return !(readLine() ?? "y").lowercased().hasPrefix("n")
    }

    private func keepAside(_ found: KeptSession, _ store: SessionStore) throws {
        do throws(FileError) {
            inform(
                """
                jmix: an earlier run has left unsaved changes: they are kept as \
                \(try store.keep(found.session)) (until this session is saved --recover goes on with \
                them and --discard drops them; jmix run FILE opens them at any time)
                """
            )
        } catch {
            throw Failure(
                """
                an earlier run has left unsaved changes, which cannot be kept aside: \(error); --recover \
                goes on with them, --discard drops them
                """
            )
        }
    }
}
