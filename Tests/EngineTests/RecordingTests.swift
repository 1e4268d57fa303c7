import AudioFile
import Engine
import Foundation
import Realtime
import TestSupport
import Testing
import Timeline

private let rate: Int32 = 8000
private let fade = 40

/// A stretch of what came in without a gap, and where on the timeline it lies.
private struct Stretch: Equatable {
    var start: Int
    var left: [Float] = []
    var right: [Float] = []
}

/// An engine whose tracks have inputs, beside a page that knows what of them is to be on the disk. What is
/// asked takes effect with the next callback, and each is longer than a stop or a crossfade.
private final class Studio {
    let engine = PlaybackEngine(sampleRate: rate)
    private var session = Session()
    private let library: MediaLibrary
    private var clock = 0
    // What the contract knows: where the playhead is, whether it rolls, what is to be recorded.
    private var position = 0
    private var rolls = false
    private var isStopping = false
    private var loop: Range<Int>?
    private var punch: Range<Int>?
    private var asked = 0
    /// What was played in each frame so far: what is heard of it comes in later.
    private var played: [Played] = []
    private var open: [Int: Stretch] = [:]
    private var expected: [Int: [Stretch]] = [:]
    private var seed: Seeded
    /// By how much what comes in for each track is late.
    private let latencies: [Int]

    private struct Played {
        let position: Int
        let isRecorded: Bool
        let armed: [Int]
        let asked: Int
    }

    init(_ folder: String, tracks: Int, seed: UInt64) {
        library = MediaLibrary(folder: folder)
        var random = Seeded(state: seed)
        latencies = (0..<tracks).map { _ in [0, 0, 37, 700, 3000].randomElement(using: &random)! }
        self.seed = random
        armings = [Int](repeating: 0, count: tracks)
        session.sampleRate = rate
        engine.takesFolder = "\(folder)/takes-\(seed)"
        for number in 0..<tracks {
            var track = Track(name: "mic\(number)")
            track.input = Input(channels: 1 + number % 2)
            session.append(track)
        }
        for (track, latency) in zip(session.tracks, latencies) {
            engine.setLatency(latency, ofTrack: track.id)
        }
        engine.apply(session, library: library)
    }

