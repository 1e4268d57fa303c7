import AudioFile
import Engine
import Files
import Remote
import Timeline

/// Commands that need a disk: the files' thread does what waits for it, and the command is carried out with
/// what that found.
extension Console {
    /// Gets the answers, or why nothing has changed.
    package typealias Done = (Result<[Answer], CommandError>) -> Void

    /// Carries out a command, now or when the disk has answered; other commands are carried out meanwhile.
    /// - Parameter client: who asks; nil is the program itself.
    package func run(_ command: Command, from client: ClientID?, then done: @escaping Done) {
        switch command {
        case .add, .insert, .clips(_, .append), .clips(_, .playlist), .relink, .video(.set):
            beginNamingFiles(command, for: client, then: done)
        case .save(let name): onceTakesLie { [self] in beginSave(as: name, for: client, then: done) }
        case .load, .new: onceTakesLie { [self] in beginDocument(command, for: client, then: done) }
        case .stop(over: nil), .panic:
            let outcome = outcome(of: command, from: client)
            onceWritten { done(outcome) }
        case .undo where dropWaitingEdit(of: client):
            done(.success([.note("what waited for a file that is being decoded is not done")]))
        case .undo where leadsElsewhere(.undo), .redo where leadsElsewhere(.redo):
            beginDocument(command, for: client, then: done)
        case .sessions, .missing: beginLooking(command, then: done)
        case .clips(let track, .stripSilence(let strip)):
            stripSilence(track, strip, as: command, for: client, then: done)
        case .collect(let folder?): collect(to: folder) { done($0.map(Result.failure) ?? .success([])) }
        case .midi(.learn(let target, let mode)): learn(target, mode, as: command, for: client, then: done)
        case .midi(.load(let name)): loadMIDI(name, for: client, then: done)
        case .midi(.store(let name)): storeMIDI(name, then: done)
        default:
            let isForNow = measuredClips(of: command).isEmpty && !followsEdits(command)
            if isForNow || command.onlyAsks { return done(outcome(of: command, from: client)) }
            perform(command, for: client, then: done)
        }
    }

    /// What lays files on the timeline: each is looked at first.
    private func beginNamingFiles(_ command: Command, for client: ClientID?, then done: @escaping Done) {
        switch command {
        case .clips(let track, .playlist(let files, let crossfade)):
            inspect(files) { [self] in
                switch $0 {
                case .failure(let error): done(.failure(error))
                case .success(let files):
                    perform(.clips(track, .playlist(files, crossfade: crossfade)), for: client, then: done)
                }
            }
        case .relink(let file, let other) where session.video?.file == FilePath(file):
            inspectVideo(other) { [self] in
                if case .failure(let error) = $0 {
                    done(.failure(error))
                } else {
                    performLooking(command, for: client, then: done)
                }
            }
        case .video(.set(let file, at: _, from: _)):
            setVideo(file, command, for: client, then: done)
        default: performLooking(placed(command), for: client, then: done)
        }
    }

    private func setVideo(
        _ file: String, _ command: Command, for client: ClientID?, then done: @escaping Done
    ) {
        inspectVideo(file) { [self] outcome in
            done(
                outcome.flatMap { name in
                    names[FilePath(file)] = name
                    return self.outcome(of: command, from: client)
                })
        }
    }

    private func beginSave(as name: String?, for client: ClientID?, then done: @escaping Done) {
        guard let client, waitingEdits(of: client) > 0 else {
            return beginDocument(.save(name), for: client, then: done)
        }
        saveInOrder(as: name, for: client, then: done)
    }

    /// It is to save what was asked for before it, and nothing of what was asked for behind it.
    private func saveInOrder(as name: String?, for client: ClientID?, then done: @escaping Done) {
        let save = WaitingSave()
        func end(_ outcome: Result<[Answer], CommandError>) {
            save.stage = .over
            waiting.edits.removeAll { $0.save === save }
            waiting.hasReadyEdits = true
            done(outcome)
        }
        let edit = WaitingEdit(
            client: client, save: save, measured: { [] },
            go: { [self] in
                save.stage = .behindDocuments
                inTurn { [self] finish in
                    // Another session may have been opened before its turn came.
                    if save.stage == .over { return finish() }
                    save.stage = .beingWritten
                    self.save(as: name) {
                        end($0)
                        finish()
                    }
                }
            },
            drop: {
                save.stage = .over
                done(.failure($0))
            })
        onceLengthsAreKnown(edit)
    }

    /// What makes another document of the session, or keeps it: one after another.
    private func beginDocument(_ command: Command, for client: ClientID?, then done: @escaping Done) {
        inTurn { [self] finish in
            func end(_ outcome: Result<[Answer], CommandError>) {
                done(outcome)
                finish()
            }
            switch command {
            case .save(let name): save(as: name, then: end)
            case .load(let name): load(name, for: client, then: end)
            case .new: new(for: client, then: end)
            default:
                let outcome = outcome(of: command, from: client)
                changeJournal { notes in end(outcome.map { $0 + notes }) }
            }
        }
    }

