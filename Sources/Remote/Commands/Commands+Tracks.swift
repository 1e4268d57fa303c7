import Files
import OSC
import Timeline

/// Tracks, and the files that become clips of theirs.
extension CommandEntry {
    static let tracks: [CommandEntry] = [
        .of(
            .at("/track/add", .action(Answer.added(.track)), "a new track from a file; answers its number"),
            fields(.file, optional(.place)), title: { "add \(Path.stem(of: $1.0))" }
        ) {
            .add(file: $0.0, at: $0.1)
        } take: {
            if case .add(let file, let place) = $0 { (file, place) } else { nil }
        }
        .verb(
            .clips, "add",
            """
            a new track from a file; prints its number; PLACE: a time, here, where the playhead stands, +5s \
            or -5s from there, a marker, or end
            """,
            example: "add jingle.flac 12s"
        )
        .live { if case .add(_, let place?) = $0 { place.needsPlayhead } else { false } },
        .of(
            .on(
                .track, name: "insert", .action(),
                """
                inserts a clip of a file; crossfade: it overlaps the clip before it by DURATION; T: the \
                clips at that place and after it move later
                """), fields(.file, .place, .stretch, .crossfade, .closing("--push")),
            title: { "insert \(Path.stem(of: $1.value.0)) on \($0.name($1.strip))" }
        ) { track, said in
            .insert(
                track, file: said.0, at: said.1, from: said.2.0, duration: said.2.1, push: said.4,
                crossfade: said.3)
        } take: {
            if case .insert(let track, let file, let at, let from, let duration, let push, let crossfade) = $0
            {
                (track, (file, at, (from, duration), crossfade, push))
            } else {
                nil
            }
        }
        .verb(
            .clips, "insert",
            """
            a clip of a file on a track; PLACE: as for add; --push: what lies there and behind makes room; \
            --crossfade: it overlaps the clip before it, or with --push the one that it lands in, by D
            """,
            example: "insert 2 voice.flac 1:30 --from 2s --duration 4s"
        )
        .live { if case .insert(_, _, let place, _, _, _, _) = $0 { place.needsPlayhead } else { false } },
        .of(
            .on(.track, name: "append", .action(), "a clip of a file where the track ends"),
            fields(.file, .stretch, .crossfade),
            title: { "append \(Path.stem(of: $1.value.0)) on \($0.name($1.strip))" }
        ) {
            .clips($0, .append(file: $1.0, from: $1.1.0, duration: $1.1.1, crossfade: $1.2))
        } take: {
            if case .clips(let track, .append(let file, let from, let duration, let crossfade)) = $0 {
                (track, (file, (from, duration), crossfade))
            } else {
                nil
            }
        }
        .verb(.append),
        .of(
            .on(
                .track, name: "playlist", .action(),
                """
                files one behind the other where the track ends; a folder is all files in it that can be \
                played
                """), fields(.files, .crossfade),
            title: { names, said in
                let count = said.value.0.count
                return "append \(count) \(count == 1 ? "file" : "files") on \(names.name(said.strip))"
            }
        ) {
            .clips($0, .playlist($1.0, crossfade: $1.1))
        } take: {
            if case .clips(let track, .playlist(let files, let crossfade)) = $0 {
                (track, (files, crossfade))
            } else {
                nil
            }
        },
    ]

    /// What there is of tracks as a whole.
    static let lists: [CommandEntry] = [
        remove(.track, "removes a track").verb(.remove),
        .of(.at("/tracks", .value(Answer.tracks), "all tracks: JSON, as jmixctl --json prints it"), .tracks)
            .verb(.clips, "tracks", "list the tracks", example: "tracks"),
    ]

    /// A strip of that kind.
    static func remove(_ kind: StripKind, _ summary: String) -> CommandEntry {
        .of(
            .on(kind, name: "remove", .action(), summary), .nothing, title: { "remove \($0.name($1.strip))" }
        ) { strip, _ in
            .remove(strip)
        } take: {
            if case .remove(let strip) = $0 { (strip, ()) } else { nil }
        }
        .losing { if case .remove(let strips) = $0 { strips } else { nil } }
    }
}
