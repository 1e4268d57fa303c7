import Timeline

/// Verbs that say several commands, or write one otherwise than its fields: what a strip's sound goes
/// through.
extension Verb {
    static let equaliser = Verb(
        .sound,
        """
        eq STRIP [on | off | clear | hp|lp FREQ|off [--slope 12|24] | BAND FREQ DB [Q] | BAND \
        bell|lowshelf|highshelf|off] | STRIP --by STEP --of \
        hp|hpslope|lp|lpslope|BAND/freq|BAND/gain|BAND/q
        """,
        """
        what a strip's sound is filtered by: a high pass, a low pass and four bands; without a value: print \
        it; \
        --by: from where it stands
        """, example: "eq voice hp 80", options: WordOptions(valued: ["--slope", "--by", "--of"])
    ) { words throws(CommandError) in
        let strip = try words.strip()
        return try words.equaliser(of: strip)
    }

    static func dynamics(_ kind: DynamicsKind) -> Verb {
        switch kind {
        case .gate:
            processor(
                kind,
                """
                STRIP [THRESHOLD | on | off | clear] [--close DB] [--range DB] [--attack T] [--hold T] \
                [--release T] [--key STRIP] | STRIP --by STEP [--of WORD]
                """,
                """
                lower a strip where it is quieter than a threshold; without a value: print it; --by, or \
                +2: move the threshold by so much, or with --of another setting of the gate
                """,
                example: "gate voice -45 --hold 200ms",
                valued: [
                    "--by", "--of", "--threshold", "--close", "--range", "--attack", "--hold", "--release",
                    "--key",
                ])
        case .comp:
            processor(
                kind,
                """
                STRIP [THRESHOLD RATIO | on | off | clear] [--knee DB] [--attack T] [--release T] [--makeup \
                DB] \
                [--key STRIP] | STRIP --by STEP [--of WORD]
                """,
                """
                compress a strip: what is above the threshold, in dB, is divided by the ratio; without a \
                value: print it; --by, or +2: move the threshold by so much, or with --of another \
                setting of the compressor
                """,
                example: "comp voice -20 3 --makeup 4",
                valued: [
                    "--by", "--of", "--threshold", "--ratio", "--knee", "--attack", "--release", "--makeup",
                    "--key",
                ])
        case .limit:
            processor(
                kind,
                "STRIP [LEVEL | on | off | clear] [--release T] | STRIP --by STEP [--of WORD]",
                """
                keep a strip's true peaks under a level in dBTP, last of all; without a value: print it; \
                --by, or \
                +2: \
                the level from where it stands, or the release
                """,
                example: "limit master -1", valued: ["--by", "--of", "--level", "--release"])
        }
    }

    private static func processor(
        _ kind: DynamicsKind, _ arguments: String, _ summary: String, example: String, valued: [String]
    ) -> Verb {
        Verb(
            .sound, "\(kind.rawValue) \(arguments)", summary, example: example,
            options: WordOptions(valued: valued)
        ) {
            words throws(CommandError) in
            let strip = try words.strip()
            return try words.dynamics(kind, of: strip)
        }
    }

    static let automix = Verb(
        .sound,
        """
        automix BUS [on | off | clear] [--attack T] [--release T] | BUS MEMBER [in | out] [--weight V] \
        [--priority N] | BUS [MEMBER] --by STEP --of attack|release|weight|priority
        """,
        """
        share one gain among all strips that go to a bus; by how loud each is, so that many open \
        microphones together are as loud as one; without a value: print it
        """, example: "automix panel on",
        options: WordOptions(valued: ["--attack", "--by", "--of", "--release", "--weight", "--priority"])
    ) { words throws(CommandError) in try words.automix() }
}
