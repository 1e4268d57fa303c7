import AudioFile
import Engine
import Files
import Timeline
import XML

/// A session as Ardour 7 opens it: routes, playlists of regions, gain automation, sends and markers (version
/// 7002 of its file).
///
/// Ardour plays a region's fades to within a sample of their slope, and takes gain automation through a low
/// pass of 25 Hz; all that stands still is the same to the last bit of a float.
struct ArdourSession {
    let outline: Outline
    let losses: Losses
    private let name: String
    private let sounds: SoundFiles
    let ids = Numbers()
    let routeNames: [StripID: String]
    let routeIDs: [StripID: String]

    /// Ticks a second of Ardour 7: they fall on the frames of all usual rates.
    private static let ticksPerSecond: Int64 = 282_240_000
    /// As loud as its faders go, 6 dB, and its trims, 20 dB.
    static let (loudestFader, loudestTrim) = (1.99, 10.0)

    /// - Parameters:
    ///   - path: the session's file, as `show.ardour`: its folder becomes the session's.
    ///   - sounds: the files that it plays.
    init(_ outline: Outline, named path: String, _ sounds: SoundFiles, _ losses: Losses) {
        (self.outline, self.losses, self.sounds, name) = (outline, losses, sounds, Path.stem(of: path))
        // Names of ports: no slash, no colon, and no two alike.
        var (names, free): ([StripID: String], FreeNames) = (
            [.master: "Master"], FreeNames(besides: ["Master", "Click", "Monitor"])
        )
        for strip in outline.session.tracks.map(\.strip) + outline.session.buses {
            names[strip.id] = free.free(String(strip.name.map { "/:".contains($0) ? "_" : $0 }))
        }
        routeNames = names
        let ids = ids
        routeIDs = names.mapValues { _ in ids.next() }
    }

    /// Where Ardour looks for sounds that are named without a folder.
    static func soundFolder(of path: String) -> String {
        let folder = Path.folder(of: Path.absolute(path))
        return Path.join(folder, "interchange/\(Path.name(of: folder))/audiofiles")
    }

    /// Whether Ardour plays a clip's file as it is: at the session's rate, with all its samples.
    static func plays(_ piece: Outline.Piece, atRate rate: Int32) -> Bool {
        let format = piece.info.format
        let isWhole =
            ["WAV", "AIFF", "FLAC", "CAF", "W64", "RF64"].contains(where: format.hasPrefix)
            && ["PCM", "float"].contains(where: format.contains)
        return piece.isPlain && isWhole && piece.info.sampleRate == rate && piece.info.truncation == nil
            && piece.place.stream == 1
    }

    /// The session's file.
    var document: String {
        let session = outline.session
        var (sources, playlists): ([XMLElement], [XMLElement]) = ([], [])
        var sourceIDs: [SoundFiles.Sound: [String]] = [:]
        var playlistIDs: [String] = []
        for (index, pieces) in outline.pieces.enumerated() {
            for piece in pieces {
                let sound = sounds.sound(of: piece)
                if sourceIDs[sound] != nil { continue }
                sourceIDs[sound] = sound.sides.map { side in
                    let id = ids.next()
                    sources.append(
                        XMLElement(
                            "Source",
                            [
                                "name": sound.isMade ? Path.name(of: sound.path) : sound.path, "take-id": "",
                                "type": "audio", "flags": "", "id": id, "channel": "\(side)",
                                "origin": "", "gain": "1",
                            ]))
                    return id
                }
            }
            playlistIDs.append(ids.next())
            playlists.append(
                XMLElement(
                    "Playlist",
                    [
                        "id": playlistIDs[index], "name": "\(routeNames[session.tracks[index].id]!).1",
                        "type": "audio", "orig-track-id": "", "shared": "0", "frozen": "0",
                        "combine-ops": "0",
                    ],
                    pieces.enumerated().map { layer, piece in
                        region(piece, sourceIDs[sounds.sound(of: piece)]!, layer)
                    }))
        }
        // A bus stands before what sends to it, so that it is there when that is read.
        let buses = session.buses.enumerated().map { route($1, "AudioBus", 1 + $0) }
        let tracks = session.tracks.enumerated().map {
            route($1.strip, "AudioTrack", 1 + buses.count + $0, playlist: playlistIDs[$0])
        }
        let routes = [route(session.master, "MasterOut", 0)] + buses + tracks
        let locations = locations
        sayWhatIsLost()
        return XMLElement(
            "Session",
            [
                "version": "7002", "name": name, "sample-rate": "\(outline.rate)",
                "session-range-is-free": "1", "id-counter": "\(ids.last + 1)", "name-counter": "1",
                "event-counter": "0", "vca-counter": "1",
            ],
            [
                XMLElement("ProgramVersion", ["created-with": "jmix", "modified-with": "Ardour 7.3"]),
                XMLElement(
                    "Config", [:],
                    [
                        XMLElement("Option", ["name": "native-file-data-format", "value": "FormatFloat"]),
                        XMLElement("Option", ["name": "native-file-header-format", "value": "WAVE"]),
                        XMLElement("Option", ["name": "use-region-fades", "value": "1"]),
                        XMLElement("Option", ["name": "use-transport-fades", "value": "0"]),
                    ]),
                XMLElement("Metadata"), XMLElement("Sources", [:], sources), XMLElement("Regions"),
                XMLElement("Locations", [:], locations), XMLElement("Routes", [:], routes),
                XMLElement("Playlists", [:], playlists), XMLElement("UnusedPlaylists"),
                XMLElement("RouteGroups"), Self.tempo,
            ]
        ).document
    }

