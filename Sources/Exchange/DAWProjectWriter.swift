import AudioFile
import Engine
import Files
import Timeline
import XML

/// A session as DAWproject 1.0: a ZIP archive of a document and the sounds. Times are seconds, volumes
/// linear.
struct DAWProjectWriter {
    private let outline: Outline
    private let losses: Losses
    private let sounds: SoundFiles
    private let ids = Numbers("id")

    /// Where the sounds lie in the archive.
    private static let folder = "audio/"

    /// - Parameter folder: new sounds are made there, and can go when this has been written.
    init(_ outline: Outline, in folder: String, _ losses: Losses) {
        (self.outline, self.losses) = (outline, losses)
        // Those that read it know the usual files, and no more than two channels of each.
        sounds = SoundFiles(outline, folder: folder) { piece in
            piece.isPlain && piece.info.truncation == nil && piece.clip.channels == nil
                && ["WAV", "AIFF", "FLAC"].contains(where: piece.info.format.hasPrefix)
        }
    }

    /// - Throws: `FileError`, `AudioFileError`: something cannot be read or written.
    func write(
        to path: String, title: String, replaces: Bool, _ sources: SourceStamps, _ goesOn: () -> Bool
    ) throws {
        let document = document
        // What was made lies in the archive then.
        defer { sounds.removeFolder() }
        try sounds.write(goesOn) {
            let archive = try ZipWriter(path)
            try archive.add(document, as: "project.xml")
            try archive.add(
                XMLElement("MetaData", [:], [XMLElement("Title", text: title)]).document, as: "metadata.xml")
            for (name, file) in names.files { try archive.add(file: file, as: name) }
            try archive.write(goesOn)
            try sources.check()
            try archive.publish(replaces: replaces)
        }
    }

    /// The names of files in the archive.
    private final class Names {
        private(set) var files: [(name: String, file: String)] = []
        private var known: [FilePath: String] = [:]
        private var taken: Set<String> = []

        func name(of file: String) -> String {
            if let name = known[FilePath(file)] { return name }
            var (name, number) = (DAWProjectWriter.folder + Path.name(of: file), 0)
            while !taken.insert(name).inserted {
                number += 1
                name = DAWProjectWriter.folder + Path.name(of: Path.numbered(file, number))
            }
            files.append((name, file))
            known[FilePath(file)] = name
            return name
        }
    }
    private let names = Names()

    // MARK: - The document

    /// What automation points to.
    private struct Channel {
        let id: String
        let volume: String
        let pan: String
        let mute: String
        let sends: [StripID: (volume: String, pan: String)]
    }

    private var document: String {
        let session = outline.session
        var channels: [StripID: Channel] = [:]
        for strip in session.tracks.map(\.strip) + session.buses + [session.master] {
            channels[strip.id] = Channel(
                id: ids.next(), volume: ids.next(), pan: ids.next(), mute: ids.next(),
                sends: Dictionary(uniqueKeysWithValues: strip.sends.map { ($0.id, (ids.next(), ids.next())) })
            )
        }
        sayWhatIsLost()
        var (structure, lanes): ([XMLElement], [XMLElement]) = ([], [])
        for (index, strip) in (session.tracks.map(\.strip) + session.buses + [session.master]).enumerated() {
            let track = ids.next()
            structure.append(
                XMLElement(
                    "Track", ["contentType": "audio", "loaded": "true", "id": track, "name": strip.name],
                    [channel(strip, isBus: index >= session.tracks.count, channels)]))
            let clips =
                index < session.tracks.count
                ? [XMLElement("Clips", ["id": ids.next()], outline.pieces[index].map(clip))] : []
            let content = clips + automation(of: strip, channels[strip.id]!)
            if !content.isEmpty {
                lanes.append(XMLElement("Lanes", ["track": track, "id": ids.next()], content))
            }
        }
        let markers = XMLElement(
            "Markers", ["id": ids.next()],
            session.markers.map {
                XMLElement("Marker", ["time": seconds(outline.frame($0.at)), "name": $0.name])
            })
        let arrangement =
            [XMLElement("Lanes", ["timeUnit": "seconds", "id": ids.next()], lanes)]
            + (session.markers.isEmpty ? [] : [markers])
        return XMLElement(
            "Project", ["version": "1.0"],
            [
                XMLElement("Application", ["name": "jmix", "version": "1"]),
                XMLElement(
                    "Transport", [:],
                    [
                        XMLElement(
                            "Tempo",
                            [
                                "max": "666", "min": "20", "unit": "bpm", "value": "120", "id": ids.next(),
                                "name": "Tempo",
                            ]),
                        XMLElement(
                            "TimeSignature", ["denominator": "4", "numerator": "4", "id": ids.next()]),
                    ]),
                XMLElement("Structure", [:], structure),
                XMLElement("Arrangement", ["id": ids.next()], arrangement),
            ]
        ).document
    }

