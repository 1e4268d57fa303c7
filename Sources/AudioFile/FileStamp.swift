import Glibc

/// Tells one state of a file from another, without reading it.
public struct FileStamp: Hashable, Sendable {
    private let inode: UInt
    private let size: Int
    private let seconds: Int
    private let nanoseconds: Int

    /// nil if there is no file at `path`.
    public init?(_ path: String) {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        (inode, size) = (UInt(info.st_ino), Int(info.st_size))
        (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
    }
}
