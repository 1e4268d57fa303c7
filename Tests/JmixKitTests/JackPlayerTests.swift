import Foundation
import JmixPlayer
import TestSupport
import Testing

/// Players on JACK, one after another: a process is on one server at a time. They record what they play
/// themselves, which comes in a period later: each frame is known.
@Suite(.serialized, .timeLimit(.minutes(3))) struct JackPlayer {
    let folder = TemporaryFolder()

    /// Frames that count themselves, and an armed track that hears them by the player's own ports.
    private func counting(_ count: Int = 240_000) throws -> (Composition, mic: StripID) {
        try folder.file("a.wav", frames: count) { n in (Float(n) / 0x1p20, -Float(n) / 0x1p20) }
        var composition = try Composition(folder: folder.path)
        let id = try composition.addTrack(named: "a")
        try composition.insert(of: Asset(folder("a.wav")), at: .zero, on: id)
        let mic = try composition.addTrack(named: "mic")
        let ports = ["jmix-player:master_1", "jmix-player:master_2"]
        try composition.setInput(Input(channels: 2, connect: ports), of: mic)
        try composition.setMonitor(.clips, of: mic)
        try composition.setArmed(true, of: mic)
        return (composition, mic)
    }

    /// Plays until a take has come.
    private func take(_ player: Player) async throws -> RecordedTake {
        var takes = await player.takes().makeAsyncIterator()
        await player.play()
        return try #require(await takes.next())
    }

    /// What it plays comes in again: its ports are there, and connected.
    private func ready(_ player: Player) async throws {
        while await player.status == .unknown { try await Task.sleep(for: .milliseconds(2)) }
        try await player.edit { try $0.setMonitor(.input, of: $0.tracks[1].id) }
        await player.play()
        while await (player.meter(of: player.composition.tracks[1].id)?.peaks.max() ?? 0) == 0 {
            try await Task.sleep(for: .milliseconds(5))
        }
        await player.pause()
        try await player.edit { try $0.setMonitor(.clips, of: $0.tracks[1].id) }
        #expect(await player.seek(to: .zero))
    }

    /// A player of that, ready to record.
    private func recorder() async throws -> (OwnServer, Player, mic: StripID) {
        let (composition, mic) = try counting()
        let server = try OwnServer()
        let player = try await server.player(of: composition)
        try await ready(player)
        return (server, player, mic)
    }

    /// What a track's clips play, from a frame on.
    private func left(_ composition: Composition, _ frames: Range<Int>) throws -> [Float] {
        let reader = try MixReader(composition, range: range(frames.lowerBound, frames.upperBound))
        var left: [Float] = []
        while let block = try reader.read() { left += block.left }
        return left
    }

    /// AVPlayer on JACK: status, play, pause, seek with completion, current time, periodic times.
    @Test func aPlayerPlaysOnJack() async throws {
        let (composition, _) = try counting(960_000)
        let server = try OwnServer()
        let player = try await server.player(of: composition)
        var statuses = await player.statusUpdates().makeAsyncIterator()
        while let status = await statuses.next(), status != .readyToPlay {}
        #expect(await player.rate == 0)
        #expect(await player.seek(to: MediaTime(seconds: 3)))
        #expect(await player.currentTime == MediaTime(seconds: 3))
        #expect(await player.seek(to: .indefinite) == false)
        var times = await player.periodicTimes(every: MediaTime(value: 1, timescale: 10)).makeAsyncIterator()
        await player.play()
        #expect(await player.rate == 1)
        var heard: [MediaTime] = []
        while heard.count < 6, let time = await times.next() { heard.append(time) }
        #expect(heard == heard.sorted())
        #expect(heard.last! > MediaTime(seconds: 3))
        async let one = player.seek(to: MediaTime(seconds: 10))
        async let other = player.seek(to: MediaTime(seconds: 12))
        let isThere = await (one, other)
        #expect(isThere.0 || isThere.1)
        #expect(await player.currentTime >= MediaTime(seconds: 10))
        await player.pause()
        #expect(await player.rate == 0)
        #expect(await player.seek(to: MediaTime(value: 199, timescale: 10)))
        await player.play()
        // at the end it stands still
        while await player.rate == 1 { try await Task.sleep(for: .milliseconds(10)) }
        server.stop()
        while let status = await statuses.next() { if case .failed = status { break } }
        await player.stop()
    }

    @Test func aTakeBetweenTwoTimesLiesThereToTheFrame() async throws {
        let (server, player, mic) = try await recorder()
        defer { server.stop() }
        try await player.record(range(24000, 48000))
        #expect(await player.isRecording)
        let take = try await take(player)
        #expect(take.track == mic && take.range == range(24000, 48000))
        #expect(take.lostFrames == 0 && take.failure == nil && take.path.hasSuffix("/takes/mic-1.wav"))
        var recorded = await player.composition
        #expect(try recorded.track(mic).clips.map(\.file) == ["takes/mic-1.wav"])
        try recorded.removeTrack(recorded.tracks[0].id)
        #expect(
            try left(recorded, 24000..<48000) == (24000..<48000).map { Float($0) / 0x1p20 })
        // It is saved, and found again.
        try await player.composition.write(to: folder("s.json"))
        #expect(try Composition(contentsOf: folder("s.json")).tracks[1].clips.count == 1)
        await player.stop()
    }

    @Test func aTakeThatAStopEndsBecomesAClipToo() async throws {
        let (server, player, mic) = try await recorder()
        defer { server.stop() }
        try await player.record(into: folder("elsewhere"))
        let takes = await player.takes()
        await player.play()
        while await player.currentTime < frames(24000) { try await Task.sleep(for: .milliseconds(5)) }
        await player.stop()
        let told = await takes.reduce(into: []) { $0.append($1) }
        #expect(told.count == 1 && told[0].failure == nil && told[0].path.hasSuffix("/elsewhere/mic-1.wav"))
        #expect(told[0].range.start == .zero && told[0].range.duration > frames(20000))
        let clips = try await player.composition.track(mic).clips
        #expect(clips.map(\.file) == ["elsewhere/mic-1.wav"] && clips[0].duration == told[0].range.duration)
    }

    @Test func aRecordingThatCannotBeIsRefused() async throws {
        let (armed, mic) = try counting()
        var composition = armed
        #expect(throws: CompositionError.self) {
            try composition.setArmed(true, of: composition.tracks[0].id)
        }
        let offline = try await playing(composition)
        await #expect(throws: CompositionError.self) { try await offline.record() }
        try composition.setArmed(false, of: mic)
        let server = try OwnServer()
        let player = try await server.player(of: composition)
        try await ready(player)
        await #expect(throws: CompositionError.self) { try await player.record() }
        try await player.edit { try $0.setArmed(true, of: mic) }
        let half = MediaTime(value: 1, timescale: 200_000)
        for none in [range(48000, 48000), TimeRange(start: .zero, end: half)] {
            await #expect(throws: CompositionError.self) { try await player.record(none) }
        }
        try await player.record(range(0, 48000))
        await player.stopRecording()
        #expect(await !player.isRecording)
        await player.stop()
    }

    /// Nobody has anything to play yet; and what is recorded goes on behind the last clip.
    @Test func theFirstRecordingIsAsLongAsItIsMeantToBe() async throws {
        var composition = try Composition(folder: folder.path)
        let mic = try composition.addTrack(named: "mic")
        try composition.setInput(Input(), of: mic)
        try composition.setArmed(true, of: mic)
        let server = try OwnServer()
        let player = try await server.player(of: composition)
        while await player.status == .unknown { try await Task.sleep(for: .milliseconds(2)) }
        try await player.record(range(4800, 24000))
        #expect(try await take(player).range == range(4800, 24000))
        while await player.rate == 1 { try await Task.sleep(for: .milliseconds(5)) }
        // Without an end it goes on until somebody ends it.
        try await player.record()
        await player.play()
        while await player.currentTime < frames(60000) { try await Task.sleep(for: .milliseconds(5)) }
        await player.stopRecording()
        while await player.rate == 1 { try await Task.sleep(for: .milliseconds(5)) }
        await player.stop()
    }

    /// Ids begin at 1 in each: a take is laid in none but its own.
    @Test func aTakeIsNoClipOfAnotherComposition() async throws {
        let (server, player, mic) = try await recorder()
        defer { server.stop() }
        try await player.record()
        var takes = await player.takes().makeAsyncIterator()
        await player.play()
        while await player.currentTime < frames(24000) { try await Task.sleep(for: .milliseconds(5)) }
        let (other, _) = try counting()
        await player.replace(with: other)
        let take = try #require(await takes.next())
        #expect(take.track == mic && !take.isClip && take.failure?.contains("another composition") == true)
        let played = await player.composition
        #expect(await !player.isRecording && played.tracks[1].clips.isEmpty)
        #expect(FileManager.default.fileExists(atPath: take.path))
        await player.stop()
    }

    /// Who edits while takes come edits what has them.
    @Test func aCompositionThatIsEditedMeanwhileHasTheTakes() async throws {
        let (server, player, mic) = try await recorder()
        defer { server.stop() }
        try await player.record(range(4800, 9600))
        _ = try await take(player)
        try await player.edit { try $0.setFader(0.5, of: mic) }
        struct No: Error {}
        await #expect(throws: No.self) {
            try await player.edit {
                try $0.setFader(0.25, of: mic)
                throw No()
            }
        }
        let track = try await player.composition.track(mic)
        #expect(track.clips.count == 1 && track.strip.fader == 0.5)
        await player.stop()
    }
}