    private func sayWhatIsLost() {
        let session = outline.session
        losses.say(
            session,
            but: [
                .fader, .pan, .mute, .trim, .solo, .volumeAutomation, .panAutomation, .muteAutomation, .buses,
                .sends, .sendAutomation, .markers, .clipGains, .clipFades, .pace, .pitch, .sounds,
            ],
            instead: [
                .dcas: "DCAs are left out: what they do is in the volumes of their members",
                .ducks: "the ducks are drawn into the volume",
                .trackFades: "the track's fades are drawn into the volume",
                .fadeCurves: "the curves of fades are left to whoever reads it",
                .crossfadeCurves: "the curves of crossfades are left to whoever reads it",
                .outputs:
                    """
                it goes to no bus and not to the master: it has no destination, which others may take for \
                the master
                """,
            ])
        sayWhatStripsLose(session)
        if let first = outline.pieces.joined().first, first.info.sampleRate != outline.rate {
            losses.say("the session's rate, \(outline.rate), is left out")
        }
    }

    private func sayWhatStripsLose(_ session: Session) {
        losses.say(
            session.strips.filter { $0.trim != 1 && $0.sends.contains(where: \.isPre) }.map(\.name),
            "trim is in the volume: its sends before the fader go without")
        losses.say(session.strips.filter { $0.soloSafe }.map(\.name), "that it is safe from solo is left out")
    }

    private func send(_ send: Send, _ own: Channel, to target: Channel) -> XMLElement {
        XMLElement(
            "Send",
            ["destination": target.id, "type": send.isPre ? "pre" : "post", "id": ids.next()],
            [
                XMLElement(
                    "Enable",
                    ["value": send.isClosed ? "false" : "true", "id": ids.next(), "name": "Enable"]),
                pan(send.pan, own.sends[send.id]!.pan), volume(send.volume, own.sends[send.id]!.volume),
            ])
    }

    private func mute(_ isMuted: Bool, _ id: String) -> XMLElement {
        XMLElement("Mute", ["value": isMuted ? "true" : "false", "id": id, "name": "Mute"])
    }

    private func channel(_ strip: Strip, isBus: Bool, _ channels: [StripID: Channel]) -> XMLElement {
        let own = channels[strip.id]!
        let destination = destination(of: strip, channels)
        let isSentTo = outline.sentTo.contains(strip.id)
        let sends = strip.sends.map { self.send($0, own, to: channels[$0.bus]!) }
        return XMLElement(
            "Channel",
            [
                "audioChannels": "2", "destination": destination,
                "role": strip.id == .master ? "master" : isBus ? (isSentTo ? "effect" : "submix") : "regular",
                "solo": strip.solo ? "true" : "false", "id": own.id,
            ],
            [mute(outline.isMuted(strip), own.mute), pan(strip.pan, own.pan)]
                + (sends.isEmpty ? [] : [XMLElement("Sends", [:], sends)]) + [
                    volume(level(of: strip).first, own.volume)
                ])
    }

    private func destination(of strip: Strip, _ channels: [StripID: Channel]) -> String? {
        switch strip.output {
        case .master: strip.id == .master ? nil : channels[.master]!.id
        case .bus(let id): channels[id]!.id
        case .none, .ports: nil
        }
    }

    /// The volume over time, with the trim.
    private func level(of strip: Strip) -> Polyline { outline.volume(of: strip).times(strip.trim) }

