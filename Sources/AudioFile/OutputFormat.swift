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
        let name: String
        let code: Int
        let samples: [Samples]
        /// What it holds: bytes of samples, or frames; nil where there is no end that anyone reaches.
        var bytes: Int64?
        var frames: Int64?
        var labels: LabelKind
        /// In thousands of bits a second, both sides together.
        var bitRates: ClosedRange<Int>?
        var mux: MuxKind?
        var holdsPictures: Bool

        init(
            _ name: String, _ code: Int, _ samples: [Samples] = [], bytes: Int64? = nil, frames: Int64? = nil,
            labels: LabelKind = .strings, bitRates: ClosedRange<Int>? = nil, mux: MuxKind? = nil,
            holdsPictures: Bool = false
        ) {
            (self.name, self.code, self.samples, self.bytes, self.frames) = (
                name, code, samples, bytes, frames
            )
            (self.labels, self.bitRates, self.mux, self.holdsPictures) = (
                labels, bitRates, mux, holdsPictures
            )
        }
    }

    /// A file of 32-bit sizes has so much less for its samples: its header, in whole pages.
    private static let headerBytes: Int64 = 4096
    private static let linear: [Samples] = [.float, .pcm24, .pcm16]
    private static let containers = [
        // Longer ones become RF64, the same with sizes of 64 bits (EBU Tech 3306).
        Container("wav", SF_FORMAT_WAV, linear, labels: .wave), Container("rf64", SF_FORMAT_RF64, linear),
        Container("w64", SF_FORMAT_W64, linear),
        Container("caf", SF_FORMAT_CAF, linear),
        // Sizes of 32 bits with a sign (EA IFF 85).
        Container("aiff", SF_FORMAT_AIFF, linear, bytes: 0x7fff_ffff - headerBytes),
        Container("aif", SF_FORMAT_AIFF, linear, bytes: 0x7fff_ffff - headerBytes),
        // A count of 36 bits (RFC 9639, streaminfo).
        Container(
            "flac", SF_FORMAT_FLAC, [.pcm24, .pcm16], frames: 0xf_ffff_ffff, labels: .vorbis,
            holdsPictures: true),
        Container("ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, labels: .vorbis),
        Container("opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, labels: .vorbis, bitRates: 12...512),
        Container("mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, labels: .id3, bitRates: 32...320),
        // Until ffmpeg has it the mix is a W64.
        Container("m4a", SF_FORMAT_W64, labels: .muxed, bitRates: 32...512, mux: .m4a, holdsPictures: true),
        Container("mp4", SF_FORMAT_W64, labels: .muxed, bitRates: 32...512, mux: .mp4, holdsPictures: true),
        Container("mov", SF_FORMAT_W64, [.pcm24, .pcm16, .float], labels: .muxed, mux: .mov),
        Container("mkv", SF_FORMAT_W64, [.pcm24, .pcm16, .float], labels: .muxed, mux: .mkv),
    ]

    /// The format for a file's name, by its extension.
    /// - Parameters:
    ///   - samples: nil for the container's best: float for WAV, 24 bits for FLAC.
    ///   - layout: the channels of a frame. More than two are written as WAV, RF64, W64 and CAF, and six or
    ///     eight as FLAC.
    ///   - frames: how long it will be.
    ///   - bitRate: of MP3 and Opus, in thousands of bits a second: constant in an MP3 (32 to 320, one of
    ///     those it has), the mean of an Opus (12 to 512).
    ///   - quality: of what does not keep all, 0 to 1.
    /// - Throws: `AudioFileError` if no such format is written here, or not with such samples, at this rate,
    ///   of this length, or so compressed.
    public init(
        path: String, samples: Samples?, layout: SpeakerLayout = .stereo, sampleRate: Int32, frames: Int64,
        bitRate: Int? = nil,
        quality: Double? = nil
    ) throws(AudioFileError) {
        let container = try Self.container(path, samples, layout)
        self.samples = samples ?? container.samples.first ?? .float
        self.layout = layout
        self.container = container.name
        (labels, mux, holdsPictures, self.bitRate) = (
            container.labels, container.mux, container.holdsPictures, bitRate
        )
        compression = try Self.compression(container, path, sampleRate, bitRate: bitRate, quality: quality)
        let frameBytes = Int64(layout.channels) * self.samples.bytes
        if let most = container.frames ?? container.bytes.map({ $0 / frameBytes }), frames > most {
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
        code = Self.code(container, self.samples, layout, bytes: frames * frameBytes)
        var info = SF_INFO(
            frames: 0, samplerate: sampleRate, channels: Int32(layout.channels), format: code, sections: 0,
            seekable: 0)
        guard sf_format_check(&info) != 0, ![.m4a, .mp4].contains(mux) || Self.rates.contains(sampleRate)
        else {
            throw AudioFileError(
                path: path, reason: "\(container.name) is not written at \(sampleRate) Hz here")
        }
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
        _ container: Container, _ path: String, _ sampleRate: Int32, bitRate: Int?, quality: Double?
    ) throws(AudioFileError) -> Compression {
        func fail(_ reason: String) -> AudioFileError { AudioFileError(path: path, reason: reason) }
        if bitRate != nil, quality != nil { throw fail("a bit rate and a quality: one of them") }
        if bitRate != nil || quality != nil, !container.samples.isEmpty {
            throw fail("\(container.name) keeps all of the sound: it has neither a bit rate nor a quality")
        }
        if let quality {
            guard (0...1).contains(quality) else {
                throw fail("\(quality) is not a quality: it goes from 0 to 1")
            }
            return .quality(quality)
        }
        guard let bitRate else { return .standard }
        guard var range = container.bitRates else {
            throw fail("\(container.name) has no bit rate of its own choosing: give a quality from 0 to 1")
        }
        // MPEG-1, MPEG-2 and MPEG-2.5 by the rate of the samples.
        let isMPEG = container.name == "mp3"
        if isMPEG, sampleRate < 32000 { range = sampleRate < 16000 ? 8...64 : 8...160 }
        let steps =
            sampleRate < 32000
            ? [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
            : [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        guard range.contains(bitRate), !isMPEG || steps.contains(bitRate) else {
            let known =
                isMPEG
                ? steps.filter(range.contains).map(String.init).joined(separator: ", ")
                : "\(range.lowerBound) to \(range.upperBound)"
            throw fail("\(container.name) has no bit rate of \(bitRate) kbit/s at \(sampleRate) Hz: \(known)")
        }
        return .constant(Double(range.upperBound - bitRate) / Double(range.upperBound - range.lowerBound))
    }

    /// Those of AAC (ISO/IEC 14496-3, 1.6.3.4).
    private static let rates: [Int32] = [
        8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 64000, 88200, 96000,
    ]

    /// What holds more than two channels.
    private static let wide = ["wav", "rf64", "w64", "caf"]

    static var extensions: String { containers.map(\.name).joined(separator: ", ") }
}
