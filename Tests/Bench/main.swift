import AudioFile
import Engine
import Glibc
import JSON
import OSC
import Realtime
import Remote
import Timeline

// The parts on their own, without JACK and without a network: scripts/bench runs it. Prints a JSON object of
// figures. usage: Bench FOLDER [render TRACKS FRAMES BLOCKS [SENDS OPEN]], with t.wav (24 bit) and t.flac in
// FOLDER, stereo, 60 s at 48 kHz.

let folder = CommandLine.arguments[1]

/// The shortest of several runs, in nanoseconds.
func shortest(of runs: Int = 5, _ body: () throws -> Void) rethrows -> Double {
    var best = UInt64.max
    for _ in 0..<runs {
        let start = monotonicNanoseconds()
        try body()
        best = min(best, monotonicNanoseconds() - start)
    }
    return Double(best)
}

func session(tracks: Int, events: Int = 0, clips: Int = 1) throws -> Session {
    var session = Session()
    for number in 0..<tracks {
        var track = Track(name: "t\(number)")
        for clip in 0..<clips {
            var placed = Clip(file: "t.wav")
            placed.at = MediaTime(frame: Int64(clip) * 4800, rate: 48000)
            if clips > 1 { placed.duration = MediaTime(frame: 4800, rate: 48000) }
            track.clips.append(placed)
        }
        for event in 0..<events {
            let start = MediaTime(frame: Int64(event) * 24, rate: 48000)
            try track.automation.setRamp(
                from: 0.5, to: 0.6, over: TimeRange(start: start, duration: MediaTime(frame: 24, rate: 48000))
            )
        }
        session.append(track)
    }
    return session
}

/// The same tracks with a bus for each of so many sends of every track.
func desk(tracks: Int, sends: Int, open: Int, volume: Double = 0.5) throws -> Session {
    var session = try session(tracks: tracks)
    let buses = (0..<sends).map { session.addBus(named: "b\($0)") }
    for track in 1...tracks {
        for (number, bus) in buses.enumerated() {
            session.setSend(of: .track(track), to: bus) { $0.volume = number < open ? volume : 0 }
        }
    }
    return session
}

/// The same tracks with an equaliser of four bands and a compressor each, and a gate and a limiter where it
/// is to be everything.
func voices(tracks: Int, isOn: Bool, hasAll: Bool) throws -> Session {
    var session = try session(tracks: tracks)
    for track in 1...tracks {
        var (equaliser, compressor, gate, limiter) = (Equaliser(), Compressor(), Gate(), Limiter())
        for (band, gain) in [-3.0, 4, -5, 3].enumerated() { equaliser.bands[band].gain = gain }
        (equaliser.isOn, compressor.isOn, gate.isOn, limiter.isOn) = (isOn, isOn, isOn, isOn)
        (session[.track(track)].equaliser, session[.track(track)].compressor) = (equaliser, compressor)
        if hasAll { (session[.track(track)].gate, session[.track(track)].limiter) = (gate, limiter) }
    }
    return session
}

/// Tracks that all duck by the first one's signal.
func ducked(tracks: Int) throws -> Session {
    var session = try session(tracks: tracks)
    let key = session.tracks[0].id
    for track in session.tracks.dropFirst() {
        var duck = Duck(track: track.id, under: key, to: 0.3)
        duck.goBySignal()
        session.ducks.append(duck)
    }
    return session
}

