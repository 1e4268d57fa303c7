import JSON
import OSC
import Timeline

/// The clips of tracks.
extension CommandEntry {
    static let clips: [CommandEntry] = tracks + ofTracks + ofClips + paces + ranges + lists

    private static let ofTracks: [CommandEntry] = [
        .of(
            .on(.track, name: "clips", .value(Answer.clips), "its clips: JSON, as in the session file"),
            .nothing
        ) {
            track, _ in
            .clips(track, .list)
        } take: {
            if case .clips(let track, .list) = $0 { (track, ()) } else { nil }
        }
        .verb(.clips, "clips", "list the clips of a track", example: "clips 2"),
        .of(
            .on(
                .track, name: "gaps", .action(Answer.gaps),
                """
                where it has no clip for MIN (1 s unless told) or longer, from FROM on up to its last clip: \
                JSON; nothing is said behind a clip whose end is not known
                """), .gaps
        ) {
            .clips($0, .gaps(atLeast: $1.minimum, from: $1.from))
        } take: {
            if case .clips(let track, .gaps(let minimum, let from)) = $0 {
                (track, (minimum, from))
            } else {
                nil
            }
        }
        .question
        .verb(
            .clips, "gaps",
            """
            list where a track has no clip; up to its last one; not behind one whose end is not known; \
            --min: only gaps of that length or longer, 1s unless told; --from: from that time on
            """,
            example: "gaps 2 --min 2s"),
        .of(
            .on(.track, name: "split", .action(), "cuts the clip there in two; that is not heard"), .place,
            title: { "split \($0.name($1.strip)) at \($0.text($1.value))" }
        ) {
            .clips($0, .split($1))
        } take: {
            if case .clips(let track, .split(let place)) = $0 { (track, place) } else { nil }
        }
        .verb(
            .clips, "split", "cut the clip there in two; the cut cannot be heard; PLACE: as for add",
            example: "split 2 1:30"
        )
        .live { if case .clips(_, .split(let place)) = $0 { place.needsPlayhead } else { false } },
    ]

    private static let ofClips: [CommandEntry] = [
        .of(
            .on(
                .track, name: "clip/gain", .action(),
                "gain of clip i, from 1, applied before everything else"),
            fields(.clip, .volume), title: { "gain of clip \($1.value.0) of \($0.name($1.strip))" }
        ) {
            .clips($0, .gain($1.0, $1.1))
        } take: {
            if case .clips(let track, .gain(let clip, let gain)) = $0 { (track, (clip, gain)) } else { nil }
        }
        .verb(.clip),
        .of(
            .on(
                .track, name: "clip/trim", .action(),
                """
                makes clip i, from 1, begin and end at these times; the sound between them keeps its place \
                on the timeline
                """), fields(.clip, .range),
            title: { names, said in
                let (start, end) = (names.text(said.value.1.0), names.text(said.value.1.1))
                return "trim clip \(said.value.0) of \(names.name(said.strip)) to \(start)-\(end)"
            }
        ) {
            .clips($0, .trim($1.0, from: $1.1.0, to: $1.1.1))
        } take: {
            if case .clips(let track, .trim(let clip, let start, let end)) = $0 {
                (track, (clip, (start, end)))
            } else {
                nil
            }
        },
        .of(
            .on(
                .track, name: "clip/remove", .action(),
                "takes the clip of that number, from 1, away; what lies behind stays"), .clip,
            title: { "remove clip \($1.value) of \($0.name($1.strip))" }
        ) {
            .clips($0, .remove($1))
        } take: {
            if case .clips(let track, .remove(let clip)) = $0 { (track, clip) } else { nil }
        },
        fade(.fadeIn, "fade-in", "a fade from silence where the clip begins; 0 for none"),
        fade(.fadeOut, "fade-out", "a fade to silence where it ends; 0 for none"),
        .of(
            .on(
                .track, name: "move", .action(),
                """
                moves clip i, from 1; +5s and -5s are from where it lies; T moves the clips in the way later
                """),
            fields(.clip, .place, .crossfade, .closing("--push")),
            title: { names, said in
                let clip = "clip \(said.value.0) of \(names.name(said.strip))"
                return switch said.value.1 {
                case .later(let time): "move \(clip) by \(names.text(time))"
                case .earlier(let time): "move \(clip) by -\(names.text(time))"
                case let place: "move \(clip) to \(names.text(place))"
                }
            }
        ) {
            .clips($0, .move($1.0, to: $1.1, push: $1.3, crossfade: $1.2))
        } take: {
            if case .clips(let track, .move(let clip, let place, let push, let crossfade)) = $0 {
                (track, (clip, place, crossfade, push))
            } else {
                nil
            }
        }
        .verb(
            .clips, "move",
            """
            move a clip, named by its number; PLACE: as for add, but +5s and -5s are from where it lies; \
            --push and --crossfade as for insert
            """,
            example: "move 2 3 1:40"
        )
        .live { if case .clips(_, .move(_, .here, _, _)) = $0 { true } else { false } },
        .of(
            .on(
                .track, name: "repeat", .action(),
                """
                the first number names a clip, from 1, the second how many times more it plays, each where \
                the one before ends; T moves the clips behind later
                """), fields(.clip, .times, .closing("--push")),
            title: { names, said in
                let times = said.value.1 == 1 ? "once" : "\(said.value.1) times"
                return "repeat clip \(said.value.0) of \(names.name(said.strip)) \(times)"
            }
        ) {
            .clips($0, .repeat($1.0, times: $1.1, push: $1.2))
        } take: {
            if case .clips(let track, .repeat(let clip, let times, let push)) = $0 {
                (track, (clip, times, push))
            } else {
                nil
            }
        }
        .verb(
            .clips, "repeat",
            """
            play a clip several times more; each where the one before ends; --push: what lies behind makes \
            room
            """,
            example: "repeat music 1 3"),
    ]

