import Files
import Remote

/// Which files a command may name: those under the session's folder and the folders given with `--media`.
package struct MediaAccess: Sendable {
    package let folders: [String]

    package init(folders: [String]) { self.folders = folders }

    /// The name under which the session keeps `file`: relative where it lies under the session's folder, else
    /// absolute.
    /// - Parameter isManaged: a session manager says where the session is.
    /// - Throws: `CommandError` if there is no such file, or if it lies outside: links are followed before
    ///   that is judged.
    package func name(
        of file: String, from sessionFolder: String, isManaged: Bool = false
    ) throws(CommandError) -> String {
        guard !file.isEmpty, !file.utf8.contains(0), file.utf8.count < 4096 else {
            throw CommandError("\"\(file)\" is not the name of a file")
        }
        let places = [sessionFolder] + folders
        guard let found = places.map({ Path.join($0, file) }).first(where: Path.exists),
            let path = Path.resolved(found)
        else {
            throw CommandError(
                """
                \(file): \(Path.absence(of: file)), under the session's \
                folder\(folders.isEmpty ? "" : " or the --media folders")
                """
            )
        }
        guard places.contains(where: { Path.isInside(path, $0) }) else {
            // Whoever manages sessions starts the mixer, and moves the session as a folder.
            let way =
                isManaged
                ? "copy it there, as cp \(path) \(Path.absolute(sessionFolder))/"
                : "start jmix with --media \(Path.folder(of: path)), or copy it there"
            throw CommandError("\(file) lies outside the session's folder and every --media folder: \(way)")
        }
        return Path.name(of: path, from: sessionFolder)
    }

    /// The path of a folder that is to be made, or to be filled.
    /// - Throws: `CommandError` if it would lie outside, or in a folder that is not there.
    func folder(_ name: String, from sessionFolder: String) throws(CommandError) -> String {
        guard !name.isEmpty, !name.utf8.contains(0), name.utf8.count < 4096,
            !["", ".", ".."].contains(Path.name(of: name))
        else {
            throw CommandError("\"\(name)\" is not the name of a folder")
        }
        let path = Path.join(sessionFolder, name)
        guard let parent = Path.resolved(Path.folder(of: path)) else {
            throw CommandError("\(name): there is no folder \(Path.folder(of: path))")
        }
        guard ([sessionFolder] + folders).contains(where: { Path.isInside(parent, $0) }) else {
            throw CommandError(
                """
                \(name) lies outside the session's folder and every --media folder: start jmix with --media \
                \(parent), or use: jmix collect SESSION FOLDER
                """
            )
        }
        return Path.join(parent, Path.name(of: path))
    }

    /// Files of the same name under the `--media` folders and the session's: what a missing file may have
    /// become. At most ten.
    package func candidates(for file: String, from sessionFolder: String) -> [String] {
        let name = Path.name(of: file)
        var found: [String] = []
        let itself = Path.resolved(Path.join(sessionFolder, file))
        for folder in [sessionFolder] + folders {
            found += Path.find(name, under: folder).filter {
                !found.contains($0) && Path.resolved($0) != itself
            }
        }
        return Array(found.prefix(10))
    }
}
