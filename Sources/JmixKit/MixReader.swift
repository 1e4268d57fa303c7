import AudioFile
import Engine
import Realtime
import Timeline

/// Mixed samples to pull, block by block: by a plain call, or as an asynchronous sequence. The same samples
/// as live and in a file.
public final class MixReader: AsyncSequence, @unchecked Sendable {
    // Safe to share: `turn` lets one caller at a time read, whoever calls.
    private let mix: OfflineMix
    private let memory: ChannelMemory
    private let turn = Guarded(())

    /// - Parameters:
    ///   - composition: what is mixed.
    ///   - range: of the timeline; nil is all of it. Beyond the last clip is silence.
    ///   - blockFrames: how much comes at once; the samples do not depend on it.
    /// - Throws: `CompositionError.noEnd` if there is nothing, or no end; `.problems` if files are missing or
    ///   are not what they were.
    public init(
        _ composition: Composition, range: TimeRange? = nil, blockFrames: Int = 4096
    ) throws(CompositionError) {
        let library = composition.library()
        mix = OfflineMix(
            composition.session, library: library, frames: try composition.mixable(range, library),
            taps: composition.taps)
        memory = ChannelMemory(2, frames: Swift.max(1, blockFrames))
    }

    /// The next block, shorter at the end; nil after it. Waits for the disk. Of several who read at once each
    /// gets another block.
    /// - Throws: `AudioFileError` if a file cannot be read to its end.
    public func read() throws(AudioFileError) -> MixBlock? {
        let block = turn.withLock { _ -> Result<MixBlock?, AudioFileError> in
            do throws(AudioFileError) { return .success(try next()) } catch { return .failure(error) }
        }
        return try block.get()
    }

    private func next() throws(AudioFileError) -> MixBlock? {
        let frame = mix.frames.lowerBound + Int64(mix.done)
        let count = try mix.read(into: memory.channels, count: memory.frames)
        if count == 0 { return nil }
        func side(_ channel: Int) -> [Float] {
            Array(UnsafeBufferPointer(start: memory.channels.channel(channel), count: count))
        }
        return MixBlock(frame: frame, left: side(0), right: side(1))
    }

    public func makeAsyncIterator() -> Iterator { Iterator(reader: self) }

    /// Waits for the disk on a thread that may.
    public struct Iterator: AsyncIteratorProtocol {
        let reader: MixReader

        public mutating func next() async throws -> MixBlock? {
            let reader = reader
            return try await offThread { () -> Result<MixBlock?, AudioFileError> in
                do throws(AudioFileError) { return .success(try reader.read()) } catch {
                    return .failure(error)
                }
            }
        }
    }
}
