import Timeline

/// Tracks and their clips.
extension Verb {
    static let clips: [Verb] = [
        Verb(
            .clips, "add", "FILE [PLACE]",
            """
            a new track from a file; prints its number; PLACE: a time, here, where the playhead stands, +5s \
            or -5s from there, a marker, or end
            """,
            example: "add jingle.flac 12s"
        ) { words throws(CommandError) in
            .add(file: try words.word("the file"), at: words.isEmpty ? nil : try words.place())
        },
        Verb(
            .clips, "insert",
            "TRACK FILE PLACE [--from T] [--duration T] [--push] [--crossfade D [--curve C]]",
            """
            a clip of a file on a track; PLACE: as for add; --push: what lies there and behind makes room; \
            --crossfade: it \
            overlaps the clip before it by D
            """,
            example: "insert 2 voice.flac 1:30 --from 2s --duration 4s",
            valued: ["--from", "--duration", "--crossfade", "--curve"], flags: ["--push"]
        ) { words throws(CommandError) in
            .insert(
                try words.strip(), file: try words.word("the file"), at: try words.place(),
                from: try words.time("--from"), duration: try words.time("--duration"),
                push: words.flag("--push"), crossfade: try words.crossfade())
        },
        Verb(
            .clips, "append", "TRACK FILE ... [--from T] [--duration T] [--crossfade D [--curve C]]",
            """
            a clip of a file where the track ends; or of several, or of all in a folder, one behind the \
            other; --crossfade: each overlaps the one before by D
            """,
            example: "append 2 voice.flac", valued: ["--from", "--duration", "--crossfade", "--curve"]
        ) { words throws(CommandError) in
            let (track, files) = (try words.strip(), try words.words("the file"))
            let (from, duration, crossfade) = (
                try words.time("--from"), try words.time("--duration"), try words.crossfade()
            )
            if files.count == 1, !files[0].hasSuffix("/") {
                return .clips(
                    track, .append(file: files[0], from: from, duration: duration, crossfade: crossfade))
            }
            if from != nil || duration != nil {
                throw CommandError("--from and --duration are for one file", isUsage: true)
            }
            return .clips(track, .playlist(files, crossfade: crossfade))
        },
        Verb(.clips, "clips", "TRACK", "list the clips of a track", example: "clips 2") {
            words throws(CommandError) in .clips(try words.strip(), .list)
        },
        Verb(
            .clips, "split", "TRACK PLACE", "cut the clip there in two; that is not heard; PLACE: as for add",
            example: "split 2 1:30"
        ) {
            words throws(CommandError) in
            .clips(try words.strip(), .split(try words.place()))
        },
        Verb(
            .clips, "clip",
            """
            TRACK CLIP gain V|STEP | trim T0 T1 | speed f|STEP | pitch f|STEP | tape on|off | reverse on|off \
            | stretcher \
            soundtouch|rubberband | remove
            """,
            """
            a clip's gain, place in its file, speed; the clip is named by its number; gain: what its samples \
            are multiplied by before all else; where it \
            begins and ends, what is heard staying in its place; how fast it plays its file, 0.25 to 4, and \
            how many semitones higher; a STEP from where it stands, as +1dB, +0.1, or --by -2; its pitch \
            going with its speed; backwards; or take it away; its \
            fades: fadein, fadeout with --clip
            """,
            example: "clip 2 1 gain -3dB", valued: ["--by"]
        ) { words throws(CommandError) in
            let (track, clip) = (try words.strip(), try words.index("the number of a clip"))
            let what = (["gain", "trim", "remove"] + ClipPace.allCases.map(\.rawValue)).joined(
                separator: ", ")
            let word = try words.word(what)
            let number = ClipNumber(rawValue: word)
            if let step = try words.step(number?.kind ?? .flag, of: word), let number {
                return .clips(track, .step(clip, number, step))
            }
            if word == "remove" { return .clips(track, .remove(clip)) }
            if word == "trim" {
                return .clips(track, .trim(clip, from: try words.time(), to: try words.time()))
            }
            if let pace = ClipPace(rawValue: word) {
                return .clips(track, .pace(clip, pace, try words.value(pace.kind, of: word)))
            }
            guard word == "gain" else {
                throw CommandError("\"\(word)\": clip TRACK CLIP takes one of \(what)", isUsage: true)
            }
            return .clips(track, .gain(clip, try words.volume()))
        },
        Verb(
            .clips, "move", "TRACK CLIP PLACE [--push] [--crossfade D [--curve C]]",
            """
            move a clip, named by its number; PLACE: as for add, but +5s and -5s are from where it lies; \
            --push and --crossfade as for insert
            """,
            example: "move 2 3 1:40",
            valued: ["--crossfade", "--curve"], flags: ["--push"]
        ) { words throws(CommandError) in
            .clips(
                try words.strip(),
                .move(
                    try words.index("the number of a clip"), to: try words.place(),
                    push: words.flag("--push"),
                    crossfade: try words.crossfade()))
        },
        Verb(
            .clips, "silence", "TRACK TIME DURATION", "open a silence; what lies behind moves back",
            example: "silence 2 10s 500ms"
        ) { words throws(CommandError) in
            .clips(try words.strip(), .silence(at: try words.time(), duration: try words.time()))
        },
        Verb(
            .clips, "remove-range", "TRACK T0 T1 [--gap] [--all] [--keep-automation]",
            """
            take out a stretch; what lies behind closes up, with --gap it stays; --all as for remove: of all \
            tracks ('*') it is taken out of automation and markers too, and a movie whose picture begins \
            behind it comes earlier; --keep-automation leaves these
            """,
            example: "remove-range 2 10s 12s", flags: ["--gap", "--all", "--keep-automation"]
        ) { words throws(CommandError) in
            .clips(
                try words.strip(),
                .removeRange(
                    from: try words.time(), to: try words.time(), keepsGap: words.flag("--gap"),
                    keepsAutomation: words.flag("--keep-automation")))
        },
        Verb(
            .clips, "strip-silence", "TRACK [--threshold V] [--min T] [--pad T] [--close] [--all]",
            """
            take the pauses out of a track's clips; so that ducks follow the speech: what stays below -40dB \
            for 0.5s at least, but for 50ms on either side; --close: what lies behind a pause closes up; \
            --all as for remove
            """,
            example: "strip-silence voice --threshold -45dB --min 0.7s",
            valued: ["--threshold", "--min", "--pad"], flags: ["--all", "--close"]
        ) { words throws(CommandError) in
            .clips(
                try words.strip(),
                .stripSilence(
                    StripSilence(
                        threshold: try words.text("--threshold").map(Words.volume),
                        minimum: try words.time("--min"), pad: try words.time("--pad"),
                        closes: words.flag("--close"))))
        },
        Verb(
            .clips, "remove", "STRIP [--all]",
            "remove a track, a bus or a DCA; --all: a pattern may mean several",
            example: "remove 3", flags: ["--all"]
        ) { words throws(CommandError) in
            let strip = try words.strip()
            if strip == .master { throw CommandError("the master stays") }
            return .remove(strip)
        },
        Verb(.clips, "tracks", "", "list the tracks", example: "tracks") { _ throws(CommandError) in .tracks
        },
    ]
}
