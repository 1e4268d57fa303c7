import Remote
import Testing

@Suite struct CompletionTests {
    private let sources = Completion.Sources(
        names: {
            switch $0 {
            case .tracks: ["music", "voice"]
            case .buses: ["reverb"]
            case .dcas: ["band"]
            case .markers: ["intro"]
            case .scenes: ["verse"]
            case .sessions: ["evening"]
            }
        }, files: { ["\($0)take.wav"] })

    /// A line up to the cursor, and what its last word may become.
    @Test(arguments: [
        ("volu", ["volume"]), ("help ram", ["ramp"]), ("help ra x", []),
        ("volume ", ["music", "voice", "reverb", "band", "master", "*"]), ("pan m", ["music", "master"]),
        ("solo m", ["music"]), ("send voice r", ["reverb"]), ("send voice reverb o", ["off"]),
        ("mute b", ["band"]), ("output voice ", ["reverb", "master", "none", "ports"]),
        ("dca ", ["add", "band"]),
        ("ramp 1 --of send/r", ["send/reverb/volume", "send/reverb/pan", "send/reverb/mute"]),
        ("volume m", ["music", "master"]),
        ("nothing ", []), ("ramp 1 --r", ["--replace"]),
        ("ramp 1 --replace --", ["--curve", "--of", "--json"]),
        ("ramp 1 0 1 1s 2s --curve e", ["equalpower", "exponential"]),
        ("duck music --under v", ["voice"]), ("duck --under voice m", ["music"]), ("add ", ["take.wav"]),
        ("add folder/", ["folder/take.wav"]), ("insert 1 x", ["xtake.wav"]),
        ("insert 1 x 2s ", []), ("mute 1 ", ["on", "off"]), ("solo 1 of", ["off"]),
        ("automation 1 ", ["clear", "remove", "move"]), ("automation 1 move ", []),
        ("loop ", ["on", "off"]), ("wait ", ["until"]), ("wait until ", []),
        ("scene ", ["list", "store", "recall", "remove"]), ("scene recall v", ["verse"]), ("scene list ", []),
        ("load ", ["evening"]), ("save ", []), ("volume 1 -", ["--replace", "--by", "--of", "--json"]),
        ("locate ", ["intro", "here", "end"]), ("move 1 1 i", ["intro"]),
        ("marker ", ["list", "add", "remove"]), ("marker remove i", ["intro"]),
        ("volume 1 -6", []), ("collect t", ["ttake.wav"]), ("play ", []),
    ])
    func aWordIsCompletedFromTheTable(line: String, expected: [String]) {
        let beginning = LineWords.beginning(line)
        #expect(Completion.candidates(for: beginning.partial, after: beginning.words, sources) == expected)
    }

    @Test func aBeginningIsSplitAsALineIs() {
        #expect(
            LineWords.beginning("add two\\ wo")
                == .init(words: ["add"], partial: "two wo", written: "two\\ wo", quote: nil))
        #expect(
            LineWords.beginning("add \"two wo")
                == .init(words: ["add"], partial: "two wo", written: "\"two wo", quote: "\""))
        #expect(
            LineWords.beginning("add x ") == .init(words: ["add", "x"], partial: "", written: "", quote: nil))
        #expect(
            LineWords.written("a b#c", in: nil) == "a\\ b\\#c" && LineWords.written("a b", in: "'") == "'a b")
    }

    @Test(arguments: [
        ("vol", "volume"), ("rmap", "ramp"), ("stat", "status"), ("lcoate", "locate"), ("mtue", "mute"),
    ])
    func aSlipIsUnderstood(wrong: String, right: String) {
        #expect(Verb.unknown(wrong).contains("did you mean \(right)?"))
    }

    @Test(arguments: ["remve", "remov", "rem", "remove-rang", "loda", "nev", "delete", "relnk"])
    func noSuggestionNamesAVerbThatTakesAway(wrong: String) {
        for verb in ["remove", "remove-range", "load", "new", "relink"] {
            #expect(!Verb.unknown(wrong).contains("did you mean \(verb)?"))
        }
    }

    @Test func programsOfJmixAreNamedAsSuch() { #expect(Verb.unknown("render").contains("jmix render")) }

    @Test func nonsenseIsNotGuessedAt() { #expect(!Verb.unknown("xyzzy").contains("did you mean")) }
}
