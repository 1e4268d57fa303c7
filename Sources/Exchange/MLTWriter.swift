import AudioFile
import Engine
import Files
import Timeline
import XML

/// A session as MLT's XML, which melt, Kdenlive and Shotcut open: a playlist for each track, its volume as a
/// filter with keyframes, times in frames of picture.
struct MLTWriter {
    private let outline: Outline
    private let movie: Movie?
    private let rate: PictureRate
    private let sounds: SoundFiles
    private let losses: Losses

    /// What stands for silence, in dB.
    private static let silence = -100.0
    /// How far a volume may be from the line between two keyframes, in dB.
    private static let tolerance = 0.05

    init(_ outline: Outline, _ movie: Movie?, _ rate: PictureRate, _ sounds: SoundFiles, _ losses: Losses) {
        (self.outline, self.movie, self.rate, self.sounds, self.losses) = (
            outline, movie, rate, sounds, losses
        )
    }

    /// Where what it cannot play as it is lies: beside the file.
    static func soundFolder(of path: String) -> String {
        Path.join(Path.folder(of: path), "\(Path.stem(of: path))-sounds")
    }

    /// Whether it plays a clip's file as it is: what is mono it would take down by 3 dB on its way to both
    /// sides, and of several sounds it knows the first.
    static func plays(_ piece: Outline.Piece) -> Bool {
        piece.isPlain && piece.place.stream == 1 && piece.clip.channels == nil && piece.info.channels == 2
            && piece.info.truncation == nil
    }

    /// The file.
    func document(title: String) -> String {
        sayWhatIsLost()
        var (producers, playlists, ids): ([XMLElement], [XMLElement], [SoundFiles.Sound: String]) = (
            [], [], [:]
        )
        for (index, track) in outline.session.tracks.enumerated() {
            for pieces in layers(outline.pieces[index]) {
                for sound in pieces.map(sounds.sound(of:)) where ids[sound] == nil {
                    ids[sound] = "sound\(ids.count + 1)"
                    producers.append(producer(sound, ids[sound]!))
                }
                playlists.append(
                    playlist(pieces, track, "playlist\(playlists.count + 1)") { ids[sounds.sound(of: $0)]! })
            }
        }
        let picture = movie.map(picture)
        let main = tractor(title, of: playlists, picture?.playlist)
        return XMLElement(
            "mlt", ["LC_NUMERIC": "C", "version": "7.0.0", "title": title, "producer": "main"],
            [profile] + producers + (picture.map { [$0.producer] } ?? []) + playlists
                + (picture.map { [$0.playlist] } ?? []) + [main]
        ).document
    }

    /// What plays all of it at once: the playlists of sound, mixed, and that of the picture.
    private func tractor(
        _ title: String, of playlists: [XMLElement], _ picture: XMLElement?
    ) -> XMLElement {
        let end = max(1, rate.frame(max(outline.end, movie?.frames.upperBound ?? 0), atRate: outline.rate))
        let sounds = playlists.map { XMLElement("track", ["producer": $0["id"], "hide": "video"]) }
        let pictures =
            picture.map { [XMLElement("track", ["producer": $0["id"], "hide": "audio"])] } ?? []
        let mixes = playlists.indices.dropFirst().map { mix(ofTrack: $0, to: end - 1) }
        return XMLElement(
            "tractor", ["id": "main", "title": title, "in": "0", "out": "\(end - 1)"],
            sounds + pictures + mixes)
    }

    /// Adds the sound of a track to that of the first.
    private func mix(ofTrack index: Int, to last: Int64) -> XMLElement {
        XMLElement(
            "transition", ["id": "mix\(index)", "in": "0", "out": "\(last)"],
            [
                property("mlt_service", "mix"), property("a_track", "0"), property("b_track", "\(index)"),
                property("always_active", "1"), property("sum", "1"),
            ])
    }