    private static let tempo = XMLElement(
        "TempoMap", ["superclocks-per-second": "\(ticksPerSecond)"],
        [
            XMLElement(
                "Tempos", [:],
                [
                    XMLElement(
                        "Tempo",
                        [
                            "npm": "120", "enpm": "120", "note-type": "4", "type": "Tempo::Constant",
                            "active": "1", "locked-to-meter": "0", "continuing": "0", "sclock": "0",
                            "quarters": "0:0", "bbt": "1|1|0", "omega": "0",
                        ])
                ]),
            XMLElement(
                "Meters", [:],
                [
                    XMLElement(
                        "Meter",
                        [
                            "note-value": "4", "divisions-per-bar": "4", "sclock": "0", "quarters": "0:0",
                            "bbt": "1|1|0",
                        ])
                ]),
            XMLElement("MusicTimes"),
        ])

    private var locations: [XMLElement] {
        func location(_ name: String, _ start: Int64, _ end: Int64, _ flags: String) -> XMLElement {
            XMLElement(
                "Location",
                [
                    "id": ids.next(), "name": name, "start": time(start), "end": time(end), "flags": flags,
                    "locked": "0",
                ])
        }
        return [location("session", 0, max(1, outline.end), "IsSessionRange")]
            + outline.session.markers.map {
                location($0.name, outline.frame($0.at), outline.frame($0.at), "IsMark")
            }
    }

    private func sayWhatIsLost() {
        losses.say(
            outline.session,
            but: [
                .fader, .pan, .mute, .trim, .polarity, .volumeAutomation, .panAutomation, .muteAutomation,
                .buses, .sends, .sendAutomation, .markers, .clipGains, .clipFades, .fadeCurves,
                .crossfadesWithFades, .crossfadeCurves, .pace,
                .pitch, .sounds, .equalisers, .compressors,
            ],
            instead: [
                .dcas: "Ardour has no DCAs here: what they do is in the volumes of their members",
                .ducks: "the ducks are drawn into the volume",
                .trackFades: "the track's fades are drawn into the volume",
                .outputs: "it goes nowhere: ports of its own are left out",
            ])
        if !sounds.made.isEmpty {
            losses.say(
                """
                \(sounds.made.count) sounds that Ardour does not play as they are lie in \
                \(Path.folder(of: sounds.made[0].path)) as it does
                """
            )
        }
    }

    // MARK: - Times and lines

    private func time(_ frame: Int64) -> String { "a\(ticks(frame))" }
    private func ticks(_ frame: Int64) -> Int128 {
        RoundingRule.nearest.divide(Int128(frame) * Int128(Self.ticksPerSecond), by: Int128(outline.rate))
    }

    /// - Parameter control: Ardour's name of what it moves.
    func list(_ control: String, _ line: Polyline?) -> XMLElement {
        list(control, line?.points.map { ($0.frame, $0.value) } ?? [], isPlayed: line != nil)
    }

