import Speakers
import Timeline

/// Inputs and takes.
extension Verb {
    static let recording: [Verb] = [
        Verb(
            .recording, "input",
            """
            add NAME [PORT ...] [--stereo | --channels N] | TRACK [PORT ...] [--stereo | --channels N] | \
            TRACK off
            """,
            """
            a new track that hears ports; or give a track such an input; the ports are other programs'; one \
            PORT is mono, \
            heard on both sides; each is connected whenever it is there; nothing: print it
            """,
            example: "input add mic system:capture_1", valued: ["--channels"], flags: ["--stereo"]
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
        },
        Verb(
            .recording, "record", "[on | off | loop | T0 T1]",
            """
            armed tracks record what comes in while the transport rolls: all of it, between the ends of the \
            loop, or between two times; each take becomes a clip; nothing: print it
            """,
            example: "record on"
        ) { words throws(CommandError) in
            guard let first = words.first else { return .record(nil) }
            if first == "loop" || first == "on" || first == "off" {
                _ = try words.word("on, off or loop")
                return .record(first == "on" ? .on : first == "off" ? .off : .loop)
            }
            return .record(.range(try words.time(), try words.time()))
        },
    ]
}
