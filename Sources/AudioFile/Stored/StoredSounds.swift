import Files
import Glibc
import Realtime

/// What had to be made for this program before it could be played, each sound once, and the folder where it
/// is stored for all programs of this user.
public final class StoredSounds: @unchecked Sendable {
    // Safe to share: all that changes is behind `state`.
    private struct State {
        /// What a path led to when it was last looked at.
        var known: [SoundPlace: (stamp: FileStamp?, sound: Wanted, since: Int)] = [:]
        var byKey: [String: Wanted] = [:]
        /// In the order in which they were asked for: what others are made of stands before them, so whoever
        /// waits for another never waits for one that waits here.
        var waiting: [Wanted] = []
        var threads = 0
        /// Nobody wants what could not be made; it is remembered for a while, so that it is not tried at
        /// every question.
        var failed: [(sound: StoredSound, since: Int)] = []

        /// The sound that is stored, or is being made, under a key; else the new one, which waits.
        mutating func find(_ key: String, orNew made: StoredSound) -> (sound: StoredSound, isNew: Bool) {
            forgetUnwanted()
            let present = byKey[key]?.sound.flatMap { $0.failure == nil ? $0 : nil }
            let found = present ?? made
            byKey[key] = Wanted(sound: found)
            if present == nil { waiting.append(Wanted(sound: found)) }
            return (found, present == nil)
        }

        private mutating func forgetUnwanted() {
            failed = failed.filter { time(nil) - $0.since < retrySeconds }
            known = known.filter { $0.value.sound.sound != nil }
            byKey = byKey.filter { $0.value.sound != nil }
        }
    }

    /// A sound as long as anybody wants it: who knows its file (`MediaFinding`), or reads it. What nobody
    /// wants any more is not made, and no file of it is open.
    private struct Wanted {
        weak var sound: StoredSound?
    }

    /// Those of this process.
    public static let shared = StoredSounds()

    private let state = Guarded(State())
    /// So many sounds are made at once: each takes a processor.
    private static let maximumThreads = 2
    /// What is stored at most, in bytes; beyond it what was not used for the longest goes.
    private static let maximumBytes: Int64 = 32 << 30
    /// What could not be made is not tried again for so long.
    private static let retrySeconds = 30
    /// What another program was at when it ended stays this long.
    private static let staleSeconds: Int64 = 24 * 3600

    private init() {}

    /// A sound that libsndfile does not read, or that is stretched; it begins to be made where nobody has it.
    /// - Throws: `AudioFileError`: it is no media file, has no such sound, what makes it is not installed, or
    ///   there is nowhere to keep it.
    func sound(at place: SoundPlace) throws(AudioFileError) -> StoredSound {
        let place = place.forwards
        let path = place.path
        let stamp = FileStamp(path)
        if let sound = known(place, stamp) { return sound }
        let folder = try Self.folder(for: path)
        let maker = try Self.maker(of: place, stamp)
        guard let hash = ContentKey.of(path) else {
            throw AudioFileError(path: path, reason: "it cannot be read: \(String(cString: strerror(errno)))")
        }
        let key = "\(hash)-\(place.stream)-\(ContentKey.name(of: maker.way))"
        let made = StoredSound(maker, storedAt: Path.join(folder, "\(key).sound"))
        let (found, begins) = enter(made, key, of: place, stamp)
        if begins { startThread(folder) }
        return found
    }

    /// - Returns: the sound, or what is known of it by now, and whether a thread is to begin.
    private func enter(
        _ made: StoredSound, _ key: String, of place: SoundPlace, _ stamp: FileStamp?
    ) -> (StoredSound, begins: Bool) {
        state.withLock { state in
            let (found, isNew) = state.find(key, orNew: made)
            state.known[place] = (stamp, Wanted(sound: found), time(nil))
            let begins = isNew && state.threads < Self.maximumThreads
            if begins { state.threads += 1 }
            return (found, begins)
        }
    }

