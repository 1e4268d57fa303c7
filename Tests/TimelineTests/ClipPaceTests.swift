import TestSupport
import Testing
import Timeline

/// Clips that play their files slower, faster or backwards, edited in any order: whatever is cut, moved and
/// trimmed, each frame of the timeline hears the frame of the sound that it heard.
@Suite struct ClipPaceTests {
    /// What a frame of the timeline hears.
    private struct Heard: Equatable, CustomStringConvertible {
        let file: String
        let frame: Int64
        var description: String { "\(file):\(frame)" }
    }

    private struct Desk {
        let rate: Int32
        let lengths: [String: MediaTime]
        var ruler: ClipRuler { ClipRuler(rate: rate) { lengths[$0.file.text] } }

        /// Frame by frame, by what the clips say of themselves.
        func heard(_ track: Track) throws -> [Int64: Heard] {
            var heard: [Int64: Heard] = [:]
            for clip in track.clips {
                let frames = try #require(ruler.frames(of: clip))
                let first = try #require(ruler.soundFrame(of: clip))
                #expect(first >= 0 && clip.from >= .zero, "\(clip)")
                for frame in frames {
                    #expect(heard[frame] == nil, "two clips at \(frame)")
                    heard[frame] = Heard(file: clip.file.text, frame: first + frame - frames.lowerBound)
                }
            }
            return heard
        }
    }

