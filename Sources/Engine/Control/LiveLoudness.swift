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
    /// The highest since then, in dBTP.
    public let truePeak: Double
}

/// Measures the loudness of a strip while it plays: the audio thread puts its frames into a ring, the control thread takes them out. Control thread.
final class LiveLoudness {
    /// A second and more. Where there is no room frames are left out of the measurement.
    let ring: SampleRing
    private let layout: SpeakerLayout
    private let sampleRate: Int32
    private var meter: LoudnessMeter
    private var next = 0

    /// - Throws: `LoudnessError`: a rate that is not measured.
    init(_ layout: SpeakerLayout, sampleRate: Int32) throws(LoudnessError) {
        meter = try LoudnessMeter(layout, sampleRate: sampleRate, isLive: true)
        (self.layout, self.sampleRate) = (layout, sampleRate)
        var capacity = 1024
        while capacity < Int(sampleRate) { capacity *= 2 }
        ring = SampleRing(capacity: capacity, channels: layout.channels)
    }

    deinit { ring.destroy() }

    /// Takes what has come, to be called every few milliseconds.
    func follow() {
        while case let count = min(ring.available(from: next), ring.contiguous(from: next)), count > 0 {
            let (block, channels) = (ring.samples(from: next), layout.channels)
            let frames = [Float](unsafeUninitializedCapacity: count * channels) { frames, used in
                for channel in 0..<channels {
                    let samples = block.channel(channel)
                    for i in 0..<count { frames.initializeElement(at: i * channels + channel, to: samples[i]) }
                }
                used = count * channels
            }
            meter.add(frames, frames: count)
            next += count
            ring.consume(upTo: next)
        }
    }

    /// Measures from now on.
    func reset() {
        follow()
        if let anew = try? LoudnessMeter(layout, sampleRate: sampleRate, isLive: true) { meter = anew }
    }

    var reading: LoudnessReading {
        let (present, whole) = (meter.present, meter.reading)
        // The filters of the measurement ring on for longer than anything is heard.
        func heard(_ loudness: Double) -> Double { loudness < -150 ? -.infinity : loudness }
        return LoudnessReading(
            momentary: heard(present.momentary), shortTerm: heard(present.shortTerm), integrated: whole.integrated, truePeak: whole.truePeakLevel)
    }
}
