// One file under the reference automation: 0.5 from 0 s, a ramp from 0.5 to 0.8 between 2 s and 4 s,
// 0.3 from 7 s.
// usage: reference-automation FILE OUT.wav
import JmixKit

guard CommandLine.arguments.count == 3 else { fatalError("usage: reference-automation FILE OUT.wav") }

var composition = try Composition()
let track = try composition.addTrack(named: "music")
try composition.insert(of: try await Asset.load(CommandLine.arguments[1]), at: .zero, on: track)
try composition.automate(track) { automation in
    try automation.setVolume(0.5, at: .zero)
    try automation.setVolumeRamp(
        from: 0.5, to: 0.8, over: TimeRange(start: MediaTime(seconds: 2), end: MediaTime(seconds: 4)))
    try automation.setVolume(0.3, at: MediaTime(seconds: 7))
}
for seconds in [0, 3, 5, 8] as [Int64] {
    print("\(seconds)s: \(try composition.volume(of: track, at: MediaTime(seconds: seconds)))")
}
let result = try await Exporter(composition, preset: .wavFloat).export(
    to: CommandLine.arguments[2], naming: .replace)
print("\(result.path): \(result.frames) frames")