    @Test(arguments: [48000, 44100, 8000] as [Int32]) func edits(_ rate: Int32) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var dice = Seeded(state: seed)
        for _ in 0..<60 { try run(rate, &dice) }
    }

    /// Sums of rounded times that once said another frame: of the timeline, or of the sound.
    @Test(
        arguments: [
            (44100, [8965, 11014, 14064, 17904]),
            (8000, [346, 370, 795, 2000, 3358, 5202, 5508, 7273, 8022, 8216, 8899, 11413]),
        ] as [(Int32, [UInt64])]) func editsThatRoundedAway(_ rate: Int32, _ seeds: [UInt64]) throws
    {
        for seed in seeds {
            var dice = Seeded(state: seed &* 7919)
            try run(rate, &dice)
        }
    }

    private func run(_ rate: Int32, _ dice: inout Seeded) throws {
        // As odd as files are: at other rates, and of lengths between two frames of the session.
        var lengths: [String: MediaTime] = [:]
        var track = Track(name: "a")
        var end: Int64 = 0
        for number in 0..<Int.random(in: 1...4, using: &dice) {
            var clip = Clip(file: "\(number)")
            clip.speed = [1, 0.25, 4, 1.25, 1 / 3, Double.random(in: 0.25...4, using: &dice)].randomElement(
                using: &dice)!
            clip.isReversed = Bool.random(using: &dice)
            let length = MediaTime(
                value: Int64.random(in: 60...900, using: &dice),
                timescale: [44100, 48000, 11025].randomElement(using: &dice)!)
            lengths[clip.file.text] = length
            end += Int64.random(in: 0...50, using: &dice)
            clip.at =
                Bool.random(using: &dice)
                ? MediaTime(frame: end, rate: rate)
                : MediaTime(frame: end, rate: rate) + MediaTime(value: 1, timescale: 1_000_003)
            if Bool.random(using: &dice) {
                // Some stretch in the middle, by the file's time.
                let (a, b) = (Int64.random(in: 1...40, using: &dice), Int64.random(in: 42...90, using: &dice))
                clip.from = clip.ofFile(length.multiplied(by: Int32(a), over: 100))
                clip.duration = clip.ofFile(length.multiplied(by: Int32(b - a), over: 100))
            }
            let desk = Desk(rate: rate, lengths: lengths)
            guard let frames = desk.ruler.frames(of: clip), !frames.isEmpty else { continue }
            end = frames.upperBound + 1
            track.clips.append(clip)
        }
        if track.clips.isEmpty { return }
        let desk = Desk(rate: rate, lengths: lengths)
        var wanted = try desk.heard(track)
        var story = ["\(track.clips)"]
        func time(_ frame: Int64) -> MediaTime { MediaTime(frame: frame, rate: rate) }
        for _ in 0..<30 where !track.clips.isEmpty {
            let ruler = desk.ruler
            let last = track.clips.compactMap { ruler.frames(of: $0)?.upperBound }.max() ?? 0
            let (a, b) = (Int64.random(in: 0...last, using: &dice), Int64.random(in: 1...60, using: &dice))
            let before = track
            do {
                switch Int.random(in: 0..<6, using: &dice) {
                case 0:
                    story.append("split \(a)")
                    try track.split(at: time(a), ruler: ruler)
                case 1:
                    let keeps = Bool.random(using: &dice)
                    story.append("remove \(a)+\(b) \(keeps)")
                    try track.removeRange(
                        TimeRange(start: time(a), duration: time(b)), keepsGap: keeps, ruler: ruler)
                    wanted = Dictionary(
                        uniqueKeysWithValues: wanted.compactMap { frame, heard in
                            a..<a + b ~= frame ? nil : (frame >= a + b && !keeps ? frame - b : frame, heard)
                        })
                case 2:
                    story.append("silence \(a)+\(b)")
                    try track.insertSilence(TimeRange(start: time(a), duration: time(b)), ruler: ruler)
                    wanted = Dictionary(uniqueKeysWithValues: wanted.map { ($0 >= a ? $0 + b : $0, $1) })
                case 3:
                    let index = track.clips.indices.randomElement(using: &dice)!
                    let frames = try #require(ruler.frames(of: track.clips[index]))
                    if frames.isEmpty { continue }
                    let (first, count) = (
                        frames.lowerBound + Int64.random(in: -5...5, using: &dice),
                        Int64(frames.count) + Int64.random(in: -8...8, using: &dice)
                    )
                    if first < 0 || count < 1 { continue }
                    story.append("trim \(index) to \(first)+\(count)")
                    let sound =
                        try #require(ruler.soundFrame(of: track.clips[index])) + first - frames.lowerBound
                    let file = track.clips[index].file
                    try track.trimClip(
                        at: index, to: TimeRange(start: time(first), duration: time(count)), ruler: ruler)
                    for frame in frames { wanted[frame] = nil }
                    for frame in first..<first + count {
                        wanted[frame] = Heard(file: file.text, frame: sound + frame - first)
                    }
                case 4:
                    let index = track.clips.indices.randomElement(using: &dice)!
                    let (clip, frames) = (
                        track.clips[index], try #require(ruler.frames(of: track.clips[index]))
                    )
                    story.append("move \(index) to \(a)")
                    try track.moveClip(at: index, to: time(a), ruler: ruler)
                    let first = try #require(ruler.soundFrame(of: clip))
                    for frame in frames { wanted[frame] = nil }
                    // Between two frames it may be one longer or shorter.
                    var moved = clip
                    moved.at = time(a)
                    for frame in try #require(ruler.frames(of: moved)) {
                        wanted[frame] = Heard(file: clip.file.text, frame: first + frame - a)
                    }
                default:
                    story.append("written and read")
                    var session = Session()
                    session.sampleRate = rate
                    session.append(track)
                    let reading = SessionFile.read(SessionFile.text(session))
                    track = try #require(reading.session?.tracks.first, "\(reading.problems)")
                }
            } catch is EditError {
                #expect(track == before)
                story.append("  refused")
            }
            let heard = try desk.heard(track)
            if heard != wanted || track.clips.contains(where: { $0.from < .zero }) {
                let frame = Set(heard.keys).union(wanted.keys).sorted().first { heard[$0] != wanted[$0] } ?? 0
                Issue.record(
                    """
                    at \(frame): \(heard[frame].map(String.init(describing:)) ?? "nothing"), not \
                    \(wanted[frame].map(String.init(describing:)) ?? "nothing")
                    \(story.joined(separator: "\n"))\n\(track.clips)
                    """
                )
                return
            }
        }
    }

    @Test func aStretchOfTheTimelineIsMadeLonger() throws {
        let ruler = ClipRuler(rate: 48000) { _ in MediaTime(seconds: 10) }
        var track = Track(name: "a")
        var first = Clip(file: "a.wav")
        first.duration = MediaTime(seconds: 4)
        var second = Clip(file: "b.wav")
        (second.at, second.isReversed, second.duration) = (MediaTime(seconds: 6), true, MediaTime(seconds: 2))
        track.clips = [first, second]
        try track.scaleRange(
            TimeRange(start: MediaTime(seconds: 2), end: MediaTime(seconds: 7)), to: MediaTime(seconds: 10),
            ruler: ruler)
        let ranges = track.clips.map { ruler.range(of: $0)! }
        #expect(ranges.map(\.start) == [0, 2, 10, 12].map { MediaTime(seconds: $0) })
        #expect(ranges.map(\.end) == [2, 6, 12, 13].map { MediaTime(seconds: $0) })
        #expect(track.clips.map(\.speed) == [1, 0.5, 0.5, 1])
        #expect(track.clips.map(\.from) == [0, 2, 1, 0].map { MediaTime(seconds: $0) })
        let before = track
        #expect(throws: EditError.speed(0.125, clip: 2)) {
            try track.scaleRange(
                TimeRange(start: MediaTime(seconds: 2), end: MediaTime(seconds: 3)),
                to: MediaTime(seconds: 4), ruler: ruler)
        }
        #expect(track == before)
    }

    @Test func aFileSaysPacesAsCommandsDo() throws {
        func reading(_ clip: String) -> SessionFile.Reading {
            SessionFile.read(
                #"""
                {"jmix": 1, "sampleRate": 48000, "tracks": [{"name": "a", "clips": [{"file": "a.wav",
                "at": "0s", \#(clip)}]}]}
                """#
            )
        }
        let clip = try #require(
            reading(#""speed": 1.25, "pitch": -3.5, "reverse": true, "stretcher": "rubberband""#).session?
                .tracks[0].clips[0])
        #expect(
            (clip.speed, clip.pitch, clip.isReversed, clip.stretcher, clip.isTape) == (
                1.25, -3.5, true, .rubberband, false
            ))
        #expect(
            clip.json.compactText
                == #"""
                { "file": "a.wav", "at": "0s", "speed": 1.25, "pitch": -3.5, "reverse": true, \#
                "stretcher": "rubberband" }
                """#
        )
        #expect(try #require(reading(#""speed": 0.5, "tape": true"#).session).tracks[0].clips[0].isTape)
        for wrong in [
            #""speed": 0.2"#, #""speed": 4.1"#, #""speed": "fast""#, #""pitch": 25"#,
            #""pitch": 1, "tape": true"#, #""tape": true, "pitch": 1"#, #""reverse": 1"#,
            #""stretcher": "zita""#,
        ] {
            #expect(!reading(wrong).problems.isEmpty, "\(wrong)")
        }
    }
}