    /// What asks the disk, and changes nothing.
    private func beginLooking(_ command: Command, then done: @escaping Done) {
        if case .sessions = command {
            let store = store
            return inspections.perform {
                store.siblings
            } then: {
                done(.success([.sessions($0)]))
            }
        }
        let known = Set(missingFiles(session, library))
        let files = namedFiles(session).map { (name: $0.text, path: library.path(of: $0)) }
        let (media, folder) = (media, store.folder)
        inspections.perform {
            // What was there when it was looked at may have gone since.
            files.filter { known.contains($0.name) || !Path.exists($0.path) }.map {
                MissingFile(file: $0.name, found: media.candidates(for: $0.name, from: folder))
            }
        } then: {
            done(.success([.missing($0)]))
        }
    }

    /// A command that names a file is on its way, for a later time: what it needs to know of the file shall
    /// be known by then.
    package func expect(_ command: Command) {
        switch command {
        case .locate(let place): expectLocate(to: place)
        case .video(.set(let file, at: _, from: _)):
            inspectVideo(file) { [self] in names[FilePath(file)] = try? $0.get() }
        default:
            for file in command.files { inspect(file.text) { _ in } }
            inspect(places(of: command)) {}
        }
    }

    private func outcome(of command: Command, from client: ClientID?) -> Result<[Answer], CommandError> {
        // What was found out for it is not kept for another.
        let files = command.files
        defer { names = names.filter { !files.contains($0.key) } }
        return carryOut(command, for: client) { () throws(CommandError) in try answers(command) }
    }

    /// Carries out a command that names a sound, once it is known what that is.
    private func performLooking(
        _ command: Command, for client: ClientID?,
        then done: @escaping Done
    ) {
        let file = command.files[0]
        if names[file] != nil { return perform(command, for: client, then: done) }
        inspect(file.text) { [self] in
            if case .failure(let error) = $0 {
                done(.failure(error))
            } else {
                perform(command, for: client, then: done)
            }
        }
    }

    /// Carries out a command that leads to sounds which nobody has looked at: it is looked again where others
    /// were edited meanwhile.
    private func perform(
        _ command: Command, for client: ClientID?, tries left: Int = 3,
        then done: @escaping Done
    ) {
        let places = places(of: command)
        if !places.isEmpty, left > 0 {
            return inspect(places) { [self] in perform(command, for: client, tries: left - 1, then: done) }
        }
        let files = command.files
        onceLengthsAreKnown(
            WaitingEdit(
                client: client, names: names.filter { files.contains($0.key) },
                measured: { [self] in measuredClips(of: command) },
                go: { [self] in done(outcome(of: command, from: client)) }, drop: { done(.failure($0)) }))
    }

    /// What a command has clips play that is not known yet, or could not be had when it was looked at.
    private func places(of command: Command) -> Set<SoundPlace> {
        var clips: [Clip] = []
        switch command {
        case .clips(let track, .pace(let number, let pace, let value)):
            clips = (try? paced(track, number, pace, value)) ?? []
        case .clips(let track, .step(let number, let what, let step)):
            return (try? stepped(track, number, what, by: step)).map { places(of: .clips(track, $0)) } ?? []
        case .relink(let file, let other): clips = relinked(file, to: other)
        default: break
        }
        return Set(clips.map(library.place)).filter { place in
            library.known[place].map { (try? $0.info.get()) == nil } ?? true
        }
    }

    /// Finds out what there is.
    func inspect(_ places: some Collection<SoundPlace>, then done: @escaping () -> Void) {
        let places = Array(places)
        if places.isEmpty { return done() }
        forgetUnplayed()
        inspections.perform {
            places.map(MediaFinding.init)
        } then: { [self] found in
            library.adopt(found)
            done()
        }
    }

    /// Finds out what a file that a command names is, and under which name the session keeps it.
    private func inspect(_ file: String, then done: @escaping (Result<Void, CommandError>) -> Void) {
        let (media, folder, isManaged) = (media, store.folder, isManaged)
        inspections.perform { () -> Result<(String, MediaFinding), CommandError> in
            do throws(CommandError) {
                let name = try media.name(of: file, from: folder, isManaged: isManaged)
                return .success((name, MediaFinding(SoundPlace(Path.join(folder, name)))))
            } catch {
                return .failure(error)
            }
        } then: { [self] outcome in
            // Names are seen from the session's folder, and another session may have been opened.
            guard FilePath(folder) == FilePath(store.folder) else { return inspect(file, then: done) }
            done(
                outcome.map { name, finding in
                    names[FilePath(file)] = name
                    library.adopt([finding])
                })
        }
    }

