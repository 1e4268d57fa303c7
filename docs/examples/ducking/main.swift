// A voice over music that makes way for it: composed here, played on JACK if there is a server, and saved as
// a session for jmix.
// usage: ducking MUSIC VOICE SESSION.json
import JmixPlayer

guard CommandLine.arguments.count == 4 else { fatalError("usage: ducking MUSIC VOICE SESSION.json") }

var composition = try Composition()
let (music, voice) = (try composition.addTrack(named: "music"), try composition.addTrack(named: "voice"))
try composition.insert(of: try await Asset.load(CommandLine.arguments[1]), at: .zero, on: music)
let asset = try await Asset.load(CommandLine.arguments[2])
try composition.insert(of: asset, at: MediaTime(seconds: 2), on: voice)
try composition.duck(
    music, under: voice, to: 0.3, attack: MediaTime(value: 1, timescale: 2), release: MediaTime(seconds: 1))
try composition.setFades(in: MediaTime(seconds: 1), out: MediaTime(seconds: 2), of: music)
let middle = MediaTime(seconds: 2) + asset.duration.multiplied(by: 1, over: 2)
print("under the voice: \(try composition.volume(of: music, at: middle))")
try composition.write(to: CommandLine.arguments[3])

let player = Player(composition)
await player.prepare()
for await status in await player.statusUpdates() {
    if case .failed(let reason) = status {
        print("not played: \(reason)")
        break
    }
    guard status == .readyToPlay else { continue }
    await player.play()
    for await time in await player.periodicTimes(every: MediaTime(seconds: 1)) {
        print("\(time.seconds)")
        if await player.rate == 0 { break }
    }
    await player.stop()
}