    private static func fade(_ edge: ClipEdge, _ title: String, _ summary: String) -> CommandEntry {
        .of(
            .on(.track, name: "clip/\(edge.rawValue)", .action(), summary),
            fields(.clip, .duration, .fadeCurve),
            title: { "\(title) of clip \($1.value.0) of \($0.name($1.strip))" }
        ) {
            .clips($0, .fade($1.0, edge, $1.1, $1.2))
        } take: {
            if case .clips(let track, .fade(let clip, edge, let time, let curve)) = $0 {
                (track, (clip, time, curve))
            } else {
                nil
            }
        }
    }

    private static let paces: [CommandEntry] =
        ClipPace.allCases.map { pace in
            .of(
                .on(.track, name: "clip/\(pace.rawValue)", .action(), pace.summary),
                fields(.clip, .value(pace.kind, pace.rawValue)),
                title: { "\(pace.rawValue) of clip \($1.value.0) of \($0.name($1.strip))" }
            ) {
                .clips($0, .pace($1.0, pace, $1.1))
            } take: {
                if case .clips(let track, .pace(let clip, pace, let value)) = $0 {
                    (track, (clip, value))
                } else {
                    nil
                }
            }
        }
        + ClipNumber.allCases.map { number in
            .of(
                .on(
                    .track, name: "clip/\(number.rawValue)/by", .action(),
                    "of the clip of that number, from 1: \(number.kind.stepSummary)"),
                fields(.clip, .step(number.kind, number.rawValue)),
                title: { "\(number.rawValue) of clip \($1.value.0) of \($0.name($1.strip))" }
            ) {
                .clips($0, .step($1.0, number, $1.1))
            } take: {
                if case .clips(let track, .step(let clip, number, let step)) = $0 {
                    (track, (clip, step))
                } else {
                    nil
                }
            }
        }

