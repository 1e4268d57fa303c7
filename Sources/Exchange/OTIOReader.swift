import Engine
import Files
import JSON
import Timeline

/// Reads OpenTimelineIO: tracks of sound with their gaps, clips, dissolves and speeds, and markers. What
/// `OTIOWriter` kept in the metadata comes back where nobody has changed what it belongs to.
struct OTIOReader {
    let losses: Losses
    var draft = Draft()

    /// - Throws: `ExchangeError`: it is no timeline.
    static func read(_ text: String, _ losses: Losses) throws(ExchangeError) -> Draft {
        let root: JSONValue
        do throws(JSONSyntaxError) { root = try JSONValue(parsing: text) } catch {
            throw ExchangeError("\(error)")
        }
        var reader = OTIOReader(losses)
        try reader.read(root)
        return reader.draft
    }

    private init(_ losses: Losses) { self.losses = losses }

    private mutating func read(_ root: JSONValue) throws(ExchangeError) {
        let timeline = try timeline(of: root)
        guard let stack = timeline["tracks"], Self.schema(stack) == "Stack" else {
            throw ExchangeError("the timeline has no tracks")
        }
        if let own = Self.own(timeline) { draft.document = own.without(["tracks", "markers", "video"]) }
        for track in stack["children"]?.arrayValue ?? [] { read(member: track) }
        for marker in stack["markers"]?.arrayValue ?? [] { add(marker, from: .zero) }
    }

    /// The first timeline that there is.
    private func timeline(of root: JSONValue) throws(ExchangeError) -> JSONValue {
        switch Self.schema(root) {
        case "Timeline": return root
        case "SerializableCollection":
            let timelines = (root["children"]?.arrayValue ?? []).filter { Self.schema($0) == "Timeline" }
            guard let first = timelines.first else { throw ExchangeError("there is no timeline in it") }
            losses.say(
                timelines.dropFirst().map { $0["name"]?.stringValue ?? "" },
                "one timeline is read, and these are left out")
            return first
        default:
            throw ExchangeError(
                """
                it is no OpenTimelineIO file: its OTIO_SCHEMA is \
                \(root["OTIO_SCHEMA"]?.compactText ?? "missing"), not Timeline
                """
            )
        }
    }

    /// What stands in the timeline's stack: a track of sound, or the picture.
    private mutating func read(member: JSONValue) {
        let name = member["name"]?.stringValue ?? ""
        guard Self.schema(member) == "Track" else {
            return losses.say([name], "it is a \(Self.schema(member)) beside the tracks, and left out")
        }
        let kind = member["kind"]?.stringValue
        if kind == "Video", draft.document["video"] == nil, let video = video(member, name) {
            draft.document["video"] = .object(video)
        } else if let kind, kind != "Audio" {
            losses.say([name.isEmpty ? kind : name], "a track of kind \(kind) is left out: sound is read")
        } else {
            read(track: member, name)
        }
    }

    /// The effects of a picture, and that it goes on where its clip ends.
    private func sayWhatIsNotSeen(of clip: JSONValue, in track: JSONValue, _ place: String) {
        for effect in (track["effects"]?.arrayValue ?? []) + (clip["effects"]?.arrayValue ?? [])
        where effect["enabled"]?.boolValue != false {
            losses.say(
                """
                \(place): the picture is seen as it is, without \
                "\(effect["effect_name"]?.stringValue ?? Self.schema(effect))\"
                """
            )
        }
        guard let reference = Self.reference(clip), let duration = Self.duration(clip),
            let available = Self.time(reference["available_range"]?["duration"])
        else { return }
        if (Self.start(of: clip, reference) + duration).seconds < available.seconds - 0.05 {
            losses.say("\(place): the picture is seen to its end, and not cut after \(duration)")
        }
    }

    /// A track of pictures that is one movie: the session's.
    private func video(_ track: JSONValue, _ name: String) -> JSONObject? {
        let items = track["children"]?.arrayValue ?? []
        let place = "track \"\(name)\""
        guard track["enabled"]?.boolValue != false, items.filter({ Self.schema($0) != "Gap" }).count == 1,
            let clip = items.first(where: { Self.schema($0) == "Clip" }), clip["enabled"]?.boolValue != false,
            let reference = Self.reference(clip), Self.schema(reference) == "ExternalReference",
            let path = reference["target_url"]?.stringValue.flatMap(OTIO.path)
        else { return nil }
        sayWhatIsNotSeen(of: clip, in: track, place)
        var at = MediaTime.zero
        for item in items {
            if Self.schema(item) == "Gap" { at = at + (Self.duration(item) ?? .zero) } else { break }
        }
        let from = Self.start(of: clip, reference)
        return Self.ownVideo(clip, path, at: at, from: from) ?? video(path, at: at, from: from, place)
    }

    /// What was kept of it, where it lies as it did.
    private static func ownVideo(
        _ clip: JSONValue, _ path: String, at: MediaTime, from: MediaTime
    ) -> JSONObject? {
        guard let own = own(clip), var video = own["video"]?.objectValue,
            let offset = own["offset"]?.doubleValue, abs((at - from).seconds - offset) < 1e-3
        else { return nil }
        video["file"] = .string(path)
        return video
    }

