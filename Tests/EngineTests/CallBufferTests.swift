import Engine
import Realtime
import TestSupport
import Testing
import Timeline

/// The buffers of single strips are those of one call: a later call that brings none touches them no more.
@Suite struct CallBufferTests {
    private let folder = TemporaryFolder()
    private let frames = 512

    private func render(_ engine: PlaybackEngine, outs: [DirectOut] = [], ins: [DirectIn] = []) -> [Float] {
        var (outs, ins) = (outs, ins)
        var (left, right) = ([Float](repeating: 9, count: frames), [Float](repeating: 9, count: frames))
        outs.withUnsafeMutableBufferPointer { outs in
            ins.withUnsafeMutableBufferPointer { ins in
                engine.mixer.audioSide.render(
                    &left, &right, frames, waits: true,
                    outs: outs.isEmpty ? nil : DirectOuts(outs.baseAddress!, count: outs.count),
                    ins: ins.isEmpty ? nil : DirectIns(ins.baseAddress!, count: ins.count))
            }
        }
        engine.poll()
        return left
    }

    @Test func aBufferThatAStripHasLeftIsNotWritten() throws {
        try folder.file("a.wav", frames: 48000) { _ in (0.5, 0.5) }
        let session = try Session.of("a.wav", "a.wav")
        let stepper = Stepper(playing: session, folder)
        let engine = stepper.engine
        let memory = [ChannelMemory(2, frames: frames), ChannelMemory(2, frames: frames)]
        let ids = session.tracks.map(\.id)
        func out(_ index: Int) -> DirectOut {
            var out = DirectOut(engine.stripHandle(ids[index])!, .post)
            for channel in 0..<2 { out.buffers[channel] = memory[index].channels.channel(channel) }
            return out
        }
        _ = render(engine, outs: [out(0), out(1)])
        #expect(memory[0].channels.channel(0)[100] == 0.5 && memory[1].channels.channel(1)[100] == 0.5)
        for channel in 0..<2 { memory[0].channels.channel(channel)[100] = 7 }
        _ = render(engine, outs: [out(1)])
        #expect(memory[0].channels.channel(0)[100] == 7 && memory[0].channels.channel(1)[100] == 7)
        #expect(memory[1].channels.channel(0)[100] == 0.5)
    }

    @Test func aBlockOfInputIsHeardOnce() throws {
        var session = Session()
        for name in ["one", "other"] {
            var track = Track(name: name)
            (track.input, track.monitor) = (Input(channels: 1), .input)
            session.append(track)
        }
        let engine = PlaybackEngine(sampleRate: 48000)
        defer { engine.close() }
        engine.apply(session, library: folder.library)
        engine.waitUntilFilled()
        let memory = [ChannelMemory(1, frames: frames), ChannelMemory(1, frames: frames)]
        let inputs = session.tracks.enumerated().map { index, track in
            let channel = memory[index].channels.channel(0)
            for frame in 0..<frames { channel[frame] = index == 0 ? 0.25 : 0.5 }
            var input = DirectIn(engine.stripHandle(track.id)!, channels: 1)
            input.buffers[0] = channel
            return input
        }
        withExtendedLifetime(memory) {
            for _ in 0..<3 { _ = render(engine, ins: inputs) }
            #expect(render(engine, ins: inputs)[100] == 0.75)
            #expect(render(engine, ins: [inputs[1]])[100] == 0.5, "the first has no buffers in this call")
            #expect(render(engine)[100] == 0)
        }
    }
}
