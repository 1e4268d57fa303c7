import Speakers
import Timeline

/// Verbs that say several commands, or write one otherwise than its fields: inputs and takes.
extension Verb {
    static let input = Verb(
        .recording,
        """
        input add NAME [PORT ...] [--stereo | --channels N] | TRACK [PORT ...] [--stereo | --channels N] | \
        TRACK off
        """,
        """
        a new track that hears ports; or give a track such an input; the ports are other programs'; one \
        PORT is mono, \
        heard on both sides; each is connected whenever it is there; without a value: print it
        """, example: "input add mic system:capture_1",
        options: WordOptions(valued: ["--channels"], flags: ["--stereo"])
    ) { words throws(CommandError) in
        let first = try words.word("add, or the track")
        let layout =
            try words.flag("--stereo")
            ? .stereo
            : words.text("--channels").map { text throws(CommandError) in try Words.layout(text) }
        if first == "add" {
            let name = try words.word("the name")
            return .addInput(
                name,
                try InputPorts(parsing: words.isEmpty ? [] : try words.words("the port"), layout: layout))
        }
        let track = StripReference(first)
        if words.isEmpty, layout == nil { return .askInput(track) }
        let ports = words.isEmpty ? [] : try words.words("the port")
        return .input(track, ports == ["off"] ? nil : try InputPorts(parsing: ports, layout: layout))
    }
    .answering([.kind(Answer.input)])
}
