import ArgumentParser
import AudioFile
import Engine
import Glibc
import JSON
import Loudness
import MixerControl
import Timeline

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Tell of audio files: format, duration, peaks, loudness.")

    @Argument(help: "The files.")
    var files: [String]

    @Flag(help: "Print as JSON.")
    var json = false

    func run() throws {
        var reports: [JSONValue] = []
        var failures: [String] = []
        for file in files {
            do throws(AudioFileError) {
                let report = try FileReport(file)
                if json { reports.append(report.json) } else { print(report.text) }
            } catch {
                failures.append("\(error)")
            }
        }
        if json { print(JSONValue.array(reports).prettyText()) }
        if !failures.isEmpty { throw Failure(failures.joined(separator: "\njmix: ")) }
    }
}

/// What reading a file from end to end tells.
private struct FileReport {
    let file: SoundFile
    /// nil: its channels or rate are not measured.
    let loudness: LoudnessMeter.Reading?
    let samplePeak: Float

    init(_ path: String) throws(AudioFileError) {
        file = try SoundFile(path: path)
        let meter = try? LoudnessMeter(channels: file.channels, sampleRate: file.sampleRate)
        var buffer = [Float](repeating: 0, count: 8192 * file.channels)
        var (place, peak): (Int64, Float) = (0, 0)
        while place < file.frames {
            let count = try file.read(from: place, count: 8192, into: &buffer)
            for i in 0..<count * file.channels { peak = max(peak, abs(buffer[i])) }
            meter?.add(buffer, frames: count)
            place += Int64(count)
        }
        samplePeak = peak
        loudness = meter?.reading
    }

    var text: String {
        var lines = [
            file.path, "  format     \(file.info.format), \(file.channels) \(file.channels == 1 ? "channel" : "channels"), \(file.sampleRate) Hz",
            "  duration   \(Readable.clock(file.info.duration.seconds)) (\(file.frames) frames)", "  peak       \(Readable.decibels(gain: Double(samplePeak))) dBFS",
        ]
        if let loudness {
            lines.append("  true peak  \(Readable.decibels(gain: loudness.truePeak)) dBTP")
            lines.append("  loudness   \(loudness.integrated.isFinite ? rounded(loudness.integrated) : "-inf") LUFS, range \(rounded(loudness.range)) LU")
        }
        if let truncation = file.info.truncation { lines.append("  fault      \(truncation)") }
        return lines.joined(separator: "\n")
    }

    var json: JSONValue {
        func number(_ value: Double?) -> JSONValue { value.flatMap { $0.isFinite ? .number($0) : nil } ?? .null }
        return .object([
            "file": .string(file.path), "format": .string(file.info.format), "channels": .number(file.channels), "sampleRate": .number(file.sampleRate),
            "frames": .number(file.frames), "duration": .string("\(file.info.duration)"), "peak": .number(Double(samplePeak)), "truePeak": number(loudness?.truePeak),
            "loudness": number(loudness?.integrated), "loudnessRange": number(loudness?.range), "fault": file.info.truncation.map { .string($0) } ?? .null,
        ])
    }
}
