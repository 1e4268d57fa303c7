/// What strips remembered where the last passes began, as the audio thread has told it. Recording thread.
struct MemoryNotes {
    private var passes: [Int: Pass] = [:]
    private var newest = 0
    /// Of the entry that comes next, where none is missing.
    private var next: Int64 = 1

    private struct Pass {
        /// By the frame of the timeline, and by where the strips' live sides lie.
        var frames: [Int64: [Int: TakeMemory.Words]] = [:]
        /// Something of it is missing.
        var isTorn = false

        mutating func add(_ entry: MemoryEntry, _ words: [UInt32]) {
            let (first, total, note) = (Int(entry.first), Int(entry.total), entry.note)
            var content = frames[note.frame]?[note.strip]?.removeValue(forKey: entry.place) ?? []
            if content.count != total { content = [UInt32](repeating: 0, count: total) }
            content.replaceSubrange(first..<first + words.count, with: words)
            frames[note.frame, default: [:]][note.strip, default: [:]][entry.place] = content
        }
    }

    /// So many passes are kept: their takes end in any order.
    private static let kept = 16

    /// Takes what has come.
    mutating func read(_ log: MemoryLog) {
        while let (entry, words) = log.take() {
            let isMissing = entry.number != next
            next = entry.number + 1
            // What is missing was of the newest pass, or of this one.
            if isMissing { passes[newest]?.isTorn = true }
            newest = max(newest, entry.note.pass)
            passes[entry.note.pass, default: Pass()].add(entry, words)
            if isMissing { passes[entry.note.pass]?.isTorn = true }
        }
        if passes.count > Self.kept { passes = passes.filter { $0.key > newest - Self.kept } }
    }

    /// What a take's file is to keep; nil where nothing was remembered, or is known of where it begins.
    /// - Parameters:
    ///   - own: where the live side of its strip lies.
    ///   - others: strips that keep no such of the pass themselves, by where they lie.
    func memory(of pass: Int, from start: Int64, own: Int, others: [Int: String]) -> TakeMemory? {
        guard let pass = passes[pass], pass.frames[start] != nil, !pass.isTorn else { return nil }
        var places: [Int64: [String: TakeMemory.Words]] = [:]
        for (frame, strips) in pass.frames where frame >= start {
            for (strip, words) in strips {
                guard let name = strip == own ? "" : others[strip] else { continue }
                places[frame - start, default: [:]][name] = words
            }
        }
        return TakeMemory(start: start, places)
    }
}
