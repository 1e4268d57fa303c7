import ArgumentParser
import AudioFile
import Engine
import Files
import Glibc
import Loudness
import MixerControl
import Timeline

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Mix a session to a file, without JACK.",
        discussion: "The file's extension says the format: wav (RF64 beyond 4 GiB), w64, rf64, caf, aiff (2 GiB at most), flac, ogg, opus, mp3.")

    @Argument(help: "The session's file, or its folder.")
    var session: String

    @Argument(help: "The file to write.")
    var output: String

    @Option(help: "Where to begin, as in 2s or 1:30.")
    var from: String?

    @Option(help: "Where to end; the end of the last clip unless told.")
    var to: String?

    @Option(help: "How samples are kept: pcm16, pcm24 or float (WAV: float, FLAC: pcm24 unless told).")
    var format: String?

    @Flag(help: "Replace the file if there is one.")
    var force = false

    @Flag(help: "Where the name is taken, take the next free one: name-1, name-2.")
    var unique = false

    @Option(parsing: .unconditional, help: "Bring the mix to this loudness in LUFS, as -23, its true peak under -1 dBTP.")
    var loudness: Double?

    @Flag(help: "Leave out missing files instead of refusing.")
    var allowMissing = false

    func run() throws {
        let opened = try OpenedSession(session)
        let mix = try opened.usable(
            allowMissing ? [.missingFile] : [], hint: "\nnothing was rendered: --allow-missing leaves missing files out")
        let samples = try format.map { text throws(Failure) in
            guard let samples = OutputFormat.Samples(rawValue: text) else { throw Failure("there is no format \"\(text)\": pcm16, pcm24, float", code: 2) }
            return samples
        }
        if force, unique { throw Failure("--force replaces the file, --unique keeps it: one of them", code: 2) }
        if !force, !unique, Path.exists(output) { throw Failure("\(output) exists already: --force replaces it, --unique takes another name") }
        // Nothing that the mix is made of is replaced by it.
        let isDocument = opened.store.path.flatMap(Path.resolved).map { $0 == Path.resolved(output) } ?? false
        if force, isDocument || opened.library.isPlayed(output, in: mix) {
            throw Failure("\(output) is part of what is rendered: choose another name")
        }
        let target = try loudness.map { value throws(Failure) in
            do throws(LoudnessError) { return try LoudnessTarget(integrated: value) } catch { throw Failure("\(error)", code: 2) }
        }
        let start = try Self.time(from, mix)
        let end = try Self.time(to, mix)
        if let start, let end, end <= start { throw Failure("--to \(end) is not after --from \(start)") }
        let render = OfflineRender(mix, library: opened.library, from: start, to: end)
        guard !render.frames.isEmpty else { throw Failure("there is nothing to render: the session has no clips\(start == nil ? "" : " after \(start!)")") }

        do {
            let output = try OutputFormat(path: output, samples: samples, sampleRate: mix.sampleRate, frames: Int64(render.frames.count))
            try write(render, output, target)
        } catch let error as AudioFileError {
            throw Failure("\(error)")
        }
    }

    private func write(_ render: OfflineRender, _ format: OutputFormat, _ target: LoudnessTarget?) throws {
        let signals = Signals(secondEnds: false)
        let bar = ProgressBar(output)
        let result: OfflineRender.Result
        do throws(OfflineRender.Failure) {
            result = try render.write(to: output, format: format, target: target, isUnique: unique) { share in
                bar.show(share)
                return !signals.hasCome
            }
        } catch {
            bar.clear()
            if case .cancelled = error { throw Failure("\(error)", code: 130) }
            throw Failure("\(error)")
        }
        bar.clear()
        let level = result.peak > 0 ? "\(rounded(Volume.level(gain: Double(result.peak)))) dB" : "silence"
        print("\(result.path): \(MediaTime(frame: result.frames, rate: render.session.sampleRate)), peak \(level)")
        if let (before, gain) = result.loudness, let target { print(Self.sentence(before, gain, target)) }
        if result.clippedSamples > 0 {
            note("jmix: \(result.clippedSamples) samples were above full level and were cut: lower the master fader, or render as float")
        }
    }

    /// What was done to the loudness.
    private static func sentence(_ before: LoudnessMeter.Reading, _ gain: Double, _ target: LoudnessTarget) -> String {
        guard before.integrated.isFinite else { return "loudness: nothing to measure (silence, or less than 400 ms); no gain applied" }
        let reached = before.integrated + gain
        let why = reached < target.integrated - 0.05 ? "; more would bring the true peak above \(rounded(LoudnessTarget.maximumTruePeak)) dBTP" : ""
        return "loudness: \(rounded(before.integrated)) LUFS, gain of \(gain < 0 ? "" : "+")\(rounded(gain)) dB applied, now \(rounded(reached)) LUFS\(why)"
    }

    static func time(_ text: String?, _ session: Session) throws(Failure) -> MediaTime? {
        guard let text else { return nil }
        do throws(TimeTextError) {
            return try TimeSpec(parsing: text).time(atRate: session.sampleRate)
        } catch {
            throw Failure("\(error)", code: 2)
        }
    }
}

/// A number with one decimal.
func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

/// One line on the terminal that shows how far it is; nothing in a pipe.
final class ProgressBar {
    private let name: String
    private let isTerminal = isatty(2) == 1
    private var shown = -1

    init(_ name: String) { self.name = name }

    func show(_ share: Double) {
        let percent = Int(share * 100)
        guard isTerminal, percent != shown else { return }
        shown = percent
        let full = percent * 40 / 100
        print("\r\u{1b}[K[\(String(repeating: "#", count: full))\(String(repeating: " ", count: 40 - full))] \(percent) % \(name)")
    }

    func clear() { if isTerminal, shown >= 0 { print("\r\u{1b}[K") } }

    private func print(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(2, bytes, bytes.count)
    }
}
