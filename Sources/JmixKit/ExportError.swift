import AudioFile
import Engine
import Files
import Loudness
import Synchronization
import Timeline

/// Why an export did not finish.
public enum ExportError: Error, Equatable, CustomStringConvertible, Sendable {
    /// It has exported already.
    case used
    /// By `cancel`, or with its task.
    case cancelled
    /// The name is taken.
    case exists(path: String)
    /// The file is part of what is mixed.
    case isSource(path: String)
    /// The name's extension is not the preset's.
    case name(path: String, preset: Exporter.Preset)
    /// The preset has no place for a moving picture.
    case noPicture(preset: Exporter.Preset)
    /// There is nothing to mix, or no end of it.
    case composition(CompositionError)
    /// A file could not be read to its end, or the output not be written.
    case file(AudioFileError)
    /// Not a loudness that can be reached for, or not a limit.
    case loudness(LoudnessError)

    public var description: String {
        switch self {
        case .used: "an exporter exports once: make another"
        case .cancelled: "the export was cancelled; nothing is left of it"
        case .exists(let path): "\(path) exists already: replace it, or let the export have a unique name"
        case .isSource(let path): "\(path) is part of what is mixed: choose another name"
        case .name(let path, let preset):
            "\(path): \(preset.rawValue) is written to a name that ends in .\(preset.fileExtension)"
        case .noPicture(let preset):
            "\(preset.rawValue) has no place for a moving picture: mp4, mov and mkv have"
        case .composition(let error): "\(error)"
        case .file(let error): "\(error)"
        case .loudness(let error): "\(error)"
        }
    }
}
