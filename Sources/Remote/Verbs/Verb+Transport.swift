import Timeline

/// Verbs that say several commands, or write one otherwise than its fields: what plays, and where.
extension Verb {
    static let silenced = Verb(
        .transport, "silenced",
        """
        whether the mix is held silent; a panic and a stop over a time do that; play, stop or panic off \
        ends it
        """, example: "silenced"
    ) { _ throws(CommandError) in
        .silenced(nil)
    }

    static let panic = Verb(
        .transport, "panic [DURATION | off]",
        """
        all silent in half a second, then stopped; or in DURATION, whatever is held or pending; faders \
        as before; sound comes back with play, stop or panic off
        """, example: "panic"
    ) { words throws(CommandError) in
        if words.first == "off" {
            _ = try words.word("off")
            return .silenced(false)
        }
        return .panic(over: words.isEmpty ? nil : try words.time())
    }

    static let wait = Verb(
        .transport, "wait TIME | until TIME",
        "go on after a time; or when the playhead is there; in scripts alone", example: "wait until 1:30"
    ) { words throws(CommandError) in
        guard words.first == "until" else { return .wait(try words.time()) }
        _ = try words.word("until")
        return .waitUntil(try words.time())
    }
}
