import ArgumentParser
import AudioFile
import Engine
import Files
import Loop
import Loudness
import Speakers
import Timeline

/// How a mix is written to a file: what `jmix render` and `jmix join` share.
struct OutputOptions: ParsableArguments {
    @Option(help: "How samples are kept: pcm16, pcm24 or float (WAV: float, FLAC: pcm24 unless told).")
    var format: String?

    @Option(
        name: .customLong("as"),
        help: "The kind of file where the name does not say: the extension of its format; wav unless told.")
    var kind: String?

    @Flag(help: "Replace the file if there is one.")
    var force = false

    @Flag(help: "Where the name is taken, take the next free one: name-1, name-2.")
    var unique = false

    var taken: TakenName { force ? .isReplaced : unique ? .isPassedOver : .isRefused }

    @Option(
        parsing: .unconditional,
        help:
            """
            Bring the mix to this loudness in LUFS, as -23; without --limit only as far as its true peak \
            stays under -1 dBTP.
            """
    )
    var loudness: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Keep the true peaks under this, as -1dB, by a limiter; alone it means -1dB.", valueName: "level")
    )
    var limit: String?

    @Option(
        help:
            """
            Thousands of bits a second, of mp3 (32 to 320), opus (12 to 512), m4a and mp4 (32 to 512), as \
            192k.
            """
    )
    var bitrate: String?

    @Option(help: "Of ogg, opus and mp3: 0 to 1, the encoder varying what it needs.")
    var quality: Double?

    @Option(
        help:
            """
            What the file says of itself, as title=Evening: title, artist, album, comment, date, genre, \
            track, copyright; can be given again.
            """
    )
    var tag: [String] = []

    @Option(help: "A picture, JPEG or PNG, that stands for the recording: in mp3, m4a, mp4, flac, ogg, opus.")
    var cover: String?

    @Flag(help: "Print the result as JSON.")
    var json = false

    /// Where --limit stands alone, what it means is put behind it.
    static func withLimit(_ arguments: [String]) -> [String] {
        guard ["render", "join"].contains(arguments.first), let place = arguments.firstIndex(of: "--limit")
        else { return arguments }
        var full = arguments
        if place + 1 == arguments.count || Volume.decibels(arguments[place + 1]) == nil {
            full.insert("-1dB", at: place + 1)
        }
        return full
    }

    /// Of what kind a file is that is to be called `path`.
    func outputFormat(
        _ path: String, _ layout: SpeakerLayout, sampleRate: Int32, frames: Int
    ) throws -> OutputFormat {
        let path = kind.map { "\(path).\($0)" } ?? path
        return try OutputFormat(
            path: path, samples: try samples(), layout: layout,
            sampleRate: sampleRate, frames: Int64(frames), loss: try loss(path))
    }

    private func loss(_ path: String) throws -> OutputFormat.Loss {
        switch (try bits(), quality) {
        case (nil, nil): .standard
        case (let bitRate?, nil): .bitRate(bitRate)
        case (nil, let quality?): .quality(quality)
        case (_?, _?):
            throw AudioFileError(path: path, reason: "a bit rate and a quality: one of them")
        }
    }

    func samples() throws(Failure) -> OutputFormat.Samples? {
        try format.map { text throws(Failure) in
            guard let samples = OutputFormat.Samples(rawValue: text) else {
                throw Failure("there is no format \"\(text)\": pcm16, pcm24, float", code: 2)
            }
            return samples
        }
    }

    func mastering() throws(Failure) -> Mastering {
        let level = try limit.map { text throws(Failure) in
            guard let level = Volume.decibels(text) else {
                throw Failure("\"\(text)\" is no limit: write --limit -1dB", code: 2)
            }
            return level
        }
        do throws(LoudnessError) { return try Mastering(loudness: loudness, limit: level) } catch {
            throw Failure("\(error)", code: 2)
        }
    }

    /// In thousands a second.
    func bits() throws(Failure) -> Int? {
        try bitrate.map { text throws(Failure) in
            guard let rate = Int(text.lowercased().hasSuffix("k") ? text.dropLast() : text[...]) else {
                throw Failure("\"\(text)\" is no bit rate: write --bitrate 192k", code: 2)
            }
            return rate
        }
    }

    func tags() throws(Failure) -> [FileLabels.Tag: String] {
        var tags: [FileLabels.Tag: String] = [:]
        for text in tag {
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            guard parts.count == 2, let tag = FileLabels.Tag(rawValue: parts[0].lowercased()) else {
                throw Failure(
                    """
                    "\(text)" is no tag: write --tag title=Evening; there are \
                    \(FileLabels.Tag.allCases.map(\.rawValue).joined(separator: ", "))
                    """,
                    code: 2)
            }
            tags[tag] = parts[1]
        }
        return tags
    }
}
