import Engine
import Files
import JSON
import Timeline

/// A session as OpenTimelineIO: a track for each track, gaps, clips with what they play of which file,
/// dissolves for crossfades, markers.
///
/// Everything that the format has no words for stands in its metadata under "jmix", so that `OTIOReader`
/// gives back the very session; other programs leave it as it is.
struct OTIOWriter {
    private let outline: Outline
    private let movie: Movie?

    init(_ outline: Outline, _ movie: Movie?, _ losses: Losses) {
        (self.outline, self.movie) = (outline, movie)
        let kept = "stands in the file for jmix alone: other programs do not read it"
        losses.say(
            outline.document, but: [.markers, .video, .pace],
            instead: Dictionary(uniqueKeysWithValues: Self.unread.map { ($0, "\($0.name): it \(kept)") }))
    }

    private static let unread: [Feature] = [
        .fader, .pan, .mute, .trim, .polarity, .solo, .soloMode, .directOuts, .talkbacks, .muteGroups,
        .monitoring, .automixes, .processorAutomation, .volumeAutomation, .panAutomation, .trimAutomation,
        .muteAutomation, .trackFades, .ducks, .buses, .sends, .sendAutomation, .dcas, .outputs, .scenes,
        .inputs,
        .connections, .clipGains, .clipFades, .fadeCurves, .crossfadesWithFades, .crossfadeCurves, .pitch,
        .sounds,
        .layouts, .equalisers, .gates, .compressors, .limiters, .delays, .signalDucks, .sendMatrices,
        .automationOff,
    ]

    /// The file.
    var text: String {
        let session = outline.document
        var document = SessionFile.json(session).objectValue!
        let tracks = document["tracks"]?.arrayValue ?? []
        document["tracks"] = nil
        let rows = session.tracks.indices.map { index in
            var own = tracks[index].objectValue!
            own["clips"] = nil
            return composition(
                "Track.1", session.tracks[index].name,
                outline.pieces[index].indices.flatMap { children(outline.pieces[index], $0) }, metadata: own,
                ["kind": "Audio"])
        }
        let markers = session.markers.map { marker in
            OTIO.object(
                "Marker.2", marker.name,
                [
                    "color": "GREEN",
                    "marked_range": OTIO.range(Double(outline.frame(marker.at)), 0, outline.rate),
                    "comment": "",
                ], metadata: marker.json.objectValue)
        }
        let stack = composition(
            "Stack.1", "tracks", [movie.map(picture)].compactMap { $0 } + rows, markers: markers)
        return JSONValue.object(
            OTIO.object(
                "Timeline.1", "session", ["global_start_time": .null, "tracks": .object(stack)],
                metadata: document)
        ).prettyText() + "\n"
    }

    private func composition(
        _ schema: String, _ name: String, _ children: [JSONObject], markers: [JSONObject] = [],
        metadata: JSONObject? = nil, _ others: JSONObject = [:]
    ) -> JSONObject {
        var object = OTIO.object(
            schema, name,
            [
                "source_range": .null, "effects": [], "markers": .array(markers.map(JSONValue.object)),
                "enabled": true, "color": .null, "children": .array(children.map(JSONValue.object)),
            ], metadata: metadata)
        object.merge(others)
        return object
    }

    /// The movie, on a track of its own.
    private func picture(_ movie: Movie) -> JSONObject {
        let blank = movie.frames.lowerBound
        return composition(
            "Track.1", "picture", (blank > 0 ? [gap(blank)] : []) + [clip(of: movie)], ["kind": "Video"])
    }

    private func clip(of movie: Movie) -> JSONObject {
        OTIO.object(
            "Clip.2", Path.stem(of: movie.path),
            [
                "source_range": OTIO.range(
                    movie.from * Double(outline.rate), Int64(movie.frames.count), outline.rate),
                "effects": [], "markers": [], "enabled": true, "color": .null,
                "media_references": .object([
                    "DEFAULT_MEDIA": .object(
                        reference(
                            movie.path,
                            OTIO.range(
                                0, Int64((movie.duration * Double(outline.rate)).rounded()), outline.rate)))
                ]),
                "active_media_reference_key": "DEFAULT_MEDIA",
            ],
            metadata: metadata(of: movie))
    }

