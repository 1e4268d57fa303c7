import Files
import Foundation
import TestSupport
import Testing

/// Paths as texts, and the order of names that people number.
@Suite struct PathTests {
    @Test(
        arguments: [
            ("a", ".", "a", "a", ""), ("a.wav", ".", "a.wav", "a", "wav"),
            ("b/a.wav", "b", "a.wav", "a", "wav"),
            ("/a.wav", "/", "a.wav", "a", "wav"), ("/b/c.d/a", "/b/c.d", "a", "a", ""),
            ("./a.tar.gz", ".", "a.tar.gz", "a.tar", "gz"), ("b/.hidden", "b", ".hidden", ".hidden", ""),
            ("a.", ".", "a.", "a", ""), ("\u{e4}/\u{f6}.WAV", "\u{e4}", "\u{f6}.WAV", "\u{f6}", "wav"),
            ("/", "/", "", "", ""), ("b/", "b", "", "", ""),
        ] as [(String, String, String, String, String)])
    func aPathHasAFolderANameAStemAndAnExtension(
        path: String, folder: String, name: String, stem: String, ending: String
    ) {
        #expect(Path.folder(of: path) == folder && Path.name(of: path) == name)
        #expect(Path.stem(of: path) == stem && Path.fileExtension(of: path) == ending)
    }

    @Test func aNumberStandsBehindTheStem() {
        #expect(Path.numbered("b/mix.wav", 2) == "b/mix-2.wav" && Path.numbered("mix", 3) == "mix-3")
        #expect(Path.numbered(".hidden", 2) == ".hidden-2" && Path.numbered("a.tar.gz", 2) == "a.tar-2.gz")
    }

    @Test func aJoinedPathIsSeenFromTheFolder() {
        #expect(
            Path.join("/b", "a") == "/b/a" && Path.join("/b/", "a") == "/b/a" && Path.join("b", "/a") == "/a")
        #expect(Path.join("", "a") == "a" && Path.join(".", "a") == "a")
    }

    /// As Foundation orders names of Latin letters, digits and spaces.
    @Test(arguments: 0..<50) func namesAreOrderedAsPeopleNumberThem(_ seed: Int) {
        var random = Seeded(state: UInt64(seed))
        func name() -> String {
            ["take", "b", "song"].randomElement(using: &random)! + " "
                + "\(Int.random(in: 1...120, using: &random))"
                + [".wav", "", "b.wav"].randomElement(using: &random)!
        }
        let names = (0..<30).map { _ in name() }
        let expected = Set(names).sorted {
            $0.compare($1, options: [.numeric, .caseInsensitive]) == .orderedAscending
        }
        let ordered = Set(names).sorted(by: Path.isBefore)
        #expect(ordered == expected, "seed \(seed)")
    }

    @Test func aNameSeenFromAFolderLeadsBack() throws {
        let folder = TemporaryFolder()
        try FileManager.default.createDirectory(atPath: folder("in/deep"), withIntermediateDirectories: true)
        try AtomicFile.write("x", to: folder("in/deep/a.wav"))
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: folder("in"))
        for (path, home) in [
            ("in/deep/a.wav", "in"), ("link/deep/a.wav", "in"), ("in/deep/a.wav", "link"),
            ("in/deep/new", "in"),
        ] {
            let name = Path.name(of: folder(path), from: folder(home))
            #expect(!name.hasPrefix("/"), "\(name)")
            #expect(Path.isSameName(Path.join(folder(home), name), folder(path)))
        }
        #expect(Path.name(of: folder("in/deep/a.wav"), from: folder("in/deep/none")).hasPrefix("/"))
        #expect(
            Path.isInside(folder("link/deep/a.wav"), folder("in"))
                && !Path.isInside(folder.path, folder("in")))
        #expect(
            Path.leadsToSame(folder("link"), folder("in"))
                && !Path.leadsToSame(folder("none"), folder("none")))
        #expect(Path.find("a.wav", under: folder.path) == [folder("in/deep/a.wav")], "links are not followed")
    }

    @Test func completionsNameFoldersAsSuch() throws {
        let folder = TemporaryFolder()
        for name in ["take 1.wav", "take 2.wav", ".take"] { try AtomicFile.write("x", to: folder(name)) }
        try FileManager.default.createDirectory(atPath: folder("takes"), withIntermediateDirectories: true)
        #expect(
            Path.completions(of: folder("ta"))
                == ["take 1.wav", "take 2.wav", "takes/"].map { folder($0) })
        #expect(Path.completions(of: folder(".")) == [folder(".take")])
        #expect(Path.completions(of: folder("none/x")) == [])
    }

    /// A letter may be written in several ways, and the disk tells them apart.
    @Test func twoNamesThatLookAlikeAreTwoFiles() {
        let (composed, decomposed) = (FilePath("\u{e4}.wav"), FilePath("a\u{308}.wav"))
        #expect(composed.text == decomposed.text && composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2 && (composed < decomposed) != (decomposed < composed))
    }
}
