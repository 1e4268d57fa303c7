import CSndfile

/// The tag before the sound of an MP3: ID3v2.4 with the frames of its addendum on chapters (id3.org).
/// libsndfile writes no chapters.
enum ID3 {
    /// - Parameter frames: how long the file is.
    static func tag(_ labels: FileLabels, frames: Int64, sampleRate: Int32) -> [UInt8] {
        var body: [UInt8] = []
        for tag in FileLabels.Tag.allCases { if let text = labels.tags[tag] { body += self.text(tag, text) } }
        body += chapters(labels.chapters, frames: frames, sampleRate: sampleRate)
        // The front cover, without a description.
        if let cover = labels.cover.flatMap({ try? Cover($0) }) {
            body += frame("APIC", [3] + Array(cover.mimeType.utf8) + [0, 3, 0] + cover.bytes)
        }
        return Array("ID3".utf8) + [4, 0, 0] + synchsafe(body.count) + body
    }

    private static func text(_ tag: FileLabels.Tag, _ text: String) -> [UInt8] {
        let name =
            switch tag {
            case .title: "TIT2"
            case .artist: "TPE1"
            case .album: "TALB"
            case .comment: "COMM"
            case .date: "TDRC"
            case .genre: "TCON"
            case .track: "TRCK"
            case .copyright: "TCOP"
            }
        // UTF-8; a comment has a language and a title of its own before it.
        return frame(name, [3] + (tag == .comment ? Array("und".utf8) + [0] : []) + Array(text.utf8))
    }

    private static func chapters(
        _ chapters: [FileLabels.Chapter], frames: Int64, sampleRate: Int32
    ) -> [UInt8] {
        if chapters.isEmpty { return [] }
        func time(_ frame: Int64) -> [UInt8] { bytes(UInt32(clamping: frame * 1000 / Int64(sampleRate))) }
        var body = tableOfContents(chapters.count)
        for (index, chapter) in chapters.enumerated() {
            let end = index + 1 < chapters.count ? chapters[index + 1].frame : frames
            body += frame(
                "CHAP",
                name(ofChapter: index) + time(chapter.frame) + time(end) + bytes(.max) + bytes(.max)
                    + frame("TIT2", [3] + Array(chapter.name.utf8)))
        }
        return body
    }

    private static func name(ofChapter index: Int) -> [UInt8] { Array("chp\(index)".utf8) + [0] }

    /// The topmost, in order.
    private static func tableOfContents(_ count: Int) -> [UInt8] {
        let names = (0..<count).flatMap(name(ofChapter:))
        return frame("CTOC", Array("toc".utf8) + [0, 3, UInt8(clamping: count)] + names)
    }

    private static func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + synchsafe(body.count) + [0, 0] + body
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
    }

    /// Seven bits in each byte.
    private static func synchsafe(_ number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> (21 - 7 * $0)) & 0x7f }
    }
}