    private func metadata(of movie: Movie) -> JSONObject? {
        outline.session.video.map {
            [
                "video": $0.json,
                "offset": .number(Double(movie.frames.lowerBound) / Double(outline.rate) - movie.from),
            ]
        }
    }

    private func gap(_ count: Int64) -> JSONObject {
        OTIO.object(
            "Gap.1", "",
            [
                "source_range": OTIO.range(0, count, outline.rate), "effects": [], "markers": [],
                "enabled": true, "color": .null,
            ])
    }

    private func reference(_ path: String, _ range: JSONValue) -> JSONObject {
        OTIO.object(
            "ExternalReference.1", Path.name(of: path),
            [
                "available_range": range, "available_image_bounds": .null,
                "target_url": .string(OTIO.url(path)),
            ])
    }

    /// A clip, and what stands before it.
    private func children(_ pieces: [Outline.Piece], _ index: Int) -> [JSONObject] {
        let piece = pieces[index]
        // A dissolve stands where the earlier clip ends: the later one is there on its own from then on.
        let begin = piece.frames.lowerBound + piece.crossed
        let before = index > 0 ? pieces[index - 1].frames.upperBound : 0
        var children: [JSONObject] = []
        if begin > before { children.append(gap(begin - before)) }
        if piece.crossed > 0 {
            children.append(
                OTIO.object(
                    "Transition.1", "crossfade",
                    [
                        "in_offset": OTIO.time(Double(piece.crossed), outline.rate),
                        "out_offset": OTIO.time(0, outline.rate), "transition_type": "SMPTE_Dissolve",
                    ]))
        }
        return children + [clip(piece, begin)]
    }

    private func clip(_ piece: Outline.Piece, _ begin: Int64) -> JSONObject {
        let (clip, rate) = (piece.clip, outline.rate)
        let count = piece.frames.upperBound - begin
        let isFast = clip.speed != 1 || clip.isReversed
        let from = start(of: piece, isFast: isFast)
        let warp = warp(clip)
        let reference = reference(
            Path.absolute(piece.place.path), OTIO.range(0, fileFrames(piece), piece.info.sampleRate))
        // Who has moved or cut it meanwhile is known by what it was.
        let own: JSONObject = [
            "clip": clip.json, "at": .number(begin), "crossed": .number(piece.crossed),
            "count": .number(count), "from": .number(from),
        ]
        return OTIO.object(
            "Clip.2", Path.stem(of: clip.file.text),
            [
                "source_range": OTIO.range(from, count, rate), "effects": isFast ? [.object(warp)] : [],
                "markers": [], "enabled": true, "color": .null,
                "media_references": .object(["DEFAULT_MEDIA": .object(reference)]),
                "active_media_reference_key": "DEFAULT_MEDIA",
            ], metadata: own)
    }

    private func warp(_ clip: Clip) -> JSONObject {
        return OTIO.object(
            "LinearTimeWarp.1", "speed",
            [
                "effect_name": "LinearTimeWarp", "enabled": true,
                "time_scalar": .number(clip.isReversed ? -clip.speed : clip.speed),
            ])
    }

    /// Where in its file begins what it plays, in frames of the mix. What is played backwards or at another
    /// speed is told in the file's own time.
    private func start(of piece: Outline.Piece, isFast: Bool) -> Double {
        let (clip, rate) = (piece.clip, outline.rate)
        return isFast
            ? (clip.from
                + (clip.isReversed ? .zero : clip.ofFile(MediaTime(frame: piece.crossed, rate: rate))))
                .seconds * Double(rate) : Double(piece.start + piece.crossed)
    }

    /// How long its file is by itself.
    private func fileFrames(_ piece: Outline.Piece) -> Int64 {
        piece.clip.ofFile(piece.soundLength).frame(atRate: piece.info.sampleRate)
    }
}
