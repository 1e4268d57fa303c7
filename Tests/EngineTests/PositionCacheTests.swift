import AudioFile
import Engine
import Realtime
import TestSupport
import Testing
import Timeline

/// What is remembered of positions that are likely to be gone to, seen from outside: a disk that delivers
/// nothing more.
@Suite struct PositionCacheTests {
    private let folder = TemporaryFolder()

    private func sample(_ n: Int) -> (Float, Float) { (Float(n) / 0x1p20, -Float(n) / 0x1p20) }

    @Test func startsOfPlayingAndOfClipsAreThereWithoutTheDisk() throws {
        try folder.file("a.wav", frames: 200_000, sample)
        var session = try Session.of("a.wav")
        session.tracks[0].clips = [Int64(10_000), 60_000].map { from in
            var clip = Clip(file: "a.wav")
            (clip.at, clip.from, clip.duration) = (
                MediaTime(frame: from, rate: 48000), MediaTime(frame: from, rate: 48000),
                MediaTime(frame: 20_000, rate: 48000)
            )
            return clip
        }
        let stepper = Stepper(diskThreads: 0)
        stepper.engine.period = 64
        let disk = stepper.engine.pool
        stepper.engine.apply(session, library: folder.library)
        while disk.readPieces() {}
        stepper.engine.poll()
        stepper.engine.play()
        while stepper.left.count < 90_000 {
            stepper.render(1000)
            while disk.readPieces() {}
        }
        // From here on nothing is read.
        for start in [10_000, 60_000] {
            stepper.engine.locate(Int64(start))
            #expect(!stepper.engine.isFilling, "\(start) is remembered")
            let before = stepper.left.count
            stepper.render(1000)
            #expect(
                Array(stepper.left[(before + 240)..<(before + 1000)])
                    == (start + 240..<start + 1000).map { sample($0).0 })
        }
        stepper.engine.locate(15_000)
        #expect(stepper.engine.isFilling, "the middle of a clip is not")
    }

    @Test func whereClipsTouchTheLaterIsThereWithoutEverHavingBeenPlayed() throws {
        try folder.file("a.wav", frames: 200_000, sample)
        var session = try Session.of("a.wav")
        session.tracks[0].clips = ([(780_000, 0), (800_000, 100_000)] as [(Int64, Int64)]).map { at, from in
            var clip = Clip(file: "a.wav")
            (clip.at, clip.from, clip.duration) = (
                MediaTime(frame: at, rate: 48000), MediaTime(frame: from, rate: 48000),
                MediaTime(frame: 20_000, rate: 48000)
            )
            return clip
        }
        let stepper = Stepper(diskThreads: 0)
        stepper.engine.period = 64
        stepper.engine.apply(session, library: folder.library)
        while stepper.engine.pool.readPieces() {}
        // What a disk thread does when no stream wants anything.
        while stepper.engine.pool.readPosition() {}
        stepper.engine.poll()
        stepper.engine.locate(800_000)
        #expect(!stepper.engine.isFilling)
        stepper.engine.play()
        stepper.render(1000)
        #expect(stepper.left.last == sample(100_999).0)
    }

    @Test func aChangedFileIsNotPlayedFromTheCache() throws {
        try folder.file("a.wav", frames: 50_000) { _ in (0.25, 0.25) }
        let session = try Session.of("a.wav")
        let library = folder.library
        let stepper = Stepper(diskThreads: 0)
        stepper.engine.period = 64
        stepper.engine.apply(session, library: library)
        while stepper.engine.pool.readPieces() {}
        stepper.engine.poll()
        stepper.engine.play()
        stepper.render(1000)
        try folder.file("a.wav", frames: 50_001) { _ in (0.5, 0.5) }
        stepper.engine.apply(session, library: library)
        stepper.engine.locate(0)
        #expect(stepper.engine.isFilling, "the beginning of the old file is of no use")
        while stepper.engine.pool.readPieces() {}
        stepper.engine.poll()
        stepper.render(1000)
        #expect(stepper.left.last == 0.5)
    }

    /// Two tracks play two channels of one file from one place.
    @Test func theSamePlaceOfAnotherChannelIsAnother() throws {
        try folder.file("a.wav", frames: 200_000, sample)
        var session = try Session.of("a.wav", "a.wav")
        for (index, channel) in [1, 2].enumerated() {
            session.tracks[index].clips[0].channels = ChannelPair(left: channel, right: channel)
            session.tracks[index].clips[0].from = MediaTime(frame: 50_000, rate: 48000)
        }
        session.tracks[1].trim = 0.5
        let stepper = Stepper(playing: session, folder)
        stepper.render(20_000)
        for _ in 0..<2 {
            stepper.engine.locate(0)
            stepper.settle()
            let before = stepper.left.count
            stepper.render(2000)
            // The one minus half of the other, where both have the same sign reversed.
            #expect(
                Array(stepper.left[(before + 240)..<(before + 2000)])
                    == (50_240..<52_000).map { sample($0).0 + 0.5 * sample($0).1 })
        }
    }

    private func key(_ frame: Int) -> PositionCache.Key {
        PositionCache.Key(
            place: SoundPlace("a.wav"), stamp: nil, channels: nil, layout: .mono, frame: Int64(frame))
    }

    /// What would end earlier takes the place of nothing.
    @Test func theLongerIsKept() {
        let (cache, memory) = (PositionCache(), ChannelMemory(1, frames: 64))
        for (count, expected) in [(32, 32), (64, 64), (16, 64)] {
            cache.keep(key(0), memory.channels, count: count)
            #expect(cache.block(key(0))?.frames == expected)
        }
    }

    /// Beyond what there is room for, those go that nobody has asked for for longest.
    @Test func thePlaceThatWasUsedLastStays() {
        let (cache, memory) = (PositionCache(), ChannelMemory(1, frames: 1))
        let count = 2 * PositionCache.maximumBlocks
        for frame in 0..<count { cache.keep(key(frame), memory.channels, count: 1) }
        // The first is used again; one more than there is room for has others go.
        #expect(cache.block(key(0)) != nil)
        cache.keep(key(count), memory.channels, count: 1)
        #expect(cache.block(key(0)) != nil && cache.block(key(count)) != nil)
        #expect(cache.block(key(1)) == nil && cache.block(key(count - 1)) != nil)
    }
}
