import Engine
import Files
import Realtime
import Remote
import Timeline

/// How long a file is that ffmpeg decodes is a guess until all of it is decoded: nothing is cut or placed by
/// a guess. Edits that would be wait, in the order in which they came, while all else goes on.
extension Console {
    private static let maximumWaitingEdits = 1024
    /// Others have their turn after so long.
    private static let turnNanoseconds: UInt64 = 10_000_000

    /// Carries out an edit: at once, where all is known and nothing waits that came before it.
    func onceLengthsAreKnown(_ edit: WaitingEdit) {
        if waiting.edits.isEmpty, !edit.measured().contains(where: library.isGuessed) { return edit.go() }
        var edit = edit
        edit.changeCount = document.changeCount
        // A take is the program's own, and has to be laid.
        guard edit.client == nil || waiting.edits.count < Self.maximumWaitingEdits else {
            return edit.drop(
                CommandError(
                    "\(Self.maximumWaitingEdits) edits wait until files are decoded: ask again later"))
        }
        waiting.edits.append(edit)
    }

    /// Carries out what has waited long enough.
    package func dispatchWaitingEdits() {
        let end = monotonicNanoseconds() + Self.turnNanoseconds
        waiting.hasReadyEdits = false
        while let next = waiting.edits.first, !waiting.isLookingAtLengths, !next.isUnderWay {
            if monotonicNanoseconds() > end {
                waiting.hasReadyEdits = true
                return
            }
            for (file, name) in next.names { names[file] = name }
            let guessed = next.measured().filter(library.isGuessed)
            if guessed.isEmpty {
                if next.save == nil { waiting.edits.removeFirst() }
                next.go()
                continue
            }
            let made = Set(guessed.map(library.place)).filter { library.known[$0]?.isOutdated == true }
            if made.isEmpty { return }
            waiting.isLookingAtLengths = true
            inspect(made) { [self] in
                waiting.isLookingAtLengths = false
                applyTimeline()
            }
        }
    }

    /// What waits of those who ask is given up: another session is open, or the mixer ends. Takes stay where
    /// they are, and are found again.
    package func dropWaitingEdits(_ reason: String) {
        // What is being written is the session that was open.
        let edits = waiting.edits.filter { $0.client != nil && $0.save?.stage != .beingWritten }
        waiting.edits.removeAll { $0.save?.stage != .beingWritten }
        for edit in edits {
            edit.drop(
                CommandError(
                    """
                    \(reason) while a file was being decoded that this was to cut or be placed by: nothing \
                    was changed
                    """
                ))
        }
    }

    /// Takes that are to be laid wait.
    var hasWaitingTakes: Bool { waiting.edits.contains { $0.client == nil } }

    /// Takes back what a client has asked for last, if that waits still and nothing has changed since.
    /// - Returns: whether there was any such thing.
    func dropWaitingEdit(of client: ClientID?) -> Bool {
        guard
            let index = waiting.edits.lastIndex(where: {
                $0.client == client && $0.changeCount == document.changeCount && !$0.isUnderWay
            })
        else { return false }
        waiting.edits.remove(at: index).drop(
            CommandError("it was undone while a file was being decoded: nothing was changed"))
        return true
    }

    /// How many edits of a client wait.
    package func waitingEdits(of client: ClientID) -> Int {
        waiting.edits.isEmpty ? 0 : waiting.edits.count { $0.client == client }
    }

    /// The clips whose lengths count for a command.
    func measuredClips(of command: Command) -> [Clip] {
        switch command {
        case .add(_, .end?): session.tracks.flatMap(\.clips)
        case .insert(let track, let file, let place, _, _, _, _):
            (place == .end ? session.tracks.flatMap(\.clips) : clips(of: track)) + named([file])
        case .clips(let track, .append(let file, _, _, _)): clips(of: track) + named([file])
        case .clips(let track, .playlist(let files, _)): clips(of: track) + named(files)
        case .clips(let track, .pace(let number, let pace, let value)):
            clips(of: track) + ((try? paced(track, number, pace, value)) ?? [])
        case .clips(let track, .step(let number, let what, let step)):
            (try? stepped(track, number, what, by: step)).map { measuredClips(of: .clips(track, $0)) } ?? []
        case .clips(let track, .move(_, .end, _, _)), .clips(let track, .split(.end)):
            clips(of: track) + session.tracks.flatMap(\.clips)
        case .clips(let track, let edit) where edit.needsLengths: clips(of: track)
        case .relink(let file, let other): relinked(file, to: other)
        default: []
        }
    }

    /// Whether a command is meant for what edits that wait will have made.
    func followsEdits(_ command: Command) -> Bool {
        switch command {
        case .insert, .relink, .remove: true
        case .clips: true
        default: false
        }
    }

    private func clips(of reference: StripReference) -> [Clip] {
        ((try? tracks(reference)) ?? []).flatMap { session.tracks[$0].clips }
    }

    private func named(_ files: [String]) -> [Clip] {
        files.compactMap { names[FilePath($0)] }.map { Clip(file: $0) }
    }

    /// Clips that play a file, with another in its place.
    func relinked(_ file: String, to other: String) -> [Clip] {
        guard let name = names[FilePath(other)] else { return [] }
        var clips = session.tracks.flatMap(\.clips).filter { $0.file == FilePath(file) }
        for index in clips.indices { clips[index].file = FilePath(name) }
        return clips
    }
}

extension ClipCommand {
    /// Whether it counts by where clips end.
    fileprivate var needsLengths: Bool {
        switch self {
        case .gain, .fade: false
        default: true
        }
    }
}
