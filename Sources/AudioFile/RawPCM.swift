import CSndfile
import CVector
import Glibc
import Realtime
import Speakers

/// Reads the samples of an uncompressed file straight from where libsndfile found them. For one thread at a
/// time.
///
/// WAV, W64, RF64, AIFF and CAF of 16, 24 and 32 bits and of floats. A file of which its first and last
/// frames do not come out as libsndfile reads them is left to libsndfile.
final class RawPCM {
    private let descriptor: Int32
    private let start: Int
    private let frames: PCMFrames

    private static let containers = [
        SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_W64, SF_FORMAT_RF64, SF_FORMAT_AIFF, SF_FORMAT_CAF,
    ].map(Int32.init)

    /// nil if the file is of another kind. The descriptor stays `handle`'s.
    init?(_ handle: OpaquePointer, descriptor: Int32, format: SF_INFO) {
        guard Self.containers.contains(format.format & Int32(SF_FORMAT_TYPEMASK)) else { return nil }
        guard let encoding = PCMEncoding(format) else { return nil }
        // libsndfile seeks to where the samples begin: there its descriptor stands.
        guard sf_seek(handle, 0, SEEK_SET) == 0 else { return nil }
        start = lseek(descriptor, 0, SEEK_CUR)
        guard start > 0 else { return nil }
        self.descriptor = descriptor
        frames = PCMFrames(
            encoding: encoding,
            swapped: sf_command(handle, Int32(SFC_RAW_DATA_NEEDS_ENDSWAP), nil, 0) != 0,
            channels: Int(format.channels))
        let agrees =
            agrees(handle, at: 0, of: format.frames)
            && agrees(handle, at: max(0, Int(format.frames) - Self.compared), of: format.frames)
        sf_seek(handle, 0, SEEK_SET)
        if !agrees { return nil }
    }

    private static let compared = 16

    /// Whether some frames come out to the bit as libsndfile reads them.
    private func agrees(_ handle: OpaquePointer, at frame: Int, of length: sf_count_t) -> Bool {
        let (count, channels) = (min(Self.compared, Int(length) - frame), frames.channels)
        var expected = [Float](repeating: 0, count: count * channels)
        guard sf_seek(handle, sf_count_t(frame), SEEK_SET) == frame,
            sf_readf_float(handle, &expected, sf_count_t(count)) == count
        else { return false }
        let memory = ChannelMemory(channels, frames: count)
        let all = ChannelChoice(Array(0..<channels))
        guard read(from: frame, count: count, taking: all, into: memory.channels, for: .now) else {
            return false
        }
        return isSame(memory.channels, expected, count)
    }

    private func isSame(_ samples: Channels, _ expected: [Float], _ count: Int) -> Bool {
        (0..<samples.count).allSatisfy { channel in
            (0..<count).allSatisfy {
                samples.channel(channel)[$0].bitPattern
                    == expected[$0 * samples.count + channel].bitPattern
            }
        }
    }

    /// Reads channels of `count` frames from frame `first` on.
    /// - Returns: false if they cannot be read; `errno` says why, or is 0 where the file ends.
    func read(
        from first: Int, count: Int, taking choice: ChannelChoice, into target: Channels, for use: ReadUse
    ) -> Bool {
        let step = frames.bytes
        let scratch = pcm_scratch()!
        var done = 0
        while done < count {
            let run = min(count - done, Int(PCM_SCRATCH) / step)
            guard fill(scratch, run * step, from: start + (first + done) * step) else { return false }
            frames.convert(
                UnsafeRawPointer(scratch), taking: choice, count: run, into: target.from(done), for: use)
            done += run
        }
        return true
    }

    /// Reads `size` bytes; libsndfile's place in the file stays its own.
    private func fill(_ memory: UnsafeMutableRawPointer, _ size: Int, from place: Int) -> Bool {
        var done = 0
        while done < size {
            let got = pread(descriptor, memory + done, size - done, place + done)
            if got < 0, errno == EINTR { continue }
            if got == 0 { errno = 0 }
            guard got > 0 else { return false }
            done += got
        }
        return true
    }
}

extension PCMEncoding {
    /// That of a file's samples; nil: another.
    init?(_ format: SF_INFO) {
        switch Int(format.format & Int32(SF_FORMAT_SUBMASK)) {
        case SF_FORMAT_PCM_16: self = .int16
        case SF_FORMAT_PCM_24: self = .int24
        case SF_FORMAT_PCM_32: self = .int32
        case SF_FORMAT_FLOAT: self = .float32
        default: return nil
        }
    }
}
