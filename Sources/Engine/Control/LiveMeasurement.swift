import Loudness
import Realtime
import Speakers

/// Measures a strip while it plays: its loudness, its spectrum, or both. The audio thread puts its frames
/// into a ring, a worker takes them out. Any thread but that one.
final class LiveMeasurement: Sendable {
    /// A second and more. Where there is no room frames are left out of the measurement.
    let ring: SampleRing
    private let layout: SpeakerLayout
    private let sampleRate: Int32
    private let state = Guarded(State())

    private struct State {
        /// The next frame of the ring.
        var next = 0
        var loudness: LoudnessMeter?
        var spectrum: SpectrumWindow?
        var levels = SpectrumWindow.silence
    }

    init(_ layout: SpeakerLayout, sampleRate: Int32) {
        (self.layout, self.sampleRate) = (layout, sampleRate)
        var capacity = 1024
        while capacity < Int(sampleRate) { capacity *= 2 }
        ring = SampleRing(capacity: capacity, channels: layout.channels)
    }

    deinit { ring.destroy() }

    /// Takes what has come. The levels are worked out while nobody has to wait for that.
    func follow() {
        let fresh: (window: SpectrumWindow, frames: [Float])? = state.withLock { state in
            drain(&state)
            guard let frames = state.spectrum?.takeFresh() else { return nil }
            return (state.spectrum!, frames)
        }
        guard let fresh else { return }
        let levels = fresh.window.levels(of: fresh.frames)
        state.withLock { if $0.spectrum != nil { $0.levels = levels } }
    }

    /// Measures the loudness from now on.
    func reset() {
        state.withLock { state in
            drain(&state)
            state.loudness = try? LoudnessMeter(layout, sampleRate: sampleRate, isLive: true)
        }
    }

    /// nil at a rate that is not measured.
    var loudness: LoudnessReading? {
        state.withLock { state in
            drain(&state)
            if state.loudness == nil {
                state.loudness = try? LoudnessMeter(layout, sampleRate: sampleRate, isLive: true)
            }
            return state.loudness.map(LoudnessReading.init)
        }
    }

    /// The levels at `SpectrumWindow.frequencies`, in dB, as they were when the worker last looked.
    var spectrum: [Float] {
        state.withLock { state in
            if state.spectrum == nil {
                state.spectrum = SpectrumWindow(channels: layout.channels, sampleRate: sampleRate)
            }
            return state.levels
        }
    }

    /// Nobody asks for the spectrum any more.
    func endSpectrum() { state.withLock { ($0.spectrum, $0.levels) = (nil, SpectrumWindow.silence) } }

    private func drain(_ state: inout State) {
        while case let count = min(ring.available(from: state.next), ring.contiguous(from: state.next)),
            count > 0
        {
            let block = ring.samples(from: state.next)
            state.spectrum?.add(block, count)
            if let loudness = state.loudness { add(block, count, to: loudness) }
            state.next += count
            ring.consume(upTo: state.next)
        }
    }

    private func add(_ block: Channels, _ count: Int, to meter: LoudnessMeter) {
        let channels = layout.channels
        let frames = [Float](unsafeUninitializedCapacity: count * channels) { frames, used in
            for channel in 0..<channels {
                let samples = block.channel(channel)
                for i in 0..<count { frames.initializeElement(at: i * channels + channel, to: samples[i]) }
            }
            used = count * channels
        }
        meter.add(frames, frames: count)
    }
}
