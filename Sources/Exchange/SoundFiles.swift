import AudioFile
import Files
import Glibc
import Realtime
import Speakers
import Timeline

/// The sounds of a session as files that another program can play: the session's own where it can, and new
/// ones where it cannot.
final class SoundFiles {
    /// A file, or what is to become one.
    struct Sound: Hashable {
        let file: FilePath
        let sampleRate: Int32
        let channels: Int
        /// At its rate.
        let frames: Int64
        /// Which of its channels are heard left and right, from 0.
        let sides: [Int]
        /// It is one of the new ones.
        let isMade: Bool

        var path: String { file.text }
    }

    private let outline: Outline
    /// New files go there.
    private let folder: String
    private let isPlayable: (Outline.Piece) -> Bool
    private var sounds: [Key: Sound] = [:]
    private var names: Set<String> = []
    /// Where the session's own files lie.
    private let others: Set<FilePath>
    /// The names of the new ones, in the order in which they were asked for, and of what they are made.
    private(set) var made: [(path: String, piece: Outline.Piece)] = []

    private struct Key: Hashable {
        let place: SoundPlace
        let channels: ChannelPair?
    }

    /// - Parameter isPlayable: whether the program plays a clip's file as it is.
    init(_ outline: Outline, folder: String, isPlayable: @escaping (Outline.Piece) -> Bool) {
        (self.outline, self.folder, self.isPlayable) = (outline, Path.absolute(folder), isPlayable)
        others = Set(outline.pieces.joined().map { FilePath(Path.folder(of: $0.place.path)) })
    }

    /// The file that a clip plays for that program.
    func sound(of piece: Outline.Piece) -> Sound {
        let key = Key(place: piece.place, channels: piece.clip.channels)
        if let sound = sounds[key] { return sound }
        let sound = isPlayable(piece) ? asItIs(piece) : toBeMade(piece)
        sounds[key] = sound
        return sound
    }

    private func asItIs(_ piece: Outline.Piece) -> Sound {
        let (info, chosen) = (piece.info, piece.clip.channels)
        return Sound(
            file: FilePath(Path.absolute(piece.place.path)), sampleRate: info.sampleRate,
            channels: info.channels, frames: piece.soundLength.frame(atRate: info.sampleRate),
            sides: chosen.map { [$0.left - 1, $0.right - 1] } ?? (info.channels == 1 ? [0] : [0, 1]),
            isMade: false)
    }

    /// One that `write` will make.
    private func toBeMade(_ piece: Outline.Piece) -> Sound {
        let path = freeName(Path.stem(of: piece.place.path))
        made.append((path, piece))
        return Sound(
            file: FilePath(path), sampleRate: outline.rate, channels: 2,
            frames: piece.soundLength.frame(atRate: outline.rate), sides: [0, 1], isMade: true)
    }

    /// A name that no file has beside those that the session plays: who looks for sounds by name, as Ardour
    /// does, looks there too.
    private func freeName(_ stem: String) -> String {
        var (name, number) = ("\(stem).wav", 1)
        while !names.insert(name).inserted || !isFree(Path.join(folder, name))
            || others.contains(where: { Path.exists(Path.join($0.text, name)) })
        {
            number += 1
            name = "\(stem)-\(number).wav"
        }
        return Path.join(folder, name)
    }

    /// Nobody else's file is there: one of an earlier export is written over.
    private func isFree(_ path: String) -> Bool {
        !Path.exists(path) || (try? SoundFile(path: path))?.comment == Self.comment
    }

    /// What the new ones say of themselves.
    private static let comment = "made by jmix export"

    /// Writes the new ones, and then what plays them; where that does not come to be, they go again, and
    /// those that they replaced are back. Of two that write into one folder the second waits for the first.
    /// - Parameters:
    ///   - goesOn: asked now and then; false gives up.
    ///   - check: throws where what plays them would be refused: then none is written.
    func write(
        _ goesOn: () -> Bool, unless check: () throws -> Void = {}, then publish: () throws -> Void
    ) throws {
        if made.isEmpty { return try publish() }
        let isDone: Void? = try FolderLock.hold(folder, while: goesOn) { newFolders in
            var (writers, publication): ([SoundFileWriter], Publication) = ([], Publication())
            do {
                try check()
                for (path, piece) in made { writers.append(try write(piece, to: path, goesOn)) }
                for writer in writers { try self.publish(writer, in: &publication) }
                try publish()
                publication.finish()
            } catch {
                publication.takeBack()
                for writer in writers { writer.discard() }
                Path.removeEmpty(newFolders)
                throw error
            }
        }
        if isDone == nil { throw ExchangeError.interrupted }
    }

    /// Writes one whole, under a temporary name: floats, both sides, at the session's rate, as it is heard.
    private func write(
        _ piece: Outline.Piece, to path: String, _ goesOn: () -> Bool
    ) throws -> SoundFileWriter {
        // What has more speakers is mixed into two: that is said (`Feature.layouts`).
        let chosen = piece.clip.channels.map { (left: $0.left, right: $0.right) }
        let layout = chosen == nil ? Self.layout(of: piece) : .stereo
        let reader = try ChannelReader(
            at: piece.place, channels: chosen, layout: layout, sampleRate: outline.rate)
        let writer = try writer(of: path, frames: reader.frames)
        do {
            try pass(reader, layout, to: writer, goesOn)
            try writer.complete()
        } catch {
            writer.discard()
            throw error
        }
        return writer
    }

    private func writer(of path: String, frames: Int64) throws -> SoundFileWriter {
        let format = try OutputFormat(path: path, samples: .float, sampleRate: outline.rate, frames: frames)
        var labels = FileLabels()
        labels.tags[.comment] = Self.comment
        return try SoundFileWriter(path: path, format: format, sampleRate: outline.rate, labels: labels)
    }

    private static func layout(of piece: Outline.Piece) -> SpeakerLayout {
        max(.stereo, SpeakerLayout(rawValue: piece.info.channels) ?? .stereo)
    }

    private func pass(
        _ reader: ChannelReader, _ layout: SpeakerLayout, to writer: SoundFileWriter, _ goesOn: () -> Bool
    ) throws {
        let (memory, wide) = (
            ChannelMemory(2, frames: 1 << 16), ChannelMemory(layout.channels, frames: 1 << 16)
        )
        var done: Int64 = 0
        while done < reader.frames {
            if !goesOn() { throw ExchangeError.interrupted }
            let next = Int(min(Int64(memory.frames), reader.frames - done))
            try reader.read(from: done, count: next, into: wide.channels)
            Self.mix(wide.channels, layout, into: memory.channels, next)
            try writer.write(memory.channels, count: next)
            done += Int64(next)
        }
    }

    private static func mix(_ wide: Channels, _ layout: SpeakerLayout, into two: Channels, _ count: Int) {
        two.clear(count)
        for part in layout.parts(to: .stereo) {
            let (from, to) = (wide.channel(part.from), two.channel(part.to))
            for i in 0..<count { to[i] += from[i] * Float(part.gain) }
        }
    }

    /// Replaces a file of an earlier export, and no other that has come to lie there meanwhile.
    private func publish(_ writer: SoundFileWriter, in publication: inout Publication) throws {
        let isOurs = Path.exists(writer.path) && isFree(writer.path)
        _ = try writer.publish(taken: isOurs ? .isReplaced : .isRefused, in: &publication)
    }

    /// Takes away what was written, with the folder.
    func removeFolder() {
        for (path, _) in made { unlink(path) }
        rmdir(folder)
    }
}
