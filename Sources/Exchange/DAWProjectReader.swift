import Files
import JSON
import Timeline
import XML

/// Reads a DAWproject: tracks of sound with their clips, fades, gains and speeds, faders, pans, mutes, sends,
/// groups and effects as buses, automation of volumes and pans, and markers.
struct DAWProjectReader {
    let losses: Losses
    private let archive: ZipReader
    /// Of the project's file.
    private let folder: String
    private let soundFolder: String
    var draft = Draft()
    var clock = Clock(tempo: 120)
    /// What clips refer to, by its id.
    var timelines: [String: XMLElement] = [:]
    private var sounds: [FilePath: String] = [:]
    /// Where the channels of the file have become strips.
    private var strips: [String: Place] = [:]
    private var tracks: [String: Place] = [:]
    private var clips: [Int: [DAWClip.Piece]] = [:]
    var parameters: [String: Parameter] = [:]
    /// jmix wrote it: a strip without a destination goes nowhere.
    private var isOwn = false

    enum Place: Equatable {
        case track(Int)
        case bus(Int)
        case master
    }

    /// A control that automation may point to.
    struct Parameter {
        enum Kind { case volume, pan, mute }
        let place: Place
        let kind: Kind
        /// The bus, where it is one of a send.
        var send: String?
        let unit: String
    }

    private let budget = DAWClip.Budget(2 * Session.maximumClips)

    /// Documents are no longer.
    private static let longest = 256 << 20

    /// - Parameter soundFolder: where the sounds of the archive are put.
    /// - Throws: `ExchangeError`: it is none.
    static func read(_ path: String, soundFolder: String, _ losses: Losses) throws(ExchangeError) -> Draft {
        do {
            let archive = try ZipReader(path)
            let root = try XMLElement(parsing: try archive.read("project.xml", limit: longest))
            guard root.name == "Project" else {
                throw ExchangeError("project.xml in it is no project but \"\(root.name)\"")
            }
            var reader = DAWProjectReader(
                losses: losses, archive: archive, folder: Path.folder(of: Path.absolute(path)),
                soundFolder: soundFolder)
            reader.read(root)
            if reader.draft.files.isEmpty { Path.removeEmpty(reader.draft.folders) }
            return reader.draft
        } catch let error as XMLError {
            throw ExchangeError("project.xml in it: \(error)")
        } catch let error as FileError {
            throw ExchangeError(error, of: path)
        } catch {
            throw ExchangeError("\(error)")
        }
    }

    private init(losses: Losses, archive: ZipReader, folder: String, soundFolder: String) {
        (self.losses, self.archive, self.folder, self.soundFolder) = (losses, archive, folder, soundFolder)
    }

    private mutating func read(_ project: XMLElement) {
        isOwn = project.first("Application")?["name"] == "jmix"
        readTempo(project)
        let arrangement = project.first("Arrangement")
        collect(project)
        let all = (project.first("Structure")?.children ?? []).flatMap(flattened)
        let targets = targets(of: all)
        for track in all { add(track, targets) }
        for track in all { connect(track) }
        if let arrangement { read(arrangement: arrangement) }
        if let scenes = project.first("Scenes"), !scenes.children.isEmpty {
            losses.say("\(scenes.children.count) scenes of clips are left out: the arrangement is read")
        }
    }

    private mutating func read(arrangement: XMLElement) {
        for lanes in arrangement.all("Lanes") {
            read(lanes, unit: lanes["timeUnit"] ?? "beats", track: nil)
        }
        for (index, pieces) in clips { set(pieces, ofTrack: index) }
        if let markers = arrangement.first("Markers") {
            read(markers, unit: arrangement.first("Lanes")?["timeUnit"] ?? "beats", track: nil)
        }
    }

    /// The ids of the channels that others go to or send to: those are buses.
    private func targets(of tracks: [XMLElement]) -> Set<String> {
        Set(
            tracks.compactMap(channel).flatMap { channel in
                [channel["destination"]] + (channel.first("Sends")?.children ?? []).map { $0["destination"] }
            }.compactMap { $0 })
    }

