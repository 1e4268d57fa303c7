import CSndfile
import Files
import Speakers

/// What a mix is written as.
public struct OutputFormat: Equatable, Sendable {
    /// How the samples are kept.
    public enum Samples: String, CaseIterable, Sendable {
        /// Whole numbers of 16 or 24 bits, or floats of 32, which alone hold what is above full level.
        case pcm16, pcm24, float

        var bytes: Int64 {
            switch self {
            case .pcm16: 2
            case .pcm24: 3
            case .float: 4
            }
        }

        /// The scale of full level in whole numbers; nil for floats.
        var fullScale: Float? {
            switch self {
            case .pcm16: 0x1p15
            case .pcm24: 0x1p23
            case .float: nil
            }
        }
    }

    let code: Int32
    let samples: Samples
    /// The channels of a frame.
    public let layout: SpeakerLayout
    let compression: Compression
    let labels: LabelKind
    /// What ffmpeg puts the samples into; nil: libsndfile writes it.
    let mux: MuxKind?
    /// The extension of its kind.
    let container: String
    /// As asked for, in thousands a second.
    let bitRate: Int?
    /// Whether a picture can stand in it beside the sound.
    let holdsPictures: Bool
    /// Whether that may be a moving one.
    public var holdsMovies: Bool { [.mp4, .mov, .mkv].contains(mux) }

    /// How much of a sound that is not kept whole is kept.
    enum Compression: Equatable {
        /// The better part of what the encoder offers; without meaning where all is kept.
        case standard
        /// 0 to 1, as the encoder varies what it needs.
        case quality(Double)
        /// As libsndfile counts it, from 0 to 1: the more the less.
        case constant(Double)
    }

    /// How much of a sound is kept, where not all of it is.
    public enum Loss: Equatable, Sendable {
        /// The better part of what the encoder offers.
        case standard
        /// In thousands of bits a second: constant in an MP3 (32 to 320, one of those it has), the mean of an
        /// Opus (12 to 512).
        case bitRate(Int)
        /// 0 to 1.
        case quality(Double)
    }

    /// How it says what is said of it beside its samples.
    enum LabelKind { case strings, wave, id3, vorbis, muxed }
    /// How many chapters it holds. The table of contents of an MP3 counts them in a byte.
    public var maximumChapters: Int {
        switch labels {
        case .strings: 0
        // Who writes them may not be there.
        case .vorbis: FFmpeg.isThere ? 1000 : 0
        case .wave, .muxed: .max
        case .id3: 255
        }
    }
    /// Whether it can have a cover.
    public var holdsCover: Bool {
        switch labels {
        case .id3: true
        case .vorbis: FFmpeg.isThere
        case .muxed: holdsPictures && FFmpeg.isThere
        case .strings, .wave: false
        }
    }

    private struct Container {
        var name: String
        var code: Int
        var samples: [Samples] = []
        /// What it holds: bytes of samples, or frames; nil where there is no end that anyone reaches.
        var bytes: Int64?
        var frames: Int64?
        var labels = LabelKind.strings
        /// In thousands of bits a second, both sides together.
        var bitRates: ClosedRange<Int>?
        var mux: MuxKind?
        var holdsPictures = false

        private var isMP3: Bool { name == "mp3" }

        /// MPEG-1, MPEG-2 and MPEG-2.5 by the rate of the samples.
        func bitRates(at sampleRate: Int32) -> ClosedRange<Int>? {
            if !isMP3 || sampleRate >= 32000 { return bitRates }
            return sampleRate < 16000 ? 8...64 : 8...160
        }

