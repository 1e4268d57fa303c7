import Files
import Remote

/// Which files a command may name: those under the session's folder and the folders given with `--media`.
struct MediaAccess {
    let folders: [String]

    /// The name under which the session keeps `file`: relative where it lies under the session's folder, else absolute.
    /// - Throws: `CommandError` if there is no such file, or if it lies outside: links are followed before that is judged.
    func name(of file: String, from sessionFolder: String) throws(CommandError) -> String {
        guard !file.isEmpty, !file.utf8.contains(0), file.utf8.count < 4096 else { throw CommandError("\"\(file)\" is not the name of a file") }
        let places = [sessionFolder] + folders
        guard let found = places.map({ Path.join($0, file) }).first(where: Path.exists), let path = Path.resolved(found) else {
            throw CommandError("\(file): there is no such file under the session's folder\(folders.isEmpty ? "" : " or the --media folders")")
        }
        guard places.contains(where: { Path.isInside(path, $0) }) else {
            throw CommandError("\(file) lies outside the session's folder and every --media folder: start jmix with --media \(Path.folder(of: path))")
        }
        guard let home = Path.resolved(sessionFolder), path.hasPrefix(home + "/") else { return path }
        return String(path.dropFirst(home.utf8.count + 1))
    }
}
