import Engine
import Foundation
import Realtime
import Timeline

/// An engine of which all is heard: the mix, and each strip as it leaves by ports, some before their gains.
final class LiveDesk {
    let engine = PlaybackEngine(sampleRate: 48000, readAhead: ReadAhead(threads: 2))
    /// Left and right of the mix; and the left side of each strip but the master, as long as it is there.
    private(set) var heard: [[Float]]
    private let mics: [StripID]
    private let strips: [StripID]
    private let input: (Int, Int) -> Float
    private var clock: Int64 = 0
    /// The frame of the clock that counts as the first.
    private var origin: Int64 = .max
    /// How many frames it has been heard.
    var count: Int { heard[0].count }

    /// - Parameters:
    ///   - hasPorts: each strip is heard by ports of its own, too.
    ///   - input: what the track that hears something hears, of all such that one: the first is 0; at a frame
    ///     since `forget`, -1 before that.
    init(
        _ session: Session, _ library: MediaLibrary, hasPorts: Bool = true,
        input: @escaping (Int, Int) -> Float = { _, _ in 0 }
    ) {
        self.input = input
        mics = session.tracks.filter { $0.input != nil }.map(\.id)
        strips = hasPorts ? session.places.map { session[$0].id }.filter { $0 != .master } : []
        heard = Array(repeating: [], count: 2 + strips.count)
        engine.apply(session, library: library)
    }

    deinit { engine.close() }

    /// What comes is as if nothing had been heard yet.
    func forget() { (heard, origin) = (Array(repeating: [], count: heard.count), clock) }

    func render(_ count: Int) {
        engine.waitUntilFilled()
        // Behind what is heard what comes in, and the right sides of ports.
        let memory = ChannelMemory(heard.count + mics.count + strips.count, frames: count)
        memory.channels.clear(count)
        var ins = mics.enumerated().map { number, mic in
            let samples = memory.channels.channel(heard.count + number)
            for i in 0..<count {
                samples[i] = input(number, origin == .max ? -1 : Int(clock - origin) + i)
            }
            var input = DirectIn(engine.stripHandle(mic)!)
            (input.buffers[0], input.buffers[1]) = (samples, samples)
            return input
        }
        var outs = strips.enumerated().compactMap { place, strip -> DirectOut? in
            guard let handle = engine.stripHandle(strip) else { return nil }
            var out = DirectOut(handle, place % 3 == 1 ? .pre : .post)
            out.buffers[0] = memory.channels.channel(2 + place)
            out.buffers[1] = memory.channels.channel(heard.count + mics.count + place)
            return out
        }
        ins.withUnsafeMutableBufferPointer { ins in
            outs.withUnsafeMutableBufferPointer { outs in
                engine.mixer.audioSide.render(
                    memory.channels.channel(0), memory.channels.channel(1), count, waits: true,
                    outs: DirectOuts(outs.baseAddress!, count: outs.count),
                    ins: ins.isEmpty ? nil : DirectIns(ins.baseAddress!, count: ins.count))
            }
        }
        engine.poll()
        for place in heard.indices {
            heard[place] += UnsafeBufferPointer(start: memory.channels.channel(place), count: count)
        }
        clock += Int64(count)
    }
}