    private func pick(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &seed) }

    private func incoming(_ track: Int, _ clock: Int) -> (Float, Float) {
        (Oracle.sample(track, clock), Oracle.sample(track + 7, clock))
    }

    /// How often a track was armed, an odd number while it is.
    private var armings: [Int]

    private func ask() {
        switch pick(0...8) {
        case 0, 1:
            engine.play()
            (rolls, isStopping) = (true, false)
        case 2:
            engine.stop()
            (isStopping, rolls) = (rolls, false)
        case 3:
            let frame = [0, pick(0...3000), position].randomElement(using: &seed)!
            engine.locate(Int64(frame))
            position = frame
            route()
        case 4:
            let start = pick(0...2000)
            wanted = pick(0...1) == 0 ? nil : start..<start + pick(100...900)
            engine.setLoop(wanted.map { Int64($0.lowerBound)..<Int64($0.upperBound) })
            route()
        case 5, 6:
            let start = pick(0...2500)
            punch = [nil, 0..<Int.max, 0..<Int.max, start..<start + pick(1...1500)].randomElement(
                using: &seed)!
            engine.record(punch.map { Int64($0.lowerBound)..<Int64($0.upperBound) })
            // Whoever asks anew begins another take.
            asked += 1
        default:
            let track = pick(0...session.tracks.count - 1)
            session.tracks[track].isArmed.toggle()
            armings[track] += 1
            engine.apply(session, library: library)
        }
    }

    private var wanted: Range<Int>?
    private func route() { loop = wanted.flatMap { position < $0.upperBound ? $0 : nil } }

    func render(_ count: Int) {
        engine.waitUntilFilled()
        let buffers = session.tracks.indices.map { index -> UnsafeMutablePointer<Float> in
            let buffer = UnsafeMutablePointer<Float>.allocate(capacity: 2 * count)
            for i in 0..<count { (buffer[i], buffer[count + i]) = incoming(index, clock + i) }
            return buffer
        }
        defer { for buffer in buffers { buffer.deallocate() } }
        var ins = session.tracks.indices.map { index -> DirectIn in
            var direct = DirectIn(engine.stripHandle(session.tracks[index].id)!)
            (direct.buffers[0], direct.buffers[1]) = (buffers[index], buffers[index] + count)
            return direct
        }
        var (left, right) = ([Float](repeating: 0, count: count), [Float](repeating: 0, count: count))
        ins.withUnsafeMutableBufferPointer { ins in
            engine.mixer.audioSide.render(
                &left, &right, count, waits: true, ins: DirectIns(ins.baseAddress!, count: ins.count))
        }
        for i in 0..<count {
            play(isFading: isStopping && i < fade)
            for track in session.tracks.indices { comeIn(track, clock + i) }
        }
        isStopping = false
        clock += count
        engine.poll()
        #expect(Int(engine.frame) == position)
    }

    private func play(isFading: Bool) {
        played.append(
            Played(
                position: position, isRecorded: rolls && punch?.contains(position) == true, armed: armings,
                asked: asked))
        guard rolls || isFading else { return }
        position += 1
        if let loop, position == loop.upperBound { position = loop.lowerBound }
    }

    /// What comes in now belongs to what was played by the latency earlier.
    private func comeIn(_ track: Int, _ now: Int) {
        let heard = now - latencies[track]
        let (was, before) = (heard < 0 ? nil : played[heard], heard < 1 ? nil : played[heard - 1])
        let isRecorded = was.map { $0.isRecorded && $0.armed[track] % 2 == 1 } ?? false
        let goesOn =
            isRecorded && before != nil && before!.armed[track] == was!.armed[track]
            && before!.asked == was!.asked && before!.position + 1 == was!.position
        if let take = open[track], !goesOn {
            expected[track, default: []].append(take)
            open[track] = nil
        }
        guard isRecorded else { return }
        let (left, right) = incoming(track, now)
        open[track, default: Stretch(start: was!.position)].left.append(left)
        open[track]!.right.append(session.tracks[track].input!.channels == 1 ? left : right)
    }

    /// Plays at random, and compares all files with what belongs in them.
    func run(callbacks: Int) throws {
        for _ in 0..<callbacks {
            if pick(0...1) == 0 { ask() }
            render(pick(64...500))
        }
        engine.close()
        for (index, take) in open { expected[index, default: []].append(take) }
        var found: [Int: [Stretch]] = [:]
        for take in engine.takeFinishedTakes() {
            if let failure = take.failure { throw failure }
            #expect(take.lost == 0)
            let reader = try ChannelReader(path: take.path, channels: nil, sampleRate: rate)
            let count = Int(reader.frames)
            var stretch = Stretch(
                start: Int(take.start), left: [Float](repeating: 0, count: count),
                right: [Float](repeating: 0, count: count))
            try reader.read(from: 0, count: count, left: &stretch.left, right: &stretch.right)
            #expect(Int64(count) == take.frames)
            found[session.index(of: take.track)!, default: []].append(stretch)
        }
        // In which order files are done is nobody's affair.
        func sorted(_ takes: [Int: [Stretch]]) -> [Int: [Stretch]] {
            takes.mapValues { $0.sorted { ($0.start, $0.left.first ?? 0) < ($1.start, $1.left.first ?? 0) } }
        }
        #expect(sorted(found) == sorted(expected))
    }
}

@Suite struct RecordingTests {
    /// Play, stop, locate, loop, record and arm in random order: what is in the files is what came in, each
    /// in its place.
    @Test(arguments: 1...100) func aTakeLiesWhereItWasPlayedTo(seed: UInt64) throws {
        print("seed \(seed)")
        let folder = TemporaryFolder()
        try withExtendedLifetime(folder) { try Studio(folder.path, tracks: 3, seed: seed).run(callbacks: 60) }
    }

