import OSC
import Timeline

/// How the shell writes something: what help says, which options belong to it, and how it is read.
struct ShellForm<Value>: Sendable {
    let usage: String
    var options = WordOptions()
    let parse: @Sendable (inout Words) throws(CommandError) -> Value

    func named(_ usage: String) -> ShellForm {
        ShellForm(usage: usage, options: options, parse: parse)
    }

    /// The same options, read as something else.
    func map<Other>(
        _ usage: String, _ parse: @escaping @Sendable (inout Words) throws(CommandError) -> Other
    ) -> ShellForm<Other> {
        ShellForm<Other>(usage: usage, options: options, parse: parse)
    }
}
