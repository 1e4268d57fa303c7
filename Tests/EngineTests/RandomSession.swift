import TestSupport
import Timeline

/// One to four tracks with clips, points, ramps, fades and a duck, at times on and between frames; of the
/// files 0.wav, 1.wav and 2.wav.
/// - Parameter touching: clips that touch, between frames too, and that last no whole number of them.
func randomSession(_ random: inout Seeded, touching: Bool = false) -> Session {
    func time(_ limit: Double) -> MediaTime {
        // Whole frames, and times between frames.
        let scale = [48000, 1000, 44100, 7].randomElement(using: &random)!
        return MediaTime(
            value: Int64.random(in: 0...Int64(limit * Double(scale)), using: &random), timescale: Int32(scale)
        )
    }
    var session = Session()
    for index in 0..<Int.random(in: 1...4, using: &random) {
        var track = Track(name: "t\(index)")
        track.fader = Double.random(in: 0...1.5, using: &random)
        track.pan = Bool.random(using: &random) ? 0 : Double.random(in: -1...1, using: &random)
        track.mute = Int.random(in: 0..<8, using: &random) == 0
        track.solo = Int.random(in: 0..<8, using: &random) == 0
        if Bool.random(using: &random) { track.fadeIn = time(0.2) }
        if Bool.random(using: &random) { track.fadeOut = time(0.2) }
        var at = time(0.1)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            var clip = Clip(file: "\(Int.random(in: 0...2, using: &random)).wav")
            clip.at = at
            clip.from = MediaTime(frame: Int64.random(in: 0...2000, using: &random), rate: 48000)
            clip.duration = MediaTime(frame: Int64.random(in: 1...8000, using: &random), rate: 48000)
            track.clips.append(clip)
            if touching {
                clip.duration = time(0.15) + MediaTime(value: 1, timescale: 7000)
                track.clips[track.clips.count - 1].duration = clip.duration
                at = at + clip.duration! + (Bool.random(using: &random) ? .zero : time(0.02))
                continue
            }
            at =
                at + clip.duration! + MediaTime(frame: 1, rate: 48000)
                + (Bool.random(using: &random) ? .zero : time(0.1))
        }
        for _ in 0..<Int.random(in: 0...6, using: &random) {
            if Bool.random(using: &random) {
                try? track.automation.setValue(.random(in: 0...2, using: &random), at: time(0.6))
            } else {
                try? track.automation.setRamp(
                    from: .random(in: 0.01...2, using: &random), to: .random(in: 0.01...2, using: &random),
                    over: TimeRange(start: time(0.6), duration: time(0.2)),
                    curve: Curve.allCases.randomElement(using: &random)!)
            }
        }
        session.append(track)
    }
    if session.tracks.count > 1, Bool.random(using: &random) {
        var duck = Duck(
            track: session.tracks[0].id, under: session.tracks[1].id, to: .random(in: 0...1, using: &random))
        duck.attack = time(0.1)
        duck.release = time(0.1)
        session.ducks = [duck]
    }
    session.master.fader = .random(in: 0...1.5, using: &random)
    return session
}
