import CSndfile
import Files

/// What a mix is written as.
public struct OutputFormat: Equatable, Sendable {
    /// How the samples are kept.
    public enum Samples: String, CaseIterable, Sendable {
        /// Whole numbers of 16 or 24 bits, or floats of 32, which alone hold what is above full level.
        case pcm16, pcm24, float

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

    private static let containers: [(extension: String, code: Int, samples: [Samples])] = [
        ("wav", SF_FORMAT_WAV, [.float, .pcm24, .pcm16]), ("w64", SF_FORMAT_W64, [.float, .pcm24, .pcm16]),
        ("rf64", SF_FORMAT_RF64, [.float, .pcm24, .pcm16]), ("caf", SF_FORMAT_CAF, [.float, .pcm24, .pcm16]),
        ("aiff", SF_FORMAT_AIFF, [.float, .pcm24, .pcm16]), ("aif", SF_FORMAT_AIFF, [.float, .pcm24, .pcm16]),
        ("flac", SF_FORMAT_FLAC, [.pcm24, .pcm16]),
        ("ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, []), ("opus", SF_FORMAT_OGG | SF_FORMAT_OPUS, []),
        ("mp3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, []),
    ]

    /// The format for a file's name, by its extension.
    /// - Parameter samples: nil for the container's best: float for WAV, 24 bits for FLAC.
    /// - Throws: `AudioFileError` if no such format is written here, or not with such samples or at this rate.
    public init(path: String, samples: Samples?, sampleRate: Int32) throws(AudioFileError) {
        let name = Path.fileExtension(of: path)
        guard let container = Self.containers.first(where: { $0.extension == name }) else {
            throw AudioFileError(path: path, reason: "no format is known for \"\(name)\": end the name in one of \(Self.extensions)")
        }
        if let samples, !container.samples.contains(samples) {
            let known = container.samples.map(\.rawValue).joined(separator: ", ")
            throw AudioFileError(path: path, reason: "\(name) does not hold \(samples.rawValue)" + (known.isEmpty ? ": it takes no --format" : ", but \(known)"))
        }
        self.samples = samples ?? container.samples.first ?? .float
        let subtype = switch self.samples {
        case _ where container.samples.isEmpty: 0
        case .pcm16: SF_FORMAT_PCM_16
        case .pcm24: SF_FORMAT_PCM_24
        case .float: SF_FORMAT_FLOAT
        }
        code = Int32(container.code | subtype)
        var info = SF_INFO(frames: 0, samplerate: sampleRate, channels: 2, format: code, sections: 0, seekable: 0)
        guard sf_format_check(&info) != 0 else {
            throw AudioFileError(path: path, reason: "\(name) is not written at \(sampleRate) Hz here")
        }
    }

    static var extensions: String { containers.map(\.extension).joined(separator: ", ") }
}
