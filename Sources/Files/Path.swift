import Glibc

/// Paths as texts, with the few operations that the mixer needs.
public enum Path {
    /// The folder that holds `path`; `.` for a bare name.
    public static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The last part of a path.
    public static func name(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
    }

    /// The last part without its extension.
    public static func stem(of path: String) -> String {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    /// The path with a number behind the stem of its name: "mix-2.wav".
    public static func numbered(_ path: String, _ number: Int) -> String {
        let ending = name(of: path).dropFirst(stem(of: path).count)
        return "\(path.dropLast(ending.count))-\(number)\(ending)"
    }

    /// The extension in lower case, without its dot; empty if there is none.
    public static func fileExtension(of path: String) -> String {
        let name = name(of: path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return name[name.index(after: dot)...].lowercased()
    }

    /// `path` seen from `folder`; an absolute path stays as it is.
    public static func join(_ folder: String, _ path: String) -> String {
        if path.hasPrefix("/") || folder.isEmpty || folder == "." { return path }
        return folder.hasSuffix("/") ? folder + path : folder + "/" + path
    }

    /// What to say where nothing is found at a path. Names that are no UTF-8 cannot be written in a session,
    /// nor sent: where one was meant there is the sign for what could not be read.
    public static func absence(of path: String) -> String {
        path.contains("\u{fffd}")
            ? "there is no such file; if its name is no UTF-8, rename it: a session could not name it"
            : "there is no such file"
    }

    /// Whether both lead to the same file, by whatever links; not where there is none.
    public static func leadsToSame(_ a: String?, _ b: String) -> Bool {
        guard let a = a.flatMap(resolved), let b = resolved(b) else { return false }
        return FilePath(a) == FilePath(b)
    }

    /// The path with every link and `..` followed, or nil if nothing is there.
    public static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }

    /// `path` as seen from the root, its links and `..` as they are.
    public static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let here = resolved(".") else { return path }
        return path == "." ? here : join(here, path)
    }

    /// The name that leads to `path` from `folder`: relative where it lies in that folder, by its name or
    /// with links followed, else absolute. A file that is not there is named by its folder.
    public static func name(of path: String, from folder: String) -> String {
        let path = absolute(path)
        if let name = rest(of: path, in: absolute(folder)), !name.split(separator: "/").contains("..") {
            return name
        }
        let real = resolved(path) ?? resolved(Self.folder(of: path)).map { join($0, name(of: path)) } ?? path
        return resolved(folder).flatMap { rest(of: real, in: $0) } ?? real
    }

    /// What of an absolute path lies behind a folder's; nil if it does not begin with that. Compared and cut
    /// in bytes: one letter may be written in several ways, and the disk tells them apart.
    private static func rest(of path: String, in folder: String) -> String? {
        let home = folder.hasSuffix("/") ? folder : folder + "/"
        guard path.utf8.starts(with: home.utf8) else { return nil }
        return String(path.utf8.dropFirst(home.utf8.count))
    }

    /// Whether `path`, with its links followed, lies in `folder` or is it.
    public static func isInside(_ path: String, _ folder: String) -> Bool {
        guard let path = resolved(path), let folder = resolved(folder) else { return false }
        return path.utf8.elementsEqual(folder.utf8) || rest(of: path, in: folder) != nil
    }

    /// In bytes; nil if it is no file that can be read.
    public static func size(of path: String) -> Int64? {
        var info = stat()
        guard stat(path, &info) == 0, info.st_mode & S_IFMT == S_IFREG, access(path, R_OK) == 0 else {
            return nil
        }
        return Int64(info.st_size)
    }

    /// What there is room for beside a file, in bytes; nil where nobody says.
    public static func freeBytes(on path: String) -> Int64? {
        var info = statvfs()
        return statvfs(path, &info) == 0
            ? Int64(clamping: UInt64(info.f_bavail) * UInt64(info.f_frsize)) : nil
    }

    /// Why nothing can be written to the folder `name` in `folder`, which is made where it is not there; nil:
    /// it can, as far as the disk says.
    public static func obstacle(toFolder name: String, in folder: String) -> String? {
        let path = join(folder, name)
        var info = stat()
        let isThere = stat(path, &info) == 0
        if isThere, info.st_mode & S_IFMT != S_IFDIR { return "\(path) is no folder" }
        let target = isThere ? path : folder
        if access(target, W_OK | X_OK) == 0 { return nil }
        return "\(target) cannot be written to: \(String(cString: strerror(errno)))"
    }

    /// When what it holds was changed last, in nanoseconds since 1970; nil if nothing is there.
    public static func changedAt(_ path: String) -> Int64? {
        var info = stat()
        guard stat(path, &info) == 0 else { return nil }
        return Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    }

    /// Where this user's own settings are (XDG Base Directory): `$XDG_CONFIG_HOME/jmix`, else
    /// `~/.config/jmix`; nil without a home.
    public static var configurationFolder: String? { ownFolder("XDG_CONFIG_HOME", ".config") }
    /// Where this user's programs keep what outlasts them (XDG Base Directory): `$XDG_STATE_HOME/jmix`, else
    /// `~/.local/state/jmix`; it need not be there yet. nil: the user has no home.
    public static var stateFolder: String? { ownFolder("XDG_STATE_HOME", ".local/state") }

