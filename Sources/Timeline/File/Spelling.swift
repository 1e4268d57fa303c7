/// What someone may have meant who wrote a word that is not known.
public enum Spelling {
    /// The word that is the fewest slips away, if that is no more than `slips`.
    public static func nearest(to name: String, among words: some Sequence<String>, slips: Int) -> String? {
        words.map { ($0, distance($0, name)) }.min { $0.1 < $1.1 }.flatMap { $0.1 <= slips ? $0.0 : nil }
    }

    /// How many letters have to be added, taken away or changed (Levenshtein).
    private static func distance(_ a: String, _ b: String) -> Int {
        let b = Array(b)
        var row = Array(0...b.count)
        for (i, letter) in a.enumerated() {
            var corner = row[0]
            row[0] = i + 1
            for j in b.indices {
                let step = min(row[j], row[j + 1]) + 1
                (corner, row[j + 1]) = (row[j + 1], min(step, corner + (letter == b[j] ? 0 : 1)))
            }
        }
        return row[b.count]
    }
}
