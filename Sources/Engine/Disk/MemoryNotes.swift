import Realtime

/// What strips remembered where the last passes began, as the audio thread has told it. Recording thread.
struct MemoryNotes {
    private var passes: [Int: Pass] = [:]
    private var newest = 0
    private var newestBegun: Int64 = 0
    /// Of the entry that comes next, where none is missing.
    private var next: Int64 = 1

    private struct Pass {
        /// When the first of it came, in milliseconds since 1970; later than any pass before.
        let begun: Int64
        /// By the frame of the timeline.
        var frames: [Int64: Frame] = [:]
        /// Something of it is missing.
        var isTorn = false
        /// Whether a take's file has it: as much as had come then, or all.
        var kept = Kept.no

        enum Kept { case no, partly, wholly }
    }

    private struct Frame {
        /// By the strips' numbers.
        var strips: [Int: TakeMemory.Words] = [:]
        /// All lines have come there.
        var isWhole = false

        /// - Returns: false if something before it is missing.
        mutating func add(_ entry: MemoryEntry, _ words: [UInt32]) -> Bool {
            if case .end = entry.place.unit {
                isWhole = true
                return true
            }
            return strips[entry.note.strip, default: [:]][
                entry.place, default: TakeMemory.Content(total: Int(entry.total))
            ].add(words, at: Int(entry.first))
        }
    }

    /// So many passes are known: their takes end in any order.
    private static let known = 4
    /// A pass of no more words is kept by each of its takes. Else one keeps it, for rings of delays are
    /// large; and one more, where the first did not have all of it yet.
    private static let small = 1 << 14

    /// Takes what has come.
    mutating func read(_ log: MemoryLog) {
        while let (entry, words) = log.next() {
            let (isMissing, number) = (entry.number != next, entry.note.pass)
            next = entry.number + 1
            // What is missing was of the newest pass, or of this one.
            if isMissing { passes[newest]?.isTorn = true }
            newest = max(newest, number)
            if passes[number] == nil {
                newestBegun = max(newestBegun + 1, wallMilliseconds())
                passes[number] = Pass(begun: newestBegun)
            }
            // In its place: contents are long.
            if !passes[number]!.frames[entry.note.frame, default: Frame()].add(entry, words)
                || isMissing
            {
                passes[number]!.isTorn = true
            }
        }
        if passes.count > Self.known { passes = passes.filter { $0.key > newest - Self.known } }
    }

    /// What a take's file is to keep; nil where nothing was remembered, or is known of where it begins.
    /// - Parameters:
    ///   - own: the number of its strip.
    ///   - names: what strips are called, by their numbers.
    mutating func memory(of number: Int, from start: Int64, own: Int, _ names: [Int: String]) -> TakeMemory? {
        guard let pass = passes[number], !pass.isTorn, pass.frames[start] != nil,
            let whole = pass.frames.filter({ $0.value.isWhole }).keys.max()
        else { return nil }
        // What is not whole was begun anew, where what was heard of before was over.
        let frames = pass.frames.filter { (start...max(start, whole)).contains($0.key) }
        let contents = frames.values.flatMap(\.strips.values).flatMap(\.values)
        // Rings come block by block.
        let isWhole = contents.allSatisfy(\.isWhole)
        let isSmall = contents.reduce(0) { $0 + $1.words.count } <= Self.small
        let hasOthers = isSmall || pass.kept == .no || pass.kept == .partly && isWhole
        if hasOthers { passes[number]!.kept = isWhole ? .wholly : .partly }
        let known = (hasOthers ? names : [:]).merging([own: ""]) { $1 }
        var places: [Int64: [String: TakeMemory.Words]] = [:]
        for (frame, content) in frames {
            for (strip, words) in content.strips {
                if let name = known[strip] { places[frame - start, default: [:]][name] = words }
            }
        }
        return TakeMemory(start: start, begun: pass.begun, places)
    }
}
