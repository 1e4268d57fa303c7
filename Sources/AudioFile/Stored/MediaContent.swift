import Files
import JSON

/// What a media file holds beside the samples: its sounds, pictures and labels, as ffprobe tells.
public struct MediaContent: Equatable, Sendable {
    /// A stream of sound.
    public struct Sound: Equatable, Sendable {
        /// Its number among all streams of the file, from 0.
        let index: Int
        /// As ffmpeg calls it, as aac.
        public let codec: String
        /// Frames per second.
        public let sampleRate: Int32
        /// Samples in a frame.
        public let channels: Int
        /// Which they are, as ffmpeg calls it, as 5.1; nil: nothing in it says so.
        public let layout: String?
        /// As the file says, as eng; nil: nothing.
        public let language: String?
        /// What it is called; nil: nothing.
        public let title: String?
        /// Frames of silence before it, from the file's time 0.
        package let start: Int64
        /// How long the file says it is, with the silence before it; nil: it does not say.
        package let frames: Int64?
        /// That is written in the file, and not a guess from its bit rate.
        let saysItsLength: Bool
        /// It ends there by the file's edit list, whatever the decoder gives beyond.
        package let isCut: Bool
        /// Why its place cannot be told to the frame; nil: it can.
        public let caution: String?
    }

    /// What its container is called.
    public let container: String
    /// In their order.
    public let sounds: [Sound]
    /// Tags and chapters; frames of chapters count at the rate of the first sound.
    public let labels: FileLabels
    /// The moving picture, as "h264, 1920 x 1080, 25 frames a second"; nil: none.
    public let picture: String?
    /// Frames of that a second, as "30000/1001"; nil: it does not say.
    public let pictureRate: String?
    /// How long it says that it is, in seconds; nil: it does not.
    public let duration: Double?
    /// The picture of the cover, as "mjpeg, 600 x 600"; nil: none.
    public let cover: String?

    /// Asks ffprobe.
    /// - Throws: `AudioFileError`: it is not installed, or reads nothing there.
    public init(of path: String) throws(AudioFileError) {
        // Nobody may ever write to the other end of what is no file.
        guard !Path.exists(path) || Path.isFile(path) else {
            throw AudioFileError(path: path, reason: "it is no file")
        }
        let program = try FFmpeg.program("ffprobe", for: path)
        let words =
            [program, "-v", "error"] + FFmpeg.input(path) + [
                "-show_format", "-show_streams", "-show_chapters", "-of", "json",
            ]
        let answer: JSONValue
        do {
            answer = try JSONValue(parsing: try ChildProcess.output(words, limits: ChildProcess.Limits()))
        } catch {
            throw AudioFileError(
                path: path,
                reason:
                    """
                    ffmpeg reads no sound there (\(FFmpeg.plain((error as? FileError)?.reason ?? "\(error)")))
                    """,
                kind: .unknownFormat)
        }
        self.init(answer)
    }

    /// What is in a file, if a moving picture is in it; one that libsndfile reads has none.
    public init?(ofMovie path: String) {
        guard MediaKind.isKnown(path), (try? SoundFile(path: path)) == nil,
            let content = try? MediaContent(of: path), content.picture != nil
        else { return nil }
        self = content
    }

    package init(_ answer: JSONValue) {
        let format = answer["format"]
        let container = format?["format_name"]?.stringValue ?? "unknown"
        let streams = answer["streams"]?.arrayValue ?? []
        sounds = streams.filter { $0["codec_type"]?.stringValue == "audio" }.compactMap {
            Self.sound($0, container, format)
        }
        self.container = container
        duration = format?["duration"].flatMap(Self.number)
        func isCover(_ stream: JSONValue) -> Bool { stream["disposition"]?["attached_pic"]?.intValue == 1 }
        let pictures = streams.filter { $0["codec_type"]?.stringValue == "video" }
        picture = pictures.first { !isCover($0) }.map { Self.picture($0, isMoving: true) }
        pictureRate = pictures.first { !isCover($0) }?["r_frame_rate"]?.stringValue
        cover = pictures.first(where: isCover).map { Self.picture($0, isMoving: false) }
        labels = Self.labels(answer, sampleRate: sounds.first?.sampleRate ?? 48000)
    }

    private static func labels(_ answer: JSONValue, sampleRate: Int32) -> FileLabels {
        var labels = FileLabels()
        let tags = lowercased(answer["format"]?["tags"])
        for tag in FileLabels.Tag.allCases { labels.tags[tag] = tags[tag.rawValue] }
        for (index, chapter) in (answer["chapters"]?.arrayValue ?? []).enumerated() {
            guard let start = chapter["start_time"].flatMap(number) else { continue }
            labels.chapters.append(
                FileLabels.Chapter(
                    name: lowercased(chapter["tags"])["title"] ?? "\(index + 1)",
                    frame: frames(start, sampleRate)))
        }
        return labels
    }