    func list(_ control: String, _ points: [(Int64, Double)], isPlayed: Bool) -> XMLElement {
        let events = XMLElement("events", text: points.map { "\(time($0)) \($1)" }.joined(separator: "\n"))
        return XMLElement(
            "AutomationList",
            [
                "automation-id": control, "id": ids.next(), "interpolation-style": "Linear",
                "time-domain": "AudioTime", "state": isPlayed ? "Play" : "Off",
            ], points.isEmpty ? [] : [events])
    }

    func control(
        _ name: String, _ value: Double, flags: String = "GainLike", phaseInvert: String? = nil
    ) -> XMLElement {
        XMLElement(
            "Controllable",
            [
                "name": name, "id": ids.next(), "flags": flags, "value": "\(value)",
                "phase-invert": phaseInvert,
            ])
    }

    // MARK: - Regions

    private func region(_ piece: Outline.Piece, _ sources: [String], _ layer: Int) -> XMLElement {
        let rising = Polyline(rising: piece.rising, sampleRate: outline.rate)
        let falling = Polyline(falling: piece.falling, to: piece.count, sampleRate: outline.rate)
        let attributes = attributes(of: piece, layer, fades: (!rising.isStill, !falling.isStill))
        return XMLElement(
            "Region",
            pairs: [("name", "\(Path.stem(of: piece.clip.file.text)).\(piece.number)")] + Self.flags
                + attributes + Self.attributes(of: sources),
            [
                curve("Envelope", "envelope", [(0, 1), (piece.count, 1)]),
                curve("FadeIn", "fadein", fadeIn(rising)),
                curve("FadeOut", "fadeout", fadeOut(falling, piece)),
            ])
    }

    private func attributes(
        of piece: Outline.Piece, _ layer: Int, fades: (in: Bool, out: Bool)
    ) -> [(String, String?)] {
        [
            ("start", time(piece.start)),
            ("length", "\(time(piece.count))@\(time(piece.frames.lowerBound))"),
            ("layering-index", "\(layer)"), ("fade-in-active", fades.in ? "1" : "0"),
            ("fade-out-active", fades.out ? "1" : "0"),
            ("scale-amplitude", "\(piece.clip.gain)"), ("id", ids.next()),
        ]
    }

    private func curve(_ name: String, _ control: String, _ points: [(Int64, Double)]) -> XMLElement {
        XMLElement(name, [:], [list(control, points, isPlayed: false)])
    }

    private func fadeIn(_ rising: Polyline) -> [(Int64, Double)] {
        rising.isStill ? [(0, 0), (64, 1)] : rising.points.map { ($0.frame, $0.value) }
    }

    /// Ardour counts a fade out from where it begins.
    private func fadeOut(_ falling: Polyline, _ piece: Outline.Piece) -> [(Int64, Double)] {
        if falling.isStill { return [(0, 1), (64, 0)] }
        let start = piece.count - outline.longest(of: piece.falling)
        return [(0, 1)]
            + falling.points.filter { $0.frame > start }.map { ($0.frame - start, $0.value) }
    }

    private static func attributes(of sources: [String]) -> [(String, String?)] {
        sources.enumerated().flatMap { side, source in
            [("source-\(side)", source), ("master-source-\(side)", source)]
        } + [("channels", "\(sources.count)")]
    }

    /// What is so in every region.
    private static let flags: [(String, String?)] = [
        ("muted", "0"), ("opaque", "0"), ("locked", "0"), ("video-locked", "0"), ("automatic", "0"),
        ("whole-file", "0"), ("import", "0"), ("external", "1"), ("sync-marked", "0"),
        ("left-of-split", "0"), ("right-of-split", "0"), ("hidden", "0"), ("position-locked", "0"),
        ("valid-transients", "0"), ("sync-position", "a0"), ("ancestral-start", "a0"),
        ("ancestral-length", "a0@a0"), ("stretch", "1"), ("shift", "1"), ("envelope-active", "0"),
        ("default-fade-in", "0"), ("default-fade-out", "0"), ("type", "audio"), ("first-edit", "nothing"),
    ]
}