    /// Whoever arms for later and disarms at once has disarmed, also where the queue of orders ran over in
    /// between: what took sound to the disk is gone.
    @Test(arguments: [false, true]) func aDisarmedTrackRecordsNothing(overflows: Bool) throws {
        let folder = TemporaryFolder()
        let engine = PlaybackEngine(sampleRate: rate)
        defer { engine.close() }
        engine.takesFolder = folder("takes")
        var session = Session()
        session.sampleRate = rate
        for name in ["mic", "keys"] {
            var track = Track(name: name)
            track.input = Input()
            session.append(track)
        }
        var samples = [Float](repeating: 0.5, count: 256)
        func render(_ times: Int) {
            for _ in 0..<times {
                engine.waitUntilFilled()
                var (left, right) = ([Float](repeating: 0, count: 256), [Float](repeating: 0, count: 256))
                samples.withUnsafeMutableBufferPointer { samples in
                    var ins = session.tracks.map { track -> DirectIn in
                        var direct = DirectIn(engine.stripHandle(track.id)!)
                        (direct.buffers[0], direct.buffers[1]) = (samples.baseAddress!, samples.baseAddress!)
                        return direct
                    }
                    ins.withUnsafeMutableBufferPointer {
                        engine.mixer.audioSide.render(
                            &left, &right, 256, waits: true, ins: DirectIns($0.baseAddress!, count: $0.count))
                    }
                }
                engine.poll()
            }
        }
        func arm(_ index: Int, _ flag: Bool) {
            session.tracks[index].isArmed = flag
            engine.apply(session, library: folder.library)
        }
        engine.apply(session, library: folder.library)
        render(1)
        if overflows {
            arm(0, true)
            render(2)
            for i in 0..<20_000 { engine.setFader(session.tracks[1].id, to: Double(i % 2)) }
            arm(0, false)
        } else {
            engine.together(at: engine.clock + 300) { arm(0, true) }
            arm(0, false)
        }
        render(200)
        // What is armed next may lie where that was.
        arm(1, true)
        engine.record(0..<Int64.max)
        engine.play()
        render(8)
        engine.close()
        let takes = engine.takeFinishedTakes()
        #expect(takes.map(\.track) == [session.tracks[1].id])
        #expect(takes.map { Int($0.frames) } == [8 * 256])
    }