    private mutating func readTempo(_ project: XMLElement) {
        let tempo = project.first("Transport")?.first("Tempo")
        clock = Clock(tempo: tempo.flatMap { number($0, "value") } ?? 120)
        if let points = project.first("Arrangement")?.first("TempoAutomation"),
            Set(points.children.compactMap { $0["value"] }).count > 1
        {
            losses.say("the tempo changes: all of it is read at \(clock.tempo) beats a minute")
        }
    }

    private mutating func set(_ pieces: [DAWClip.Piece], ofTrack index: Int) {
        let name = draft.tracks[index]["name"]?.stringValue ?? ""
        let clips = Self.crossed(pieces).map { JSONValue.object(fields(of: $0, name)) }
        draft.set(["clips": .array(clips)], ofTrack: index)
    }

    /// Everything that has an id.
    private mutating func collect(_ element: XMLElement) {
        if let id = element["id"] { timelines[id] = element }
        for child in element.children { collect(child) }
    }

    private func flattened(_ element: XMLElement) -> [XMLElement] {
        [element] + element.all("Track").flatMap(flattened)
    }
    private func channel(_ element: XMLElement) -> XMLElement? {
        element.name == "Channel" ? element : element.first("Channel")
    }

    // MARK: - Strips

    private mutating func add(_ track: XMLElement, _ targets: Set<String>) {
        let channel = channel(track)
        let name = track["name"] ?? channel?["name"] ?? ""
        guard let place = addPlace(track, channel, name, targets) else { return }
        if let id = track["id"] { tracks[id] = place }
        guard let channel else { return }
        if let id = channel["id"] { strips[id] = place }
        if let devices = channel.first("Devices"), !devices.children.isEmpty {
            let names = devices.children.map { $0["deviceName"] ?? $0["name"] ?? $0.name }
            losses.say([name], "its devices are left out (\(names.joined(separator: ", ")))")
        }
        set(settings(of: channel, place, name), of: place)
    }

    /// The strip that a track becomes; nil, and said: none.
    private mutating func addPlace(
        _ track: XMLElement, _ channel: XMLElement?, _ name: String, _ targets: Set<String>
    ) -> Place? {
        let types = Set((track["contentType"] ?? "").split(separator: " ").map(String.init))
        let role = channel?["role"] ?? "regular"
        if role == "master" { return .master }
        if role == "vca" {
            losses.say([name], "a VCA is left out")
            return nil
        }
        let isFed = channel?["id"].map(targets.contains) == true
        if isFed || ["effect", "submix"].contains(role) || types == ["tracks"] {
            return .bus(draft.addBus(name.isEmpty ? "bus" : name))
        }
        if types.contains("audio") || types.isEmpty || hasSound(track) {
            return .track(draft.addTrack(name.isEmpty ? "track" : name))
        }
        losses.say(
            [name], "a track of \(types.sorted().joined(separator: ", ")) is left out: sound is read")
        return nil
    }

    /// The fields of a strip's faders and switches.
    private mutating func settings(of channel: XMLElement, _ place: Place, _ name: String) -> JSONObject {
        var fields: JSONObject = [:]
        if let volume = takeNote(of: "Volume", .volume, in: channel, place), let value = level(volume) {
            fields.merge(faderAndTrim(value, name))
        }
        fields["pan"] = takeNote(of: "Pan", .pan, in: channel, place).flatMap(balance)
        if takeNote(of: "Mute", .mute, in: channel, place)?["value"] == "true" { fields["mute"] = true }
        if channel["solo"] == "true", place != .master { fields["solo"] = true }
        return fields
    }

