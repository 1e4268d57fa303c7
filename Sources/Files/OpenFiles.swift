import Glibc

/// How many files this program may have open at once.
public enum OpenFiles {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// As the system limits it now: `ulimit -n`.
    public static var limit: Int {
        var limit = rlimit()
        getrlimit(resource, &limit)
        return Int(min(limit.rlim_cur, 1 << 20))
    }

    /// Raises it as far as the system allows: a session of many tracks has many files open at once.
    public static func raiseLimit() {
        var limit = rlimit()
        getrlimit(resource, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }

    /// Whether what is open is what lies there, or what a link there leads to.
    public static func isOpen(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, there) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && stat(path, &there) == 0
            && (opened.st_ino, opened.st_dev) == (there.st_ino, there.st_dev)
    }
}
