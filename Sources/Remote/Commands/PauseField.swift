import OSC
import Timeline

extension Field<StripSilence> {
    /// What counts as a pause, and whether what lies behind one closes up.
    static let pauses = Field(
        "[V [MIN [PAD]]] [close]", "[--threshold V] [--min T] [--pad T] [--close] [--all]",
        options: WordOptions(valued: ["--threshold", "--min", "--pad"], flags: ["--all", "--close"])
    ) { (arguments: inout Arguments) throws(CommandError) in
        try arguments.pauses()
    } parse: { (words: inout Words) throws(CommandError) in
        StripSilence(
            threshold: try words.text("--threshold").map(Words.volume), minimum: try words.time("--min"),
            pad: try words.time("--pad"), closes: words.flag("--close"))
    } write: {
        [number($0.threshold), argument($0.minimum), argument($0.pad)]
            + ($0.closes ? [.string("close")] : [])
    }
}

extension Arguments {
    /// What counts as a pause; the word close may stand behind any of it.
    fileprivate mutating func pauses() throws(CommandError) -> StripSilence {
        var closes = takes("close")
        func isOver() -> Bool {
            closes = closes || takes("close")
            return closes || isEmpty
        }
        let threshold = isOver() ? nil : try volume()
        let minimum = isOver() ? nil : try time()
        let pad = isOver() ? nil : try time()
        _ = isOver()
        return StripSilence(threshold: threshold, minimum: minimum, pad: pad, closes: closes)
    }
}
