import AudioFile
import Engine
import Foundation
import Realtime
import Speakers
import TestSupport
import Testing
import Timeline

private let frames = WideDesk.frames

/// Strips of all widths, changed at random while they play.
@Suite struct ChannelTests {
    private let folder = TemporaryFolder()

    private func desk(_ random: inout Seeded) throws -> (Session, [SpeakerLayout]) {
        var session = Session()
        session.addBus(named: "first", layout: .allCases.randomElement(using: &random)!)
        session.addBus(named: "second", layout: .allCases.randomElement(using: &random)!)
        var files: [SpeakerLayout] = []
        for number in 0..<3 {
            let file = SpeakerLayout.allCases.randomElement(using: &random)!
            var track = Track(name: "t\(number)", layout: wider(than: file, &random))
            track.clips = [Clip(file: try folder.file(file))]
            files.append(file)
            session.append(track)
        }
        for place in session.places where place != .master {
            session[place].fader = Double.random(in: 0...1, using: &random)
            session[place].pan = [0, 0, 0.25, -0.5, 1].randomElement(using: &random)!
        }
        return (session, files)
    }

    private func wider(than file: SpeakerLayout, _ random: inout Seeded) -> SpeakerLayout {
        SpeakerLayout.allCases.filter { $0 >= file && (file != .mono || $0 == .mono || $0 >= .stereo) }
            .randomElement(using: &random)!
    }