    /// Notes a parameter of a strip or of a send of it, whose automation may be anywhere in the file.
    /// - Returns: nil: there is none.
    private mutating func takeNote(
        of element: String, _ kind: Parameter.Kind, in owner: XMLElement, _ place: Place, send: String? = nil
    ) -> XMLElement? {
        guard let parameter = owner.first(element) else { return nil }
        collect(parameter, place, kind, send: send)
        return parameter
    }

    private mutating func collect(
        _ element: XMLElement, _ place: Place, _ kind: Parameter.Kind, send: String? = nil
    ) {
        if let id = element["id"] {
            parameters[id] = Parameter(
                place: place, kind: kind, send: send, unit: element["unit"] ?? "linear")
        }
    }

    mutating func set(_ fields: JSONObject, of place: Place) {
        switch place {
        case .track(let index): draft.set(fields, ofTrack: index)
        case .bus(let index): draft.set(fields, ofBus: index)
        case .master:
            var master = draft.document["master"]?.objectValue ?? [:]
            master.merge(fields)
            draft.document["master"] = .object(master)
        }
    }

    func fields(of place: Place) -> JSONObject {
        switch place {
        case .track(let index): draft.tracks[index]
        case .bus(let index): draft.buses[index]
        case .master: draft.document["master"]?.objectValue ?? [:]
        }
    }

    func name(of place: Place) -> String {
        if case .master = place { "master" } else { fields(of: place)["name"]?.stringValue ?? "" }
    }

    /// Where a strip's sound goes, once all strips have their names.
    private mutating func connect(_ track: XMLElement) {
        guard let channel = channel(track), let id = channel["id"], let place = strips[id] else { return }
        let own = name(of: place)
        if case .master = place { return }
        if let destination = channel["destination"] {
            switch strips[destination] {
            case .bus?: set(["output": .string(name(of: strips[destination]!))], of: place)
            case .master?: break
            case .track?, nil: losses.say([own], "it goes to what is not there, and now to the master")
            }
        } else if isOwn {
            set(["output": "none"], of: place)
        }
        connectSends(of: channel, place, own)
    }

    private mutating func connectSends(of channel: XMLElement, _ place: Place, _ own: String) {
        var sends: [JSONValue] = []
        for element in channel.first("Sends")?.children ?? [] {
            if let send = send(element, of: place, own) { sends.append(.object(send)) }
        }
        if !sends.isEmpty { set(["sends": .array(sends)], of: place) }
    }

    /// A send of the strip at `place`, which is called `own`; nil for one that leads nowhere.
    private mutating func send(_ send: XMLElement, of place: Place, _ own: String) -> JSONObject? {
        guard let target = send["destination"].flatMap({ strips[$0] }), case .bus = target else {
            losses.say([own], "a send of it leads to what is not there, and is left out")
            return nil
        }
        let bus = name(of: target)
        var fields: JSONObject = ["to": .string(bus)]
        if let volume = takeNote(of: "Volume", .volume, in: send, place, send: bus), let value = level(volume)
        {
            fields["volume"] = volumeField(value, own)
        }
        fields["pan"] = takeNote(of: "Pan", .pan, in: send, place, send: bus).flatMap(balance)
        if send.first("Enable")?["value"] == "false" { fields["mute"] = true }
        if send["type"] == "pre" { fields["pre"] = true }
        return fields
    }

    // MARK: - The arrangement

    private mutating func read(_ element: XMLElement, unit: String, track: Place?) {
        let unit = element["timeUnit"] ?? unit
        let place = element["track"].flatMap { tracks[$0] } ?? track
        if element["track"] != nil, place == nil { return }
        switch element.name {
        case "Lanes": for child in element.children { read(child, unit: unit, track: place) }
        case "Clips":
            readClips(element, unit: unit, place)
        case "Points": automate(element, unit)
        case "Markers", "markers": for marker in element.all("Marker") { add(marker: marker, unit) }
        default: losses.say("what is called \(element.name) in the arrangement is left out")
        }
    }

