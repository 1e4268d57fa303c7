import Foundation
import JmixPlayer
import TestSupport
import Testing

/// What a tap has seen, and by how much it multiplies.
private final class TapMemory {
    struct State {
        var frames = 0
        var peak: Float = 0
        var gain: Float
    }

    let state: UnsafeMutablePointer<State>

    init(gain: Float = 1) {
        state = .allocate(capacity: 1)
        state.initialize(to: State(gain: gain))
    }

    deinit { state.deallocate() }

    func tap(_ place: TrackTap.Place) -> TrackTap {
        TrackTap(place, state: state, owner: self) { memory, left, right, count in
            let state = memory!.assumingMemoryBound(to: State.self)
            for i in 0..<count {
                state.pointee.peak = max(state.pointee.peak, left[i])
                left[i] *= state.pointee.gain
                right[i] *= state.pointee.gain
            }
            state.pointee.frames += count
        }
    }
}

/// What is heard of a composition: each row of the table in docs, from the mix down.
@Suite struct Playing {
    let folder = TemporaryFolder()

    /// One track from zero that plays a file of these samples.
    private func oneTrack(
        count: Int = 96000, _ sample: @escaping (Int) -> Float = { Float($0) / 0x1p20 }
    ) throws -> (Composition, StripID) {
        try folder.file("a.wav", frames: count) { n in (sample(n), -sample(n)) }
        var composition = try Composition()
        let id = try composition.addTrack(named: "a")
        try composition.insert(of: Asset(folder("a.wav")), at: .zero, on: id)
        return (composition, id)
    }

    private func left(_ composition: Composition, range: TimeRange? = nil) throws -> [Float] {
        let reader = try MixReader(composition, range: range)
        var samples: [Float] = []
        while let block = try reader.read() { samples += block.left }
        return samples
    }

    /// AVAssetReaderAudioMixOutput: pull, of any range, as a sequence and as a call.
    @Test func mixReaderGivesTheSameSamplesEitherWayAndInAnyBlocks() async throws {
        let (composition, _) = try oneTrack()
        let whole = try left(composition)
        #expect(whole.count == 96000 && whole[777] == Float(777) / 0x1p20)
        for blockFrames in [1000, 4096, 96000] {
            var samples: [Float] = []
            var frame: Int64 = 500
            for try await block in try MixReader(
                composition, range: range(500, 60500), blockFrames: blockFrames)
            {
                #expect(block.frame == frame)
                frame += Int64(block.left.count)
                samples += block.left
            }
            #expect(samples == Array(whole[500..<60500]))
        }
        #expect(throws: CompositionError.self) { try MixReader(composition, range: range(7, 7)) }
    }