    private static let ranges: [CommandEntry] = [
        .of(
            .on(.track, name: "silence", .action(), "inserts silence; the clips after it move later"),
            fields(.time, .duration),
            title: {
                "silence on \($0.name($1.strip)) at \($0.text($1.value.0)), \($0.text($1.value.1))"
            }
        ) {
            .clips($0, .silence(at: $1.0, duration: $1.1))
        } take: {
            if case .clips(let track, .silence(let time, let duration)) = $0 {
                (track, (time, duration))
            } else {
                nil
            }
        }
        .verb(
            .clips, "silence", "open a silence; what lies behind moves back", example: "silence 2 10s 500ms"),
        .of(
            .on(
                .track, name: "removerange", .action(),
                """
                removes a range: later clips move earlier; T: they stay. `/track/*` without T also takes the \
                range out of automation and markers, and moves a movie behind it earlier. The word \
                automation leaves automation, markers and the movie as they are
                """), fields(.range, .keeping),
            title: { names, said in
                let (start, end) = said.value.0
                return "remove \(names.text(start))-\(names.text(end)) of \(names.name(said.strip))"
            }
        ) {
            .clips(
                $0,
                .removeRange(
                    from: $1.0.0, to: $1.0.1, keepsGap: $1.1.gap, keepsAutomation: $1.1.automation))
        } take: {
            if case .clips(let track, .removeRange(let start, let end, let gap, let automation)) = $0 {
                (track, ((start, end), (gap, automation)))
            } else {
                nil
            }
        }
        .verb(
            .clips, "remove-range",
            """
            take out a stretch; what lies behind closes up, with --gap it stays; --all as for remove: of all \
            tracks ('*') it is taken out of automation and markers too, and a movie whose picture begins \
            behind it comes earlier; --keep-automation leaves these
            """,
            example: "remove-range 2 10s 12s"
        )
        .losing { if case .clips(let tracks, .removeRange) = $0 { tracks } else { nil } },
        .of(
            .on(
                .track, name: "stripsilence", .action(),
                """
                removes the passages of its clips that stay below V (-40dB) for MIN (0.5s) or longer, but \
                keeps PAD (50ms) at both ends of each; close: later clips move earlier to close each gap
                """), .pauses, title: { names, said in "strip silence of \(names.name(said.strip))" }
        ) {
            .clips($0, .stripSilence($1))
        } take: {
            if case .clips(let track, .stripSilence(let pauses)) = $0 { (track, pauses) } else { nil }
        }
        .verb(
            .clips, "strip-silence",
            """
            take the pauses out of a track's clips; so that ducks follow the speech: what stays below -40dB \
            for 0.5s at least, except 50ms that are kept on either side; --close: what lies behind a pause \
            closes up; --all: a pattern may mean several tracks
            """,
            example: "strip-silence voice --threshold -45dB --min 0.7s"
        )
        .losing { if case .clips(let tracks, .stripSilence) = $0 { tracks } else { nil } },
    ]
}

extension Field<(minimum: TimeSpec?, from: TimeSpec?)> {
    /// How long a gap is, and where the first may begin.
    fileprivate static let gaps = Field(
        "[MIN [FROM]]", "[--min T] [--from T]", options: WordOptions(valued: ["--min", "--from"])
    ) { (arguments: inout Arguments) throws(CommandError) in
        let minimum = arguments.isEmpty ? nil : try arguments.time()
        return (minimum, arguments.isEmpty ? nil : try arguments.time())
    } parse: { (words: inout Words) throws(CommandError) in
        (try words.time("--min"), try words.time("--from"))
    } write: {
        // What stands behind another cannot be told alone.
        let minimum = $0.minimum ?? ($0.from == nil ? nil : .standardGap)
        return [minimum, $0.from].compactMap { $0.map { argument($0) } }
    }
}

extension TimeSpec {
    /// A gap is at least so long unless told.
    public static let standardGap = TimeSpec.time(.milliseconds(1000))
}

extension Answer {
    /// Where a track has no clip.
    public static let gaps = AnswerKind("gaps", .document) { (gaps: [TimeRange]) in
        if gaps.isEmpty { return ["no gap"] }
        return gaps.map {
            """
            \(Readable.clock($0.start.seconds))  to  \(Readable.clock($0.end.seconds))  \
            \(Readable.clock($0.duration.seconds))
            """
        }
    }
}

extension TimeRange: JSONCoded {
    public static let schema = JSONSchema.object([
        JSONSchema.Property("from", MediaTime.schema), JSONSchema.Property("to", MediaTime.schema),
    ])

    public var json: JSONValue { .object(["from": start.json, "to": end.json]) }

    public init?(json: JSONValue) {
        guard let start = json["from"].flatMap(MediaTime.init),
            let end = json["to"].flatMap(MediaTime.init), start <= end
        else { return nil }
        self.init(start: start, end: end)
    }
}

extension Field<Int> {
    fileprivate static let times = index("TIMES", "how many times more")
}

extension Field<(gap: Bool, automation: Bool)> {
    /// What stays where a range is taken out; in OSC in either order.
    fileprivate static let keeping = Field(
        "[T] [automation]", "[--gap] [--all] [--keep-automation]",
        options: WordOptions(flags: ["--gap", "--all", "--keep-automation"])
    ) { (arguments: inout Arguments) throws(CommandError) in
        let isFirst = arguments.takes("automation")
        let gap = try arguments.replace()
        return (gap, arguments.takes("automation") || isFirst)
    } parse: { (words: inout Words) throws(CommandError) in
        (words.flag("--gap"), words.flag("--keep-automation"))
    } write: {
        ($0.gap ? [.bool(true)] : []) + ($0.automation ? [.string("automation")] : [])
    }
}
