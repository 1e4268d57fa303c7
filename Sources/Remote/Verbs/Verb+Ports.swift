import Timeline

/// Verbs that say several commands, or write one otherwise than its fields: the mixer's ports on the server.
extension Verb {
    static let connect = Verb(
        .ports, "connect [PORT OTHER]",
        """
        connect a port of the mixer to another client's; or to all that match a pattern, now and \
        whenever they are there; kept with the session; without a word: list the connections
        """, example: "connect master_1 system:playback_3"
    ) { words throws(CommandError) in
        words.isEmpty
            ? .connections
            : .connect(port: try words.word("the port"), to: try words.word("the other port"))
    }
    .answering([.kind(Answer.connections)])
}