    /// AVAssetExportSession: presets, status, progress, range.
    @Test(arguments: Exporter.Preset.allCases)
    func exporterWritesEveryPreset(preset: Exporter.Preset) async throws {
        let (composition, _) = try oneTrack { sin(Float($0) * 0.05) / 2 }
        let exporter = Exporter(composition, preset: preset)
        #expect(exporter.status == .waiting)
        let result = try await exporter.export(to: folder("out"), range: range(4800, 52800))
        #expect(result.path == folder("out.\(preset.fileExtension)"))
        #expect(exporter.status == .completed(path: result.path))
        #expect(exporter.progress == 1)
        let asset = try Asset(result.path)
        #expect(asset.channels == 2 && abs(asset.duration.seconds - 1) < 0.1)
        var samples = [Float](repeating: 0, count: 2 * 40000)
        _ = try AudioSource.open(SoundPlace(result.path)).read(from: 0, count: 40000, into: &samples)
        let tolerance: Float =
            switch preset {
            case .wavFloat: 0
            case .wav24, .flac, .mov, .mkv: 0x1p-23
            case .wav16: 0x1p-15
            case .oggVorbis, .opus, .mp3, .m4a, .mp4: 1
            }
        for n in 0..<40000 { #expect(abs(samples[2 * n] - sin(Float(4800 + n) * 0.05) / 2) <= tolerance) }
        await #expect(throws: ExportError.used) { try await exporter.export(to: folder("again")) }
    }

    @Test func exporterRefusesReplacesOrFindsAName() async throws {
        let (composition, _) = try oneTrack()
        func written(_ name: String, _ naming: Exporter.Naming) async throws -> String {
            try await Exporter(composition, preset: .wav16).export(
                to: folder(name), range: range(0, 4800), naming: naming
            ).path
        }
        #expect(try await written("x.wav", .refuse) == folder("x.wav"))
        #expect(try await written("x.wav", .unique) == folder("x-1.wav"))
        #expect(try await written("x.wav", .unique) == folder("x-2.wav"))
        #expect(try await written("x.wav", .replace) == folder("x.wav"))
        await #expect(throws: ExportError.exists(path: folder("x.wav"))) {
            try await written("x.wav", .refuse)
        }
        await #expect(throws: ExportError.name(path: folder("x.mp3"), preset: .wav16)) {
            try await written("x.mp3", .refuse)
        }
        await #expect(throws: ExportError.self) { try await written("none/x.wav", .refuse) }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "a.wav", "x-1.wav", "x-2.wav", "x.wav",
            ])
    }

    @Test func aCancelledExportLeavesNothing() async throws {
        // Ten hours: done before it can be cancelled it is not.
        var composition = try Composition()
        try composition.addTrack(
            playing: try CallbackSource(sampleRate: 48000, channels: 1) { _, samples in
                samples.update(repeating: 0.5)
            }, for: MediaTime(seconds: 36000))
        let exporter = Exporter(composition, preset: .wav24)
        // A thread of its own: tasks share theirs with whatever else is tested.
        let watcher = Thread {
            while exporter.progress == 0 { usleep(100) }
            exporter.cancel()
        }
        watcher.start()
        await #expect(throws: ExportError.cancelled) { try await exporter.export(to: folder("c.wav")) }
        #expect(exporter.status == .cancelled)
        #expect(exporter.progress < 1)
        // the last one is kept, then it ends
        for await share in exporter.progressUpdates { #expect(share > 0 && share < 1) }
        let path = folder("d.wav")
        let long = composition
        let task = Task { try await Exporter(long, preset: .wav24).export(to: path) }
        task.cancel()
        await #expect(throws: ExportError.cancelled) { try await task.value }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func exporterBringsTheMixToALoudness() async throws {
        let (composition, _) = try oneTrack(count: 240_000) { sin(Float($0) * 0.13) / 10 }
        let result = try await Exporter(composition, preset: .wavFloat).export(
            to: folder("l.wav"), loudness: -23)
        let gain = try #require(result.loudness).gain
        // A stereo sine of amplitude a measures about 20 log a LUFS at this pitch (K-weighting: within 0.7
        // dB).
        #expect(abs(-20 + gain - -23) < 1)
        #expect(
            result.peak == Float(pow(10, gain / 20)) * (try left(composition).max()!)
                || abs(result.peak - Float(pow(10, gain / 20)) * 0.1) < 1e-5)
        let loud = try await Exporter(composition, preset: .wavFloat).export(to: folder("p.wav"), loudness: 0)
        #expect(abs(20 * log10(loud.peak) - -1) < 0.1, "the true peak stays under -1 dBTP")
    }

    /// audioTapProcessor: before and after the fader; it may change what it sees.
    @Test func tapsSeeEveryFrameOnceAndMayChangeIt() throws {
        var (composition, id) = try oneTrack { _ in 0.5 }
        let still = try composition.addTrack(named: "still")
        try composition.setFader(0.25, of: id)
        try composition.automate(id) { try $0.setVolume(0.5, at: .zero) }
        for (place, peak) in [(TrackTap.Place.preFader, Float(0.25)), (.postFader, 0.0625)] {
            let (memory, idle) = (TapMemory(gain: 2), TapMemory())
            try composition.setTap(memory.tap(place), on: id)
            try composition.setTap(idle.tap(.postFader), on: still)
            #expect(try left(composition).allSatisfy { $0 == 0.125 })
            #expect(memory.state.pointee.frames == 96000 && memory.state.pointee.peak == peak)
            #expect(
                idle.state.pointee.frames == 96000 && idle.state.pointee.peak == 0, "called for silence too")
        }
        try composition.setTap(nil, on: id)
        #expect(try left(composition).allSatisfy { $0 == 0.0625 })
    }

    @Test func aTapAloneMakesASound() throws {
        var (composition, id) = try oneTrack { _ in 0 }
        let memory = TapMemory()
        try composition.setTap(
            TrackTap(.preFader, state: memory.state, owner: memory) { memory, left, right, count in
                let state = memory!.assumingMemoryBound(to: TapMemory.State.self)
                for i in 0..<count {
                    left[i] = Float(state.pointee.frames + i) / 0x1p20
                    right[i] = left[i]
                }
                state.pointee.frames += count
            }, on: id)
        #expect(try left(composition) == (0..<96000).map { Float($0) / 0x1p20 })
    }

    /// MultiChannelMixer: a bus with a render callback, a rate and channels of its own, added and removed
    /// while it runs.
    @Test func aCallbackIsATrackThatComesAndGoes() async throws {
        let (silent, _) = try oneTrack { _ in 0 }
        let counting = try CallbackSource(sampleRate: 48000, channels: 2) { frames, samples in
            for (i, n) in frames.enumerated() {
                samples[2 * i] = Float(n) / 0x1p20
                samples[2 * i + 1] = 0
            }
        }
        var composition = silent
        try composition.addTrack(playing: counting, at: frames(100))
        let player = try await playing(silent)
        #expect(try await player.render(1000)!.left.allSatisfy { $0 == 0 })
        await player.replace(with: composition)
        let block = try await player.render(2000)!
        #expect(block.frame == 1000)
        let counted: [Float] = (1140..<2900).map { Float($0) / 0x1p20 }
        #expect(Array(block.left[240...]) == counted)
        await player.replace(with: silent)
        #expect(try await player.render(2000)!.left[240...].allSatisfy { $0 == 0 })
        await player.stop()
        // And offline, at any place, the same.
        #expect(
            try left(composition, range: range(50000, 50100)) == (49900..<50000).map { Float($0) / 0x1p20 })
    }

    @Test(arguments: [
        (0, 1, 1), (400_000, 1, 1), (48000, 0, 1), (48000, 3, 1), (48000, 1, 0), (48000, 1, Int64.max),
    ])
    func aCallbackThatCannotBeIsRefused(rate: Int32, channels: Int, frames: Int64) {
        #expect(throws: AudioFileError.self) {
            try CallbackSource(sampleRate: rate, channels: channels, frames: frames) { _, _ in }
        }
    }

    @Test func aMonoCallbackAtAnotherRateIsConverted() throws {
        var composition = try Composition()
        let tone = try CallbackSource(sampleRate: 44100, channels: 1) { frames, samples in
            for (i, n) in frames.enumerated() { samples[i] = Float(sin(Double(n) * 2 * .pi * 441 / 44100)) }
        }
        try composition.addTrack(playing: tone, for: MediaTime(seconds: 2))
        let samples = try left(composition)
        #expect(samples.count == 96000)
        for n in 2000..<90000 {
            #expect(abs(samples[n] - Float(sin(Double(n) * 2 * .pi * 441 / 48000))) < 1e-4)
        }
        try composition.addTrack(playing: tone)
        #expect(throws: CompositionError.self, "it never ends") { try MixReader(composition) }
    }

    /// AVMutableAudioMix set on a playing AVPlayerItem.
    @Test func aMixIsAppliedAgainWhileItPlays() async throws {
        var (composition, id) = try oneTrack { _ in 0.5 }
        let player = try await playing(composition)
        _ = try await player.render(1000)
        try composition.automate(id) { try $0.setVolume(0.5, at: .zero) }
        await player.replace(with: composition)
        let block = try await player.render(1000)!
        for n in 0..<240 {
            #expect(abs(block.left[n] - (0.5 - 0.25 * Float(n) / 240)) < 1e-6, "no click: over 5 ms")
        }
        #expect(block.left[240...].allSatisfy { $0 == 0.25 })
        #expect(block.frame == 1000)
        await player.stop()
    }

    /// What follows a player ends with it, be it stopped or let go of; and it ends once.
    @Test(.timeLimit(.minutes(1))) func aSequenceThatFollowsAPlayerEndsWithIt() async throws {
        let (composition, _) = try oneTrack()
        let player = try await playing(composition)
        let (status, times) = (await player.statusUpdates(), await player.periodicTimes(every: frames(100)))
        await player.stop()
        #expect(await status.reduce(into: []) { $0.append($1) }.last == .ended)
        for await _ in times {}
        #expect(await player.statusUpdates().reduce(into: []) { $0.append($1) } == [.ended])
        #expect(await player.periodicTimes(every: frames(100)).reduce(into: []) { $0.append($1) } == [])
        await player.prepare()
        #expect(await player.status == .ended)
        #expect(try await player.render(10) == nil)

        let failed = Player(composition, output: .jack(server: "nobody-has-this-name"))
        await failed.prepare()
        #expect(await failed.periodicTimes(every: frames(100)).reduce(into: []) { $0.append($1) } == [])

        var released: Player? = try await playing(composition)
        let (left, leftTimes) = (
            await released!.statusUpdates(), await released!.periodicTimes(every: frames(100))
        )
        released = nil
        #expect(await left.reduce(into: []) { $0.append($1) }.last == .readyToPlay)
        for await _ in leftTimes {}
    }

    @Test func aPlayerWithoutAServerSaysSo() async throws {
        let (composition, _) = try oneTrack()
        let player = Player(composition, output: .jack(server: "jmix-nobody-here"))
        await player.prepare()
        guard case .failed(let reason) = await player.status else {
            return #expect(Bool(false), "there is no such server")
        }
        #expect(reason.contains("jmix-nobody-here"))
        #expect(await player.seek(to: .zero) == false)
    }
}