    /// A disk that is late: what found no room is silent in its place, and counted.
    @Test func framesThatTheDiskMissedAreSilenceInTheirPlace() throws {
        let folder = TemporaryFolder()
        let capture = Capture(
            track: StripID(rawValue: 1), .init(name: "mic", channels: 1), width: 2, frames: 256)
        var samples = (0..<1300).map { Float($0 + 1) }
        samples.withUnsafeMutableBufferPointer { samples in
            for block in stride(from: 0, to: 1300, by: 100) {
                let pointer = samples.baseAddress! + block
                capture.cursor.pointee.give(Channels(pointer, pointer), at: Int64(5000 + block), 100, pass: 1)
                // The disk comes by twice.
                if block == 400 || block == 700 {
                    #expect(capture.write(to: folder.path, of: "s.json", rate).isEmpty)
                }
            }
        }
        capture.cursor.pointee.finish()
        let take = try #require(capture.write(to: folder.path, of: "s.json", rate).first)
        #expect(
            take.start == 5000 && take.frames == 1300 && take.lost == Int64(capture.lost) && take.lost > 0)
        let reader = try ChannelReader(path: take.path, channels: nil, sampleRate: rate)
        var (left, right) = ([Float](repeating: 9, count: 1300), [Float](repeating: 9, count: 1300))
        try reader.read(from: 0, count: 1300, left: &left, right: &right)
        #expect(left[999] == 1000 && left[1000...] == Array(repeating: 0, count: 300)[...], "its end too")
        #expect(left.indices.allSatisfy { left[$0] == 0 || left[$0] == Float($0 + 1) })
        #expect(left.filter { $0 == 0 }.count == Int(take.lost))
    }

    /// Once a file could not be made, nothing more of its pass is written; of the next pass it is.
    @Test func aTakeThatCouldNotBeginIsNotBegunInTheMiddle() throws {
        let folder = TemporaryFolder()
        try Data().write(to: URL(fileURLWithPath: folder("full")))
        let capture = Capture(track: StripID(rawValue: 1), .init(name: "mic", channels: 1), width: 2)
        var samples = [Float](repeating: 0.5, count: 100)
        func give(at frame: Int64, pass: Int) {
            samples.withUnsafeMutableBufferPointer {
                let pointer = $0.baseAddress!
                capture.cursor.pointee.give(Channels(pointer, pointer), at: frame, 100, pass: pass)
            }
        }
        give(at: 0, pass: 1)
        let failed = capture.write(to: folder("full"), of: "s.json", rate)
        #expect(failed.count == 1 && failed[0].failure != nil && failed[0].frames == 0)
        // The folder is there again, and frames of the pass come behind a gap.
        give(at: 200, pass: 1)
        #expect(capture.write(to: folder.path, of: "s.json", rate).isEmpty && capture.presentPass == 0)
        give(at: 400, pass: 2)
        #expect(capture.write(to: folder.path, of: "s.json", rate).isEmpty && capture.presentPass == 2)
        capture.cursor.pointee.finish()
        let takes = capture.write(to: folder.path, of: "s.json", rate)
        #expect(takes.map(\.start) == [400] && takes[0].frames == 100)
    }

    /// More beginnings and ends than the way to the disk has room for: none of what is in the files lies in
    /// another place than it was played to.
    @Test func manyShortPassesKeepTheirPlaces() throws {
        let folder = TemporaryFolder()
        let capture = Capture(track: StripID(rawValue: 1), .init(name: "mic", channels: 1), width: 2)
        var samples = [Float](repeating: 0, count: 8)
        var takes: [Take] = []
        for pass in 1...500 {
            for i in 0..<8 { samples[i] = Float(pass * 8 + i) }
            samples.withUnsafeMutableBufferPointer {
                capture.cursor.pointee.give(
                    Channels($0.baseAddress!, $0.baseAddress!), at: Int64(pass * 8 % 64), 8, pass: pass)
            }
            capture.cursor.pointee.finish()
            if pass % 60 == 0 { takes += capture.write(to: folder.path, of: "s.json", rate) }
        }
        capture.isOver.store(true, ordering: .releasing)
        takes += capture.write(to: folder.path, of: "s.json", rate)
        #expect(takes.count > 100)
        for take in takes {
            let reader = try ChannelReader(path: take.path, channels: nil, sampleRate: rate)
            var (left, right) = (
                [Float](repeating: 0, count: Int(take.frames)), [Float](repeating: 0, count: Int(take.frames))
            )
            try reader.read(from: 0, count: Int(take.frames), left: &left, right: &right)
            for (i, sample) in left.enumerated() where sample != 0 {
                #expect(Int(sample) % 64 == (Int(take.start) + i) % 64)
            }
        }
    }

    /// A file of a take says where it begins, and is whole whenever its header has been saved.
    @Test func aTakeIsWholeFromItsBeginning() throws {
        let folder = TemporaryFolder()
        let writer = try TakeWriter(
            in: .init(folder.path), name: "mic", places: [0, 1], sampleRate: rate, start: 5 << 32 + 12345)
        let block = [Float](repeating: 0.5, count: 4000)
        try writer.write(left: block, right: block, count: 4000)
        writer.saveHeader()
        #expect(try ChannelReader(path: writer.path, channels: nil, sampleRate: rate).frames == 4000)
        try writer.write(left: block, right: block, count: 1000)
        #expect(try ChannelReader(path: writer.path, channels: nil, sampleRate: rate).frames == 4000)
        try writer.finish()
        #expect(try ChannelReader(path: writer.path, channels: nil, sampleRate: rate).frames == 5000)
        // EBU Tech 3285: a description of 256 letters, two names of 32, a date and a time of 18 stand before.
        let bytes = try Data(contentsOf: URL(fileURLWithPath: writer.path))
        let chunk = try #require(bytes.range(of: Data("bext".utf8))).upperBound + 4
        let reference = bytes[(chunk + 338)..<(chunk + 346)].reversed().reduce(0) { $0 << 8 | UInt64($1) }
        #expect(reference == 5 << 32 + 12345)
        let next = try TakeWriter(
            in: .init(folder.path), name: "mic", places: [0], sampleRate: rate, start: 0)
        #expect(next.path.hasSuffix("mic-2.wav"))
        try next.finish()
        #expect(!FileManager.default.fileExists(atPath: next.path))
        // A clip plays the second, which is not there at present.
        let third = try TakeWriter(
            in: .init(folder.path, known: ["mic-2.wav"]), name: "mic", places: [0], sampleRate: rate, start: 0
        )
        #expect(third.path.hasSuffix("mic-3.wav"))
    }
}
