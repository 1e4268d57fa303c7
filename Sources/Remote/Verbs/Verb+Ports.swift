import Timeline

/// The mixer's ports on the server.
extension Verb {
    static let ports: [Verb] = [
        Verb(
            .ports, "connect", "[PORT OTHER]",
            """
            connect a port of the mixer to another client's; or to all that match a pattern, now and \
            whenever they are there; kept with the session; nothing: list the connections
            """,
            example: "connect master_1 system:playback_3"
        ) { words throws(CommandError) in
            words.isEmpty
                ? .connections
                : .connect(port: try words.word("the port"), to: try words.word("the other port"))
        },
        Verb(
            .ports, "ports", "", "list the ports on the JACK server",
            example: "ports"
        ) { _ throws(CommandError) in .ports },
        Verb(
            .ports, "disconnect", "PORT [OTHER]", "take a connection away, or all of a port",
            example: "disconnect master_1 system:playback_3"
        ) { words throws(CommandError) in
            .disconnect(
                port: try words.word("the port"), from: words.isEmpty ? nil : try words.word("the other port")
            )
        },
        Verb(
            .ports, "direct-outs", "[off|pre|post]",
            """
            give all tracks and buses ports of their own, or none; pre: as they are before automation, \
            fader, mute and pan; post: behind them; kept with the session; nothing: print it
            """,
            example: "direct-outs post"
        ) { words throws(CommandError) in
            .directOuts(words.isEmpty ? nil : try Words.directOuts(try words.word("off, pre or post")))
        },
        midi,
    ]
}
