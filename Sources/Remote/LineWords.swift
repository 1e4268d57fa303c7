/// Splits a REPL line into words as a shell would: blanks part them, quotes and backslashes keep blanks.
public enum LineWords {
    /// - Throws: `CommandError` if a quote is not closed.
    public static func split(_ line: String) throws(CommandError) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        var characters = Array(line)[...]
        while let character = characters.popFirst() {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character == "\\", let next = characters.popFirst() {
                word = (word ?? "") + String(next)
            } else if character == "#", word == nil {
                break
            } else if character.isWhitespace {
                if let done = word { words.append(done) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if quote != nil { throw CommandError("a quote is not closed", isUsage: true) }
        if let word { words.append(word) }
        return words
    }
}