/// The mixer stepped by hand over streams that are read ahead: what the callback does, without the disk. No
/// more blocks than what is read ahead holds.
/// - Parameters:
///   - isCold: a mebibyte of something else goes through the processor's cache before each block, as between
///     two periods.
///   - locate: goes elsewhere before each run of so many blocks.
/// - Returns: nanoseconds for each block.
func render(
    _ session: Session, frames: Int, blocks: Int, isCold: Bool = false, locate: Int? = nil
) -> [UInt64] {
    let engine = PlaybackEngine(sampleRate: 48000)
    defer { engine.close() }
    engine.apply(session, library: MediaLibrary(folder: folder))
    engine.play()
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * frames)
    defer { memory.deallocate() }
    let between = UnsafeMutablePointer<UInt8>.allocate(capacity: 1 << 20)
    defer { between.deallocate() }
    func fill() {
        engine.waitUntilFilled()
        usleep(500_000)
    }
    fill()
    var times: [UInt64] = []
    for block in 0..<blocks {
        if let locate, block % locate == 0 {
            engine.locate(Int64(block * 1000))
            fill()
        }
        if isCold { between.update(repeating: UInt8(truncatingIfNeeded: block), count: 1 << 20) }
        let start = monotonicNanoseconds()
        engine.mixer.audioSide.render(memory, memory + frames, frames, waits: false)
        times.append(monotonicNanoseconds() - start)
        engine.poll()
    }
    return times
}

/// The same of 32 tracks that hear two channels each.
/// - Parameter isArmed: what comes in goes to the disk too, while it rolls.
func renderInputs(frames: Int, blocks: Int, isArmed: Bool) -> [UInt64] {
    let engine = PlaybackEngine(sampleRate: 48000)
    defer { engine.close() }
    engine.takesFolder = folder + "/takes"
    var session = Session()
    for number in 0..<32 {
        var track = Track(name: "in\(number)")
        (track.input, track.isArmed) = (Input(channels: 2), isArmed)
        session.append(track)
    }
    engine.apply(session, library: MediaLibrary(folder: folder))
    if isArmed {
        engine.record(0..<Int64.max)
        engine.play()
    }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * frames)
    memory.initialize(repeating: 0.1, count: 4 * frames)
    defer { memory.deallocate() }
    engine.waitUntilFilled()
    var ins = session.tracks.map { track in
        var input = DirectIn(engine.stripHandle(track.id)!)
        (input.buffers[0], input.buffers[1]) = (memory + 2 * frames, memory + 3 * frames)
        return input
    }
    return ins.withUnsafeMutableBufferPointer { ins in
        (0..<blocks).map { block in
            // As the recorder has time for what is given between two periods.
            if isArmed, block % 64 == 0 { usleep(60_000) }
            let start = monotonicNanoseconds()
            engine.mixer.audioSide.render(
                memory, memory + frames, frames, waits: false,
                ins: DirectIns(ins.baseAddress!, count: ins.count))
            defer { engine.poll() }
            return monotonicNanoseconds() - start
        }
    }
}

func mean(_ times: [UInt64]) -> Double { Double(times.reduce(0, +)) / Double(times.count) }

func median(_ times: [UInt64]) -> Double { Double(times.sorted()[times.count / 2]) }

func decode(_ file: String) throws -> Double {
    let reader = try ChannelReader(path: folder + "/" + file, channels: nil, sampleRate: 48000)
    let memory = ChannelMemory(2, frames: 8192)
    return try shortest {
        var place: Int64 = 0
        while place < reader.frames {
            try reader.read(from: place, count: 8192, into: memory.channels)
            place += 8192
        }
    } / 60
}

if CommandLine.arguments.count > 5 {
    // A fixed amount of work, for counting instructions.
    let numbers = CommandLine.arguments[3...].compactMap { Int($0) }
    let sends = numbers.count > 3 ? numbers[3] : 0
    _ = render(
        try desk(tracks: numbers[0], sends: sends, open: numbers.count > 4 ? numbers[4] : 0),
        frames: numbers[1], blocks: numbers[2])
    exit(0)
}

var figures = JSONObject()
for frames in [64, 256, 1024] {
    let one = try session(tracks: 64)
    figures["render 64 tracks, \(frames) frames, ns a track and frame"] = .number(
        mean(render(one, frames: frames, blocks: 40000 / frames)) / Double(64 * frames))
}
let wide = try session(tracks: 512, events: 3)
figures["512 tracks, 64 frames, caches cold: a block, us"] = .number(
    median(render(wide, frames: 64, blocks: 400, isCold: true)) / 1000)