    private func video(_ path: String, at: MediaTime, from: MediaTime, _ place: String) -> JSONObject {
        if at > .zero, from > .zero {
            losses.say(
                """
                \(place): the picture is seen from its beginning, as far as it lies on the timeline, and not \
                from \(from) on
                """
            )
        }
        var video: JSONObject = ["file": .string(path)]
        if at != .zero { video["at"] = .string(at.description) }
        if from > .zero { video["from"] = .string(from.description) }
        return video
    }

    static func reference(_ item: JSONValue) -> JSONValue? {
        item["media_references"]?[item["active_media_reference_key"]?.stringValue ?? "DEFAULT_MEDIA"]
            ?? item["media_reference"]
    }

    /// Where in its file a clip begins. A tape's first frame may be called one o'clock.
    private static func start(of item: JSONValue, _ reference: JSONValue) -> MediaTime {
        let available = time(reference["available_range"]?["start_time"]) ?? .zero
        let first = time(item["source_range"]?["start_time"]) ?? available
        return first - available < .zero ? first : first - available
    }

    private mutating func read(track: JSONValue, _ name: String) {
        var fields = Self.own(track) ?? [:]
        if track["enabled"]?.boolValue == false { fields["mute"] = true }
        if track["source_range"]?.objectValue != nil {
            losses.say([name], "the range of the track is left out: all of it is read")
        }
        sayEffects(of: track, name)
        let number = draft.addTrack(name.isEmpty ? "track" : name, fields)
        let clips = clips(of: track["children"]?.arrayValue ?? [], name)
        for marker in track["markers"]?.arrayValue ?? [] { add(marker, from: .zero) }
        draft.set(["clips": .array(clips.map(JSONValue.object))], ofTrack: number)
    }

    /// What lies in a track, one behind the other.
    private mutating func clips(of items: [JSONValue], _ track: String) -> [JSONObject] {
        var (clips, place): ([JSONObject], MediaTime) = ([], .zero)
        for (index, item) in items.enumerated() {
            let (title, duration) = (item["name"]?.stringValue ?? "", Self.duration(item))
            switch Self.schema(item) {
            case "Gap": place = place + (duration ?? .zero)
            case "Transition": sayIfAlone(index, items, track)
            case "Clip":
                if let clip = clip(
                    item, track, at: place, duration, crossed: Self.crossing(items, index, -1),
                    crosses: Self.crossing(items, index, 1))
                {
                    clips.append(clip)
                }
                for marker in item["markers"]?.arrayValue ?? [] {
                    add(marker, from: place - (Self.time(item["source_range"]?["start_time"]) ?? .zero))
                }
                guard let duration else {
                    losses.say(
                        """
                        track "\(track)": nothing says how long "\(title)" is: what stands behind it is left \
                        out
                        """
                    )
                    return clips
                }
                place = place + duration
            default:
                losses.say(
                    "track \"\(track)\": \"\(title)\" is a \(Self.schema(item)) in the track, and left out")
                place = place + (duration ?? .zero)
            }
        }
        return clips
    }

    /// The transition between an item and the next clip before it (-1) or behind it (1), if there are both.
    private static func crossing(
        _ items: [JSONValue], _ index: Int, _ side: Int
    ) -> (before: MediaTime, after: MediaTime)? {
        guard items.indices.contains(index + 2 * side), schema(items[index + 2 * side]) == "Clip",
            case let transition = items[index + side], schema(transition) == "Transition"
        else { return nil }
        return (time(transition["in_offset"]) ?? .zero, time(transition["out_offset"]) ?? .zero)
    }

    private func sayIfAlone(_ index: Int, _ items: [JSONValue], _ track: String) {
        let isBetween = [index - 1, index + 1].allSatisfy {
            items.indices.contains($0) && Self.schema(items[$0]) == "Clip"
        }
        if isBetween { return }
        losses.say(
            """
            track "\(track)": the transition "\(items[index]["name"]?.stringValue ?? "")" is not between two \
            clips, and left out
            """
        )
    }

