import Files
import AudioFile
import Engine
import TestSupport
import Testing
import Timeline

/// Edits of clips that have gains, fades and crossfades: what is not told to change sounds as it did, frame
/// by frame.
@Suite struct ShapedEditingTests {
    /// A frame of a source, and what it is multiplied by.
    private struct Sound: Hashable {
        let file: String
        let frame: Int64
        /// In billionths, so that two ways to the same number are the same.
        let gain: Int64
    }

    private static let rate: Int32 = 8000

    private func line(_ track: Track) -> [Int64: Set<Sound>] {
        func frames(_ time: MediaTime) -> Int64 { time.frame(atRate: Self.rate) }
        var line: [Int64: Set<Sound>] = [:]
        for (index, clip) in track.clips.enumerated() {
            let (start, length) = (frames(clip.at), frames(clip.duration!))
            let next = index + 1 < track.clips.count ? frames(track.clips[index + 1].crossfade.duration) : 0
            for n in 0..<length {
                func rise(_ duration: Int64) -> Double { n < duration ? Double(n) / Double(duration) : 1 }
                func fall(_ duration: Int64) -> Double {
                    length - n < duration ? Double(length - n) / Double(duration) : 1
                }
                let gain =
                    clip.gain * rise(frames(clip.fadeIn.duration)) * rise(frames(clip.crossfade.duration))
                    * fall(frames(clip.fadeOut.duration)) * fall(next)
                line[start + n, default: []].insert(
                    Sound(
                        file: clip.file.text, frame: frames(clip.from) + n,
                        gain: Int64((gain * 1e9).rounded())))
            }
        }
        return line
    }

