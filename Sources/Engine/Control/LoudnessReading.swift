import Loudness
import Realtime
import Speakers

/// What a bus or the master measures while it plays: EBU R 128, by Rec. ITU-R BS.1770.
public struct LoudnessReading: Equatable, Sendable {
    /// Over the last 400 ms, in LUFS; negative infinity for silence.
    public let momentary: Double
    /// Over the last 3 s.
    public let shortTerm: Double
    /// Since it was begun, or reset.
    public let integrated: Double
    /// In LU: between its soft and its loud parts since then, by EBU Tech 3342.
    public let range: Double
    /// The highest since then, in dBTP.
    public let truePeak: Double
}

extension LoudnessReading {
    init(_ meter: LoudnessMeter) {
        let (present, whole) = (meter.present, meter.reading)
        // The filters of the measurement ring on for longer than anything is heard.
        func heard(_ loudness: Double) -> Double { loudness < -150 ? -.infinity : loudness }
        self.init(
            momentary: heard(present.momentary), shortTerm: heard(present.shortTerm),
            integrated: whole.integrated, range: whole.range,
            truePeak: whole.truePeakLevel)
    }
}