    /// - Parameters:
    ///   - crossed: how much it is heard before and behind the place where the clip before it ends.
    ///   - crosses: the same of the clip behind it.
    private func clip(
        _ item: JSONValue, _ track: String, at place: MediaTime, _ duration: MediaTime?,
        crossed: (before: MediaTime, after: MediaTime)?, crosses: (before: MediaTime, after: MediaTime)?
    ) -> JSONObject? {
        let title = item["name"]?.stringValue ?? ""
        func lose(_ reason: String) -> JSONObject? {
            losses.say("track \"\(track)\": clip \"\(title)\" at \(place) is left out: \(reason)")
            return nil
        }
        if item["enabled"]?.boolValue == false { return lose("it is switched off") }
        guard let reference = Self.reference(item), Self.schema(reference) == "ExternalReference",
            let url = reference["target_url"]?.stringValue
        else { return lose("it names no file") }
        guard let path = OTIO.path(url) else { return lose("\(url) is no file of this machine") }
        let speed = Self.speed(of: item)
        sayEffects(of: item, "track \"\(track)\", clip \"\(title)\"")
        guard Clip.speeds.contains(abs(speed)) else {
            return lose(
                "its speed \(speed) is not one from \(Clip.speeds.lowerBound) to \(Clip.speeds.upperBound)")
        }
        if let own = Self.own(item), var clip = own["clip"]?.objectValue,
            Self.isUntouched(item, own, place, path, crossed)
        {
            clip["file"] = .string(path)
            return clip
        }
        var passage = Passage(speed, at: place, from: Self.start(of: item, reference), duration)
        if let crossed, !passage.cross(crossed) {
            losses.say(
                """
                track "\(track)": "\(title)" has nothing before \(passage.from) to cross over with: it \
                begins at \(place)
                """
            )
        }
        if let crosses { passage.goOn(for: crosses.after) }
        guard passage.isOnTimeline else { return lose("it does not lie on the timeline") }
        return passage.fields(
            path,
            Self.own(item)?["clip"]?.objectValue?.without([
                "at", "from", "duration", "crossfade", "speed", "reverse",
            ]) ?? [:])
    }

    private static func speed(of item: JSONValue) -> Double {
        (item["effects"]?.arrayValue ?? []).reduce(1) { speed, effect in
            guard effect["enabled"]?.boolValue != false, schema(effect) == "LinearTimeWarp" else {
                return speed
            }
            return speed * (effect["time_scalar"]?.doubleValue ?? 1)
        }
    }

    /// Where a clip lies, and what it plays of its file.
    private struct Passage {
        private let speed: Double
        private var at: MediaTime
        private(set) var from: MediaTime
        /// On the timeline; nil: to the file's end.
        private var length: MediaTime?
        private var crossfade: MediaTime?

        /// - Parameter speed: below 0 backwards.
        init(_ speed: Double, at: MediaTime, from: MediaTime, _ length: MediaTime?) {
            (self.speed, self.at, self.from, self.length) = (speed, at, from, length)
        }

        /// A time of the timeline, as long as it is in the file.
        private func ofFile(_ time: MediaTime) -> MediaTime {
            var plain = Clip(file: "")
            plain.speed = abs(speed)
            return plain.ofFile(time)
        }

        /// Crosses over with the clip before it.
        /// - Returns: false, and does not, where the file has nothing before what is played.
        mutating func cross(_ time: (before: MediaTime, after: MediaTime)) -> Bool {
            if speed > 0 {
                let lead = ofFile(time.before)
                if from < lead { return false }
                from = from - lead
            }
            (at, length) = (at - time.before, length.map { $0 + time.before })
            crossfade = time.before + time.after
            return true
        }

        /// Goes on while the clip behind it begins.
        mutating func goOn(for time: MediaTime) {
            length = length.map { $0 + time }
            if speed < 0 { from = from - ofFile(time) }
        }

        var isOnTimeline: Bool {
            at.isOnTimeline && from.isOnTimeline
                && length.map { $0 > .zero && (at + $0).isOnTimeline } ?? true
        }

        /// A clip as a session has it.
        /// - Parameter others: its other fields.
        func fields(_ path: String, _ others: JSONObject) -> JSONObject {
            var clip = others
            clip["file"] = .string(path)
            if abs(speed) != 1 { clip["speed"] = .number(abs(speed)) }
            if speed < 0 { clip["reverse"] = true }
            clip["at"] = .string(at.description)
            if from != .zero { clip["from"] = .string(from.description) }
            if let length { clip["duration"] = .string(ofFile(length).description) }
            if let crossfade { clip["crossfade"] = .string(crossfade.description) }
            return clip
        }
    }

    /// Whether a clip lies and plays as it did when it was written.
    private static func isUntouched(
        _ item: JSONValue, _ own: JSONObject, _ place: MediaTime, _ path: String,
        _ crossed: (before: MediaTime, after: MediaTime)?
    ) -> Bool {
        guard let range = item["source_range"], let rate = range["duration"]?["rate"]?.doubleValue, rate > 0,
            let at = own["at"]?.doubleValue, let count = own["count"], let from = own["from"]
        else { return false }
        let warp =
            (item["effects"]?.arrayValue ?? []).first { schema($0) == "LinearTimeWarp" }?["time_scalar"]?
            .doubleValue ?? 1
        let (speed, isReversed) = (
            own["clip"]?["speed"]?.doubleValue ?? 1, own["clip"]?["reverse"]?.boolValue ?? false
        )
        return range["duration"]?["value"]?.doubleValue == count.doubleValue
            && range["start_time"]?["value"]?.doubleValue == from.doubleValue
            && abs(place.seconds * rate - at) < 1e-3
            && abs((crossed.map { $0.before.seconds } ?? 0) * rate - (own["crossed"]?.doubleValue ?? 0))
                < 1e-3
            && crossed.map { $0.after == .zero } ?? true && warp == (isReversed ? -speed : speed)
            && own["clip"]?["file"]?.stringValue.map { Path.name(of: $0) == Path.name(of: path) } ?? false
    }
}
