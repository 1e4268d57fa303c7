import Foundation
import JmixKit
import TestSupport
import Testing

/// AVMutableComposition, its tracks and segments.
@Suite struct Compositions {
    let folder = TemporaryFolder()

    func file(_ name: String = "a.wav", _ count: Int = 1000) throws -> Asset {
        try folder.file(name, frames: count) { n in (Float(n) / 0x1p20, Float(n) / 0x1p20) }
        return try Asset(folder(name))
    }

    /// Whole files, or what of them each frame of the timeline holds: -1 for silence.
    private func rendered(_ composition: Composition, _ count: Int) throws -> [Int] {
        try MixReader(composition, range: range(0, count), blockFrames: count).read()!.left.map {
            $0 == 0 ? -1 : Int($0 * 0x1p20)
        }
    }

    @Test func insertPushSilenceRemoveSplitMoveAppend() throws {
        let asset = try file()
        var composition = try Composition()
        let id = try composition.addTrack(named: "music")
        try composition.insert(range(1, 101), of: asset, at: frames(50), on: id)
        #expect(try composition.append(range(201, 301), of: asset, on: id) == range(150, 250))
        #expect(
            throws: CompositionError.edit(
                .overlaps(asked: range(60, 70), clip: 1, existing: range(50, 150)), place: "track 1")
        ) {
            try composition.insert(range(501, 511), of: asset, at: frames(60), on: id)
        }
        let copy = composition
        try composition.insert(range(501, 511), of: asset, at: frames(60), on: id, push: true)
        var line =
            Array(repeating: -1, count: 50) + Array(1...10) + Array(501...510) + Array(11...100)
            + Array(201...300)
        #expect(try rendered(composition, 260) == line)
        #expect(
            try rendered(copy, 250) == Array(repeating: -1, count: 50) + Array(1...100) + Array(201...300),
            "a copy stays as it is")

        try composition.insertSilence(range(100, 130), on: id)
        line.insert(contentsOf: Array(repeating: -1, count: 30), at: 100)
        #expect(try rendered(composition, 290) == line)

        try composition.remove(range(55, 65), from: id)
        line.removeSubrange(55..<65)
        #expect(try rendered(composition, 280) == line)

        try composition.remove(range(200, 210), from: id, keepsGap: true)
        line.replaceSubrange(200..<210, with: Array(repeating: -1, count: 10))
        #expect(try rendered(composition, 280) == line)

        let count = try composition.track(id).clips.count
        try composition.split(id, at: frames(250))
        #expect(try composition.track(id).clips.count == count + 1)
        #expect(try rendered(composition, 280) == line, "a split is not heard")

        try composition.moveClip(count, of: id, to: frames(400))
        let moved = line[250...]
        line.replaceSubrange(250..., with: Array(repeating: -1, count: 150))
        line += moved
        #expect(try rendered(composition, 430) == line)
        #expect(composition.duration == frames(430))
    }

    @Test func segmentsAreGaplessAndTracksKeepTheirIDs() throws {
        let asset = try file()
        var composition = try Composition()
        let (first, second) = (try composition.addTrack(named: "a"), try composition.addTrack(named: "a"))
        #expect(first != second && composition.tracks.map(\.name) == ["a", "a-2"])
        try composition.insert(range(10, 20), of: asset, at: frames(5), on: second)
        try composition.insert(range(30, 40), of: asset, at: frames(15), on: second)
        #expect(
            try composition.segments(of: second) == [
                .init(target: range(0, 5), source: nil),
                .init(target: range(5, 15), source: (asset.path, range(10, 20))),
                .init(target: range(15, 25), source: (asset.path, range(30, 40))),
            ])
        try composition.removeTrack(first)
        #expect(try composition.track(second).clips.count == 2)
        #expect(throws: CompositionError.noTrack(first)) { try composition.track(first) }
        let third = try composition.addTrack()
        #expect(third != first && third != second)
    }

    @Test func badEditsSayWhatAndChangeNothing() throws {
        let asset = try file()
        var composition = try Composition()
        let id = try composition.addTrack()
        try composition.insert(of: asset, at: .zero, on: id)
        let before = composition.session
        #expect(throws: CompositionError.range(range(900, 1001), of: asset)) {
            try composition.insert(range(900, 1001), of: asset, at: frames(5000), on: id)
        }
        #expect(throws: CompositionError.edit(.nothingToSplit(at: frames(2000)), place: "track 1")) {
            try composition.split(id, at: frames(2000))
        }
        #expect(throws: CompositionError.edit(.nothingToSplit(at: .zero), place: "track 1")) {
            try composition.split(id, at: .zero)
        }
        #expect(throws: CompositionError.edit(.noClip(number: 2, count: 1), place: "track 1")) {
            try composition.moveClip(1, of: id, to: .zero)
        }
        #expect(throws: CompositionError.self) { try composition.insertSilence(range(5, 5), on: id) }
        #expect(throws: CompositionError.self) {
            try composition.remove(TimeRange(start: .indefinite, duration: frames(1)), from: id)
        }
        #expect(throws: CompositionError.self) { try composition.setFader(4.5, of: id) }
        #expect(throws: CompositionError.self) { try composition.setPan(.nan, of: id) }
        #expect(throws: CompositionError.self) { try composition.duck(id, under: id, to: 0.5) }
        #expect(throws: CompositionError.self) { try composition.addTrack(named: "master") }
        #expect(throws: CompositionError.sampleRate(1)) { try Composition(sampleRate: 1) }
        #expect(throws: CompositionError.self) {
            try composition.automate(id) { automation in
                try automation.setVolume(0.5, at: .zero)
                try automation.setVolume(9, at: .zero)
            }
        }
        #expect(composition.session == before)
    }

    @Test func aVolumeIsSetOfAVolumeAlone() throws {
        var composition = try Composition()
        let id = try composition.addTrack()
        let range = TimeRange(start: .zero, end: MediaTime(seconds: 1))
        for change in [
            { try $0.setVolume(0.5, at: .zero) }, { try $0.setVolumeRamp(from: 0, to: 1, over: range) },
        ] as [(inout Automation) throws -> Void] {
            let error = #expect(throws: CompositionError.self) { try composition.automate(id, .pan, change) }
            #expect("\(try #require(error))".contains("setValue"))
        }
        try composition.automate(id, .pan) {
            try $0.setValue(-1, at: .zero)
            try $0.setRamp(from: -1, to: 1, over: range)
        }
        #expect(try composition.track(id).strip[automation: .pan].events.count == 2)
    }

    /// A closure may do anything, and throw what it likes.
    @Test func closuresThrowWhatTheyLike() throws {
        struct Weather: Error, Equatable {}
        var composition = try Composition()
        let id = try composition.addTrack()
        #expect(throws: Weather()) {
            try composition.automate(id) { automation in
                try automation.setVolume(0.5, at: .zero)
                throw Weather()
            }
        }
        #expect(try composition.track(id).automation.events.isEmpty)
        try composition.automate(id) { try $0.setVolume(0.5, at: MediaTime(seconds: 2.5)) }
        let source = try CallbackSource(sampleRate: 48000, channels: 1) { _, _ in throw Weather() }
        var samples: Float = 0
        let error = #expect(throws: AudioFileError.self) {
            try source.read(from: 0, count: 1, into: &samples)
        }
        #expect(error?.reason.contains("Weather") == true)
    }

    /// Thousands of random edits against an array that holds what each frame of the timeline plays.
    @Test func randomEditsAreWhatTheyWouldBeFrameByFrame() throws {
        let asset = try file("r.wav", 400)
        for seed in UInt64(1)...60 {
            var random = Seeded(state: seed)
            var composition = try Composition()
            let id = try composition.addTrack()
            var line = Array(repeating: -1, count: 6000)
            for _ in 0..<40 {
                let at = Int.random(in: 0..<600, using: &random)
                let length = Int.random(in: 1...80, using: &random)
                switch Int.random(in: 0..<5, using: &random) {
                case 0:
                    let from = Int.random(in: 1..<300, using: &random)
                    let isFree = line[at..<at + length].allSatisfy { $0 == -1 }
                    let isDone =
                        (try? composition.insert(
                            range(from, from + length), of: asset, at: frames(at), on: id)) != nil
                    #expect(isDone == isFree, "seed \(seed)")
                    if isFree { line.replaceSubrange(at..<at + length, with: Array(from..<from + length)) }
                case 1:
                    let from = Int.random(in: 1..<300, using: &random)
                    try composition.insert(
                        range(from, from + length), of: asset, at: frames(at), on: id, push: true)
                    line.insert(contentsOf: Array(from..<from + length), at: at)
                case 2:
                    try composition.insertSilence(range(at, at + length), on: id)
                    line.insert(contentsOf: Array(repeating: -1, count: length), at: at)
                case 3:
                    let keepsGap = Bool.random(using: &random)
                    try composition.remove(range(at, at + length), from: id, keepsGap: keepsGap)
                    line.replaceSubrange(
                        at..<at + length, with: Array(repeating: -1, count: keepsGap ? length : 0))
                default:
                    let count = try composition.track(id).clips.count
                    if (try? composition.split(id, at: frames(at))) != nil {
                        #expect(try composition.track(id).clips.count == count + 1)
                    }
                }
            }
            if composition.duration > .zero {
                #expect(try rendered(composition, 5000) == Array(line[..<5000]), "seed \(seed)")
            }
        }
    }

    /// As scaleTimeRange(_:toDuration:) and audioTimePitchAlgorithm have it.
    @Test func aScaledRangePlaysSlowerOrFaster() throws {
        let asset = try file("s.wav", 96000)
        var composition = try Composition()
        let track = try composition.addTrack(named: "a")
        try composition.insert(of: asset, at: .zero, on: track)
        try composition.scale(range(24000, 48000), to: MediaTime(seconds: 1), on: track)
        #expect(
            try composition.segments(of: track).map(\.target) == [
                range(0, 24000), range(24000, 72000), range(72000, 120_000),
            ])
        #expect(
            try composition.segments(of: track).compactMap { $0.source?.range } == [
                range(0, 24000), range(24000, 48000), range(48000, 96000),
            ])
        #expect(composition.tracks[0].clips.map(\.speed) == [1, 0.5, 1])
        try composition.setAudioTimePitchAlgorithm(.varispeed, of: track)
        #expect(composition.tracks[0].clips.allSatisfy(\.isTape) && composition.problems() == [])
        #expect(throws: CompositionError.self) { try composition.setPitch(3, ofClip: 1, on: track) }
        try composition.setAudioTimePitchAlgorithm(.timeDomain, of: track)
        try composition.setPitch(3, ofClip: 1, on: track)
        try composition.setReversed(true, ofClip: 1, on: track)
        #expect(
            (composition.tracks[0].clips[1].pitch, composition.tracks[0].clips[1].isReversed) == (3, true))
        #expect(throws: CompositionError.self) { try composition.setPitch(25, ofClip: 1, on: track) }
        #expect(throws: CompositionError.self) { try composition.setPitch(2, ofClip: 3, on: track) }
        #expect(throws: CompositionError.self) {
            try composition.scale(range(0, 1000), to: MediaTime(seconds: 1), on: track)
        }
    }

    /// Fade in, fade out, ducking under the voice-over: they follow when clips move.
    @Test func fadesAndDucksFollowTheClips() throws {
        let asset = try file("f.wav", 20000)
        var composition = try Composition()
        let (music, voice) = (
            try composition.addTrack(named: "music"), try composition.addTrack(named: "voice")
        )
        try composition.insert(of: asset, at: .zero, on: music)
        try composition.insert(range(0, 1000), of: asset, at: frames(5000), on: voice)
        try composition.setFades(in: frames(100), out: frames(200), of: music)
        try composition.duck(music, under: voice, to: 0.3, attack: frames(1000), release: frames(500))
        func volume(_ frame: Int) throws -> Double { try composition.volume(of: music, at: frames(frame)) }
        #expect(
            try volume(50) == 0.5 && volume(19900) == 0.5 && abs(volume(4500) - 0.65) < 1e-12
                && volume(5500) == 0.3 && abs(volume(6250) - 0.65) < 1e-12)
        try composition.moveClip(0, of: voice, to: frames(10000))
        #expect(try volume(5500) == 1 && volume(10500) == 0.3)
    }

    @Test func tenThousandClipsAndAHundredThousandEventsAreWhatTheyAre() throws {
        let asset = try file("t.wav", 100)
        var composition = try Composition()
        let id = try composition.addTrack()
        for n in 0..<10000 {
            try composition.insert(range(n % 50, n % 50 + 20), of: asset, at: frames(n * 30), on: id)
        }
        try composition.automate(id) { automation in
            for n in 0..<100_000 {
                try automation.setVolume(n.isMultiple(of: 2) ? 0.5 : 0.25, at: frames(3 * n))
            }
        }
        let block = try MixReader(composition, range: range(299_000, 300_000), blockFrames: 1000).read()!
        for n in 0..<1000 {
            let frame = 299_000 + n
            let (clip, place) = (frame / 30, frame % 30)
            let sample = place < 20 ? Float(clip % 50 + place) / 0x1p20 : 0
            #expect(block.left[n] == sample * ((frame / 3).isMultiple(of: 2) ? 0.5 : 0.25))
        }
    }

    /// A desk: what a file has no place for is refused, a loop too.
    @Test func aDeskIsComposed() throws {
        var composition = try Composition()
        let (voice, hall, band) = (
            try composition.addTrack(named: "voice"), try composition.addBus(named: "hall"),
            try composition.addBus(named: "band")
        )
        try composition.setSend(0.5, of: voice, to: hall, pan: -0.5, isPre: true)
        try composition.setOutput(.bus(band), of: hall)
        try composition.automateSend(of: voice, to: hall) { try $0.setVolume(0.25, at: .zero) }
        try composition.automate(.master, .pan) {
            try $0.setRamp(from: -1, to: 1, over: TimeRange(start: .zero, end: MediaTime(seconds: 1)))
        }
        try composition.setTrim(0.5, polarity: true, of: voice)
        try composition.duck(band, under: voice, to: 0.5)
        let all = try composition.addDCA(named: "all", members: [voice, band, voice])
        try composition.setFader(0.5, of: all)
        let before = composition.session
        #expect(throws: CompositionError.refused("that would be a loop: hall -> band -> hall")) {
            try composition.setOutput(.bus(hall), of: band)
        }
        #expect(throws: CompositionError.self) { try composition.setPan(0.5, of: all) }
        #expect(throws: CompositionError.self) { try composition.automate(all, .pan) { _ in } }
        #expect(throws: CompositionError.self) { try composition.set(solo: true, of: .master) }
        #expect(throws: CompositionError.self) { try composition.setOutput(.bus(voice), of: hall) }
        #expect(throws: CompositionError.self) { try composition.addDCA(named: "more", members: [all]) }
        #expect(throws: CompositionError.self) { try composition.setSend(1, of: .master, to: hall) }
        #expect(composition.session == before)
        let folder = TemporaryFolder()
        try composition.write(to: folder("desk.json"))
        let read = try Composition(contentsOf: folder("desk.json")).session
        #expect(
            read.dcas[0].members.count == 2 && read.ducks.count == 1
                && read.tracks[0].sends[0].automation.events.count == 1
                && read.master[automation: .pan].events.count == 1)
        try composition.removeBus(band)
        #expect(
            composition.buses.map(\.name) == ["hall"] && composition.buses[0].output == .master
                && composition.session.ducks.isEmpty)
        try composition.removeDCA(all)
        #expect(composition.dcas.isEmpty)
    }
}
