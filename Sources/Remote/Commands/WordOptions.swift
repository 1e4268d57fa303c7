/// The options that belong to a line of the shell.
struct WordOptions: Sendable {
    /// Those that take a value, such as "--curve".
    var valued: [String] = []
    /// Those that stand alone, such as "--replace".
    var flags: [String] = []

    var all: [String] { flags + valued }

    static func + (a: WordOptions, b: WordOptions) -> WordOptions {
        WordOptions(valued: a.valued + b.valued, flags: a.flags + b.flags)
    }
}
