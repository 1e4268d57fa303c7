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

/// Writes stems while they are mixed; nothing is left of them unless all are whole.
final class StemWriter {
    /// Whose they are.
    let strips: [StripID]
    private let writers: [SoundFileWriter]
    private let taken: TakenName
    /// The folders that were made for them: they go where nothing comes to lie in them.
    private let folders: [String]
    private var isPublished = false

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
        if isPublished { return }
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
    func publish() throws(AudioFileError) -> [String] {
        var names: [String] = []
        isPublished = true
        for writer in writers { names.append(try writer.publish(taken: taken)) }
        return names
    }
}

/// Buffers that strips play into beside the mix. For one thread at a time.
final class StemBuffers {
    private let handles: [StripHandle]
    private let outs: UnsafeMutablePointer<DirectOut>
    private let memory: [ChannelMemory]
    private let strips: [StripID]
    private var waits: [StemWait?] = []

    /// For strips that the engine has, in this order, and blocks of at most `block` frames.
    /// - Parameter layout: the channels that each of them is given by.
    init(_ strips: [StripID], of engine: PlaybackEngine, _ layout: SpeakerLayout, block: Int) {
        self.strips = strips.filter { engine.stripHandle($0) != nil }
        handles = strips.compactMap(engine.stripHandle)
        outs = .allocate(capacity: max(1, handles.count))
        memory = handles.map { _ in ChannelMemory(layout.channels, frames: block) }
        for (index, handle) in handles.enumerated() {
            var out = DirectOut(handle, .post, channels: layout.channels)
            for channel in 0..<layout.channels {
                out.buffers[channel] = memory[index].channels.channel(channel)
            }
            (outs + index).initialize(to: out)
        }
    }

    deinit { outs.deallocate() }

    /// From now on each is held back until the latest of all has come.
    /// - Parameter latest: how far behind the playhead that is.
    func wait(until latest: Int64, _ arrangement: Arrangement) {
        waits = zip(strips, memory).map {
            StemWait(latest - arrangement.lag(of: $0), channels: $1.channels.count)
        }
    }

    /// Holds back what has just been mixed.
    func pass(_ count: Int) {
        for (wait, memory) in zip(waits, memory) { wait?.pass(memory.channels, count) }
    }

    var direct: DirectOuts { DirectOuts(outs, count: handles.count) }

    /// What the strip of that place in the list plays.
    subscript(_ index: Int) -> Channels { memory[index].channels }
}

/// Holds back blocks of samples. For one thread at a time.
final class StemWait {
    private var ring: WaitRing
    private let frames: Int

    /// nil where nothing waits.
    init?(_ frames: Int64, channels: Int) {
        if frames <= 0 { return nil }
        (ring, self.frames) = (WaitRing(channels: channels, longest: frames), Int(frames))
    }

    deinit { ring.deallocate() }

    /// Gives in the place of samples what they were so many frames before.
    func pass(_ block: Channels, _ count: Int) {
        for start in stride(from: 0, to: count, by: Block.frames()) {
            let run = min(Block.frames(), count - start)
            ring.take(block.from(start), run)
            ring.lay(frames, into: block.from(start), run)
        }
    }
}
