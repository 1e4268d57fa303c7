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
        let unread: [Feature] = [
            .fader, .pan, .mute, .trim, .polarity, .solo, .soloMode, .directOuts, .talkbacks, .muteGroups,
            .monitoring,
            .automixes, .processorAutomation, .volumeAutomation, .panAutomation, .trimAutomation,
            .muteAutomation, .trackFades, .ducks, .buses, .sends, .sendAutomation, .dcas, .outputs, .scenes,
            .inputs,
            .connections, .clipGains, .clipFades, .fadeCurves, .crossfadesWithFades, .crossfadeCurves, .pitch,
            .sounds,
            .layouts, .equalisers, .gates, .compressors, .limiters, .delays, .signalDucks,
            .sendMatrices, .automationOff,
        ]
        losses.say(
            outline.session, but: [.markers, .video, .pace],
            instead: Dictionary(uniqueKeysWithValues: unread.map { ($0, "\($0.name): it \(kept)") }))
    }

    /// The file.
    var text: String {
        let session = outline.session
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
        let clip = OTIO.object(
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
            metadata: outline.session.video.map {
                [
                    "video": $0.json,
                    "offset": .number(Double(movie.frames.lowerBound) / Double(outline.rate) - movie.from),
                ]
            })
        return composition(
            "Track.1", "picture",
            (movie.frames.lowerBound > 0 ? [gap(movie.frames.lowerBound)] : []) + [clip], ["kind": "Video"])
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
        // Where in its file begins what it plays. What is played backwards or at another speed is told in the
        // file's own time.
        let isFast = clip.speed != 1 || clip.isReversed
        let from =
            isFast
            ? (clip.from
                + (clip.isReversed ? .zero : clip.ofFile(MediaTime(frame: piece.crossed, rate: rate))))
                .seconds * Double(rate) : Double(piece.start + piece.crossed)
        let warp = OTIO.object(
            "LinearTimeWarp.1", "speed",
            [
                "effect_name": "LinearTimeWarp", "enabled": true,
                "time_scalar": .number(clip.isReversed ? -clip.speed : clip.speed),
            ])
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

    /// How long its file is by itself.
    private func fileFrames(_ piece: Outline.Piece) -> Int64 {
        piece.clip.ofFile(piece.soundLength).frame(atRate: piece.info.sampleRate)
    }
}

/// What OpenTimelineIO's files are made of.
enum OTIO {
    static func object(
        _ schema: String, _ name: String, _ fields: JSONObject, metadata: JSONObject? = nil
    ) -> JSONObject {
        var object: JSONObject = [
            "OTIO_SCHEMA": .string(schema),
            "metadata": .object(metadata.map { ["jmix": .object($0)] } ?? [:]), "name": .string(name),
        ]
        object.merge(fields)
        return object
    }

    static func time(_ frame: Double, _ rate: Int32) -> JSONValue {
        .object(["OTIO_SCHEMA": "RationalTime.1", "rate": .number(rate), "value": .number(frame)])
    }

    static func range(_ start: Double, _ count: Int64, _ rate: Int32) -> JSONValue {
        .object([
            "OTIO_SCHEMA": "TimeRange.1", "duration": time(Double(count), rate),
            "start_time": time(start, rate),
        ])
    }

    /// The name of a file as a URL (RFC 8089).
    static func url(_ path: String) -> String {
        "file://"
            + path.utf8.reduce(into: "") { text, byte in
                let isPlain =
                    (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte)
                    || (0x61...0x7a).contains(byte) || "-._~/".utf8.contains(byte)
                text +=
                    isPlain
                    ? String(UnicodeScalar(byte))
                    : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
    }

    /// The file that a URL or a path names; nil: it is none of this machine's.
    static func path(_ url: String) -> String? {
        var rest = Substring(url)
        if let colon = rest.firstRange(of: "://") {
            guard rest[..<colon.lowerBound].lowercased() == "file" else { return nil }
            rest = rest[colon.upperBound...]
            // The machine's name, which is none or this one.
            guard let slash = rest.firstIndex(of: "/"), ["", "localhost"].contains(rest[..<slash]) else {
                return nil
            }
            rest = rest[slash...]
        } else if rest.hasPrefix("file:") {
            rest = rest.dropFirst(5)
        } else {
            return rest.isEmpty ? nil : String(rest)
        }
        var bytes: [UInt8] = []
        var left = Array(rest.utf8)[...]
        while let byte = left.popFirst() {
            if byte == 0x25, left.count >= 2,
                let value = UInt8(String(decoding: left.prefix(2), as: UTF8.self), radix: 16)
            {
                bytes.append(value)
                left.removeFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
