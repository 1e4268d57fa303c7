import OSC
import Timeline

/// The mixer's ports on the server.
extension CommandEntry {
    static let ports: [CommandEntry] = [
        .of(
            .at(
                "/connections", .value(Answer.connections),
                "what the mixer's ports are connected to, or will be: JSON"),
            .connections
        )
        .live(),
        .of(
            .at(
                "/connect", .action(),
                """
                connects a port of the mixer to another client's, or to all that match a pattern, now and \
                whenever they are there; kept with the session
                """), fields(.text("PORT", "the port"), .text("PORT", "the other port")),
            title: { "connect \($1.0) to \($1.1)" }
        ) {
            .connect(port: $0.0, to: $0.1)
        } take: {
            if case .connect(let port, let other) = $0 { (port, other) } else { nil }
        }
        .verb(.connect),
        .of(
            .at(
                "/ports", .value(Answer.ports),
                "the ports on the JACK server, the mixer's own among them: JSON"),
            .ports
        )
        .verb(.ports, "ports", "list the ports on the JACK server", example: "ports").live(),
        .of(
            .at("/disconnect", .action(), "takes a connection away, or all of a port"),
            fields(
                .text("PORT", "the port"), optional(.text("PORT", "the other port").named("PORT", "OTHER"))),
            title: { "disconnect \($1.0)\($1.1.map { " from \($0)" } ?? "")" }
        ) {
            .disconnect(port: $0.0, from: $0.1)
        } take: {
            if case .disconnect(let port, let other) = $0 { (port, other) } else { nil }
        }
        .verb(
            .ports, "disconnect", "take a connection away, or all of a port",
            example: "disconnect master_1 system:playback_3"),
        .of(
            .at(
                "/directouts", .value(Answer.directOuts),
                """
                direct outs of all tracks and buses: off, pre (before automation, fader, mute and pan) or \
                post (after them)
                """), .directOuts, title: { "direct outs \($1?.rawValue ?? "")" }
        ) {
            .directOuts($0)
        } take: {
            if case .directOuts(let mode) = $0 { .some(mode) } else { nil }
        }
        .verb(
            .ports, "direct-outs",
            """
            give all tracks and buses ports of their own, or none; pre: as they are before automation, \
            fader, mute and pan; post: behind them; kept with the session; without a value: print it
            """,
            example: "direct-outs post"),
    ]
}

extension Field<DirectOutMode?> {
    fileprivate static let directOuts = Field.word(
        "off · pre · post", "off, pre or post", Words.directOuts)
}

extension Answer {
    public static let directOuts = AnswerKind(
        "/directouts", key: "directOuts", AnswerCoding<DirectOutMode>.word)
}