        /// Those that an MP3 has (ISO/IEC 11172-3 and 13818-3).
        private static func steps(at sampleRate: Int32) -> [Int] {
            sampleRate < 32000
                ? [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
                : [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        }

        /// Why it cannot be written with that; nil: it can.
        func problem(of bitRate: Int, at sampleRate: Int32) -> String? {
            let isWritten =
                bitRates(at: sampleRate)?.contains(bitRate) == true
                && (!isMP3 || Self.steps(at: sampleRate).contains(bitRate))
            if isWritten { return nil }
            let known = knownBitRates(at: sampleRate)
            return "\(name) has no bit rate of \(bitRate) kbit/s at \(sampleRate) Hz: \(known)"
        }

        /// In words.
        private func knownBitRates(at sampleRate: Int32) -> String {
            guard let range = bitRates(at: sampleRate) else { return "" }
            return isMP3
                ? Self.steps(at: sampleRate).filter(range.contains).map(String.init).joined(separator: ", ")
                : "\(range.lowerBound) to \(range.upperBound)"
        }
    }

    /// A file of 32-bit sizes has so much less for its samples: its header, in whole pages.
    private static let headerBytes: Int64 = 4096
    private static let linear: [Samples] = [.float, .pcm24, .pcm16]
    /// Those of a movie, the best first.
    private static let movable: [Samples] = [.pcm24, .pcm16, .float]
    private static let containers = [
        // Longer ones become RF64, the same with sizes of 64 bits (EBU Tech 3306).
        Container(name: "wav", code: SF_FORMAT_WAV, samples: linear, labels: .wave),
        Container(name: "rf64", code: SF_FORMAT_RF64, samples: linear),
        Container(name: "w64", code: SF_FORMAT_W64, samples: linear),
        Container(name: "caf", code: SF_FORMAT_CAF, samples: linear),
        // Sizes of 32 bits with a sign (EA IFF 85).
        Container(name: "aiff", code: SF_FORMAT_AIFF, samples: linear, bytes: 0x7fff_ffff - headerBytes),
        Container(name: "aif", code: SF_FORMAT_AIFF, samples: linear, bytes: 0x7fff_ffff - headerBytes),
        // A count of 36 bits (RFC 9639, streaminfo).
        Container(
            name: "flac", code: SF_FORMAT_FLAC, samples: [.pcm24, .pcm16], frames: 0xf_ffff_ffff,
            labels: .vorbis, holdsPictures: true),
        Container(name: "ogg", code: SF_FORMAT_OGG | SF_FORMAT_VORBIS, labels: .vorbis),
        Container(
            name: "opus", code: SF_FORMAT_OGG | SF_FORMAT_OPUS, labels: .vorbis, bitRates: 12...512),
        Container(
            name: "mp3", code: SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, labels: .id3, bitRates: 32...320),
        // Until ffmpeg has it the mix is a W64.
        Container(
            name: "m4a", code: SF_FORMAT_W64, labels: .muxed, bitRates: 32...512, mux: .m4a,
            holdsPictures: true),
        Container(
            name: "mp4", code: SF_FORMAT_W64, labels: .muxed, bitRates: 32...512, mux: .mp4,
            holdsPictures: true),
        Container(name: "mov", code: SF_FORMAT_W64, samples: movable, labels: .muxed, mux: .mov),
        Container(name: "mkv", code: SF_FORMAT_W64, samples: movable, labels: .muxed, mux: .mkv),
    ]

    /// The format for a file's name, by its extension.
    /// - Parameters:
    ///   - samples: nil for the container's best: float for WAV, 24 bits for FLAC.
    ///   - layout: the channels of a frame. More than two are written as WAV, RF64, W64 and CAF, and six or
    ///     eight as FLAC.
    ///   - frames: how long it will be.
    ///   - loss: how much of the sound is kept, where not all of it is.
    /// - Throws: `AudioFileError` if no such format is written here, or not with such samples, at this rate,
    ///   of this length, or so compressed.
    public init(
        path: String, samples: Samples?, layout: SpeakerLayout = .stereo, sampleRate: Int32, frames: Int64,
        loss: Loss = .standard
    ) throws(AudioFileError) {
        let container = try Self.container(path, samples, layout)
        self.samples = samples ?? container.samples.first ?? .float
        (self.layout, self.container) = (layout, container.name)
        (labels, mux, holdsPictures) = (container.labels, container.mux, container.holdsPictures)
        if case .bitRate(let rate) = loss { bitRate = rate } else { bitRate = nil }
        compression = try Self.compression(container, path, sampleRate, loss)
        let frameBytes = Int64(layout.channels) * self.samples.bytes
        try Self.checkLength(frames, of: frameBytes, container, path, sampleRate)
        code = Self.code(container, self.samples, layout, bytes: frames * frameBytes)
        if !Self.isWritten(code, layout, sampleRate, mux) {
            throw AudioFileError(
                path: path, reason: "\(container.name) is not written at \(sampleRate) Hz here")
        }
    }

    private static func checkLength(
        _ frames: Int64, of frameBytes: Int64, _ container: Container, _ path: String, _ sampleRate: Int32
    ) throws(AudioFileError) {
        guard let most = container.frames ?? container.bytes.map({ $0 / frameBytes }), frames > most else {
            return
        }
        let hours = (Double(most) / Double(sampleRate) / 360).rounded(.down) / 10
        throw AudioFileError(
            path: path,
            reason:
                """
                \(container.name) holds at most \(most) frames of this kind (\(hours) hours), not \
                \(frames): wav, w64 and caf hold more
                """
        )
    }

    /// Whether libsndfile, and what takes its file from it, write such a format at this rate.
    private static func isWritten(
        _ code: Int32, _ layout: SpeakerLayout, _ sampleRate: Int32, _ mux: MuxKind?
    ) -> Bool {
        var info = SF_INFO(
            frames: 0, samplerate: sampleRate, channels: Int32(layout.channels), format: code, sections: 0,
            seekable: 0)
        return sf_format_check(&info) != 0 && (![.m4a, .mp4].contains(mux) || rates.contains(sampleRate))
    }

    /// The container that a name means.
    /// - Throws: `AudioFileError`: there is none, or it holds no such samples, or not so many channels.
    private static func container(
        _ path: String, _ samples: Samples?, _ layout: SpeakerLayout
    ) throws(AudioFileError) -> Container {
        let name = Path.fileExtension(of: path)
        guard let container = containers.first(where: { $0.name == name }) else {
            throw AudioFileError(
                path: path,
                reason: "no format is known for \"\(name)\": end the name in one of \(extensions)")
        }
        if let samples, !container.samples.contains(samples) {
            let known = container.samples.map(\.rawValue).joined(separator: ", ")
            throw AudioFileError(
                path: path,
                reason: "\(name) does not hold \(samples.rawValue)"
                    + (known.isEmpty ? ": its samples have one format only" : ", but \(known)"))
        }
        if layout > .stereo, !wide.contains(name), name != "flac" || layout > .surround71 {
            throw AudioFileError(
                path: path,
                reason:
                    """
                    \(name) is not written with \(layout.channels) channels here: \
                    \(wide.joined(separator: ", ")) hold them, and flac up to eight
                    """
            )
        }
        return container
    }

    /// As libsndfile calls it.
    private static func code(
        _ container: Container, _ samples: Samples, _ layout: SpeakerLayout, bytes: Int64
    ) -> Int32 {
        let isLong = container.code == SF_FORMAT_WAV && bytes > 0xffff_ffff - headerBytes
        let subtype =
            switch samples {
            case _ where container.samples.isEmpty && container.mux == nil: 0
            case .pcm16: SF_FORMAT_PCM_16
            case .pcm24: SF_FORMAT_PCM_24
            case .float: SF_FORMAT_FLOAT
            }
        // A WAV of more channels says where each of them is heard from (WAVE_FORMAT_EXTENSIBLE).
        let plain = container.code == SF_FORMAT_WAV && layout > .stereo ? SF_FORMAT_WAVEX : container.code
        return Int32((isLong ? SF_FORMAT_RF64 : plain) | subtype)
    }

    private static func compression(
        _ container: Container, _ path: String, _ sampleRate: Int32, _ loss: Loss
    ) throws(AudioFileError) -> Compression {
        func fail(_ reason: String) -> AudioFileError { AudioFileError(path: path, reason: reason) }
        if loss != .standard, !container.samples.isEmpty {
            throw fail("\(container.name) keeps all of the sound: it has neither a bit rate nor a quality")
        }
        switch loss {
        case .standard: return .standard
        case .quality(let quality):
            guard (0...1).contains(quality) else {
                throw fail("\(quality) is not a quality: it goes from 0 to 1")
            }
            return .quality(quality)
        case .bitRate(let bitRate):
            guard let range = container.bitRates(at: sampleRate) else {
                throw fail(
                    "\(container.name) has no bit rate of its own choosing: give a quality from 0 to 1")
            }
            if let problem = container.problem(of: bitRate, at: sampleRate) { throw fail(problem) }
            return .constant(
                Double(range.upperBound - bitRate) / Double(range.upperBound - range.lowerBound))
        }
    }

    /// Those of AAC (ISO/IEC 14496-3, 1.6.3.4).
    private static let rates: [Int32] = [
        8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]

    /// What holds more than two channels.
    private static let wide = ["wav", "rf64", "w64", "caf"]

    static var extensions: String { containers.map(\.name).joined(separator: ", ") }
}
