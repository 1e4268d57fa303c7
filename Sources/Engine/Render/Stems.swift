import AudioFile
import Files
import Glibc
import Realtime
import Speakers
import Timeline

/// Files for the strips that go to the master, each with its strip as it enters it: samples that add up, in
/// the order of the strips, to what the master gets.
public struct Stems: Sendable {
    /// The folder that they are written to, made where it is not there.
    public let folder: String
    /// The extension of their kind.
    public let kind: String
    /// How their samples are kept; nil for the kind's best.
    public let samples: OutputFormat.Samples?
    /// Whether files that have their names are replaced; else that is an error.
    public let replaces: Bool

    /// Files in a folder.
    public init(
        in folder: String, kind: String = "wav", samples: OutputFormat.Samples? = nil, replaces: Bool = false
    ) {
        (self.folder, self.kind, self.samples, self.replaces) = (folder, kind, samples, replaces)
    }

    /// The strips of a session that get one, in the order in which they are summed, and their files.
    public func files(of session: Session) -> [(id: StripID, path: String)] {
        let strips = Dictionary(uniqueKeysWithValues: session.strips.map { ($0.id, $0) })
        return Routing(session).order.compactMap { strips[$0] }.filter { $0.output == .master }.map {
            ($0.id, Path.join(folder, "\($0.name).\(kind)"))
        }
    }
}
