// Exports a session of jmix to FLAC at -23 LUFS and shows how far it is; Ctrl-C leaves nothing behind.
// usage: export SESSION.json OUT.flac
import JmixKit

guard CommandLine.arguments.count == 3 else { fatalError("usage: export SESSION.json OUT.flac") }

let exporter = Exporter(try Composition(contentsOf: CommandLine.arguments[1]), preset: .flac)
async let result = exporter.export(to: CommandLine.arguments[2], naming: .unique, loudness: -23)
var shown = -1
for await share in exporter.progressUpdates where Int(share * 10) > shown {
    shown = Int(share * 10)
    print("\(shown * 10) %")
}
let written = try await result
print("\(written.path), gain \(written.loudness!.gain) dB, now \(written.loudness!.reached) LUFS")