    /// What is known of a sound whose file is as it was. What failed, as for want of room, may do a while
    /// later.
    private func known(_ place: SoundPlace, _ stamp: FileStamp?) -> StoredSound? {
        guard let known = state.withLock({ $0.known[place] }), let sound = known.sound.sound,
            known.stamp == stamp, sound.failure == nil || time(nil) - known.since < Self.retrySeconds
        else { return nil }
        return sound
    }

    private static func maker(
        of place: SoundPlace, _ stamp: FileStamp?
    ) throws(AudioFileError) -> any SoundMaker {
        if let stretch = place.stretch { return try Stretching(of: place.plain, stretch) }
        return try Decoding(of: place, stamp)
    }

    /// Where sounds are stored; it is made where it is not there.
    private static func folder(for path: String) throws(AudioFileError) -> String {
        guard let folder = Path.cacheFolder.map({ Path.join($0, "sounds") }), Path.makeFolder(folder) else {
            throw AudioFileError(
                path: path,
                reason:
                    """
                    its samples have to be stored, and there is nowhere to keep them: set XDG_CACHE_HOME to \
                    a \
                    folder that can be written to
                    """
            )
        }
        return folder
    }

    /// What is being made, and which share of it is done.
    public var progress: [(path: String, share: Double)] {
        let sounds = state.withLock { $0.byKey.values.compactMap(\.sound) }
        return sounds.compactMap { sound in sound.progress.map { (sound.path, $0) } }.sorted {
            $0.path < $1.path
        }
    }

    /// Waits until nothing is on its way. Calls `progress` meanwhile with the share that is done; it returns
    /// false to give up.
    public func wait(_ progress: (Double) -> Bool = { _ in true }) {
        while case let present = self.progress, !present.isEmpty {
            if !progress(present.map(\.share).reduce(0, +) / Double(present.count)) { return }
            usleep(10_000)
        }
    }

    // MARK: - Threads

    private func startThread(_ folder: String) {
        let context = Unmanaged.passRetained(Task(sounds: self, folder: folder))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { context in
                let task = Unmanaged<Task>.fromOpaque(context!).takeRetainedValue()
                task.sounds.work(task.folder)
                return nil
            }, context.toOpaque())
        if status == 0 {
            pthread_detach(thread)
        } else {
            context.release()
            state.withLock { $0.threads -= 1 }
        }
    }

    private final class Task {
        let sounds: StoredSounds
        let folder: String
        init(sounds: StoredSounds, folder: String) { (self.sounds, self.folder) = (sounds, folder) }
    }

    private func work(_ folder: String) {
        while let next = next() {
            next.fill()
            if next.failure != nil { state.withLock { $0.failed.append((next, time(nil))) } }
            Self.tidy(folder)
        }
    }

    private func next() -> StoredSound? {
        state.withLock { state in
            while !state.waiting.isEmpty { if let sound = state.waiting.removeFirst().sound { return sound } }
            state.threads -= 1
            return nil
        }
    }

    /// Makes room, and removes what programs left unfinished that were ended in the middle. Who has a file
    /// open goes on reading it.
    private static func tidy(_ folder: String) {
        var stored: [(path: String, size: Int64, used: Int64)] = []
        let now = Int64(time(nil))
        for name in Path.content(of: folder) ?? [] where name.hasSuffix(".sound") {
            let path = Path.join(folder, name)
            guard let size = Path.size(of: path), let used = Path.changedAt(path) else { continue }
            if name.hasPrefix(".") {
                if now - used / 1_000_000_000 > staleSeconds { unlink(path) }
            } else {
                stored.append((path, size, used))
            }
        }
        makeRoom(among: stored)
    }

    /// Removes those that nobody has used for the longest time, until the others are no more than is stored.
    private static func makeRoom(among stored: [(path: String, size: Int64, used: Int64)]) {
        var total = stored.map(\.size).reduce(0, +)
        for one in stored.sorted(by: { $0.used < $1.used }) where total > maximumBytes {
            unlink(one.path)
            total -= one.size
        }
    }
}
