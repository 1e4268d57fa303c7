import Files
import Glibc
import Realtime

/// How a sound file looks: the highest of each so many frames. Made once, and kept where this user's programs
/// keep what can be made again.
public struct PeakFile: Sendable {
    /// How many frames of the file each peak stands for.
    public static let framesPerPeak = 256

    /// As it is kept and told: `JPK1`, then as little-endian 32-bit numbers the frames a peak stands for, the
    /// file's rate and how many peaks there are, then a byte for each: 255 is full scale.
    public let bytes: [UInt8]

    /// Looks it up by what the file holds, or reads the whole file and keeps what it found. Waits for the
    /// disk.
    /// - Parameters:
    ///   - stream: which of its sounds, from 1.
    ///   - folder: where peaks are kept; nil: nowhere.
    /// - Throws: `AudioFileError`: the file cannot be read.
    public init(of path: String, stream: Int = 1, keptIn folder: String?) throws(AudioFileError) {
        // What is read is kept under the name of what was there before and after.
        let key = Self.key(of: path)
        let file = try AudioSource.open(SoundPlace(path, stream: stream))
        let kept = folder.flatMap { folder in key.map { Path.join(folder, "\($0)-\(stream).peaks") } }
        if let kept, let found = Self.read(kept), found.count == Self.headerBytes + Self.count(file) {
            bytes = found
            return
        }
        bytes = try Self.make(file)
        if let kept, let folder, Self.key(of: path) == key, Path.makeFolder(folder) {
            try? AtomicFile.write(bytes, to: kept)
            Self.tidy(folder)
        }
    }

    /// What files hold that have been looked at, as long as they are as they were then.
    private static let known = Guarded<[FilePath: (stamp: FileStamp, key: String)]>([:])

    private static func key(of path: String) -> String? {
        guard let stamp = FileStamp(path) else { return nil }
        if let known = known.withLock({ $0[FilePath(path)] }), known.stamp == stamp { return known.key }
        guard let key = ContentKey.of(path) else { return nil }
        known.withLock {
            if $0.count >= maximumKept { $0 = [:] }
            $0[FilePath(path)] = (stamp, key)
        }
        return key
    }

    /// What is kept at most; beyond it the oldest third goes.
    private static let maximumKept = 3000

    private static func tidy(_ folder: String) {
        guard let names = Path.content(of: folder), names.count > maximumKept else { return }
        let paths = names.filter { $0.hasSuffix(".peaks") }.map { Path.join(folder, $0) }.map {
            ($0, Path.changedAt($0) ?? 0)
        }.sorted { $0.1 < $1.1 }
        for (path, _) in paths.prefix(maximumKept / 3) { unlink(path) }
    }

    private static let headerBytes = 16
    /// A day of stereo at 48 kHz: what is longer is shown as far as that.
    private static let maximumPeaks = 24 * 3600 * 48000 / framesPerPeak

    private static func count(_ file: any SampleSource) -> Int {
        min(maximumPeaks, Int((file.frames + Int64(framesPerPeak) - 1) / Int64(framesPerPeak)))
    }

    private static func make(_ file: any SampleSource) throws(AudioFileError) -> [UInt8] {
        let count = count(file)
        var bytes = head(file, count)
        let channels = file.channels
        var buffer = [Float](repeating: 0, count: 64 * framesPerPeak * channels)
        var done = 0
        while done < count {
            let wanted = min(64, count - done)
            let read = try file.read(
                from: Int64(done * framesPerPeak), count: wanted * framesPerPeak, into: &buffer)
            for peak in 0..<wanted {
                let frames = min(read, peak * framesPerPeak)..<min(read, (peak + 1) * framesPerPeak)
                let samples = buffer[frames.lowerBound * channels..<frames.upperBound * channels]
                bytes.append(byte(of: samples))
            }
            done += wanted
        }
        return bytes
    }

    private static func head(_ file: any SampleSource, _ count: Int) -> [UInt8] {
        var bytes = Array("JPK1".utf8)
        for number in [UInt32(framesPerPeak), UInt32(file.sampleRate), UInt32(count)] {
            withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
        }
        return bytes
    }

    private static func byte(of samples: ArraySlice<Float>) -> UInt8 {
        var highest: Float = 0
        for sample in samples { highest = max(highest, abs(sample)) }
        return UInt8(min(255, (highest * 255).rounded(.up)))
    }

    private static func read(_ path: String) -> [UInt8]? {
        guard let size = Path.size(of: path), size <= Int64(headerBytes + maximumPeaks),
            let bytes = try? AtomicFile.readBytes(path), bytes.starts(with: Array("JPK1".utf8))
        else { return nil }
        return bytes
    }
}
