// Renders sessions as raw floats: what scripts/test-arm64 builds for arm64 and runs.
// usage: Render SESSION OUT [SESSION OUT ...]   sessions stand in the folder of their files

import AudioFile
import Engine
import Glibc
import Timeline

@main struct Render {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        for place in stride(from: arguments.startIndex, to: arguments.endIndex - 1, by: 2) {
            try render(arguments[place], to: arguments[place + 1])
        }
    }

    private static func render(_ path: String, to out: String) throws {
        guard let session = SessionFile.read(try text(of: path)).session else { throw Unreadable(path: path) }
        guard let file = fopen(out, "w") else { throw Unreadable(path: out) }
        defer { fclose(file) }
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        let render = OfflineRender(session, library: MediaLibrary(folder: "/" + folder))
        try render.mix { (block, count, _) throws(AudioFileError) in
            for i in 0..<count {
                for channel in 0..<block.count { fwrite(block.channel(channel) + i, 4, 1, file) }
            }
            return true
        }
    }

    private static func text(of path: String) throws -> String {
        guard let file = fopen(path, "r") else { throw Unreadable(path: path) }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while case let byte = getc(file), byte != EOF { bytes.append(UInt8(byte)) }
        return String(decoding: bytes, as: UTF8.self)
    }
}

struct Unreadable: Error {
    let path: String
}