    /// The same of several, and of all in a folder that can be played.
    /// - Parameter done: gets the files' names.
    private func inspect(_ files: [String], then done: @escaping (Result<[String], CommandError>) -> Void) {
        let (media, folder, isManaged) = (media, store.folder, isManaged)
        inspections.perform { () -> Result<[(String, MediaFinding)], CommandError> in
            do throws(CommandError) {
                return .success(try Self.found(files, media, in: folder, isManaged: isManaged))
            } catch {
                return .failure(error)
            }
        } then: { [self] outcome in
            guard FilePath(folder) == FilePath(store.folder) else { return inspect(files, then: done) }
            done(
                outcome.map { found in
                    for (name, _) in found { names[FilePath(name)] = name }
                    library.adopt(found.map(\.1))
                    return found.map(\.0)
                })
        }
    }

    /// What can be played of files, and of what lies in folders.
    private static func found(
        _ files: [String], _ media: MediaAccess, in folder: String, isManaged: Bool
    ) throws(CommandError) -> [(String, MediaFinding)] {
        var found: [(String, MediaFinding)] = []
        for file in files {
            let name = try media.name(of: file, from: folder, isManaged: isManaged)
            let playable = playable(name, in: folder)
            if playable.isEmpty { throw CommandError("\(file): nothing in this folder can be played") }
            found += playable
        }
        return found
    }

    /// A file as it is, or of a folder what can be played in it.
    private static func playable(_ name: String, in folder: String) -> [(String, MediaFinding)] {
        func found(_ name: String) -> (String, MediaFinding) {
            (name, MediaFinding(SoundPlace(Path.join(folder, name))))
        }
        let path = Path.join(folder, name)
        if !Path.isFolder(path) { return [found(name)] }
        let inside = (Path.content(of: path) ?? []).filter { !$0.hasPrefix(".") }.sorted(by: Path.isBefore)
        return inside.map { found(Path.join(name, $0)) }.filter { (try? $0.1.info.get()) != nil }
    }

    /// The name under which the session keeps a file that has been looked at.
    func name(of file: String) throws(CommandError) -> String {
        guard let name = names[FilePath(file)] else { throw CommandError("\(file) has not been looked at") }
        return name
    }

    // MARK: - Collecting

    private var problemOfCollecting: CommandError? {
        guard case .running? = collector?.present else { return nil }
        return CommandError("a session is being collected already: /session/collect tells how far it is")
    }

    private func collect(to folder: String, then done: @escaping (CommandError?) -> Void) {
        if let problem = problemOfCollecting { return done(problem) }
        let (media, session, home, name) = (
            media, session, store.folder, Path.name(of: store.path ?? "session.json")
        )
        files.perform {
            Result { () throws(CommandError) in try media.folder(folder, from: home) }.flatMap { path in
                Result { () throws(FileError) in try Collector(session, from: home, to: path, as: name) }
                    .mapError { CommandError("\($0)") }
            }
        } then: { [self] outcome in
            switch outcome {
            case .failure(let error): done(error)
            case .success(let collector):
                // Another may have begun meanwhile.
                if let problem = problemOfCollecting { return done(problem) }
                self.collector = collector
                collector.begin()
                done(nil)
            }
        }
    }

    // MARK: - Missing files

    /// Makes every clip of `file` play `other`, if that is fit for all of them.
    func relink(_ file: String, to other: String) throws(CommandError) {
        let name = try name(of: other)
        try edit(.timeline) { session throws(CommandError) in
            guard session.relink(file, to: name) > 0 else {
                throw CommandError("no clip plays \(file), nor is it the video: see missing, and clips TRACK")
            }
            // What was wrong before is no reason.
            let before = Set(SessionCheck.problems(self.session, library: self.library).map(\.description))
            if let problem = SessionCheck.problems(session, library: self.library).first(where: {
                !before.contains($0.description)
            }) {
                throw CommandError("\(problem)")
            }
        }
    }
}

/// The files that clips and the video name and that were not there when they were looked at, each once.
package func missingFiles(_ session: Session, _ library: MediaLibrary) -> [String] {
    var missing: [FilePath] = []
    for clip in session.tracks.flatMap(\.clips) where !missing.contains(clip.file) {
        if case .failure(let error) = library.info(of: clip), error.isMissing { missing.append(clip.file) }
    }
    if let video = session.video, !missing.contains(video.file), !Path.exists(library.path(of: video.file)) {
        missing.append(video.file)
    }
    return missing.map(\.text)
}

/// The files that clips and the video name, each once.
private func namedFiles(_ session: Session) -> [FilePath] {
    var known: Set<FilePath> = [""]
    return (session.tracks.flatMap(\.clips).map(\.file) + [session.video?.file].compactMap { $0 }).filter {
        known.insert($0).inserted
    }
}

extension Session {
    /// - Returns: how many clips play another file now, and the video counts with them.
    package mutating func relink(_ file: String, to other: String) -> Int {
        var count = 0
        renameFiles { name in
            guard name == FilePath(file) else { return name }
            count += 1
            return FilePath(other)
        }
        return count
    }
}
