/// Splits a REPL line into words as a shell would: blanks part them, quotes and backslashes keep blanks.
public enum LineWords {
    /// - Throws: `CommandError` if a quote is not closed.
    public static func split(_ line: String) throws(CommandError) -> [String] {
        let parted = parted(line, endsAtComment: true)
        if parted.quote != nil { throw CommandError("a quote is not closed", isUsage: true) }
        return parted.words + (parted.written.isEmpty ? [] : [parted.partial])
    }

    /// Splits what stands before the cursor.
    public static func beginning(_ line: String) -> Beginning { parted(line, endsAtComment: false) }

    private static func parted(_ line: String, endsAtComment: Bool) -> Beginning {
        var words: [String] = []
        var (word, written): (String, String) = ("", "")
        var quote: Character?
        var rest = Array(line)[...]
        while let character = rest.popFirst() {
            if quote == nil, character.isWhitespace {
                if !written.isEmpty { words.append(word) }
                (word, written) = ("", "")
                continue
            }
            if endsAtComment, character == "#", written.isEmpty { break }
            written.append(character)
            if let open = quote {
                if character == open { quote = nil } else { word.append(character) }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "\\", let next = rest.popFirst() {
                written.append(next)
                word.append(next)
            } else {
                word.append(character)
            }
        }
        return Beginning(words: words, partial: word, written: written, quote: quote)
    }
}
