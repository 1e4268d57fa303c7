import Speakers
import Testing

/// Gains by hand, from the tables of Rec. ITU-R BS.775-3, annex 4.
@Suite struct SpeakerLayoutTests {
    private let down = 0.5.squareRoot()

    /// The gains from the channels of one layout to a channel of another.
    private func gains(_ from: SpeakerLayout, _ to: SpeakerLayout, _ channel: Int) -> [Double] {
        var gains = [Double](repeating: 0, count: from.channels)
        for part in from.parts(to: to) where part.to == channel { gains[part.from] = part.gain }
        return gains
    }

    private func isClose(_ a: [Double], _ b: [Double]) -> Bool {
        a.count == b.count && zip(a, b).allSatisfy { abs($0 - $1) < 1e-12 }
    }

    @Test func surroundIsHeardInStereoAsTheTableSays() {
        #expect(isClose(gains(.surround51, .stereo, 0), [1, 0, down, 0, down, 0]))
        #expect(isClose(gains(.surround51, .stereo, 1), [0, 1, down, 0, 0, down]))
        #expect(isClose(gains(.surround51, .mono, 0), [down, down, 1, 0, 0.5, 0.5]))
        #expect(isClose(gains(.stereo, .mono, 0), [down, down]))
        #expect(isClose(gains(.mono, .stereo, 0), [down]) && isClose(gains(.mono, .stereo, 1), [down]))
    }

    @Test func aWiderLayoutHasEachSpeakerWhereItBelongs() {
        #expect(
            (0..<6).map { gains(.stereo, .surround51, $0) } == [
                [1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0],
            ])
        #expect((0..<6).map { gains(.mono, .surround51, $0) } == [[0], [0], [1], [0], [0], [0]])
        #expect(
            gains(.surround51, .surround71, 6) == [0, 0, 0, 0, 1, 0]
                && gains(.surround51, .surround71, 4) == [0, 0, 0, 0, 0, 0])
    }

    /// By 5.1 or at once: the same stereo comes of it.
    @Test(arguments: [SpeakerLayout.surround71, .surround714], [SpeakerLayout.stereo, .mono])
    func twoStepsAreOne(from: SpeakerLayout, to: SpeakerLayout) {
        for channel in 0..<to.channels {
            var steps = [Double](repeating: 0, count: from.channels)
            for part in SpeakerLayout.surround51.parts(to: to) where part.to == channel {
                for (source, gain) in gains(from, .surround51, part.from).enumerated() {
                    steps[source] += gain * part.gain
                }
            }
            #expect(isClose(gains(from, to, channel), steps))
        }
    }

    @Test(arguments: SpeakerLayout.allCases) func aLayoutThatStaysIsLeftAsItIs(layout: SpeakerLayout) {
        let parts = layout.parts(to: layout)
        #expect(
            parts.map(\.from) == Array(0..<layout.channels)
                && parts.allSatisfy { $0.to == $0.from && $0.gain == 1 })
        #expect(layout.speakers.count == layout.channels && Set(layout.speakers).count == layout.channels)
        #expect(SpeakerLayout(layout.name) == layout && SpeakerLayout("\(layout.channels)") == layout)
    }

    @Test func aSourceIsHeardWhereItsSpeakersAre() throws {
        #expect(try ChannelChoice(nil, of: 1, on: .stereo).sources == [0, 0])
        #expect(try ChannelChoice(nil, of: 1, on: .surround51).sources == [0, 0, nil, nil, nil, nil])
        #expect(try ChannelChoice(nil, of: 2, on: .surround51).sources == [0, 1, nil, nil, nil, nil])
        #expect(try ChannelChoice(nil, of: 6, on: .surround71).sources == [0, 1, 2, 3, nil, nil, 4, 5])
        #expect(
            try ChannelChoice((3, 200), of: 200, on: .surround51).sources == [2, 199, nil, nil, nil, nil])
        #expect(try ChannelChoice((2, 2), of: 2, on: .mono).sources == [1])
        for (pair, count, layout) in [
            (nil, 6, .stereo), (nil, 2, .mono), (nil, 8, .surround51), (nil, 4, .surround714),
            ((1, 2), 2, .mono), ((1, 3), 2, .stereo),
        ]
            as [((left: Int, right: Int)?, Int, SpeakerLayout)]
        {
            #expect(throws: ChannelChoice.Problem.self) { try ChannelChoice(pair, of: count, on: layout) }
        }
    }
}
