import Files

/// A sound of a file as ffmpeg decodes it, from the file's time 0 to the end that the file says.
struct Decoding: SoundMaker {
    let path: String
    private let sound: MediaContent.Sound
    private let format: String
    /// Which file it was when it was looked at.
    private let stamp: FileStamp?

    /// A decoder that says nothing for so long is given up.
    private static let patience: Int32 = 60_000
    /// A sound may end so many frames before what its file says, as containers round.
    private static let tolerance: Int64 = 4096

    /// - Parameter stamp: the state of the file, from before it is looked at.
    /// - Throws: `AudioFileError`: it is no media file, or has no such sound.
    init(of place: SoundPlace, _ stamp: FileStamp?) throws(AudioFileError) {
        (path, self.stamp) = (place.path, stamp)
        let content = try MediaContent(of: path)
        guard content.sounds.indices.contains(place.stream - 1) else {
            throw AudioFileError(
                path: path,
                reason: content.sounds.isEmpty
                    ? "there is no sound in it"
                    : "stream \(place.stream) was asked for, it has \(content.sounds.count)")
        }
        sound = content.sounds[place.stream - 1]
        format = "\(content.container.split(separator: ",").first ?? "unknown"), \(sound.codec)"
    }

    /// Another decoder, or another way to ask it, may give other samples.
    var way: String {
        """
        \(FFmpeg.version) \(FFmpeg.decoding(sound, of: "/", "").joined(separator: " ")) \(sound.start) \
        \(sound.isCut ? sound.frames ?? 0 : 0)
        """
    }

    /// What its container says of its length, or its bit rate, is a guess.
    var info: MediaInfo {
        MediaInfo(
            length: .estimate(sound.frames ?? Int64(sound.sampleRate)), sampleRate: sound.sampleRate,
            channels: sound.channels, format: format, truncation: nil,
            remarks: [sound.caution].compactMap { $0 })
    }

    func make(_ sink: SoundSink) throws -> (truncation: String?, remark: String?) {
        let child = try ChildProcess(
            FFmpeg.decoding(sound, of: path, try FFmpeg.program("ffmpeg", for: path)),
            limits: ChildProcess.Limits(), isRead: true)
        try pass(child, to: sink)
        let ending = child.finish()
        // It may have been another file by the time it was read.
        guard FileStamp(path) == stamp else {
            throw AudioFileError(path: path, reason: "it changed while it was decoded")
        }
        let frames = Int64(sink.bytes / 4 / sound.channels)
        guard frames > sound.start else {
            throw AudioFileError(
                path: path, reason: "ffmpeg decodes nothing of it (\(FFmpeg.plain(ending.complaints)))")
        }
        return outcome(frames, ending)
    }

    /// What is said of what has been decoded.
    private func outcome(
        _ frames: Int64, _ ending: ChildProcess.Ending
    ) -> (truncation: String?, remark: String?) {
        let missing = sound.saysItsLength ? (sound.frames ?? frames) - frames : 0
        // Who is stopped at the end that the file says has not failed.
        let isCutShort =
            ending.status != 0 && !(sound.isCut && missing == 0)
            || missing > max(Self.tolerance, Int64(sound.sampleRate) / (sound.isCut ? 10 : 1))
        let said = FFmpeg.plain(ending.complaints)
        if isCutShort {
            return (
                "the file is truncated: its sound ends after \(frames) frames"
                    + (missing > 0 ? " of \(sound.frames ?? frames)" : "")
                    + (said.isEmpty ? "" : " (\(said))"), nil
            )
        }
        return (nil, said.isEmpty ? nil : "parts of it could not be decoded (\(said))")
    }

    /// Passes on what the decoder prints, behind the silence before it, up to the end that the file says.
    private func pass(_ child: ChildProcess, to sink: SoundSink) throws {
        let frameBytes = 4 * sound.channels
        let most = sound.isCut ? sound.frames.map { Int($0) * frameBytes } ?? .max : .max
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 64)
        defer { buffer.deallocate() }
        try sink.append(nil, count: min(most, Int(sound.start) * frameBytes))
        while sink.bytes < most {
            let space = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<min(buffer.count, most - sink.bytes)])
            guard let count = try child.read(into: space, within: Self.patience) else {
                throw AudioFileError(
                    path: path, reason: "its decoder said nothing for \(Self.patience / 1000) s")
            }
            if count == 0 { return }
            try sink.append(space.baseAddress, count: count)
        }
        child.stop()
    }
}
