import Files
import AudioFile
import Engine
import TestSupport
import Testing
import Timeline

/// What a frame of the timeline plays: which source, and which frame of it at the session's rate.
struct Heard: Equatable {
    let file: String
    let frame: Int64
}

private let rates: [Int32] = [8000, 11025, 22050, 44100, 48000, 96000, 192_000, 12345]
private let scales: [Int32] = [1, 3, 1000, 44100, 48000, 30000, 7919, 1_000_000_000, .max, .max - 1]

/// Edits at times on frames and between them, of sources of any rate, in sessions of any rate.
@Suite struct EditingTests {
    /// The line of what is heard, frame by frame.
    private func line(_ track: Track, _ ruler: ClipRuler) -> [Int64: Heard] {
        var line: [Int64: Heard] = [:]
        for clip in track.clips {
            let frames = ruler.frames(of: clip)!
            for frame in frames {
                line[frame] = Heard(
                    file: clip.file.text,
                    frame: clip.from.frame(atRate: ruler.rate) + frame - frames.lowerBound)
            }
        }
        return line
    }

    @Test func noEditMakesASessionThatCheckRefuses() throws {
        var edits = 0
        for seed in UInt64(1)...400 {
            var random = Seeded(state: seed)
            func pick(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
            var session = Session()
            session.sampleRate = rates.randomElement(using: &random)!
            let rate = session.sampleRate
            // Short, so that the lines below are.
            func time(_ frames: ClosedRange<Int64>) -> MediaTime {
                let scale = scales.randomElement(using: &random)!
                // On a frame, near one, or next to the middle of two, where the least rounding decides.
                let (kind, frame) = (pick(0...2), Int128(pick(frames)))
                if kind == 0 { return MediaTime(frame: Int64(frame), rate: rate) }
                let units =
                    kind == 1
                    ? RoundingRule.nearest.divide(frame * Int128(scale), by: Int128(rate))
                    : RoundingRule.down.divide((2 * frame + 1) * Int128(scale), by: 2 * Int128(rate))
                return MediaTime(value: Int64(units), timescale: scale)
            }
            var sources: [FilePath: CallbackSource] = [:]
            for name in ["a", "b", "c"] {
                sources[FilePath(name)] = try CallbackSource(
                    sampleRate: rates.randomElement(using: &random)!, channels: 1, frames: pick(300...900)
                ) { _, _ in }
            }
            let library = MediaLibrary(folder: "/", sources: sources)
            let ruler = library.ruler(atRate: rate)
            session.append(Track(name: "t"))
            for step in 0..<25 {
                var track = session.tracks[0]
                let before = line(track, ruler)
                let kind = pick(0...9)
                let (start, length) = (time(0...1500), time(0...200))
                let (first, count) = (
                    start.frame(atRate: rate),
                    (start + length).frame(atRate: rate) - start.frame(atRate: rate)
                )
                var expected = before
                do throws(EditError) {
                    switch kind {
                    case 0, 1, 2:
                        let name = sources.keys.map(\.text).sorted().randomElement(using: &random)!
                        let whole = try! library.info(of: Clip(file: name)).get().duration!
                        var clip = Clip(file: name)
                        clip.at = kind == 2 ? track.end(ruler: ruler) : start
                        // Often to within a frame of the file's end.
                        clip.from =
                            pick(0...3) == 0
                            ? max(.zero, whole - MediaTime(value: pick(1...20), timescale: rate))
                            : min(time(0...150), whole - MediaTime(frame: 3, rate: 8000))
                        if Bool.random(using: &random) {
                            clip.duration = min(time(0...200), whole - clip.from)
                        }
                        let frames = ruler.frames(of: clip)!
                        if kind == 1 {
                            try track.insert(clip, push: true, ruler: ruler)
                            expected = Dictionary(
                                uniqueKeysWithValues: before.map {
                                    ($0 < frames.lowerBound ? $0 : $0 + Int64(frames.count), $1)
                                })
                        } else {
                            try track.insert(clip, ruler: ruler)
                        }
                        for frame in frames {
                            expected[frame] = Heard(
                                file: name, frame: clip.from.frame(atRate: rate) + frame - frames.lowerBound)
                        }
                    case 3:
                        let range = TimeRange(start: start, duration: length)
                        let moved = range.end.frame(atRate: rate) - first
                        try track.insertSilence(range, ruler: ruler)
                        expected = Dictionary(
                            uniqueKeysWithValues: before.map { ($0 < first ? $0 : $0 + moved, $1) })
                    case 4:
                        let keepsGap = pick(0...1) == 0
                        try track.removeRange(
                            TimeRange(start: start, end: start + length), keepsGap: keepsGap, ruler: ruler)
                        expected = Dictionary(
                            uniqueKeysWithValues: before.filter { $0.key < first || $0.key >= first + count }
                                .map { ($0 < first || keepsGap ? $0 : $0 - count, $1) })
                    case 5: try track.split(at: start, ruler: ruler)
                    case 8, 9:
                        guard !track.clips.isEmpty else { continue }
                        let (index, times) = (Int(pick(0...Int64(track.clips.count - 1))), pick(1...4))
                        let clip = track.clips[index]
                        var copies: [Range<Int64>] = []
                        var copy = clip
                        for _ in 0..<times {
                            copy.at = MediaTime(frame: ruler.frames(of: copy)!.upperBound, rate: rate)
                            copies.append(ruler.frames(of: copy)!)
                        }
                        let whole = copies[0].lowerBound..<copies.last!.upperBound
                        try track.repeatClip(at: index, times: Int(times), push: kind == 9, ruler: ruler)
                        if kind == 9 {
                            expected = Dictionary(
                                uniqueKeysWithValues: before.map {
                                    ($0 < whole.lowerBound ? $0 : $0 + Int64(whole.count), $1)
                                })
                        }
                        #expect(whole.allSatisfy { expected[$0] == nil }, "seed \(seed), step \(step): alone")
                        for copy in copies {
                            for frame in copy {
                                expected[frame] = Heard(
                                    file: clip.file.text,
                                    frame: clip.from.frame(atRate: rate) + frame - copy.lowerBound)
                            }
                        }
                    default:
                        guard !track.clips.isEmpty else { continue }
                        let index = Int(pick(0...Int64(track.clips.count - 1)))
                        let clip = track.clips[index]
                        for frame in ruler.frames(of: clip)! { expected[frame] = nil }
                        var moved = clip
                        moved.at = start
                        let frames = ruler.frames(of: moved)!
                        try track.moveClip(at: index, to: start, push: kind == 7, ruler: ruler)
                        if kind == 7 {
                            expected = Dictionary(
                                uniqueKeysWithValues: expected.map {
                                    ($0 < frames.lowerBound ? $0 : $0 + Int64(frames.count), $1)
                                })
                        }
                        for frame in frames {
                            expected[frame] = Heard(
                                file: clip.file.text,
                                frame: clip.from.frame(atRate: rate) + frame - frames.lowerBound)
                        }
                    }
                } catch { continue }
                edits += 1
                session.tracks[0] = track
                #expect(line(track, ruler) == expected, "seed \(seed), step \(step), kind \(kind)")
                #expect(
                    SessionCheck.problems(session, library: library) == [],
                    "seed \(seed), step \(step), kind \(kind)")
                #expect(
                    SessionFile.read(SessionFile.text(session)).session == session,
                    "seed \(seed), step \(step)")
            }
        }
        #expect(edits > 4000)
    }

    @Test func aMovedClipKeepsItsPlaceBetweenFrames() throws {
        let library = MediaLibrary(
            folder: "/",
            sources: ["a": try CallbackSource(sampleRate: 48000, channels: 1, frames: 1000) { _, _ in }])
        let ruler = library.ruler(atRate: 48000)
        func moved(
            _ file: String, at time: MediaTime, _ edit: (inout Track) throws(EditError) -> Void
        ) throws -> MediaTime {
            var track = Track(name: "t")
            track.clips = [Clip(file: file)]
            track.clips[0].at = time
            try edit(&track)
            return track.clips[0].at
        }
        let silence = TimeRange(start: .zero, duration: MediaTime(seconds: 1))
        for file in ["a", "missing"] {
            #expect(
                try moved(file, at: MediaTime(value: 1, timescale: 7)) { track throws(EditError) in
                    try track.insertSilence(silence, ruler: ruler)
                } == MediaTime(value: 8, timescale: 7), "\(file)")
        }
        // What has no frames is in nobody's way: the later comes behind it.
        var both = Track(name: "t")
        both.clips = [Clip(file: "missing")]
        try both.insert(Clip(file: "a"), ruler: ruler)
        #expect(both.clips.map(\.file) == ["missing", "a"])
        let nothing = TimeRange(start: .zero, duration: .zero)
        #expect(throws: EditError.range(nothing)) { try both.insertSilence(nothing, ruler: ruler) }
        // At 9.6 frames, which is the tenth: ten frames earlier it is at the start.
        let start = try moved("a", at: MediaTime(value: 96, timescale: 480_000)) { track throws(EditError) in
            try track.removeRange(
                TimeRange(start: .zero, duration: MediaTime(value: 10, timescale: 48000)), ruler: ruler)
        }
        #expect(start == .zero)
    }

    /// A silence that is taken out again leaves the track as it was, to the frame; so does a split.
    @Test func aSilenceTakenOutAgainIsNotHeard() throws {
        let library = MediaLibrary(
            folder: "/",
            sources: ["a": try CallbackSource(sampleRate: 44100, channels: 1, frames: 100_000) { _, _ in }])
        let ruler = library.ruler(atRate: 48000)
        var track = Track(name: "t")
        try track.insert(Clip(file: "a"), ruler: ruler)
        var second = Clip(file: "a")
        second.at = track.end(ruler: ruler)
        try track.insert(second, ruler: ruler)
        let before = line(track, ruler)
        let range = TimeRange(
            start: MediaTime(value: 88215, timescale: 44100), duration: MediaTime(seconds: 1))
        try track.insertSilence(range, ruler: ruler)
        #expect(line(track, ruler) != before)
        try track.removeRange(range, ruler: ruler)
        try track.split(at: MediaTime(value: 10007, timescale: 44100), ruler: ruler)
        #expect(line(track, ruler) == before)
    }

    /// Times stay exact where a timescale can say them, and the halves of a clip touch at every rate that a
    /// server may have.
    @Test func cutAndMovedClipsKeepExactTimes() throws {
        let library = MediaLibrary(
            folder: "/",
            sources: ["a": try CallbackSource(sampleRate: 48000, channels: 1, frames: 480_000) { _, _ in }])
        let ruler = library.ruler(atRate: 48000)
        var clip = Clip(file: "a")
        (clip.at, clip.from, clip.duration) = (
            MediaTime(value: 1, timescale: 3), MediaTime(value: 1, timescale: 7),
            MediaTime(value: 2, timescale: 1)
        )
        var track = Track(name: "t")
        try track.insert(clip, ruler: ruler)
        try track.insertSilence(TimeRange(start: .zero, duration: MediaTime(seconds: 1)), ruler: ruler)
        #expect(
            track.clips.map(\.at) == [MediaTime(value: 4, timescale: 3)] && track.clips[0].from == clip.from
                && track.clips[0].duration == clip.duration)
        try track.split(at: MediaTime(seconds: 2), ruler: ruler)
        let half = MediaTime(value: 2, timescale: 3)
        #expect(track.clips.map(\.at) == [MediaTime(value: 4, timescale: 3), MediaTime(seconds: 2)])
        #expect(
            track.clips[0].duration == half && track.clips[1].duration == MediaTime(seconds: 2) - half
                && track.clips[1].from == clip.from + half)
        try track.removeRange(TimeRange(start: .zero, duration: MediaTime(seconds: 1)), ruler: ruler)
        #expect(track.clips.map(\.at) == [MediaTime(value: 1, timescale: 3), MediaTime(seconds: 1)])
        #expect(throws: EditError.beyondEnd(clip: 2, at: MediaTime.latest + MediaTime(seconds: 1))) {
            try track.insertSilence(TimeRange(start: .zero, duration: .latest), ruler: ruler)
        }
        // Without a duration it ends where its file does, however it is cut.
        track.clips = [Clip(file: "a")]
        try track.split(at: MediaTime(seconds: 3), ruler: ruler)
        #expect(
            track.clips[1].duration == nil && ruler.range(of: track.clips[1])?.end == MediaTime(seconds: 10))
        clip.duration = nil
        clip.from = MediaTime(seconds: 10)
        #expect(ruler.range(of: clip) == nil)

        var random = Seeded(state: 9)
        for _ in 0..<500 {
            let ruler = library.ruler(atRate: 44100)
            clip.at = MediaTime(
                value: .random(in: 0...1_000_000_000, using: &random), timescale: 1_000_000_000)
            (clip.from, clip.duration) = (.zero, MediaTime(seconds: 2))
            var track = Track(name: "t")
            track.clips = [clip]
            try track.split(
                at: clip.at
                    + MediaTime(
                        value: .random(in: 1...1_999_000_000, using: &random), timescale: 1_000_000_000),
                ruler: ruler)
            for rate in rates + [384_000] {
                let there = library.ruler(atRate: rate)
                #expect(
                    there.frames(of: track.clips[0])!.upperBound
                        == there.frames(of: track.clips[1])!.lowerBound, "\(clip.at) at \(rate)")
                #expect(
                    abs(there.frames(of: track.clips[1])!.upperBound - there.frames(of: clip)!.upperBound)
                        <= 1)
            }
        }
    }

    @Test func aClipOfNoFrameIsRefused() throws {
        var session = Session()
        session.append(Track(name: "t"))
        let library = MediaLibrary(
            folder: "/",
            sources: ["a": try CallbackSource(sampleRate: 48000, channels: 1, frames: 1000) { _, _ in }])
        let ruler = library.ruler(atRate: 48000)
        var clip = Clip(file: "a")
        clip.duration = MediaTime(value: 1, timescale: 10_000_000)
        let range = TimeRange(start: .zero, duration: clip.duration!)
        #expect(throws: EditError.noFrame(range, rate: 48000)) {
            try session.tracks[0].insert(clip, ruler: ruler)
        }
        #expect(throws: EditError.noFrame(range, rate: 48000)) {
            try session.tracks[0].insertSilence(range, ruler: ruler)
        }
        #expect(throws: EditError.noFrame(range, rate: 48000)) {
            try session.tracks[0].removeRange(range, ruler: ruler)
        }
        let early = TimeRange(start: MediaTime(seconds: -1), end: MediaTime(seconds: 2))
        #expect(throws: EditError.range(early)) { try session.tracks[0].removeRange(early, ruler: ruler) }
        session.tracks[0].clips = [clip]
        #expect(
            SessionCheck.problems(session, library: library).map(\.place) == ["track 1, clip 1, duration"])
    }

    /// Ramps of about a frame, with ends between frames: within 1e-6 of the formula, in fractions of 128
    /// bits.
    @Test func rampsOfAnyLengthAreWhatTheFormulaSays() throws {
        let library = MediaLibrary(folder: "/")
        for seed in UInt64(1)...2000 {
            var random = Seeded(state: seed)
            let (start, length) = (
                Int64.random(in: 0...3_000_000_000, using: &random),
                Int64.random(in: 1...50_000, using: &random)
            )
            var session = Session()
            session.append(Track(name: "t"))
            let (t0, t1) = (
                MediaTime(value: start, timescale: 999_999_937),
                MediaTime(value: start + length, timescale: 999_999_937)
            )
            try session.tracks[0].automation.setRamp(
                from: 0, to: 4, over: TimeRange(start: t0, end: t1))
            let arrangement = Arrangement(session, library: library, sampleRate: 48000)
            let first = t0.frame(atRate: 48000, rounding: .up)
            for frame in first..<first + 4 {
                // (frame / 48000 - t0) / (t1 - t0)
                let share =
                    Double(Int128(frame) * 999_999_937 - Int128(start) * 48000)
                    / Double(Int128(length) * 48000)
                let expected = 4 * min(1, share)
                #expect(
                    abs(arrangement.volume(of: session.tracks[0].id, at: frame) - expected) < 1e-6,
                    "seed \(seed), frame \(frame)")
            }
        }
    }
}
