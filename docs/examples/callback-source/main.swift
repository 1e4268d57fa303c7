// A tone that no file holds: a source that computes its samples, at a rate of its own, and a tap that
// measures what is heard of it.
// usage: callback-source OUT.wav
import Foundation
import JmixKit

guard CommandLine.arguments.count == 2 else { fatalError("usage: callback-source OUT.wav") }

let tone = try CallbackSource(sampleRate: 44100, channels: 1) { frames, samples in
    for (index, frame) in frames.enumerated() {
        samples[index] = Float(sin(2 * .pi * 440 * Double(frame) / 44100))
    }
}

// What the tap writes: it runs on the audio thread, so it allocates nothing and captures nothing.
let peak = UnsafeMutablePointer<Float>.allocate(capacity: 1)
peak.initialize(to: 0)

var composition = try Composition()
let track = try composition.addTrack(named: "tone", playing: tone, for: MediaTime(seconds: 3))
try composition.setFader(0.5, of: track)
try composition.setFades(in: MediaTime(seconds: 1), out: MediaTime(seconds: 1), of: track)
try composition.setTap(
    TrackTap(.postFader, state: peak) { state, left, _, count in
        let peak = state!.assumingMemoryBound(to: Float.self)
        for index in 0..<count { peak.pointee = max(peak.pointee, abs(left[index])) }
    }, on: track)

let result = try await Exporter(composition, preset: .wav24).export(
    to: CommandLine.arguments[1], naming: .replace)
print("\(result.path): \(result.frames) frames, peak \(peak.pointee)")
peak.deallocate()
