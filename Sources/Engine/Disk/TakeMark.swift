import Files
import Glibc

/// A hidden file beside a take that says that it is being recorded, and where: what a crash leaves of it is
/// found by that and laid where it belongs. It goes when the take's clip is safe.
public struct TakeMark: Equatable, Sendable {
    /// The take's path.
    public let take: String
    /// The name of the session's file.
    public let session: String
    /// The name of the track that it is recorded of.
    public let track: String
    /// The frame of the timeline where the take begins, at its own rate.
    public let start: Int64
    /// By how many frames it was heard live later on the timeline than it lies.
    public let aired: Int64

    private static let ending = ".recording"

    private static func path(of take: String) -> String {
        Path.join(Path.folder(of: take), ".\(Path.name(of: take))\(ending)")
    }

    /// Says so. What cannot be said is not found after a crash; the take itself is the same. Nobody waits
    /// until it is on the disk: a program that crashes loses nothing of it, and the recording thread has no
    /// time.
    func write() {
        let text = Array("\(session)\n\(track)\n\(start)\n\(aired)\n".utf8)
        let descriptor = open(Self.path(of: take), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return }
        _ = Glibc.write(descriptor, text, text.count)
        close(descriptor)
    }

    /// A take is safe, or gone.
    public static func remove(of take: String) { unlink(path(of: take)) }

    /// What is being recorded of a session, or was when its mixer ended, in the order in which it was begun.
    public static func all(in folder: String, of session: String) -> [TakeMark] {
        let names = (Path.content(of: folder) ?? []).filter { $0.hasPrefix(".") && $0.hasSuffix(ending) }
        let marks = names.compactMap { name -> (mark: TakeMark, time: Int64)? in
            let path = Path.join(folder, name)
            let take = Path.join(folder, String(name.dropFirst().dropLast(ending.count)))
            guard let mark = read(path, of: take), mark.session == session, Path.isFile(take),
                let time = Path.changedAt(path)
            else { return nil }
            return (mark, time)
        }
        return marks.sorted { $0.time < $1.time }.map(\.mark)
    }

    private static func read(_ path: String, of take: String) -> TakeMark? {
        guard
            let lines = try? AtomicFile.read(path).split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast().map(String.init),
            (3...4).contains(lines.count), let start = Int64(lines[2]), start >= 0,
            // The version before did not say that.
            let aired = Int64(lines.count == 4 ? lines[3] : "0"), aired >= 0
        else { return nil }
        return TakeMark(take: take, session: lines[0], track: lines[1], start: start, aired: aired)
    }
}
