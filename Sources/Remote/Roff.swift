/// Texts in manual pages.
public enum Roff {
    /// A line as it is: hyphens that can be copied, backslashes that are shown, no commands.
    public static func text(_ text: String) -> String {
        let escaped = String(
            text.flatMap { character -> [Character] in
                character == "\\" ? ["\\", "e"] : (character == "-" ? ["\\", "-"] : [character])
            })
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}