    private static func lowercased(_ tags: JSONValue?) -> [String: String] {
        Dictionary(
            (tags?.objectValue?.fields ?? []).compactMap { field in
                field.value.stringValue.map { (field.key.lowercased(), $0) }
            }, uniquingKeysWith: { first, _ in first })
    }

    private static func number(_ value: JSONValue) -> Double? {
        (value.doubleValue ?? value.stringValue.flatMap(Double.init)).flatMap { $0.isFinite ? $0 : nil }
    }

    /// Sound that begins later than this, in seconds, counts from the beginning of its file.
    private static let longestSilence = 6 * 3600.0
    /// Containers that do not say how long they are, by ffmpeg's names.
    private static let guessed: Set<String> = [
        "aac", "ac3", "eac3", "dts", "amr", "mp3", "mpegts", "mpeg", "flv",
    ]

    /// The nearest frame; a file may say any number.
    private static func frames(_ seconds: Double, _ rate: Int32) -> Int64 {
        Int64((min(max(seconds, 0), 1e9) * Double(rate)).rounded())
    }

    private static func sound(_ stream: JSONValue, _ container: String, _ format: JSONValue?) -> Sound? {
        guard let index = stream["index"]?.intValue, let rate = stream["sample_rate"].flatMap(number),
            let channels = stream["channels"]?.intValue,
            (Double(SoundFile.sampleRates.lowerBound)...Double(SoundFile.sampleRates.upperBound)).contains(
                rate), (1...SoundFile.maximumChannels).contains(channels)
        else { return nil }
        let sampleRate = Int32(rate)
        let codec = stream["codec_name"]?.stringValue ?? "unknown"
        let names = Set(container.split(separator: ",").map(String.init))
        let (isMovie, isMatroska) = (names.contains("mov"), names.contains("matroska"))
        let (offset, seconds) = times(stream, format, isMovie: isMovie, isMatroska: isMatroska)
        // A movie says its places and lengths in whole parts of a second; a sound that begins before time 0
        // has been cut by the decoder.
        let start = offset < longestSilence ? frames(offset, sampleRate) : 0
        let tags = lowercased(stream["tags"])
        return Sound(
            index: index, codec: codec, sampleRate: sampleRate, channels: channels,
            layout: stream["channel_layout"]?.stringValue.flatMap {
                $0.isEmpty || $0.hasPrefix("unknown") ? nil : $0
            }, language: tags["language"].flatMap { $0 == "und" ? nil : $0 }, title: tags["title"],
            start: start, frames: seconds.map { start + frames($0, sampleRate) },
            saysItsLength: names.isDisjoint(with: guessed), isCut: isMovie && stream["duration_ts"] != nil,
            caution: caution(
                codec, isMovie: isMovie, isMatroska: isMatroska, start: start,
                padding: stream["initial_padding"]?.intValue ?? 0))
    }

    /// When a sound begins in its file, and how long it is, in seconds; nil: the file does not say that.
    private static func times(
        _ stream: JSONValue, _ format: JSONValue?, isMovie: Bool, isMatroska: Bool
    ) -> (offset: Double, length: Double?) {
        // Movies and Matroska count from their time 0, unless that is a clock on a wall; of others the file
        // begins where its first stream does.
        let first = format?["start_time"].flatMap(number) ?? 0
        let began = (isMovie || isMatroska) && first < longestSilence ? 0 : first
        let offset = (stream["start_time"].flatMap(number) ?? began) - began
        let length =
            stream["duration"].flatMap(number)
            ?? format?["duration"].flatMap(number).map { $0 - max(0, isMatroska ? offset + began : offset) }
        return (offset, length)
    }

    /// What was found of each format on files with known content.
    private static func caution(
        _ codec: String, isMovie: Bool, isMatroska: Bool, start: Int64, padding: Int
    ) -> String? {
        if codec.hasPrefix("pcm_")
            || ["flac", "alac", "wavpack", "tta", "ape", "opus", "vorbis"].contains(codec)
        {
            return isMatroska && start > 0
                ? "Matroska counts time in milliseconds: it may begin up to half a millisecond off" : nil
        }
        switch codec {
        case "aac":
            return isMovie || padding > 0
                ? nil
                : "nothing in it says how late its encoder was: its sound lies up to some 2112 frames late"
        case "ac3", "eac3": return "AC-3 lies 256 frames late, and no container says so"
        case "mp3": return nil
        default: return "nothing in it says how late its encoder was"
        }
    }

    private static func picture(_ stream: JSONValue, isMoving: Bool) -> String {
        let size = stream["width"]?.intValue.flatMap { width in
            stream["height"]?.intValue.map { "\(width) x \($0)" }
        }
        let rate = (stream["r_frame_rate"]?.stringValue ?? "").split(separator: "/").compactMap { Double($0) }
        let pace =
            isMoving && rate.count == 2 && rate[1] > 0
            ? "\((rate[0] / rate[1] * 1000).rounded() / 1000) frames a second" : nil
        return [stream["codec_name"]?.stringValue ?? "unknown", size, pace].compactMap { $0 }.joined(
            separator: ", ")
    }
}
