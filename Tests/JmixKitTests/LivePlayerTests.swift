import FoundationEssentials
import JmixPlayer
import TestSupport
import Testing

/// What is moved while a player plays, and what it tells: of an offline one, where each frame is known.
@Suite struct LivePlayer {
    let folder = TemporaryFolder()

    /// Two seconds that count their frames, from zero.
    private func counting() throws -> (Composition, StripID) {
        try folder.file("a.wav", frames: 96000) { n in (Float(n) / 0x1p20, -Float(n) / 0x1p20) }
        var composition = try Composition()
        let id = try composition.addTrack(named: "a")
        try composition.insert(of: Asset(folder("a.wav")), at: .zero, on: id)
        return (composition, id)
    }

    /// The gain at which a frame of the counting file was played.
    private func gains(_ block: MixBlock) -> [Float] {
        block.left.enumerated().map { $1 / (Float(block.frame + Int64($0)) / 0x1p20) }
    }

    @Test func aFaderMovesAtOnceOrAsAFadeAndTheCompositionKnows() async throws {
        let (composition, id) = try counting()
        let player = try await playing(composition)
        _ = try await player.render(4800)
        try await player.setFader(0.5, of: id)
        let after = gains(try #require(try await player.render(4800)))
        #expect(after[240...].allSatisfy { $0 == 0.5 } && after[0] > 0.9)
        try await player.setFader(0.25, of: id, over: frames(9600))
        let fading = gains(try #require(try await player.render(14400)))
        #expect(zip(fading, fading.dropFirst()).prefix(9600).allSatisfy { $1 <= $0 + 1e-6 })
        #expect(abs(fading[4800] - 0.375) < 1e-3 && fading[9601...].allSatisfy { $0 == 0.25 })
        #expect(try await player.composition.track(id).strip.fader == 0.25)
        await #expect(throws: CompositionError.self) { try await player.setFader(5, of: id) }
        await #expect(throws: CompositionError.self) { try await player.setFader(1, of: id, over: .invalid) }
        await #expect(throws: CompositionError.self) {
            try await player.setFader(1, of: StripID(rawValue: 999))
        }
        #expect(try await player.composition.track(id).strip.fader == 0.25)
        // What the player has by now is what a render of its composition gives.
        try await player.setPan(-1, of: id)
        let block = try #require(try await player.render(2400))
        #expect(block.right[240...].allSatisfy { $0 == 0 })
        let reader = try await MixReader(
            player.composition, range: range(Int(block.frame), Int(block.frame) + 2400))
        var left: [Float] = []
        while let read = try reader.read() { left += read.left }
        #expect(Array(block.left[240...]) == Array(left[240...]))
    }

    @Test func aFaderThatIsSetToWhereItFadesIsThereAtOnce() async throws {
        let (composition, id) = try counting()
        let player = try await playing(composition)
        _ = try await player.render(4800)
        try await player.setFader(0.5, of: id, over: frames(48000))
        let fading = gains(try #require(try await player.render(4800)))
        #expect(fading[4799] > 0.9)
        try await player.setFader(0.5, of: id)
        let after = gains(try #require(try await player.render(4800)))
        #expect(after[240...].allSatisfy { $0 == 0.5 })
    }

    @Test func aBalanceThatIsSetToWhereItFadesIsThereAtOnce() async throws {
        let (composition, id) = try counting()
        let player = try await playing(composition)
        _ = try await player.render(4800)
        try await player.setPan(1, of: id, over: frames(48000))
        let fading = gains(try #require(try await player.render(4800)))
        #expect(fading[4799] > 0.8)
        try await player.setPan(1, of: id)
        let after = gains(try #require(try await player.render(4800)))
        #expect(after[240...].allSatisfy { $0 == 0 })
    }

    @Test func aMuteSilencesASoloSilencesOthersAndMetersSaySo() async throws {
        var (composition, id) = try counting()
        try folder.file("b.wav", frames: 96000) { _ in (0.25, 0.25) }
        let other = try composition.addTrack(named: "b")
        try composition.insert(of: Asset(folder("b.wav")), at: .zero, on: other)
        let player = try await playing(composition)
        #expect(await player.meter(of: StripID(rawValue: 999)) == nil)
        let block = try #require(try await player.render(4800))
        let meter = try #require(await player.meter(of: .master))
        // As far as it has been measured: a few milliseconds less than has been played.
        #expect(block.left.dropFirst(4000).contains(meter.peaks[0]))
        #expect(try #require(await player.meter(of: other)).peaks == [0.25, 0.25])
        try await player.set(mute: true, of: other)
        _ = try await player.render(240)
        #expect(try #require(try await player.render(480)).left[0] == Float(5040) / 0x1p20)
        try await player.set(mute: false, solo: true, of: other)
        _ = try await player.render(240)
        #expect(try #require(try await player.render(480)).left.allSatisfy { $0 == 0.25 })
        try await player.set(solo: false, of: other)
        _ = try await player.render(240)
        let both = try #require(try await player.render(480))
        #expect(both.left[0] == 0.25 + Float(both.frame) / 0x1p20)
        _ = id
    }

    @Test func aLoopGoesRoundAndTimesAreToldWhereTheyArePlayedOver() async throws {
        let (composition, _) = try counting()
        let unprepared = Player(composition, output: .offline)
        #expect(await !unprepared.loop(range(0, 48000)))
        let player = try await playing(composition)
        let times = await player.boundaryTimes([frames(30000), frames(12000), frames(47999), .invalid])
        #expect(await player.loop(range(24000, 48000)))
        var samples: [Float] = []
        for _ in 0..<100 { samples += try #require(try await player.render(960)).left }
        // Twice round, behind the 5 ms in which it crosses over.
        let counted: [Float] = (0..<47760).map { Float($0) / 0x1p20 }
        #expect(samples[..<47760] == counted[...])
        #expect(samples[48240..<71760] == counted[24240...])
        #expect(samples[72240..<95760] == counted[24240...])
        #expect(await !player.loop(nil))
        #expect(await !player.loop(range(-10, 10)))
        let ends = await player.ends()
        while await player.rate == 1 { _ = try await player.render(960) }
        await player.stop()
        let told = await times.reduce(into: []) { $0.append($1) }
        // Twice round, and once more on the way out.
        let places: [Int] = [12000] + Array(repeating: [30000, 47999], count: 4).joined()
        #expect(told == places.map(frames))
        #expect(await ends.reduce(into: []) { $0.append($1) } == [frames(96000)])
        #expect(await player.boundaryTimes([.zero]).reduce(into: []) { $0.append($1) } == [])
    }

    /// What is told by blocks of so many frames, from `play` to a pause that fades, round a short loop.
    @Test(arguments: [64, 960, 4800, 9600, 20000]) func eachTimeIsToldOnceWhereItIsPlayed(
        block: Int
    ) async throws {
        let (composition, _) = try counting()
        let player = Player(composition, output: .offline)
        // Before anybody knows at which rate it will play.
        let times = await player.boundaryTimes([0, 100, 2000, 6000, 19999, 20000, 20100, 96000].map(frames))
        try await prepare(player)
        await player.play()
        var played = 0
        while played < 20000 {
            let run = min(block, 20000 - played)
            _ = try await player.render(run)
            played += run
        }
        await player.pause()
        // It fades out for 240 frames.
        _ = try await player.render(1000)
        #expect(await player.currentTime == frames(20240))
        await player.play()
        while await player.rate == 1 { _ = try await player.render(block) }
        await player.stop()
        let told = await times.reduce(into: []) { $0.append($1) }
        // The end is told too: it plays a few frames beyond it.
        #expect(told == [0, 100, 2000, 6000, 19999, 20000, 20100, 96000].map(frames))
    }

    @Test(arguments: [960, 4800, 9600]) func everyRoundOfALoopIsTold(block: Int) async throws {
        let (composition, _) = try counting()
        let player = try await playing(composition)
        // It reaches beyond the end, which is at two seconds.
        #expect(await player.loop(range(95000, 99800)))
        let times = await player.boundaryTimes([frames(95000), frames(97000)])
        let ends = await player.ends()
        async let isThere = player.seek(to: frames(95000))
        while await player.currentTime < frames(95000) { await Task.yield() }
        var count = 0
        while count < 48000 {
            _ = try await player.render(block)
            count += block
        }
        #expect(await isThere)
        #expect(await player.rate == 1)
        await player.stop()
        let told = await times.reduce(into: []) { $0.append($1) }
        // Ten rounds of 4,800 frames; the first begins where it arrives.
        #expect(
            told.count(where: { $0 == frames(97000) }) == 10
                && told.count(where: { $0 == frames(95000) }) >= 10)
        #expect(await ends.reduce(into: []) { $0.append($1) } == [])
    }

    @Test func aSeekPassesNoTime() async throws {
        let (composition, _) = try counting()
        let player = try await playing(composition)
        let times = await player.boundaryTimes([frames(20000), frames(50000), frames(60000)])
        _ = try await player.render(960)
        async let isThere = player.seek(to: frames(50000))
        while await player.currentTime < frames(50000) { await Task.yield() }
        _ = try await player.render(960)
        #expect(await isThere)
        for _ in 0..<20 { _ = try await player.render(960) }
        await player.stop()
        let told = await times.reduce(into: []) { $0.append($1) }
        #expect(told == [frames(50000), frames(60000)])
    }

    /// What a tap counts in memory of its own.
    private struct Count: BitwiseCopyable {
        var frames = 0
        var gain: Float
    }

    @Test func aTapMayKeepItsStateItself() throws {
        var (composition, id) = try counting()
        let tap = TrackTap(.preFader, keeping: Count(gain: 0.5)) { state, left, _, count in
            let state = state!.assumingMemoryBound(to: Count.self)
            for i in 0..<count { left[i] *= state.pointee.gain }
            state.pointee.frames += count
        }
        try composition.setTap(tap, on: id)
        let reader = try MixReader(composition)
        var left: [Float] = []
        while let block = try reader.read() { left += block.left }
        #expect(left == (0..<96000).map { Float($0) / 0x1p21 })
        #expect(tap.withState(of: Count.self) { $0.pointee.frames } == 96000)
        #expect(tap.withState(of: Int.self) { $0.pointee } == nil)
    }

    // MARK: - What Foundation expects

    @Test func markersAreSavedAndFilesHaveURLs() async throws {
        var (composition, _) = try counting()
        try composition.setMarker("verse", at: frames(48000))
        try composition.setMarker("intro", at: .zero)
        try composition.setMarker("verse", at: frames(24000))
        #expect(composition.markers.map(\.name) == ["intro", "verse"])
        for (name, time) in [("", MediaTime.zero), ("2s", .zero), ("late", .invalid), ("early", frames(-1))] {
            #expect(throws: CompositionError.self) { try composition.setMarker(name, at: time) }
        }
        #expect(throws: CompositionError.self) { try composition.removeMarker("chorus") }
        let url = URL(filePath: folder("a session.json"))
        try composition.write(to: url)
        var read = try Composition(contentsOf: url)
        #expect(read.markers == composition.markers)
        try read.removeMarker("intro")
        #expect(read.markers.map(\.at) == [frames(24000)])
        #expect(try await Asset.load(URL(filePath: folder("a.wav"))).frames == 96000)
        let mix = URL(filePath: folder("mix.wav"))
        try await Exporter(read, preset: .wav16).export(to: mix)
        #expect(try Asset(folder("mix.wav")).frames == 96000)
        let elsewhere = try #require(URL(string: "https://example.org/a.wav"))
        await #expect(throws: AudioFileError.self) { try await Asset.load(elsewhere) }
        #expect(throws: CompositionError.self) { try Composition(contentsOf: elsewhere) }
        #expect(throws: CompositionError.self) { try read.write(to: elsewhere) }
        await #expect(throws: ExportError.self) {
            try await Exporter(read, preset: .wav16).export(to: elsewhere)
        }
    }

    @Test func errorsSayInWordsOfALibraryWhatIsWrong() throws {
        var (composition, id) = try counting()
        let asset = try Asset(folder("a.wav"))
        let error = #expect(throws: CompositionError.self) {
            try composition.insert(of: asset, at: frames(10), on: id)
        }
        let said = try #require(error)
        #expect(said.localizedDescription == said.description && !said.description.contains("--"))
        #expect(said.description.hasSuffix("push: true makes room"))
        let missing = #expect(throws: AudioFileError.self) { try Asset(folder("gone.wav")) }
        #expect(try #require(missing).localizedDescription.contains("gone.wav"))
    }
}