    private var profile: XMLElement {
        XMLElement(
            "profile",
            [
                "description": "jmix", "width": "1920", "height": "1080", "progressive": "1",
                "sample_aspect_num": "1", "sample_aspect_den": "1", "display_aspect_num": "16",
                "display_aspect_den": "9",
                "frame_rate_num": "\(rate.numerator)", "frame_rate_den": "\(rate.denominator)",
                "colorspace": "709",
            ])
    }

    private func producer(_ sound: SoundFiles.Sound, _ id: String) -> XMLElement {
        let length = rate.frame(sound.frames, atRate: sound.sampleRate)
        return XMLElement(
            "producer", ["id": id, "in": "0", "out": "\(max(0, length - 1))"],
            [
                property("resource", sound.path), property("mlt_service", "avformat"),
                property("length", "\(max(1, length))"), property("video_index", "-1"),
            ])
    }

    /// What plays the picture of a movie, and where it lies.
    private func picture(_ movie: Movie) -> (producer: XMLElement, playlist: XMLElement) {
        let (begin, from) = (
            frame(movie.frames.lowerBound), Int64((movie.from * rate.perSecond).rounded())
        )
        let last = from + max(1, frame(Int64(movie.frames.count))) - 1
        let entry = XMLElement("entry", ["producer": "movie", "in": "\(from)", "out": "\(last)"])
        let blanks = begin > 0 ? [XMLElement("blank", ["length": "\(begin)"])] : []
        return (producer(of: movie), XMLElement("playlist", ["id": "picture"], blanks + [entry]))
    }

    private func producer(of movie: Movie) -> XMLElement {
        XMLElement(
            "producer", ["id": "movie"],
            [
                property("resource", movie.path), property("mlt_service", "avformat"),
                property("audio_index", "-1"),
            ])
    }

    private func sayWhatIsLost() {
        let session = outline.session
        rate.sayWhatIsOff(outline, losses)
        let short = outline.pieces.joined().filter {
            frame($0.frames.lowerBound) == frame($0.frames.upperBound)
        }
        if !short.isEmpty {
            losses.say("\(short.count) clips that are shorter than a frame of picture are left out")
        }
        losses.say(
            session,
            but: [
                .fader, .mute, .trim, .volumeAutomation, .muteAutomation, .trackFades, .ducks, .video,
                .clipGains, .clipFades, .fadeCurves, .crossfadesWithFades, .crossfadeCurves, .pace, .pitch,
                .sounds,
            ],
            instead: [
                .buses: "buses are left out: what they do to volumes is in those of the tracks",
                .dcas: "DCAs are left out: what they do to volumes is in those of the tracks",
                .outputs: "it does not go to the master, and is muted",
            ])
    }

    /// Clips one behind the other: of those that cross over each second one lies on a playlist beside.
    private func layers(_ pieces: [Outline.Piece]) -> [[Outline.Piece]] {
        var layers: [[Outline.Piece]] = [[], []]
        var current = 0
        for piece in pieces {
            if piece.crossed > 0 { current = 1 - current }
            layers[current].append(piece)
        }
        return [layers[0]] + (layers[1].isEmpty ? [] : [layers[1]])
    }

    private func playlist(
        _ pieces: [Outline.Piece], _ track: Track, _ id: String, producer: (Outline.Piece) -> String
    ) -> XMLElement {
        var (entries, place): ([XMLElement], Int64) = ([], 0)
        for piece in pieces {
            let (begin, end) = (frame(piece.frames.lowerBound), frame(piece.frames.upperBound))
            if begin == end { continue }
            if begin > place { entries.append(XMLElement("blank", ["length": "\(begin - place)"])) }
            entries.append(entry(piece, producer(piece), begin..<end))
            place = end
        }
        let content = [property("jmix:name", track.name)] + entries + [volume(pieces, track, id)]
        return XMLElement("playlist", ["id": id], content)
    }

    private func volume(_ pieces: [Outline.Piece], _ track: Track, _ id: String) -> XMLElement {
        XMLElement(
            "filter", ["id": "\(id)-volume"],
            [property("mlt_service", "volume"), property("level", keyframes(pieces, track))])
    }

