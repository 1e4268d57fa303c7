import Files
import Glibc

/// The kinds of files that hold sound and that libsndfile does not read, told by their first bytes: what is
/// none of them is never given to a decoder.
enum MediaKind {
    /// ffmpeg's names of them, from a table of its own: what only looks like sound, as a playlist that leads
    /// to other files, is not read.
    static let demuxers =
        "mov,matroska,avi,asf,aac,ac3,eac3,mpegts,mpeg,flv,mp3,ogg,caf,wav,w64,aiff,amr,dts,ape,wv,tta,flac"

    /// What stands where in a file of such a kind.
    private static let signs: [(offset: Int, bytes: [UInt8])] = [
        (4, Array("ftyp".utf8)), (4, Array("moov".utf8)), (4, Array("mdat".utf8)), (4, Array("wide".utf8)),
        (4, Array("free".utf8)),
        // Matroska, ASF, MPEG program streams, Flash.
        (0, [0x1a, 0x45, 0xdf, 0xa3]), (0, [0x30, 0x26, 0xb2, 0x75]), (0, [0, 0, 1, 0xba]),
        (0, Array("FLV".utf8)),
        (8, Array("AVI ".utf8)), (8, Array("WAVE".utf8)), (8, Array("AIFF".utf8)), (8, Array("AIFC".utf8)),
        // MP3 with tags, Ogg, CAF, FLAC, AMR, DTS, Monkey's Audio, WavPack, True Audio, AC-3.
        (0, Array("ID3".utf8)), (0, Array("OggS".utf8)), (0, Array("caff".utf8)), (0, Array("fLaC".utf8)),
        (0, Array("#!AMR".utf8)), (0, [0x7f, 0xfe, 0x80, 0x01]),
        (0, Array("MAC ".utf8)), (0, Array("wvpk".utf8)), (0, Array("TTA".utf8)), (0, [0x0b, 0x77]),
    ]

    /// Whether a file begins as one of these kinds does.
    static func isKnown(_ path: String) -> Bool {
        // Nobody may ever write to the other end of what is no file.
        let descriptor = Path.isFile(path) ? open(path, O_RDONLY | O_CLOEXEC) : -1
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var head = [UInt8](repeating: 0, count: 512)
        let count = pread(descriptor, &head, head.count, 0)
        guard count >= 16 else { return false }
        if signs.contains(where: { head[$0.offset...].starts(with: $0.bytes) }) { return true }
        // Frames of MPEG sound, with twelve bits set, and packets of MPEG transport, which have the same
        // first byte every 188 bytes.
        return head[0] == 0xff && head[1] & 0xe0 == 0xe0
            || head[0] == 0x47 && head[188] == 0x47 && head[376] == 0x47
    }
}