    /// Where they keep what can be made again: `$XDG_CACHE_HOME/jmix`, else `~/.cache/jmix`.
    public static var cacheFolder: String? { ownFolder("XDG_CACHE_HOME", ".cache") }

    private static func ownFolder(_ variable: String, _ standard: String) -> String? {
        func value(_ name: String) -> String? {
            getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
        }
        return (value(variable) ?? value("HOME").map { join($0, standard) }).map { join($0, "jmix") }
    }

    /// Makes a folder and those that it lies in, where they are not there yet, for the user alone.
    public static func makeFolder(_ path: String) -> Bool { makeFolders(path, mode: 0o700) != nil }

    /// The same of one that the user has asked for, as the umask lets others in.
    /// - Returns: those that were made, the outermost first; nil with `errno`: it cannot be made.
    public static func makeOpenFolder(_ path: String) -> [String]? { makeFolders(path, mode: 0o777) }

    /// Takes folders away again that were made so, as far as nothing has come to lie in them.
    public static func removeEmpty(_ made: [String]) { for folder in made.reversed() { rmdir(folder) } }

    private static func makeFolders(_ path: String, mode: mode_t) -> [String]? {
        if isFolder(path) { return [] }
        let parent = folder(of: path)
        guard let made = parent == path ? [] : makeFolders(parent, mode: mode) else { return nil }
        if mkdir(path, mode) == 0 { return made + [path] }
        let code = errno
        if code == EEXIST, isFolder(path) { return made }
        errno = code
        return nil
    }

    /// Whether two names, of files that need not be there, are of one file: by their folders, whatever links
    /// lead there.
    public static func isSameName(_ one: String, _ other: String) -> Bool {
        func place(_ path: String) -> FilePath {
            let folder = folder(of: path)
            return FilePath(join(resolved(folder) ?? absolute(folder), name(of: path)))
        }
        return leadsToSame(one, other) || place(one) == place(other)
    }

    /// The paths that a beginning of one may become; folders end in /. Hidden files only where the beginning
    /// names one.
    public static func completions(of beginning: String) -> [String] {
        let base = beginning.contains("/") ? String(beginning[...beginning.lastIndex(of: "/")!]) : ""
        let partial = name(of: beginning)
        let names = (content(of: base.isEmpty ? "." : base) ?? []).filter {
            $0.hasPrefix(partial) && ($0.hasPrefix(".") == partial.hasPrefix("."))
        }
        return names.map { base + $0 + (isFolder(base + $0) ? "/" : "") }
    }

    /// The names in a folder, in their order; nil if it is none.
    public static func content(of folder: String) -> [String]? {
        guard let handle = opendir(folder) else { return nil }
        defer { closedir(handle) }
        var names: [String] = []
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The files called `name` in a folder and in those below it, the nearest first. Links to folders are not
    /// followed, nor are hidden folders.
    public static func find(_ name: String, under folder: String) -> [String] {
        // A whole library may lie below; beyond this many folders nobody waits for an answer.
        var (found, folders, seen): ([String], [String], Int) = ([], [folder], 0)
        while !folders.isEmpty, seen < 20_000 {
            let folder = folders.removeFirst()
            seen += 1
            for entry in content(of: folder) ?? [] {
                let path = join(folder == "." ? "./" : folder, entry)
                var info = stat()
                guard lstat(path, &info) == 0 else { continue }
                if info.st_mode & S_IFMT == S_IFDIR {
                    if !entry.hasPrefix(".") { folders.append(path) }
                } else if entry == name {
                    found.append(path)
                }
            }
        }
        return found
    }

    public static func isLink(_ path: String) -> Bool {
        var info = stat()
        return lstat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFLNK
    }

    public static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// The order of names in which people number them: "take 2" before "take 10".
    public static func isBefore(_ a: String, _ b: String) -> Bool {
        let (left, right) = (pieces(a), pieces(b))
        for (one, other) in zip(left, right) where one.text != other.text {
            if let first = one.number, let second = other.number, first != second { return first < second }
            return one.text < other.text
        }
        return left.count != right.count ? left.count < right.count : a < b
    }

    /// Digits in a row are one piece, and so is what stands between them.
    private static func pieces(_ text: String) -> [(number: Int?, text: String)] {
        var pieces: [(number: Int?, text: String)] = []
        for letter in text.lowercased() {
            let isDigit = letter.isASCII && letter.isNumber
            if let last = pieces.last, (last.number != nil) == isDigit {
                pieces[pieces.count - 1].text.append(letter)
            } else {
                pieces.append((isDigit ? 0 : nil, String(letter)))
            }
            if isDigit { pieces[pieces.count - 1].number = Int(pieces[pieces.count - 1].text) ?? .max }
        }
        return pieces
    }

    /// Whether it is a file that ends somewhere: no folder, no pipe, no device.
    public static func isFile(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFREG
    }

    public static func isFolder(_ path: String) -> Bool {
        var info = stat()
        return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
    }
}
