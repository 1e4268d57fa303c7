import Timeline

/// What plays, and where.
extension Verb {
    static let transport: [Verb] = [
        Verb(.transport, "play", "", "roll from where it stands", example: "play") { _ throws(CommandError) in
            .play
        },
        Verb(
            .transport, "stop", "[DURATION]",
            "stop playing; with DURATION: fade to silence first, faders as before",
            example: "stop 3s"
        ) { words throws(CommandError) in
            .stop(over: words.isEmpty ? nil : try words.time())
        },
        Verb(
            .transport, "silenced", "",
            """
            whether the mix is held silent; a panic and a stop over a time do that; play, stop or panic off \
            ends it
            """,
            example: "silenced"
        ) { _ throws(CommandError) in
            .silenced(nil)
        },
        Verb(
            .transport, "panic", "[DURATION | off]",
            """
            all silent in half a second, then stopped; or in DURATION, whatever is held or pending; faders \
            as before; sound comes back with play, stop or panic off
            """,
            example: "panic"
        ) { words throws(CommandError) in
            if words.first == "off" {
                _ = try words.word("off")
                return .silenced(false)
            }
            return .panic(over: words.isEmpty ? nil : try words.time())
        },
        Verb(
            .transport, "locate", "PLACE",
            """
            go to a time or a marker; or by +5s or -5s from where it stands, or to end, where the last clip \
            ends
            """,
            example: "locate 1:30"
        ) { words throws(CommandError) in
            .locate(try words.place())
        },
        Verb(
            .transport, "loop", "[T0 T1 | on | off]",
            "play a stretch round and round; on: all of the session; nothing: print it", example: "loop 4s 8s"
        ) { words throws(CommandError) in
            if words.isEmpty { return .askLoop }
            if words.first == "on" || words.first == "off" { return try words.onOff() ? .loopOn : .loopOff }
            return .loop(from: try words.time(), to: try words.time())
        },
        Verb(
            .transport, "stop-at-end", "[on|off]", "stop where the last clip ends; nothing: print it",
            example: "stop-at-end on"
        ) { words throws(CommandError) in
            .stopAtEnd(words.isEmpty ? nil : try words.onOff())
        },
        Verb(.transport, "position", "", "where the playhead stands", example: "position") {
            _ throws(CommandError) in
            .position
        },
        Verb(
            .transport, "wait", "TIME | until TIME",
            "go on after a time; or when the playhead is there; in scripts alone",
            example: "wait until 1:30"
        ) { words throws(CommandError) in
            guard words.first == "until" else { return .wait(try words.time()) }
            _ = try words.word("until")
            return .waitUntil(try words.time())
        },
    ]
}
