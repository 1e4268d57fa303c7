import AudioFile
import Files
import Glibc
import Realtime
import Speakers
import Timeline

/// Writes stems while they are mixed; nothing is left of them unless all are whole.
final class StemWriter {
    /// Whose they are.
    let strips: [StripID]
    private let writers: [SoundFileWriter]
    private let taken: TakenName
    /// The folders that were made for them: they go where nothing comes to lie in them.
    private let folders: [String]

    /// - Throws: `AudioFileError`: the folder or a file cannot be made, or a name is taken.
    init(_ stems: Stems, _ session: Session, frames: Int) throws(AudioFileError) {
        guard let folders = Path.makeOpenFolder(stems.folder) else {
            throw AudioFileError(
                path: stems.folder, reason: "the folder cannot be made: \(String(cString: strerror(errno)))")
        }
        self.folders = folders
        taken = stems.replaces ? .isReplaced : .isRefused
        let files = stems.files(of: session)
        strips = files.map(\.id)
        do throws(AudioFileError) {
            writers = try files.map { (_, path) throws(AudioFileError) in
                if !stems.replaces, Path.exists(path) {
                    throw AudioFileError(path: path, reason: "there is such a file already")
                }
                let format = try OutputFormat(
                    path: path, samples: stems.samples, sampleRate: session.sampleRate, frames: Int64(frames))
                return try SoundFileWriter(path: path, format: format, sampleRate: session.sampleRate)
            }
        } catch {
            Path.removeEmpty(folders)
            throw error
        }
    }

    deinit {
        for writer in writers { writer.discard() }
        Path.removeEmpty(folders)
    }

    /// Takes what has just been mixed.
    func write(_ buffers: StemBuffers, _ count: Int) throws(AudioFileError) {
        for (index, writer) in writers.enumerated() { try writer.write(buffers[index], count: count) }
    }

    /// Makes all of them whole, under temporary names.
    func complete(_ goesOn: () -> Bool) throws(AudioFileError) {
        for writer in writers { try writer.complete(goesOn: goesOn) }
    }

    /// Gives all of them their names, once all are complete.
    func publish(in publication: inout Publication) throws(AudioFileError) -> [String] {
        try writers.map { writer throws(AudioFileError) in
            try writer.publish(taken: taken, in: &publication)
        }
    }
}
