import ArgumentParser
import AudioFile
import Engine
import Glibc
import JSON
import Loop
import Loudness
import Speakers
import Timeline

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect", abstract: "Tell of audio files: format, duration, peaks, loudness.")

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
    let path: String
    let info: MediaInfo
    let frames: Int64
    private var duration: MediaTime { MediaTime(frame: frames, rate: info.sampleRate) }
    /// nil: nobody here tells of it.
    let content: MediaContent?
    /// nil: its channels or rate are not measured.
    let loudness: LoudnessMeter.Reading?
    let samplePeak: Float

    init(_ path: String) throws(AudioFileError) {
        self.path = path
        info = try AudioSource.info(of: SoundPlace(path))
        content = try? MediaContent(of: path)
        let file = try AudioSource.open(SoundPlace(path))
        frames = file.frames
        let meter = Self.meter(for: file)
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

    private static func meter(for file: any SampleSource) -> LoudnessMeter? {
        let layout = SpeakerLayout(rawValue: file.channels)
        return try? layout.map { try LoudnessMeter($0, sampleRate: file.sampleRate) }
            ?? LoudnessMeter(channels: file.channels, sampleRate: file.sampleRate)
    }

    var text: String {
        var lines = [
            path,
            """
              format     \(info.format), \(info.channels) \(info.channels == 1 ? "channel" : "channels"), \
            \(info.sampleRate) Hz
            """,
            "  duration   \(Readable.clock(duration.seconds)) (\(frames) frames)",
            "  peak       \(Readable.decibels(gain: Double(samplePeak))) dBFS",
        ]
        if let loudness {
            lines.append("  true peak  \(Readable.decibels(gain: loudness.truePeak)) dBTP")
            lines.append(
                """
                  loudness   \(loudness.integrated.isFinite ? rounded(loudness.integrated) : "-inf") LUFS, \
                range \(rounded(loudness.range)) LU
                """
            )
        }
        if let content {
            for (number, sound) in content.sounds.enumerated() where content.sounds.count > 1 {
                let channels = "\(sound.channels) \(sound.channels == 1 ? "channel" : "channels")"
                let parts = [sound.codec, channels, sound.language, sound.title].compactMap { $0 }
                lines.append("  sound \(number + 1)    \(parts.joined(separator: ", "))")
            }
            if let picture = content.picture { lines.append("  picture    \(picture)") }
            if let cover = content.cover { lines.append("  cover      \(cover)") }
            for tag in FileLabels.Tag.allCases {
                if let text = content.labels.tags[tag] {
                    lines.append("  \(tag.rawValue.padding(to: 10)) \(text)")
                }
            }
            for chapter in content.labels.chapters {
                lines.append("  chapter    \(Readable.clock(seconds(chapter))) \(chapter.name)")
            }
        }
        for remark in info.remarks { lines.append("  note       \(remark)") }
        if let truncation = info.truncation { lines.append("  fault      \(truncation)") }
        return lines.joined(separator: "\n")
    }

    var json: JSONValue {
        func number(_ value: Double?) -> JSONValue {
            value.flatMap { $0.isFinite ? .number($0) : nil } ?? .null
        }
        return .object([
            "file": .string(path), "format": .string(info.format), "channels": .number(info.channels),
            "sampleRate": .number(info.sampleRate),
            "frames": .number(frames), "duration": .string("\(duration)"),
            "peak": .number(Double(samplePeak)), "truePeak": number(loudness?.truePeak),
            "loudness": number(loudness?.integrated), "loudnessRange": number(loudness?.range),
            "fault": info.truncation.map { .string($0) } ?? .null,
            "notes": .array(info.remarks.map { .string($0) }), "media": content.map(media) ?? .null,
        ])
    }

    /// Chapters count at the rate of the first sound, which is the one that is told of.
    private func seconds(_ chapter: FileLabels.Chapter) -> Double {
        Double(chapter.frame) / Double(info.sampleRate)
    }

    private func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }

    private func sound(_ sound: MediaContent.Sound) -> JSONValue {
        .object([
            "codec": .string(sound.codec), "channels": .number(sound.channels),
            "sampleRate": .number(sound.sampleRate), "language": text(sound.language),
            "title": text(sound.title),
        ])
    }

    private func media(_ content: MediaContent) -> JSONValue {
        let tags = tags(of: content)
        return .object([
            "container": .string(content.container),
            "sounds": .array(content.sounds.map(sound)),
            "picture": text(content.picture), "cover": text(content.cover), "tags": .object(tags),
            "chapters": .array(
                content.labels.chapters.map {
                    .object(["name": .string($0.name), "at": .number(seconds($0))])
                }),
        ])
    }

    private func tags(of content: MediaContent) -> JSONObject {
        var tags = JSONObject()
        for tag in FileLabels.Tag.allCases {
            tags[tag.rawValue] = content.labels.tags[tag].map { .string($0) }
        }
        return tags
    }
}

extension String {
    /// With blanks behind it.
    fileprivate func padding(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}
