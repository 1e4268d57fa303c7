import AudioFile
import Engine
import Files
import Timeline
import XML

/// A session as MLT's XML, which melt, Kdenlive and Shotcut open: a playlist for each track, its volume as a filter with keyframes, times in frames of picture.
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
        (self.outline, self.movie, self.rate, self.sounds, self.losses) = (outline, movie, rate, sounds, losses)
    }

    /// Where what it cannot play as it is lies: beside the file.
    static func soundFolder(of path: String) -> String { Path.join(Path.folder(of: path), "\(Path.stem(of: path))-sounds") }

    /// Whether it plays a clip's file as it is: what is mono it would take down by 3 dB on its way to both sides, and of several sounds it knows the first.
    static func plays(_ piece: Outline.Piece) -> Bool {
        piece.isPlain && piece.place.stream == 1 && piece.clip.channels == nil && piece.info.channels == 2 && piece.info.truncation == nil
    }

    /// The file.
    func document(title: String) -> String {
        sayWhatIsLost()
        var (producers, playlists, ids): ([XMLElement], [XMLElement], [SoundFiles.Sound: String]) = ([], [], [:])
        for (index, track) in outline.session.tracks.enumerated() {
            for pieces in layers(outline.pieces[index]) {
                for piece in pieces where ids[sounds.sound(of: piece)] == nil {
                    let sound = sounds.sound(of: piece)
                    ids[sound] = "sound\(ids.count + 1)"
                    let length = rate.frame(sound.frames, atRate: sound.sampleRate)
                    producers.append(XMLElement("producer", ["id": ids[sound], "in": "0", "out": "\(max(0, length - 1))"], [
                        property("resource", sound.path), property("mlt_service", "avformat"), property("length", "\(max(1, length))"), property("video_index", "-1"),
                    ]))
                }
                playlists.append(playlist(pieces, track, "playlist\(playlists.count + 1)") { ids[sounds.sound(of: $0)]! })
            }
        }
        let end = max(1, rate.frame(outline.end, atRate: outline.rate))
        let mixes = playlists.indices.dropFirst().map { index in
            XMLElement("transition", ["id": "mix\(index)", "in": "0", "out": "\(end - 1)"], [
                property("mlt_service", "mix"), property("a_track", "0"), property("b_track", "\(index)"), property("always_active", "1"), property("sum", "1"),
            ])
        }
        var tracks = playlists.map { XMLElement("track", ["producer": $0["id"], "hide": "video"]) }
        if let movie {
            producers.append(XMLElement("producer", ["id": "movie"], [property("resource", movie.path), property("mlt_service", "avformat"), property("audio_index", "-1")]))
            let (begin, from) = (frame(movie.frames.lowerBound), Int64((movie.from * rate.perSecond).rounded()))
            let entry = XMLElement("entry", ["producer": "movie", "in": "\(from)", "out": "\(from + max(1, frame(Int64(movie.frames.count))) - 1)"])
            playlists.append(XMLElement("playlist", ["id": "picture"], (begin > 0 ? [XMLElement("blank", ["length": "\(begin)"])] : []) + [entry]))
            tracks.append(XMLElement("track", ["producer": "picture", "hide": "audio"]))
        }
        let main = XMLElement("tractor", ["id": "main", "title": title, "in": "0", "out": "\(end - 1)"], tracks + mixes)
        return XMLElement("mlt", ["LC_NUMERIC": "C", "version": "7.0.0", "title": title, "producer": "main"], [
            XMLElement("profile", [
                "description": "jmix", "width": "1920", "height": "1080", "progressive": "1", "sample_aspect_num": "1", "sample_aspect_den": "1", "display_aspect_num": "16", "display_aspect_den": "9",
                "frame_rate_num": "\(rate.numerator)", "frame_rate_den": "\(rate.denominator)", "colorspace": "709",
            ]),
        ] + producers + playlists + [main]).document
    }

    private func sayWhatIsLost() {
        let session = outline.session
        let pieces = outline.pieces.flatMap { $0 }
        let off = pieces.filter { piece in [piece.frames.lowerBound, piece.frames.upperBound, piece.start].contains { !rate.hits($0, atRate: outline.rate) } }
        if !off.isEmpty { losses.say("\(off.count) of \(pieces.count) clips do not lie on frames of picture: they are put on the nearest of \(rate) a second") }
        losses.say(session.strips.filter { $0.pan != 0 || !$0[automation: .pan].events.isEmpty }.map(\.name), "pan is left out")
        losses.say(session.strips.filter { !$0.sends.isEmpty }.map(\.name), "sends are left out")
        losses.say(session.buses.map(\.name) + session.dcas.map(\.name), "buses and DCAs are left out: what they do to volumes is in those of the tracks")
        losses.say(session.strips.filter { !$0[automation: .trim].events.isEmpty }.map(\.name), "the automation of its trim is left out")
        losses.say(session.tracks.filter { outline.way(of: $0.strip).last?.id != .master }.map(\.name), "it does not go to the master, and is muted")
        if !session.markers.isEmpty { losses.say("markers are left out") }
        if !session.scenes.isEmpty { losses.say("scenes are left out") }
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

    private func playlist(_ pieces: [Outline.Piece], _ track: Track, _ id: String, producer: (Outline.Piece) -> String) -> XMLElement {
        var (entries, place): ([XMLElement], Int64) = ([], 0)
        for piece in pieces {
            let begin = max(place, frame(piece.frames.lowerBound)), end = max(begin + 1, frame(piece.frames.upperBound))
            if begin > place { entries.append(XMLElement("blank", ["length": "\(begin - place)"])) }
            let from = frame(piece.start)
            let gain = XMLElement("filter", [:], [property("mlt_service", "volume"), property("level", "\(Self.decibels(piece.clip.gain))")])
            entries.append(XMLElement("entry", ["producer": producer(piece), "in": "\(from)", "out": "\(from + end - begin - 1)"], piece.clip.gain == 1 ? [] : [gain]))
            place = end
        }
        let volume = XMLElement("filter", ["id": "\(id)-volume"], [property("mlt_service", "volume"), property("level", keyframes(pieces, track))])
        return XMLElement("playlist", ["id": id], [property("jmix:name", track.name)] + entries + [volume])
    }

    private func frame(_ frame: Int64) -> Int64 { rate.frame(frame, atRate: outline.rate) }
    private func property(_ name: String, _ value: String) -> XMLElement { XMLElement("property", ["name": name], text: value) }

    // MARK: - Volume

    private static func decibels(_ gain: Double) -> Double { gain > 1e-5 ? (Volume.level(gain: gain) * 1000).rounded() / 1000 : silence }

    /// The track's volume and the fades of its clips, in dB. What is said of a frame of picture is reached at its end.
    private func keyframes(_ pieces: [Outline.Piece], _ track: Track) -> String {
        let way = outline.way(of: track.strip)
        if way.contains(where: outline.isMuted) || way[way.count - 1].id != .master { return "\(Self.silence)" }
        let volume = outline.volumeToMaster(of: track.strip)
        let shapes = pieces.map { piece in
            (piece, Polyline(rising: piece.rising, sampleRate: outline.rate), Polyline(falling: piece.falling, to: piece.count, sampleRate: outline.rate))
        }
        var next = 0
        func level(_ picture: Int64) -> Double {
            let place = Int64((Double(picture + 1) / rate.perSecond * Double(outline.rate)).rounded()) - 1
            while next < shapes.count, frame(shapes[next].0.frames.upperBound) <= picture { next += 1 }
            // Where nothing is heard it stands as the next clip begins.
            guard next < shapes.count else { return Self.decibels(abs(volume.value(at: place))) }
            let (piece, rising, falling) = shapes[next]
            let inside = min(max(0, place - piece.frames.lowerBound), piece.count - 1)
            return Self.decibels(abs(volume.value(at: max(place, piece.frames.lowerBound))) * rising.value(at: inside) * falling.value(at: inside))
        }
        let levels = (0..<max(1, frame(outline.end))).map(level)
        return Self.thinned(levels).map { "\($0)=\(levels[$0])" }.joined(separator: ";")
    }

    /// The frames that are needed to draw levels with straight lines.
    private static func thinned(_ levels: [Double]) -> [Int] {
        var (kept, start) = ([0], 0)
        while start < levels.count - 1 {
            // As far as one line goes: doubled until it is too far, then halved back.
            func isStraight(_ end: Int) -> Bool {
                let slope = (levels[end] - levels[start]) / Double(end - start)
                return (start...end).allSatisfy { abs(levels[$0] - levels[start] - slope * Double($0 - start)) <= tolerance }
            }
            var (good, step) = (start + 1, 1)
            while good + step < levels.count, isStraight(good + step) {
                good += step
                step *= 2
            }
            while step > 0 {
                if good + step < levels.count, isStraight(good + step) { good += step }
                step /= 2
            }
            kept.append(good)
            start = good
        }
        return kept
    }
}