for (open, name) in [(0, "all closed"), (1, "one of each track open"), (64, "all open")] {
    figures["256 tracks, 64 buses, 16,384 sends, \(name), 64 frames: a block, us"] = .number(
        median(render(try desk(tracks: 256, sends: 64, open: open), frames: 64, blocks: 200)) / 1000)
}
for (isArmed, name) in [(false, "heard"), (true, "heard and recorded")] {
    figures["inputs of 64 channels, \(name), 64 frames: ns a channel and block"] = .number(
        median(renderInputs(frames: 64, blocks: 1000, isArmed: isArmed)) / 64)
}
let located = render(wide, frames: 64, blocks: 80, isCold: true, locate: 8)
for (number, name) in ["first", "second"].enumerated() {
    figures["the same after a locate: the \(name) block, us"] = .number(
        median(stride(from: number, to: located.count, by: 8).map { located[$0] }) / 1000)
}
// In turn, so that what else the machine does meets both.
var (withoutAny, withOff, withDucks, withoutDucks): ([Double], [Double], [Double], [Double]) = (
    [], [], [], []
)
let plain = try session(tracks: 512)
for _ in 0..<9 {
    withoutAny.append(median(render(plain, frames: 64, blocks: 400)))
    withOff.append(
        median(render(try voices(tracks: 512, isOn: false, hasAll: true), frames: 64, blocks: 400)))
    withoutDucks.append(median(render(try session(tracks: 65), frames: 64, blocks: 400)))
    withDucks.append(median(render(try ducked(tracks: 65), frames: 64, blocks: 400)))
}
figures["512 tracks whose processors are off, against none, 64 frames: times"] = .number(
    withOff.sorted()[4] / withoutAny.sorted()[4])
figures["a duck by signal, 64 frames: a block, us"] = .number(
    (withDucks.sorted()[4] - withoutDucks.sorted()[4]) / 64 / 1000)
let (dry, wet) = (try session(tracks: 64), try voices(tracks: 64, isOn: true, hasAll: false))
figures["an equaliser of four bands and a compressor, 64 frames: a block, us"] =
    .number(
        (median(render(wet, frames: 64, blocks: 400)) - median(render(dry, frames: 64, blocks: 400))) / 64
            / 1000)

for events in [10, 1000, 100_000] {
    figures["render a track with \(events) ramps, 64 frames, ns a block"] = .number(
        mean(render(try session(tracks: 1, events: events), frames: 64, blocks: 600)))
}

let ring = SampleRing(capacity: 65536)
let samples = [Float](repeating: 0.5, count: 4096)
var written = 0
figures["ring: 4096 frames in and out, ns a frame"] = .number(
    shortest {
        for _ in 0..<1000 {
            var left = 4096
            while left > 0 {
                let done = ring.write(left) { block, count in
                    for channel in 0..<2 { block.channel(channel).update(from: samples, count: count) }
                    return count
                }
                left -= done
                written += done
            }
            precondition(ring.available(from: written - 4096) == 4096)
            ring.consume(upTo: written)
        }
    } / 4_096_000)
ring.destroy()

figures["decode 24-bit WAV, times real time"] = .number(1e9 / (try decode("t.wav")))
figures["decode FLAC, times real time"] = .number(1e9 / (try decode("t.flac")))

let long = try session(tracks: 1, events: 100_000, clips: 10_000)
let library = MediaLibrary(folder: folder)
figures["compile 10,000 clips and 100,000 events, ms"] = .number(
    shortest { _ = Arrangement(long, library: library, sampleRate: 48000) } / 1e6)
figures["compile 512 tracks, ms"] = .number(
    shortest { _ = Arrangement(wide, library: library, sampleRate: 48000) } / 1e6)

let packet = OSCMessage("/track/12/volume", .float(0.5)).packet
figures["OSC: a packet to a command, ns"] = .number(
    try shortest {
        for _ in 0..<10_000 {
            for (_, message) in try OSCPacket(packet).messages { _ = try Command.commands(of: message) }
        }
    } / 10_000)
print(JSONValue.object(figures).prettyText())
