import Files

/// How ffmpeg is asked: as a program of its own, bounded in time and memory, of nothing but files, and for
/// the same samples on every processor.
enum FFmpeg {
    /// Where a program of ffmpeg's is.
    /// - Parameter isWriting: it is to write the file, not to read it.
    /// - Throws: `AudioFileError`: it is not installed.
    static func program(
        _ name: String, for path: String, isWriting: Bool = false
    ) throws(AudioFileError) -> String {
        if let program = ChildProcess.path(of: name) { return program }
        throw AudioFileError(
            path: path,
            reason: isWriting
                ? "\(name), which writes such files, is not installed: apt install ffmpeg, or write flac"
                : """
                libsndfile does not read it, and \(name), which might, is not installed: apt install ffmpeg, \
                or convert it elsewhere
                """
        )
    }

    /// The input `path`, and what it may lead to: nothing.
    static func input(_ path: String) -> [String] {
        [
            "-protocol_whitelist", "file", "-format_whitelist", MediaKind.demuxers, "-i",
            "file:\(Path.absolute(path))",
        ]
    }

    /// Whether it is installed.
    static var isThere: Bool { ChildProcess.path(of: "ffmpeg") != nil }

    /// Which ffmpeg it is, as it says; asked once.
    static let version: String = {
        guard let program = ChildProcess.path(of: "ffmpeg"),
            let text = try? ChildProcess.output([program, "-version"], limits: ChildProcess.Limits())
        else { return "none" }
        return text.split(separator: "\n").first.map(String.init) ?? "unknown"
    }()

    /// Decodes a sound from its first frame to its last, as floats, little-endian, interleaved, on standard
    /// output. Without what processors differ in, the samples are the same on all of them. Where the file's
    /// times leave a gap, there is silence; a rate or a layout that changes midway is converted to the first
    /// one's.
    static func decoding(_ sound: MediaContent.Sound, of path: String, _ program: String) -> [String] {
        // A number of channels alone would be mixed into the layout that is usual for it.
        let layout = sound.layout.map { ",aformat=channel_layouts=\($0)" } ?? ""
        return [program, "-nostdin", "-v", "error", "-cpuflags", "0"] + input(path) + [
            "-map", "0:\(sound.index)", "-af", "aresample=async=1:min_hard_comp=0.05\(layout)", "-ar",
            "\(sound.sampleRate)",
        ]
            + (sound.layout == nil ? ["-ac", "\(sound.channels)"] : []) + [
                "-c:a", "pcm_f32le", "-f", "f32le", "pipe:1",
            ]
    }

    /// What it complains of, without the names of its parts, their addresses and the file, which is named
    /// already.
    static func plain(_ text: String) -> String {
        var rest = text.split(separator: "\n").first ?? ""
        while rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
        }
        if rest.hasPrefix("file:"), let end = rest.firstRange(of: ": ") { rest = rest[end.upperBound...] }
        return String(rest.prefix(200))
    }
}
