import Realtime

/// What lines remember where a recording begins is noted, and recalled where that is rendered again: then the
/// render goes on as what was heard live did.
///
/// Each line's is noted when it comes to the frame of the timeline where the recording begins: some are read
/// behind the playhead. What is on its way from one to another then is of frames before that.
extension MixerState {
    /// Notes what those lines remember that come with this block to where a recording began. Audio thread
    /// only; wait-free.
    @_noLocks
    mutating func noteMemory() {
        let player = players.first
        guard let memoryLog, let beginning = player.pointee.beginning else { return }
        let lag = clock - beginning.clock
        if lag == 0 { notedLines = allowance.takeNote() ? 0 : nil }
        guard var noted = notedLines, player.pointee.course.pointee.reads(at: lag) else { return }
        var note = MemoryNote(strip: 0, pass: beginning.pass, frame: beginning.frame)
        let graph = plan.pointee.graph
        for i in 0..<graph.pointee.count {
            let line = graph.pointee.lines + i
            if moment(line).pointee.lag != lag { continue }
            noted += 1
            note.strip = line.pointee.strip.pointee.number
            if line.pointee.sound.player == 0 { self.note(line, in: memoryLog, note) }
        }
        notedLines = noted
        // Where one was missed, or a plan has come with other lags, they are not all there.
        if noted == graph.pointee.count { memoryLog.end(note) }
    }

    @_noLocks
    private mutating func note(
        _ line: UnsafeMutablePointer<Line>, in log: MemoryLog, _ note: MemoryNote
    ) {
        let linePlaythrough = playthrough(of: line)
        if let bank = line.pointee.strip.pointee.processors {
            bank.pointee.note(in: log, note, linePlaythrough, goesApart: goesApart(line), at: clock)
        }
        if let levels = line.pointee.levels {
            for i in 0..<levels.pointee.duckCount {
                let edge = levels.pointee.ducks[i]
                edge.memory.pointee.follow(linePlaythrough.playthrough, isLive: edge.isLive)
                var page = log.page()
                edge.memory.pointee.pass(&page)
                log.put(page, of: note, MemoryPlace(.duck, index: i))
            }
        }
        guard let share = line.pointee.share else { return }
        share.pointee.memory.pointee.follow(linePlaythrough)
        var page = log.page()
        share.pointee.memory.pointee.pass(&page)
        log.put(page, of: note, MemoryPlace(.share))
    }

    // MARK: - Offline

    /// Those lines that are read so far behind the playhead remember what was noted, and nothing else, if
    /// anything was. Between two calls of `render`, on its thread.
    mutating func recall(_ recall: MixerRecall, lag: Int64) {
        let graph = plan.pointee.graph
        for i in 0..<graph.pointee.count {
            let line = graph.pointee.lines + i
            if moment(line).pointee.lag != lag { continue }
            if let memory = recall.line(of: line.pointee.strip) { self.recall(line, memory) }
        }
    }

    private mutating func recall(_ line: UnsafeMutablePointer<Line>, _ recall: LineRecall) {
        let linePlaythrough = playthrough(of: line)
        line.pointee.strip.pointee.processors?.pointee.recall(recall, linePlaythrough, at: clock)
        if let share = line.pointee.share?.pointee.memory {
            share.pointee.forget(linePlaythrough, at: clock)
            recall.read(MemoryPlace(.share)) { share.pointee.pass(&$0) }
        }
        guard let levels = line.pointee.levels else { return }
        for i in 0..<levels.pointee.duckCount {
            let edge = levels.pointee.ducks[i]
            edge.memory.pointee.forget(linePlaythrough.playthrough, isLive: edge.isLive, at: clock)
            recall.read(MemoryPlace(.duck, index: i)) { edge.memory.pointee.pass(&$0) }
        }
    }
}