    private func entry(_ piece: Outline.Piece, _ producer: String, _ pictures: Range<Int64>) -> XMLElement {
        let from = frame(piece.start)
        let gain = XMLElement(
            "filter", [:],
            [property("mlt_service", "volume"), property("level", "\(Self.decibels(piece.clip.gain))")])
        return XMLElement(
            "entry",
            ["producer": producer, "in": "\(from)", "out": "\(from + Int64(pictures.count) - 1)"],
            piece.clip.gain == 1 ? [] : [gain])
    }

    private func frame(_ frame: Int64) -> Int64 { rate.frame(frame, atRate: outline.rate) }
    private func property(_ name: String, _ value: String) -> XMLElement {
        XMLElement("property", ["name": name], text: value)
    }

    // MARK: - Volume

    private static func decibels(_ gain: Double) -> Double {
        gain > 1e-5 ? (Volume.level(gain: gain) * 1000).rounded() / 1000 : silence
    }

    /// The track's volume and the fades of its clips, in dB. What is said of a frame of picture is reached at
    /// its end.
    private func keyframes(_ pieces: [Outline.Piece], _ track: Track) -> String {
        let way = outline.way(of: track.strip)
        if way.contains(where: outline.isMuted) || way[way.count - 1].id != .master {
            return "\(Self.silence)"
        }
        let volume = outline.volumeToMaster(of: track.strip)
        let shapes = pieces.map { Shape($0, sampleRate: outline.rate) }
        func level(_ picture: Int64) -> Double { self.level(ofPicture: picture, volume, shapes) }
        let line = Polyline(through: corners(volume, shapes), level) { abs($0 - $1) <= Self.tolerance }
        return line.points.map { "\($0.frame)=\($0.value)" }.joined(separator: ";")
    }

    /// A clip and its fades.
    private struct Shape {
        let piece: Outline.Piece
        let rising, falling: Polyline

        init(_ piece: Outline.Piece, sampleRate: Int32) {
            self.piece = piece
            rising = Polyline(rising: piece.rising, sampleRate: sampleRate)
            falling = Polyline(falling: piece.falling, to: piece.count, sampleRate: sampleRate)
        }
    }

    /// In dB, at the end of a frame of picture. Where nothing is heard it stands as the next clip begins.
    private func level(ofPicture picture: Int64, _ volume: Polyline, _ shapes: [Shape]) -> Double {
        let place = Int64((Double(picture + 1) / rate.perSecond * Double(outline.rate)).rounded()) - 1
        let low = firstShape(endingAfter: picture, shapes)
        guard low < shapes.count else { return Self.decibels(volume.value(at: place)) }
        let (shape, begin) = (shapes[low], shapes[low].piece.frames.lowerBound)
        let inside = min(max(0, place - begin), shape.piece.count - 1)
        return Self.decibels(
            volume.value(at: max(place, begin)) * shape.rising.value(at: inside)
                * shape.falling.value(at: inside))
    }

    private func firstShape(endingAfter picture: Int64, _ shapes: [Shape]) -> Int {
        // The first that has not ended by then.
        var (low, high) = (0, shapes.count)
        while low < high {
            let middle = (low + high) / 2
            if frame(shapes[middle].piece.frames.upperBound) <= picture {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// The frames of picture where anything begins to move otherwise, and those beside them.
    private func corners(_ volume: Polyline, _ shapes: [Shape]) -> [Int64] {
        var corners: Set<Int64> = [0]
        func add(_ place: Int64) {
            for near in frame(place) - 1...frame(place) + 1 where near >= 0 { corners.insert(near) }
        }
        for point in volume.points { add(point.frame) }
        for shape in shapes {
            let (piece, bends) = (shape.piece, shape.rising.points + shape.falling.points)
            for place in [0, piece.count] + bends.map(\.frame) where place <= piece.count {
                add(piece.frames.lowerBound + place)
            }
        }
        let end = frame(outline.end)
        return corners.filter { $0 <= end }.sorted()
    }
}
