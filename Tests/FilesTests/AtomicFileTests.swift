import Files
import Foundation
import TestSupport
import Testing

@Suite struct AtomicFileTests {
    private let folder = TemporaryFolder()

    private func mode(_ path: String) -> mode_t {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mode & 0o7777 : 0
    }

    @Test(arguments: [0o600, 0o640, 0o664, 0o666] as [mode_t]) func theModeIsKept(wanted: mode_t) throws {
        let path = folder("s.json")
        try AtomicFile.write("one", to: path)
        chmod(path, wanted)
        try AtomicFile.write("two", to: path, keepsPrevious: true)
        #expect(mode(path) == wanted)
        #expect(try AtomicFile.read(path) == "two" && AtomicFile.read(path + "~") == "one")
        #expect(Path.content(of: folder.path) == ["s.json", "s.json~"], "nothing else is left")
    }

    @Test func aFailureLeavesTheOldFileAndNothingElse() throws {
        let path = folder("s.json")
        try AtomicFile.write("one", to: path)
        #expect(throws: FileError.self) { try AtomicFile.write("two", to: folder("no/such/folder")) }
        #expect(throws: FileError.self) { try AtomicFile.write("two", to: folder.path) }
        #expect(try AtomicFile.read(path) == "one")
        #expect(Path.content(of: folder.path) == ["s.json"])
    }

    /// Every name in a folder, hidden ones too.
    private var names: [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
    }

    @Test func nothingIsLeftBehindWhateverFails() throws {
        try AtomicFile.write("one", to: folder("s.json"))
        // A folder in the way of the name.
        try FileManager.default.createDirectory(
            atPath: folder("taken/inside"), withIntermediateDirectories: true)
        #expect(throws: FileError.self) { try AtomicFile.write("two", to: folder("taken")) }
        #expect(throws: FileError.self) {
            try AtomicFile.copy(folder("s.json"), to: folder("taken")) { _ in true }
        }
        #expect(throws: FileError.self) {
            try AtomicFile.copy(folder("s.json"), to: folder("copy")) { _ in false }
        }
        #expect(throws: FileError.self) {
            try AtomicFile.copy(folder("none"), to: folder("copy")) { _ in true }
        }
        #expect(names == ["s.json", "taken"])
        // The name of the copy before is taken by a folder: what is written is written all the same.
        try FileManager.default.createDirectory(
            atPath: folder("s.json~/inside"), withIntermediateDirectories: true)
        try AtomicFile.write("three", to: folder("s.json"), keepsPrevious: true)
        #expect(try AtomicFile.read(folder("s.json")) == "three")
        #expect(names == ["s.json", "s.json~", "taken"])
        #expect(Path.content(of: folder("s.json~")) == ["inside"], "no folder moves")
    }

    /// A process of its own, which may not write more than a little.
    @Test func aFileCutShortIsNotLeftBehind() async throws {
        await #expect(processExitsWith: .exitCode(0)) {
            let folder = TemporaryFolder()
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit(rlim_cur: 1000, rlim_max: 1000)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let outcome = Result {
                try AtomicFile.write(String(repeating: "x", count: 5000), to: folder("s.json"))
            }
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? ["?"]
            // Nothing is taken down at an exit.
            try? FileManager.default.removeItem(atPath: folder.path)
            guard case .failure = outcome, names.isEmpty else { exit(1) }
            exit(0)
        }
    }

    @Test func aDescriptorIsReadFromItsStartAndACopySaysHowFarItIs() throws {
        let text = String(repeating: "0123456789", count: 200_000)
        try AtomicFile.write(text, to: folder("long"))
        let descriptor = open(folder("long"), O_RDONLY)
        defer { close(descriptor) }
        lseek(descriptor, 7, SEEK_SET)
        #expect(try AtomicFile.read(descriptor, "long") == text)
        var told: [Int64] = []
        try AtomicFile.copy(folder("long"), to: folder("copy")) {
            told.append($0)
            return true
        }
        #expect(told.last == 2_000_000 && told == told.sorted() && Set(told).count == told.count)
        #expect(try AtomicFile.read(folder("copy")) == text)
        let temporary = AtomicFile.temporaryPath(for: folder("x"))
        try AtomicFile.write("x", to: temporary)
        #expect(throws: FileError.self) {
            try AtomicFile.publishUnique(temporary, as: folder("no/such/folder"))
        }
        #expect(names == ["copy", "long"])
    }

    @Test func nothingStaysOpen() throws {
        func open() -> Int { Path.content(of: "/proc/self/fd")?.count ?? 0 }
        let before = open()
        for n in 0..<400 { try AtomicFile.write("\(n)", to: folder("s.json")) }
        // Other tests open files meanwhile, but not so many.
        #expect(open() < before + 200)
    }

    @Test func aUniqueNameIsNobodysAndNoneIsLost() throws {
        for n in 0..<3 {
            let temporary = AtomicFile.temporaryPath(for: folder("mix.wav"))
            try AtomicFile.write("\(n)", to: temporary)
            #expect(
                try AtomicFile.publishUnique(temporary, as: folder("mix.wav"))
                    == folder(["mix.wav", "mix-1.wav", "mix-2.wav"][n]))
        }
        #expect(names == ["mix-1.wav", "mix-2.wav", "mix.wav"])
        #expect(try names.map { try AtomicFile.read(folder($0)) } == ["1", "2", "0"])
        #expect(throws: FileError.self) { try AtomicFile.publishUnique(folder("none"), as: folder("x.wav")) }
        #expect(names.count == 3)
    }

    @Test func aLinkIsWrittenThrough() throws {
        try AtomicFile.write("one", to: folder("real.json"))
        #expect(symlink(folder("real.json"), folder("link.json")) == 0)
        try AtomicFile.write("two", to: folder("link.json"))
        #expect(try AtomicFile.read(folder("real.json")) == "two")
        #expect(Path.resolved(folder("link.json")) == Path.resolved(folder("real.json")))
    }
}