    @Test func noEditChangesHowWhatItKeepsSounds() throws {
        var (edits, refusals, crossfades) = (0, 0, 0)
        let library = MediaLibrary(
            folder: "/",
            sources: try Dictionary(
                uniqueKeysWithValues: ["a", "b", "c"].map {
                    ($0, try CallbackSource(sampleRate: Self.rate, channels: 1, frames: 1000) { _, _ in })
                }))
        let ruler = library.ruler(atRate: Self.rate)
        for seed in UInt64(1)...600 {
            var random = Seeded(state: seed)
            func pick(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
            func time(_ frames: Int64) -> MediaTime { MediaTime(frame: frames, rate: Self.rate) }
            var session = Session()
            session.sampleRate = Self.rate
            session.append(Track(name: "t"))
            for step in 0..<20 {
                var track = session.tracks[0]
                let before = line(track)
                var expected = before
                let (place, length, kind) = (pick(0...600), pick(1...120), pick(0...10))
                func closed(_ line: [Int64: Set<Sound>], from: Int64, by count: Int64) -> [Int64: Set<Sound>]
                {
                    Dictionary(uniqueKeysWithValues: line.map { ($0 < from ? $0 : $0 + count, $1) })
                }
                do throws(EditError) {
                    switch kind {
                    case 0, 1, 2, 3:
                        var clip = Clip(file: ["a", "b", "c"].randomElement(using: &random)!)
                        (clip.from, clip.duration, clip.gain) = (
                            time(pick(0...100)), time(pick(1...200)), Double(pick(0...8)) / 4
                        )
                        (clip.fadeIn.duration, clip.fadeOut.duration) = (
                            time(pick(0...1) * pick(0...60)), time(pick(0...1) * pick(0...60))
                        )
                        if kind > 1 { clip.crossfade.duration = time(pick(1...60)) }
                        let end = track.end(ruler: ruler)
                        clip.at = kind == 0 ? time(place) : max(.zero, end - clip.crossfade.duration)
                        try track.insert(clip, ruler: ruler)
                        if kind > 1 { crossfades += 1 }
                        // All that was there is there as it was, but for what falls while this rises.
                        let now = line(track)
                        let crossed =
                            kind > 1 ? clip.at.frame(atRate: Self.rate)..<end.frame(atRate: Self.rate) : 0..<0
                        for (frame, sounds) in before where !crossed.contains(frame) {
                            #expect(sounds.isSubset(of: now[frame] ?? []), "seed \(seed), step \(step)")
                        }
                        for frame in crossed {
                            #expect(
                                now[frame]?.count == 2 || before[frame]!.isSubset(of: now[frame]!),
                                "seed \(seed), step \(step)")
                        }
                        expected = now
                    case 4:
                        try track.insertSilence(
                            TimeRange(start: time(place), duration: time(length)), ruler: ruler)
                        expected = closed(before, from: place, by: length)
                    case 5:
                        let gap = Bool.random(using: &random)
                        try track.removeRange(
                            TimeRange(start: time(place), duration: time(length)), keepsGap: gap, ruler: ruler
                        )
                        expected = before.filter { $0.key < place || $0.key >= place + length }
                        if !gap { expected = closed(expected, from: place + length, by: -length) }
                    case 6: try track.split(at: time(place), ruler: ruler)
                    case 9, 10:
                        guard !track.clips.isEmpty else { continue }
                        let (index, times) = (Int(pick(0...Int64(track.clips.count - 1))), pick(1...4))
                        // Written out by hand: the clips up to it, the copies, and all others later.
                        var written = track
                        var copy = track.clips[index]
                        let each = copy.duration!
                        copy.crossfade.duration = .zero
                        for later in written.clips.indices where later > index {
                            written.clips[later].at = written.clips[later].at + each * Int32(times)
                        }
                        for number in 1...Int32(times) {
                            copy.at = track.clips[index].at + each * number
                            written.clips.append(copy)
                        }
                        written.clips.sort { $0.at < $1.at }
                        let isFree =
                            index == track.clips.count - 1
                            || track.clips[index + 1].at >= copy.at + each
                        try track.repeatClip(at: index, times: Int(times), push: kind == 9, ruler: ruler)
                        if kind == 9 {
                            expected = line(written)
                        } else {
                            #expect(isFree, "seed \(seed), step \(step): what lies there is in the way")
                            var alone = Track(name: "t")
                            for number in 1...Int32(times) {
                                copy.at = session.tracks[0].clips[index].at + each * number
                                alone.clips.append(copy)
                            }
                            for (frame, sounds) in line(alone) {
                                expected[frame, default: []].formUnion(sounds)
                            }
                        }
                    default:
                        guard !track.clips.isEmpty else { continue }
                        let index = Int(pick(0...Int64(track.clips.count - 1)))
                        var alone = track
                        let clip = try alone.removeClip(at: index, ruler: ruler)
                        try track.moveClip(at: index, to: time(place), ruler: ruler)
                        var moved = clip
                        (moved.at, moved.crossfade.duration) = (time(place), .zero)
                        var only = Track(name: "t")
                        only.clips = [moved]
                        expected = line(alone)
                        for (frame, sounds) in line(only) { expected[frame, default: []].formUnion(sounds) }
                    }
                } catch {
                    refusals += 1
                    #expect(
                        track == session.tracks[0],
                        "seed \(seed), step \(step): what is refused changes nothing")
                    continue
                }
                edits += 1
                session.tracks[0] = track
                #expect(line(track) == expected, "seed \(seed), step \(step), kind \(kind)")
                #expect(
                    SessionCheck.problems(session, library: library) == [],
                    "seed \(seed), step \(step), kind \(kind)")
                #expect(
                    SessionFile.read(SessionFile.text(session)).session == session,
                    "seed \(seed), step \(step)")
            }
        }
        #expect(
            edits > 4000 && refusals > 1000 && crossfades > 500,
            "\(edits) edits, \(refusals) refusals, \(crossfades) crossfades")
    }

    /// A clip is cut where it does not fade, up to the very frame; where it does, nowhere.
    @Test func cutsAreRefusedInFadesAndNowhereElse() throws {
        let library = MediaLibrary(
            folder: "/",
            sources: ["a": try CallbackSource(sampleRate: Self.rate, channels: 1, frames: 1000) { _, _ in }])
        let ruler = library.ruler(atRate: Self.rate)
        func time(_ frames: Int64) -> MediaTime { MediaTime(frame: frames, rate: Self.rate) }
        // 100 to 200, fading in for 10 and out for 20; then 180 to 280 over it.
        var track = Track(name: "t")
        var first = Clip(file: "a")
        (first.at, first.duration, first.fadeIn.duration, first.fadeOut.duration) = (
            time(100), time(100), time(10), time(20)
        )
        try track.insert(first, ruler: ruler)
        var second = Clip(file: "a")
        (second.at, second.duration, second.crossfade.duration) = (time(190), time(90), time(10))
        try track.insert(second, ruler: ruler)
        let whole = track
        for frame in Int64(90)...290 {
            var track = whole
            let isRefused = 101..<110 ~= frame || 181..<200 ~= frame
            let isSplit = 110...180 ~= frame || 200..<280 ~= frame
            do throws(EditError) {
                try track.split(at: time(frame), ruler: ruler)
                #expect(isSplit, "\(frame)")
            } catch {
                if isRefused {
                    #expect(error == .inFade(at: time(frame), clip: 1), "\(frame)")
                } else {
                    #expect(error == .nothingToSplit(at: time(frame)) && !isSplit, "\(frame)")
                }
            }
            track = whole
            let opens: Bool
            do throws(EditError) {
                try track.insertSilence(TimeRange(start: time(frame), duration: time(5)), ruler: ruler)
                opens = true
            } catch {
                opens = false
            }
            #expect(opens != isRefused, "\(frame)")
        }
        // What is moved away takes its crossfade nowhere, and leaves none behind.
        try track.moveClip(at: 1, to: time(500), ruler: ruler)
        #expect(track.clips[1].crossfade == ClipFade(curve: .equalpower))
        track = whole
        try track.moveClip(at: 0, to: time(500), ruler: ruler)
        #expect(
            track.clips[0].crossfade.duration == .zero
                && SessionCheck.problems(track, place: "t", library, rate: Self.rate).isEmpty)
        try track.shapeClip(at: 0) { $0.gain = 0.5 }
        #expect(track.clips[0].gain == 0.5)
        #expect(throws: EditError.noClip(number: 3, count: 2)) {
            try track.shapeClip(at: 2) { $0.gain = 0.5 }
        }
    }

    /// Random clips with fades and crossfades of random files: what sounds is kept, frame by frame, and what
    /// is silent for long is not.
    @Test func pausesAndNothingElseAreTakenOut() throws {
        let folder = TemporaryFolder()
        var taken = 0
        for seed in UInt64(1)...200 {
            var random = Seeded(state: seed)
            func pick(_ range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &random) }
            func time(_ frames: Int64) -> MediaTime { MediaTime(frame: frames, rate: Self.rate) }
            // Sounds and silences of a file, frame by frame.
            var samples: [Float] = []
            while samples.count < 600 {
                samples += [Float](
                    repeating: [0, 0.001, 0.3].randomElement(using: &random)!, count: Int(pick(1...60)))
            }
            try folder.file("\(seed).wav", frames: 600, rate: Self.rate) { n in (samples[n], samples[n]) }
            let library = folder.library
            let ruler = library.ruler(atRate: Self.rate)
            var track = Track(name: "t")
            for _ in 0..<pick(1...3) {
                var clip = Clip(file: "\(seed).wav")
                (clip.from, clip.duration) = (time(pick(0...200)), time(pick(1...300)))
                (clip.fadeIn.duration, clip.fadeOut.duration) = (
                    time(pick(0...1) * pick(0...40)), time(pick(0...1) * pick(0...40))
                )
                if Bool.random(using: &random) { clip.crossfade.duration = time(pick(1...60)) }
                clip.at = max(.zero, track.end(ruler: ruler) - clip.crossfade.duration)
                try? track.insert(clip, ruler: ruler)
            }
            let (least, pad) = (pick(1...40), pick(0...10))
            let measure = Pauses.Measure(threshold: 0.01, minimum: time(least), pad: time(pad))
            let (clips, pauses) = try Pauses.takeOut(
                of: track.clips, on: .stereo, place: { library.place(of: $0) }, ruler: ruler, measure,
                limit: 1000)
            var stripped = track
            stripped.clips = clips
            let (before, after) = (line(track), line(stripped))
            var expected = before
            for pause in pauses {
                #expect(
                    pause.allSatisfy {
                        before[$0]!.allSatisfy { samples[Int($0.frame)] < 0.01 } && before[$0]!.count == 1
                    }, "seed \(seed): a pause is silent, and one clip's alone")
                for frame in pause { expected[frame] = nil }
            }
            #expect(after == expected, "seed \(seed)")
            #expect(
                SessionCheck.problems(stripped, place: "t", library, rate: Self.rate).isEmpty, "seed \(seed)")
            taken += pauses.count
            // What is left has no pause of that length with its pads, but where a clip fades or another is
            // heard.
            let again = try Pauses.takeOut(
                of: clips, on: .stereo, place: { library.place(of: $0) }, ruler: ruler,
                Pauses.Measure(threshold: 0.01, minimum: time(least + 2 * pad + 2), pad: time(pad)),
                limit: 1000)
            #expect(again.pauses.isEmpty, "seed \(seed): \(again.pauses)")
            let few = try Pauses.takeOut(
                of: track.clips, on: .stereo, place: { library.place(of: $0) }, ruler: ruler, measure,
                limit: 1)
            #expect(
                few.pauses == Array(pauses.prefix(few.pauses.count))
                    && few.pauses.count >= min(1, pauses.count))
        }
        #expect(taken > 200, "\(taken) pauses")
    }
}