    private func change(_ session: inout Session, _ files: [SpeakerLayout], _ random: inout Seeded) -> String
    {
        let (track, bus) = (Int.random(in: 0..<3, using: &random), Int.random(in: 0..<2, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 5:
            let places = [StripPlace.track(track + 1), .bus(1)]
            guard
                let (place, send) = places.flatMap({ place in session[place].sends.map { (place, $0) } })
                    .randomElement(using: &random)
            else { return "no matrix" }
            let (from, to) = (session[place].layout, session.layout(of: send.bus))
            let matrix = try? SendMatrix(
                (0..<to.channels).map { _ in
                    (0..<from.channels).map { _ in
                        [0, 0, 1, Double.random(in: -0.5...0.5, using: &random)].randomElement(
                            using: &random)!
                    }
                })
            session.setSend(of: place, to: send.bus) {
                $0.matrix = Bool.random(using: &random) ? matrix : nil
            }
            return "matrix of \(place) \(session[place].send(to: send.bus)!.matrix?.text ?? "standard")"
        case 0:
            session.setLayout(wider(than: files[track], &random), of: .track(track + 1))
            return "t\(track) has \(session.tracks[track].layout)"
        case 1:
            let place = StripPlace.bus(bus + 1)
            session.setLayout(.allCases.randomElement(using: &random)!, of: place)
            return "bus \(bus) has \(session[place].layout)"
        case 2:
            session.tracks[track].strip.output = [
                .master, .none, .bus(session.buses[0].id), .bus(session.buses[1].id),
            ].randomElement(using: &random)!
            return "t\(track) to \(session.tracks[track].output)"
        case 3:
            session[.bus(1)].output = [.master, .none, .bus(session.buses[1].id)].randomElement(
                using: &random)!
            return "first to \(session.buses[0].output)"
        default:
            let place = [StripPlace.track(track + 1), .bus(1)].randomElement(using: &random)!
            let target = place == .bus(1) ? session.buses[1].id : session.buses[bus].id
            if session[place].send(to: target) != nil {
                session.removeSend(of: place, to: target)
            } else {
                let (volume, pan) = (
                    Double.random(in: 0...1, using: &random), [0, 0.5, -1].randomElement(using: &random)!
                )
                session.setSend(of: place, to: target) { ($0.volume, $0.pan) = (volume, pan) }
            }
            return "send of \(place)"
        }
    }

    @Test(arguments: UInt64(1)...40) func anyWidthIsMixedAsTheTablesSay(seed: UInt64) throws {
        var random = Seeded(state: seed)
        var (session, files) = try desk(&random)
        let stepper = Stepper(playing: session, folder)
        var (before, log) = (WideDesk(session: session, files: files), ["\(files)"])
        let fade = 240
        for _ in 0..<40 {
            log.append(change(&session, files, &random))
            stepper.engine.apply(session, library: folder.library)
            stepper.settle()
            let start = stepper.left.count
            while stepper.left.count < start + 400 { stepper.render(Int.random(in: 1...300, using: &random)) }
            let now = WideDesk(session: session, files: files)
            for frame in start..<stepper.left.count {
                let share = max(0, Double(fade - (frame - start)) / Double(fade))
                let new = now.sum(.master, at: frame)
                let old = share > 0 ? before.sum(.master, at: frame) : new
                for (channel, heard) in [stepper.left[frame], stepper.right[frame]].enumerated() {
                    let expected = new[channel] + (old[channel] - new[channel]) * share
                    if abs(Double(heard) - expected) < 2e-6 { continue }
                    Issue.record(
                        """
                        seed \(seed), frame \(frame - start), channel \(channel): \(heard) where \(expected) \
                        belongs\n\(log.joined(separator: "\n"))
                        """
                    )
                    return
                }
            }
            before = now
        }
    }

    /// Each strip by itself, with its channels, in slices and in one go: the same samples, and those of the
    /// model.
    @Test(arguments: UInt64(1)...12) func anyStripIsRenderedWithItsChannels(seed: UInt64) throws {
        var random = Seeded(state: seed + 1000)
        var (session, files) = try desk(&random)
        for _ in 0..<8 { _ = change(&session, files, &random) }
        let desk = WideDesk(session: session, files: files)
        for place in session.places {
            var render = OfflineRender(session, library: folder.library, frames: 100..<2100)
            (render.strip, render.jobs) = (session[place].id, 1)
            var first: [[Float]] = []
            try render.mix { block, count, _ throws(AudioFileError) in
                first = (0..<block.count).map {
                    Array(UnsafeBufferPointer(start: block.channel($0), count: count))
                }
                return true
            }
            #expect(first.count == session.layout(of: session[place].id).channels)
            let expected = (100..<2100).map { desk.strip(place, at: $0) }
            for (channel, samples) in first.enumerated() {
                let worst = samples.indices.map { abs(Double(samples[$0]) - expected[$0][channel]) }.max()!
                #expect(worst < 2e-6, "seed \(seed), \(place), channel \(channel)")
            }
        }
    }

    /// At unity a file of any width is its strip's sound, bit for bit.
    @Test(arguments: SpeakerLayout.allCases) func atUnityTheOutputIsTheFileOnAnyLayout(
        layout: SpeakerLayout
    ) throws {
        var session = Session()
        var track = Track(name: "t", layout: layout)
        track.clips = [Clip(file: try folder.file(layout, frames: 150_000))]
        session.append(track)
        session.addBus(named: "wide", layout: layout)
        session.tracks[0].strip.output = .bus(session.buses[0].id)
        for (strip, jobs) in [(session.tracks[0].id, 1), (session.buses[0].id, 1), (session.buses[0].id, 2)] {
            var render = OfflineRender(session, library: folder.library)
            (render.strip, render.jobs) = (strip, jobs)
            var place = 0
            try render.mix { block, count, _ throws(AudioFileError) in
                for channel in 0..<layout.channels {
                    let isSame = (0..<count).allSatisfy {
                        block.channel(channel)[$0]
                            == WideDesk.sample(place + $0, channel, of: layout.channels)
                    }
                    #expect(isSame && block.count == layout.channels)
                }
                place += count
                return true
            }
            #expect(place == 150_000)
        }
    }

    /// Six ports, one of which gives what is no number: heard, measured and recorded channel by channel.
    @Test func aWideInputIsHeardMeasuredAndRecorded() throws {
        var session = Session()
        var track = Track(name: "room")
        track.input = Input(channels: 6)
        track.isArmed = true
        session.append(track)
        let id = session.tracks[0].id
        let engine = PlaybackEngine(sampleRate: 48000)
        engine.takesFolder = folder("takes")
        engine.apply(session, library: folder.library)
        engine.record(0..<Int64.max)
        engine.play()
        let incoming = ChannelMemory(6, frames: 256)
        var own = [[Float]](repeating: [], count: 6)
        for block in 0..<20 {
            engine.waitUntilFilled()
            for channel in 0..<6 {
                for i in 0..<256 {
                    incoming.channels.channel(channel)[i] = WideDesk.sample(block * 256 + i, channel, of: 6)
                }
            }
            if block == 3 { incoming.channels.channel(4)[7] = .nan }
            var input = DirectIn(engine.stripHandle(id)!)
            for channel in 0..<6 { input.buffers[channel] = incoming.channels.channel(channel) }
            let outgoing = ChannelMemory(6, frames: 256)
            var out = DirectOut(engine.stripHandle(id)!, .post)
            for channel in 0..<6 { out.buffers[channel] = outgoing.channels.channel(channel) }
            var (left, right) = ([Float](repeating: 0, count: 256), [Float](repeating: 0, count: 256))
            withUnsafeMutablePointer(to: &input) { input in
                withUnsafeMutablePointer(to: &out) { out in
                    engine.mixer.audioSide.render(
                        &left, &right, 256, waits: true, outs: DirectOuts(out, count: 1),
                        ins: DirectIns(input, count: 1))
                }
            }
            for channel in 0..<6 {
                own[channel] += UnsafeBufferPointer(start: outgoing.channels.channel(channel), count: 256)
            }
            engine.poll()
        }
        func expected(_ frame: Int, _ channel: Int) -> Float {
            frame == 3 * 256 + 7 && channel == 4 ? 0 : WideDesk.sample(frame, channel, of: 6)
        }
        // The first frames open.
        for channel in 0..<6 {
            for frame in 512..<5120 { #expect(own[channel][frame] == expected(frame, channel)) }
        }
        #expect(engine.silencedSamples == 1)
        let reading = engine.readMeter(id)
        #expect(
            reading.peaks.count == 6 && Set(reading.peaks).count == 6
                && reading.peaks.allSatisfy { $0 > 0.2 && $0 <= 0.25 })
        engine.close()
        let take = try #require(engine.takeFinishedTakes().first)
        let file = try SoundFile(path: take.path)
        #expect(file.channels == 6 && take.frames == 5120)
        var samples = [Float](repeating: 9, count: 6 * 5120)
        #expect(try file.read(from: 0, count: 5120, into: &samples) == 5120)
        for frame in 0..<5120 {
            for channel in 0..<6 { #expect(samples[6 * frame + channel] == expected(frame, channel)) }
        }
    }

    /// A fade that is under way when its strip gets other channels goes on from where it has come.
    @Test func aFadeGoesOnByOtherChannels() throws {
        try folder.file("one.wav", frames: 96000) { _ in (1, 1) }
        var session = try Session.of("one.wav")
        session.addBus(named: "bus", layout: .surround51)
        session.tracks[0].strip.output = .bus(session.buses[0].id)
        session.setSend(of: .track(1), to: session.buses[0].id) { $0.volume = 0 }
        let stepper = Stepper(playing: session, folder)
        let bus = session.buses[0].id
        session[.bus(1)].fader = 0
        stepper.engine.fade(bus, to: 0, over: MediaTime(value: 1, timescale: 1), curve: .linear)
        for channels in [SpeakerLayout.surround71, .stereo, .mono, .surround714, .stereo] {
            stepper.render(6000)
            session.setLayout(channels, of: .bus(1))
            stepper.engine.apply(session, library: folder.library)
            stepper.settle()
        }
        while stepper.left.count < 50000 { stepper.render(500) }
        // A mono bus is heard on both sides 3 dB lower, of what is mixed into it 3 dB lower: the same.
        for frame in stride(from: 500, to: 48000, by: 250) where frame % 6000 > 300 {
            #expect(abs(stepper.left[frame] - (1 - Float(frame) / 48000)) < 0.02, "frame \(frame)")
        }
        #expect(stepper.left[48400...].allSatisfy { $0 == 0 })
    }

    /// What comes in by six ports on a track of eight is recorded with the six that came in.
    @Test func aTakeHasItsInputWhereverThatIsHeard() throws {
        var session = Session()
        var track = Track(name: "room", layout: .surround71)
        track.input = Input(channels: 6)
        track.isArmed = true
        session.append(track)
        let engine = PlaybackEngine(sampleRate: 48000)
        engine.takesFolder = folder("takes8")
        engine.apply(session, library: folder.library)
        engine.record(0..<Int64.max)
        engine.play()
        let incoming = ChannelMemory(6, frames: 480)
        for channel in 0..<6 {
            for i in 0..<480 { incoming.channels.channel(channel)[i] = Float(channel + 1) / 16 }
        }
        var input = DirectIn(engine.stripHandle(session.tracks[0].id)!, channels: 6)
        for channel in 0..<6 { input.buffers[channel] = incoming.channels.channel(channel) }
        for _ in 0..<4 {
            engine.waitUntilFilled()
            var (left, right) = ([Float](repeating: 0, count: 480), [Float](repeating: 0, count: 480))
            withUnsafeMutablePointer(to: &input) {
                engine.mixer.audioSide.render(&left, &right, 480, waits: true, ins: DirectIns($0, count: 1))
            }
            engine.poll()
        }
        engine.close()
        let take = try #require(engine.takeFinishedTakes().first)
        let file = try SoundFile(path: take.path)
        var frame = [Float](repeating: 0, count: 6)
        #expect(try file.channels == 6 && file.read(from: 1000, count: 1, into: &frame) == 1)
        #expect(frame == (1...6).map { Float($0) / 16 })
    }

    /// What a stem of a strip with other channels holds is what the master gets, to the bit.
    @Test(arguments: UInt64(1)...6) func stemsAddUpToTheMix(seed: UInt64) throws {
        var random = Seeded(state: seed + 50)
        var (session, files) = try desk(&random)
        for _ in 0..<6 { _ = change(&session, files, &random) }
        let stems = Stems(in: folder("stems"), replaces: true)
        var mix: [Float] = []
        let render = OfflineRender(session, library: folder.library, frames: 0..<3000)
        try render.mixSides { left, _, count, _ in
            mix += UnsafeBufferPointer(start: left, count: count)
            return true
        }
        _ = try render.write(to: nil, stems: stems) { _ in true }
        var sum = [Float](repeating: 0, count: 3000)
        for (_, path) in stems.files(of: session) {
            let reader = try ChannelReader(path: path, channels: nil, sampleRate: 48000)
            var (left, right) = (sum, sum)
            try reader.read(from: 0, count: 3000, left: &left, right: &right)
            for frame in sum.indices { sum[frame] += left[frame] }
        }
        #expect(sum == mix, "seed \(seed)")
    }

    /// Gains by sides say the same as the speakers do.
    @Test(arguments: SpeakerLayout.allCases) func aBalanceGoesBySpeakers(layout: SpeakerLayout) throws {
        var session = Session()
        var track = Track(name: "t", layout: layout)
        track.clips = [Clip(file: try folder.file(layout, frames: 4000))]
        session.append(track)
        session.tracks[0].strip.pan = -0.5
        var render = OfflineRender(session, library: folder.library)
        render.strip = session.tracks[0].id
        try render.mix { block, count, _ throws(AudioFileError) in
            for (channel, speaker) in layout.speakers.enumerated() {
                let gain: Float = speaker.side == .right ? 0.5 : 1
                let isRight = (0..<count).allSatisfy {
                    block.channel(channel)[$0] == WideDesk.sample($0, channel, of: layout.channels) * gain
                }
                #expect(isRight, "\(speaker)")
            }
            return true
        }
    }

    /// A tap of a track with one channel hears it on both sides, and each of them once.
    @Test func aTapOfOneChannelActsOnce() throws {
        var session = Session()
        var track = Track(name: "t", layout: .mono)
        track.clips = [Clip(file: try folder.file(.mono, frames: 4000))]
        session.append(track)
        let tap = TrackTap(.postFader) { _, left, right, count in
            for i in 0..<count { (left[i], right[i]) = (left[i] * 0.5, right[i] * 0.5) }
        }
        let stepper = Stepper()
        stepper.engine.setTap(tap, on: session.tracks[0].id)
        stepper.engine.apply(session, library: folder.library)
        stepper.settle()
        stepper.engine.play()
        stepper.render(2000)
        for frame in 0..<2000 {
            #expect(
                abs(stepper.left[frame] - WideDesk.sample(frame, 0, of: 1) * 0.5 * Float(0.5.squareRoot()))
                    < 1e-7)
        }
    }
}
