import AudioFile
import Engine
import TestSupport
import Testing
import Timeline

/// Volumes as straight lines: what is played at every frame, but for what a hundredth of a decibel hides.
@Suite struct PolylineTests {
    private let folder = TemporaryFolder()

    @Test func linesOfAPictureAreWhatIsPlayed() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var dice = Seeded(state: seed)
        try folder.file("a.wav", frames: 40_000) { _ in (0, 0) }
        func time(_ range: ClosedRange<Int64>) -> MediaTime {
            MediaTime(value: Int64.random(in: range, using: &dice), timescale: 44100)
        }
        for _ in 0..<40 {
            var session = Session()
            for name in ["a", "b"] {
                var track = Track(name: name)
                var clip = Clip(file: "a.wav")
                clip.at = time(1...40_000)
                track.clips = [clip]
                if Bool.random(using: &dice) {
                    (track.fadeIn, track.fadeOut) = (time(1...20_000), time(1...20_000))
                }
                var automation = Automation()
                var place = time(0...3000)
                for _ in 0..<Int.random(in: 0...6, using: &dice) {
                    let (first, last) = (
                        Double.random(in: 0.001...4, using: &dice), Double.random(in: 0.001...4, using: &dice)
                    )
                    if Bool.random(using: &dice) {
                        try automation.setValue(first, at: place)
                    } else {
                        let range = TimeRange(start: place, duration: time(1...20_000))
                        try automation.setRamp(
                            from: first, to: last, over: range,
                            curve: Curve.allCases.randomElement(using: &dice)!)
                        place = range.end
                    }
                    place = place + time(1...3000)
                }
                track.automation = automation
                session.append(track)
            }
            if Bool.random(using: &dice) {
                session.ducks = [Duck(track: session.tracks[0].id, under: session.tracks[1].id, to: 0.2)]
            }
            let arrangement = Arrangement(
                session, library: MediaLibrary(folder: folder.path), sampleRate: 48000)
            let volumes = arrangement.volumes
            for track in session.tracks {
                let (line, curve) = (volumes.polyline(of: [track.id]), arrangement.curve(of: track.id))
                #expect(
                    zip(line.points, line.points.dropFirst()).allSatisfy { $0.frame < $1.frame }
                        && line.points[0].frame == 0)
                for frame in stride(from: Int64(0), to: 150_000, by: 7) {
                    let (drawn, played) = (line.value(at: frame), curve(frame))
                    #expect(
                        abs(drawn - played) <= 0.002 * max(played, 0.001),
                        "\(frame): \(drawn), played \(played)")
                }
                // Where it stands or goes straight it is exact: at its own points, whatever they are.
                for point in line.points { #expect(abs(point.value - curve(point.frame)) < 1e-9) }
            }
        }
    }
}