    private func volume(_ value: Double, _ id: String) -> XMLElement {
        XMLElement(
            "Volume",
            ["max": "16", "min": "0", "unit": "linear", "value": "\(value)", "id": id, "name": "Volume"])
    }
    private func pan(_ value: Double, _ id: String) -> XMLElement {
        XMLElement(
            "Pan",
            [
                "max": "1", "min": "0", "unit": "normalized", "value": "\((value + 1) / 2)", "id": id,
                "name": "Pan",
            ])
    }

    private func seconds(_ frame: Int64) -> String { "\(Double(frame) / Double(outline.rate))" }

    // MARK: - Automation

    private func automation(of strip: Strip, _ channel: Channel) -> [XMLElement] {
        var lines: [(Polyline, String, String)] = [(level(of: strip), channel.volume, "linear")]
        func pan(_ automation: Automation, _ value: Double, _ id: String) {
            if !automation.events.isEmpty {
                lines.append(
                    (
                        Polyline(automation, startingAt: value, sampleRate: outline.rate).times(
                            0.5, plus: 0.5), id, "normalized"
                    ))
            }
        }
        pan(strip[automation: .pan], strip.pan, channel.pan)
        for send in strip.sends {
            lines.append((outline.volume(of: send), channel.sends[send.id]!.volume, "linear"))
            pan(send[automation: .pan], send.pan, channel.sends[send.id]!.pan)
        }
        return lines.filter { !$0.0.isStill }.map { line, id, unit in
            XMLElement(
                "Points", ["unit": unit, "id": ids.next()],
                [XMLElement("Target", ["parameter": id])] + points(line))
        }
    }

    /// What stands until it steps says so; all else goes straight to the next point.
    private func points(_ line: Polyline) -> [XMLElement] {
        let all = line.points
        var points: [XMLElement] = []
        for (index, point) in all.enumerated() {
            let next = index + 1 < all.count ? all[index + 1] : nil
            let steps = next.map { $0.frame == point.frame + 1 } ?? true
            // The end of what stands, just before it steps.
            if steps, next != nil, index > 0, all[index - 1].value == point.value { continue }
            points.append(
                XMLElement(
                    "RealPoint",
                    [
                        "value": "\(point.value)",
                        "interpolation": steps || next?.value == point.value ? "hold" : "linear",
                        "time": seconds(point.frame),
                    ]))
        }
        return points
    }

    // MARK: - Clips

    private func clip(_ piece: Outline.Piece) -> XMLElement {
        let sound = sounds.sound(of: piece)
        let audio = XMLElement(
            "Audio",
            [
                "channels": "\(sound.channels)", "sampleRate": "\(sound.sampleRate)",
                "duration": "\(Double(sound.frames) / Double(sound.sampleRate))", "id": ids.next(),
            ], [XMLElement("File", ["path": names.name(of: sound.path)])])
        // A crossfade counts from the place where the earlier clip ends; the later one begins so much before
        // it.
        let begin = piece.frames.lowerBound + piece.crossed
        let fadeIn = piece.crossed > 0 ? -piece.crossed : outline.frame(piece.clip.fadeIn.duration)
        let fadeOut = outline.longest(of: piece.falling)
        return XMLElement(
            "Clip",
            [
                "time": seconds(begin), "duration": seconds(piece.frames.upperBound - begin),
                "contentTimeUnit": "seconds", "playStart": seconds(piece.start + piece.crossed),
                "fadeTimeUnit": "seconds", "fadeInTime": seconds(fadeIn), "fadeOutTime": seconds(fadeOut),
                "name": Path.stem(of: piece.clip.file.text),
            ],
            [
                piece.clip.gain == 1
                    ? audio : XMLElement("Lanes", ["id": ids.next()], [audio, gain(of: piece)])
            ])
    }

    private func gain(of piece: Outline.Piece) -> XMLElement {
        XMLElement(
            "Points", ["unit": "linear", "id": ids.next()],
            [
                XMLElement("Target", ["expression": "gain"]),
                XMLElement(
                    "RealPoint", ["value": "\(piece.clip.gain)", "interpolation": "hold", "time": "0.0"]),
            ])
    }
}
