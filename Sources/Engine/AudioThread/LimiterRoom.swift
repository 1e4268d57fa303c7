import Realtime

/// What a strip's limiter needs: two lines, of what is played and of what was played before. Made by the
/// control thread.
package struct LimiterRoom {
    let lines: UnsafeMutablePointer<LimiterLine>
    /// By how many frames what passes is late.
    let latency: Int

    init(channels: Int, sampleRate: Int32) {
        latency = LimiterLine.latency(sampleRate)
        lines = LockedMemory.allocate(LimiterLine.self, 2)
        for i in 0..<2 { (lines + i).initialize(to: LimiterLine(channels: channels, sampleRate: sampleRate)) }
    }

    func deallocate() {
        for i in 0..<2 { lines[i].deallocate() }
        LockedMemory.free(lines, 2)
    }
}
