import Realtime
import Timeline

/// Limits a finished mix, by the limiter that strips have: `LimiterLine`. For one thread at a time.
package final class MixLimiter {
    private var line: LimiterLine
    private let setting: LimiterSetting
    private let memory: ChannelMemory
    /// Frames that come of it before the first that it was given.
    private var early: Int
    private let latency: Int

    /// - Parameters:
    ///   - level: the ceiling in dBTP, -40 to 0.
    ///   - channels: how many the mix has.
    ///   - sampleRate: frames per second.
    package init(level: Double, channels: Int, sampleRate: Int32) {
        var limiter = Limiter()
        limiter.level = level
        setting = DynamicsDesign(sampleRate: sampleRate).setting(limiter)!
        line = LimiterLine(channels: channels, sampleRate: sampleRate)
        memory = ChannelMemory(channels, frames: Block.frames())
        latency = LimiterLine.latency(sampleRate)
        early = latency
    }

    deinit { line.deallocate() }

    /// Takes frames, and gives those back whose gain is known by now.
    package func add<Failure: Error>(
        _ block: Channels, count: Int, _ body: (Channels, Int) throws(Failure) -> Void
    ) throws(Failure) {
        for start in stride(from: 0, to: count, by: Block.frames()) {
            let run = min(Block.frames(), count - start)
            memory.channels.copy(block.from(start), run)
            try limit(run, body)
        }
    }

    /// Gives back what is left; behind it is silence.
    package func finish<Failure: Error>(_ body: (Channels, Int) throws(Failure) -> Void) throws(Failure) {
        line.finish()
        for start in stride(from: 0, to: latency, by: Block.frames()) {
            let run = min(Block.frames(), latency - start)
            memory.channels.clear(run)
            try limit(run, body)
        }
    }

    private func limit<Failure: Error>(
        _ count: Int, _ body: (Channels, Int) throws(Failure) -> Void
    ) throws(Failure) {
        line.process(memory.channels, setting, count)
        let dropped = min(early, count)
        early -= dropped
        if dropped < count { try body(memory.channels.from(dropped), count - dropped) }
    }
}