    private mutating func readClips(_ element: XMLElement, unit: String, _ place: Place?) {
        for clip in element.children where clip.name == "Clip" {
            guard let place else {
                losses.say("clips that belong to no track are left out")
                continue
            }
            add(DAWClip(clip, unit: unit, clock: clock, timelines: timelines, budget: budget), to: place)
        }
    }

    private mutating func add(marker: XMLElement, _ unit: String) {
        let (name, time) = (marker["name"] ?? "", number(marker, "time").map { clock.time($0, unit) })
        if let time, time.isOnTimeline {
            draft.addMarker(name, at: time)
        } else {
            losses.say("marker \"\(name)\" lies nowhere, and is left out")
        }
    }

    private mutating func add(_ clip: DAWClip, to place: Place) {
        let name = name(of: place)
        for loss in clip.losses { losses.say("track \"\(name)\": \(loss)") }
        guard case .track(let index) = place else {
            if !clip.pieces.isEmpty { losses.say([name], "its clips are left out: it is a bus") }
            return
        }
        for piece in clip.pieces {
            guard let piece = piece.onTimeline else {
                losses.say(
                    """
                    track "\(name)": a clip at \(piece.at) s is left out: nothing of it lies on the timeline
                    """
                )
                continue
            }
            guard Clip.speeds.contains(piece.speed) else {
                losses.say(
                    """
                    track "\(name)": a clip at \(piece.at) is left out: its speed \(piece.speed) is not one \
                    from \(Clip.speeds.lowerBound) to \(Clip.speeds.upperBound)
                    """
                )
                continue
            }
            guard let file = sound(of: piece) else { continue }
            var own = piece
            own.file = file
            clips[index, default: []].append(own)
        }
    }

    func fields(of piece: DAWClip.Piece, _ track: String) -> JSONObject {
        var fields: JSONObject = ["file": .string(piece.file)]
        for (field, time) in [
            ("at", piece.at), ("from", max(0, piece.from)), ("duration", piece.duration * piece.speed),
        ] { fields[field] = .string(Clock.exact(time).description) }
        if abs(piece.speed - 1) > 1e-6 { fields["speed"] = .number((piece.speed * 1e6).rounded() / 1e6) }
        if piece.gain != 1 { fields["gain"] = volumeField(piece.gain, track) }
        for (field, time) in [
            ("fadeIn", piece.fadeIn), ("fadeOut", piece.fadeOut), ("crossfade", piece.crossfade),
        ] where time > 0 { fields[field] = .string(Clock.exact(time).description) }
        return fields
    }

    /// The file of a sound: one of the archive is put into the folder for them, once.
    private mutating func sound(of piece: DAWClip.Piece) -> String? {
        let name = piece.file
        if piece.isExternal { return Path.join(folder, name) }
        if let path = sounds[FilePath(name)] { return path }
        guard archive.size(of: name) != nil, let made = Path.makeOpenFolder(soundFolder) else {
            losses.say("\(name) is not in the file: what plays it is left out")
            return nil
        }
        draft.folders += made
        let path = freePath(for: name)
        do throws(FileError) {
            try archive.extract(name, to: path, limit: piece.maximumBytes)
        } catch {
            losses.say("\(ExchangeError(error, of: archive.path)): what plays it is left out")
            return nil
        }
        sounds[FilePath(name)] = path
        draft.files.append(path)
        return path
    }

    /// Where a sound of the archive goes. What is there already stays: it may be another's.
    private func freePath(for name: String) -> String {
        // Names in archives are anybody's: no more than the last part is taken of one.
        let last = String(Path.name(of: name).map { "/\\:".contains($0) || $0.isNewline ? "_" : $0 })
        let wanted = Path.join(soundFolder, last.isEmpty || last.hasPrefix(".") ? "sound\(last)" : last)
        var (path, number) = (wanted, 0)
        while Path.exists(path) {
            number += 1
            path = Path.numbered(wanted, number)
        }
        return path
    }
}
