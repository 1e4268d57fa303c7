import Timeline

/// Verbs that say several commands, or write one otherwise than its fields: tracks and their clips.
extension Verb {
    static let append = Verb(
        .clips, "append TRACK FILE ... [--from T] [--duration T] [--crossfade D [--curve C]]",
        """
        a clip of a file where the track ends; or of several, or of all in a folder, one behind the \
        other; --crossfade: each overlaps the one before by D
        """, example: "append 2 voice.flac",
        options: WordOptions(valued: ["--from", "--duration", "--crossfade", "--curve"])
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
    }

    static let clip = Verb(
        .clips,
        """
        clip TRACK CLIP gain V|STEP | trim T0 T1 | speed f|STEP | pitch f|STEP | tape on|off | reverse \
        on|off \
        | stretcher \
        soundtouch|rubberband | remove
        """,
        """
        sets something of a clip, which is named by its number. gain: what its samples are multiplied by \
        before all else. trim: where it begins and ends; its sound does not shift. speed: how fast it plays \
        its file, 0.25 to 4. pitch: how many semitones higher. A STEP counts from where it stands, as +1dB, \
        +0.1, or --by -2. tape: its pitch follows its speed. reverse: backwards. stretcher: what stretches \
        it. remove: takes it away. Its fades are set by fadein and fadeout with --clip
        """, example: "clip 2 1 gain -3dB", options: WordOptions(valued: ["--by"])
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
    }

    static let remove = Verb(
        .clips, "remove STRIP [--all]", "remove a track, a bus or a DCA; --all: a pattern may mean several",
        example: "remove 3", options: WordOptions(flags: ["--all"])
    ) { words throws(CommandError) in
        let strip = try words.strip()
        if strip == .master { throw CommandError("the master stays") }
        return .remove(strip)
    }
}
