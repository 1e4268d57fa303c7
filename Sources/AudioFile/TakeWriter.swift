import CSndfile
import Files
import Glibc
import Realtime
import Speakers

/// Writes what is recorded, under its own name from the beginning and whole whenever `saveHeader` has been
/// called, as a `FloatWAV`. It says of itself where on the timeline it begins (EBU Tech 3285, "bext"). For
/// one thread at a time.
public final class TakeWriter {
    /// Where it is.
    public let path: String
    /// How many frames are in the file.
    public private(set) var frames: Int64 = 0
    /// Which channels of what is given are written.
    private let places: [Int]
    /// What came in before the first of them.
    private let lead: [Float]
    private var handle: OpaquePointer?
    private var interleaver = Interleaver()

    /// Where takes are put.
    public struct Folder {
        let path: String
        /// Names of files, without their folders, that are not free though no file has them: clips play them
        /// that will be found again.
        let known: Set<FilePath>

        /// A folder, made where it is not there.
        public init(_ path: String, known: Set<FilePath> = []) { (self.path, self.known) = (path, known) }
    }

    /// Makes the file `folder/NAME-NUMBER.wav`, with the first number from 1 on that is free.
    /// - Parameters:
    ///   - places: which channels of what is given are written, from 0.
    ///   - start: the frame of the timeline where it begins, from 0 on.
    ///   - lead: frames of those channels that came in before the first, for `AiredTake`: no part of the
    ///     sound, but kept in the file.
    /// - Throws: `AudioFileError` if it cannot be created.
    public init(
        in folder: Folder, name: String, places: [Int], sampleRate: Int32, start: Int64, lead: [Float] = []
    ) throws(AudioFileError) {
        (path, self.places, self.lead) = (try Self.create(in: folder, name), places, lead)
        do throws(AudioFileError) {
            handle = try FloatWAV.create(path, channels: places.count, sampleRate: sampleRate)
        } catch {
            unlink(path)
            throw error
        }
        SpeakerLayout(rawValue: places.count)?.describe(handle)
        describe(name, UInt64(start))
    }

    deinit { if let handle { sf_close(handle) } }

    private static func create(in folder: Folder, _ name: String) throws(AudioFileError) -> String {
        if mkdir(folder.path, 0o777) != 0, errno != EEXIST {
            throw AudioFileError(
                path: folder.path, reason: "the folder cannot be made: \(String(cString: strerror(errno)))")
        }
        var number = 0
        while true {
            number += 1
            let file = "\(name)-\(number).wav"
            if folder.known.contains(FilePath(file)) { continue }
            let path = "\(folder.path)/\(file)"
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 {
                close(descriptor)
                return path
            }
            if errno != EEXIST {
                throw AudioFileError(
                    path: path, reason: "it cannot be written: \(String(cString: strerror(errno)))")
            }
        }
    }

    private func describe(_ name: String, _ start: UInt64) {
        var info = SF_BROADCAST_INFO()
        func copy(_ text: String, _ field: UnsafeMutableRawBufferPointer) {
            // Its last byte stays 0.
            field.copyBytes(from: text.utf8.prefix(field.count - 1))
        }
        withUnsafeMutableBytes(of: &info.description) { copy(name, $0) }
        withUnsafeMutableBytes(of: &info.originator) { copy("jmix", $0) }
        (info.time_reference_low, info.time_reference_high) = (
            UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: start >> 32)
        )
        sf_command(handle, Int32(SFC_SET_BROADCAST_INFO), &info, Int32(MemoryLayout<SF_BROADCAST_INFO>.size))
    }

    /// Appends `count` frames of those channels of `block`.
    /// - Throws: `AudioFileError` if the disk is full or gone; what fitted is kept.
    public func write(_ block: Channels, count: Int) throws(AudioFileError) {
        if places.count == 1 { return try write(block.channel(places[0]), count) }
        try write(interleaver.lay(block, places, count), count)
    }

    /// Appends silence.
    /// - Throws: as `write`.
    public func writeSilence(_ count: Int64) throws(AudioFileError) {
        let block = [Float](repeating: 0, count: 8192 * places.count)
        var left = count
        while left > 0 {
            let run = min(left, 8192)
            try write(block, Int(run))
            left -= run
        }
    }

    private func write(_ samples: UnsafePointer<Float>, _ count: Int) throws(AudioFileError) {
        let done = sf_writef_float(handle, samples, sf_count_t(count))
        frames += max(0, done)
        guard done == count else {
            throw AudioFileError(
                path: path, reason: "it cannot be written on: \(String(cString: sf_strerror(handle)))")
        }
    }

    /// Makes the file say how long it is by now, so that a crash loses no more than what comes after.
    public func saveHeader() { sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }

    /// Completes the file; the system brings it to the disk. A file without a frame is removed.
    /// - Parameter memory: for `AiredTake`, kept in the file too.
    /// - Throws: `AudioFileError` if it cannot be completed; what is there stays.
    public func finish(memory: [UInt8] = []) throws(AudioFileError) {
        guard let handle else { return }
        let status = sf_close(handle)
        self.handle = nil
        if frames == 0 {
            unlink(path)
            return
        }
        guard status == 0 else {
            throw AudioFileError(
                path: path, reason: "it cannot be completed: \(String(cString: sf_error_number(status)))")
        }
        AiredTake.append(lead, memory, to: path)
    }
}
