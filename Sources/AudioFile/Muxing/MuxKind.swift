import JSON
import Files
import Glibc

/// A container that ffmpeg writes.
enum MuxKind: Equatable {
    /// MP4 for sound alone, MP4, QuickTime, Matroska.
    case m4a, mp4, mov, mkv

    /// As ffmpeg calls it.
    var name: String {
        switch self {
        case .m4a: "ipod"
        case .mp4: "mp4"
        case .mov: "mov"
        case .mkv: "matroska"
        }
    }

    /// How the mix is coded in it.
    func codec(_ samples: OutputFormat.Samples, _ bitRate: Int?) -> [String] {
        switch (self, samples) {
        case (.m4a, _), (.mp4, _): ["aac", "-b:a:0", "\(bitRate ?? 256)k"]
        case (.mov, .pcm16): ["pcm_s16le"]
        case (.mov, .pcm24): ["pcm_s24le"]
        case (.mkv, .pcm16): ["flac"]
        case (.mkv, .pcm24): ["flac", "-bits_per_raw_sample", "24"]
        case (.mov, .float), (.mkv, .float): ["pcm_f32le"]
        }
    }

    /// The clock of an MP4 counts frames of the mix, so that edit lists are exact; and what says where things
    /// are stands before them, as a page that plays it wants.
    func options(_ sampleRate: Int32) -> [String] {
        self == .mkv ? [] : ["-movie_timescale", "\(sampleRate)", "-movflags", "+faststart"]
    }
}
