import JSON
import Files
import Glibc

/// Has ffmpeg put a mix into a container that libsndfile does not write, beside a picture, or with labels
/// that libsndfile has no words for.
struct Muxer {
    let format: OutputFormat
    let labels: FileLabels
    let picture: MoviePicture?
    let sampleRate: Int32
    /// How long the mix is.
    let frames: Int64

    /// Whether there is anything for it to do.
    var isNeeded: Bool {
        format.mux != nil || picture != nil
            || (format.labels == .vorbis && (!labels.chapters.isEmpty || labels.cover != nil))
    }

    /// Seconds of nothing from ffmpeg after which it is given up: a movie is copied at the pace of the disk.
    private static let patience = 600

    /// Writes `sound` to `target`. Calls `goesOn` while it waits; false gives up.
    /// - Throws: `AudioFileError`, named as `path`: ffmpeg is not installed, or refuses.
    func write(
        _ sound: String, to target: String, named path: String, goesOn: () -> Bool
    ) throws(AudioFileError) {
        let program = try FFmpeg.program("ffmpeg", for: path, isWriting: true)
        let notes = AtomicFile.temporaryPath(for: "\(target).txt")
        defer { unlink(notes) }
        do {
            try AtomicFile.write(metadata, to: notes)
            var limits = ChildProcess.Limits()
            limits.file = .max >> 1
            // What is printed says that it is alive.
            let child = try ChildProcess(words(program, sound, notes, target), limits: limits, isRead: true)
            try Self.wait(for: child, named: path, goesOn)
            let ending = child.finish()
            guard ending.status == 0 else {
                throw AudioFileError(
                    path: path, reason: "ffmpeg does not write it (\(FFmpeg.plain(ending.complaints)))")
            }
        } catch let error as AudioFileError {
            throw error
        } catch {
            throw AudioFileError(path: path, reason: "\(error)")
        }
    }

    /// Until a program has printed all that it prints.
    private static func wait(for child: ChildProcess, named path: String, _ goesOn: () -> Bool) throws {
        var (bytes, silent) = ([UInt8](repeating: 0, count: 4096), 0)
        while true {
            let count = try bytes.withUnsafeMutableBytes { try child.read(into: $0, within: 100) }
            if count == 0 { break }
            silent = count == nil ? silent + 1 : 0
            guard goesOn(), silent < 10 * Self.patience else {
                child.stop()
                throw AudioFileError(
                    path: path,
                    reason: silent < 10 * Self.patience
                        ? "it was interrupted" : "ffmpeg said nothing for \(Self.patience) s")
            }
        }
    }

    private func words(_ program: String, _ sound: String, _ notes: String, _ target: String) -> [String] {
        var words = [
            program, "-nostdin", "-v", "error", "-y", "-progress", "pipe:1", "-i", "file:\(sound)", "-f",
            "ffmetadata", "-i", "file:\(notes)",
        ]
        var maps = ["-map", "0:a"]
        if let picture {
            words += input(of: picture)
            maps =
                ["-map", "2:V"] + maps + (picture.keepsOthers ? ["-map", "2:a?", "-map", "2:s?"] : []) + [
                    "-c:v", "copy", "-c:s", "copy",
                ]
        }
        if let cover = labels.cover, format.labels != .id3, format.holdsPictures {
            add(cover, &words, &maps)
        }
        words += maps
        // The mix is the first sound; others are copied.
        words +=
            ["-c:a", "copy"]
            + (format.mux.map { ["-c:a:0"] + $0.codec(format.samples, format.bitRate) } ?? [])
        words += ["-map_metadata", "1", "-map_metadata:s:a", "-1", "-map_chapters", "1"]
        words += format.mux?.options(sampleRate) ?? []
        return words + ["-f", format.mux?.name ?? format.container, "file:\(target)"]
    }

    private func add(_ cover: String, _ words: inout [String], _ maps: inout [String]) {
        // By what it is: its name may say another kind, or look like a pattern of numbers.
        words += [
            "-f", (try? Cover(cover))?.mimeType == "image/png" ? "png_pipe" : "jpeg_pipe", "-i",
            "file:\(Path.absolute(cover))",
        ]
        maps += [
            "-map", "\(picture == nil ? 2 : 3):v", "-c:v", "copy",
            "-disposition:v:\(picture == nil ? 0 : 1)", "attached_pic",
        ]
    }

    /// Packets go as they are, so a movie that is entered in the middle comes with those since its last whole
    /// picture: they are there and not shown.
    private func input(of picture: MoviePicture) -> [String] {
        func time(_ seconds: Double) -> String { "\(Int64((seconds * 1e6).rounded()))us" }
        var words: [String] = []
        if picture.begin > 0 {
            words += ["-ss", time(picture.begin)]
        } else if picture.begin < 0 {
            words += ["-itsoffset", time(-picture.begin)]
        }
        if let duration = picture.duration {
            words += ["-t", time(max(0, duration + min(0, picture.begin)))]
        }
        return words + FFmpeg.input(picture.path)
    }

    /// Tags and chapters, as ffmpeg reads them (its FFMETADATA1 format).
    private var metadata: String {
        // It takes a backslash at the end for one that joins lines, however many stand before it: a blank
        // stands behind.
        func escaped(_ text: String) -> String {
            // By scalars: a line's end of two is one letter in Swift, and two to ffmpeg.
            let special = "=;#\\\r\n".unicodeScalars
            var escaped = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                escaped += special.contains(scalar) ? ["\\", scalar] : [scalar]
            }
            return String(escaped) + (text.hasSuffix("\\") ? " " : "")
        }
        var lines = [";FFMETADATA1"]
        for tag in FileLabels.Tag.allCases {
            if let text = labels.tags[tag] { lines.append("\(tag.rawValue)=\(escaped(text))") }
        }
        // Vorbis comments have chapters as comments too, and covers, in letters (wiki.xiph.org).
        if format.labels == .vorbis {
            if !format.holdsPictures, let cover = labels.cover, let block = VorbisPicture(cover) {
                lines.append("METADATA_BLOCK_PICTURE=\(escaped(block.text))")
            }
            return
                (lines
                + labels.chapters.enumerated().flatMap { index, chapter in
                    let number = zeroPadded(index, 3)
                    return [
                        "CHAPTER\(number)=\(Self.clock(chapter.frame, sampleRate))",
                        "CHAPTER\(number)NAME=\(escaped(chapter.name))",
                    ]
                }).joined(separator: "\n") + "\n"
        }
        for (index, chapter) in labels.chapters.enumerated() {
            let end = index + 1 < labels.chapters.count ? labels.chapters[index + 1].frame : frames
            lines += [
                "[CHAPTER]", "TIMEBASE=1/\(sampleRate)", "START=\(chapter.frame)", "END=\(end)",
                "title=\(escaped(chapter.name))",
            ]
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// 00:01:02.500.
    private static func clock(_ frame: Int64, _ rate: Int32) -> String {
        let milliseconds = (frame * 1000 + Int64(rate) / 2) / Int64(rate)
        let (hours, minutes) = (
            zeroPadded(milliseconds / 3_600_000, 2), zeroPadded(milliseconds / 60_000 % 60, 2)
        )
        let (seconds, rest) = (zeroPadded(milliseconds / 1000 % 60, 2), zeroPadded(milliseconds % 1000, 3))
        return "\(hours):\(minutes):\(seconds).\(rest)"
    }
}
