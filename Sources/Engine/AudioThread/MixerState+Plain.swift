import Realtime

// The audio thread, as in the files beside this one: no lock, no allocation, no system call; the compiler
// checks it.

/// Tracks whose clips are played as they are: most, most of the time.
///
/// What `mix` asks of a line in every block has one answer while its plan and its strip stay what they are.
/// What is left is done here, in the same order, to the same bits.
extension MixerState {
    /// Whether nothing but its gains is in the way of a line's clips in this block.
    @_noLocks
    mutating func isPlain(_ line: UnsafeMutablePointer<Line>) -> Bool {
        let strip = line.pointee.strip
        if !line.pointee.onlyPlays || crossfade != nil || !strip.pointee.hasOnlyGains() { return false }
        if outs != nil, strip.pointee.out != nil { return false }
        let playing = playing(line)
        return playing.pointee.playsClips && !playing.pointee.fadesClips
    }

    /// Mixes a plain line.
    @_noLocks
    mutating func mixPlain(_ line: UnsafeMutablePointer<Line>, _ count: Int) {
        let sound = line.sound()
        var gain = scratch.line()
        guard let samples = fetch(sound, isBefore: false, count, line.pointee.blocks.source(), &gain) else {
            return
        }
        if hasSends(line, isPre: true) { feed(line, samples, gain, isPre: true, count) }
        let moment = moment(sound)
        moment.pointee.multiply(&gain, byVolumeOf: sound, count)
        var sides = scratch.sides()
        line.pointee.strip.pointee.gains(&sides, nil, at: clock, moment.pointee.playhead, count)
        leave(line, samples, &gain, &sides, count)
    }
}
