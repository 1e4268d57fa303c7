import AudioFile
import Engine
import Files
import JSON
import Timeline

/// The session as the page draws it: every time in seconds, every clip where it lies. Made from copies, by a
/// thread that may take its time.
struct PageModel: Sendable {
    let session: Session
    let folder: String
    let known: [SoundPlace: MediaFinding]
    let edition: Int
    /// Whoever asks may change nothing.
    let isForGuest: Bool

    private var library: MediaLibrary { MediaLibrary(folder: folder, known: known, trustsWhatItKnows: true) }

    /// All strips in the order of the page, and of those whose place among them, from 1, is one of `rows`
    /// what lies on the timeline.
    func json(rows: Range<Int>) -> JSONValue {
        let ruler = library.presumingRuler(atRate: session.sampleRate)
        let strips = session.places.enumerated().map { index, place -> JSONValue in
            strip(place, rows.contains(index + 1) ? ruler : nil)
        }
        return .object([
            "edition": .number(edition), "guest": .bool(isForGuest),
            "sampleRate": .number(session.sampleRate),
            "end": .number((session.tracks.map { $0.end(ruler: ruler) }.max() ?? .zero).seconds),
            "strips": .array(strips),
            "markers": .array(session.markers.map(marker)),
            "ducks": .array(session.ducks.filter { $0.trigger != .hand }.map(duck)),
            "scenes": .array(session.scenes.map { .string($0.name) }),
        ])
    }

    private func marker(_ marker: Marker) -> JSONValue {
        .object(["name": .string(marker.name), "at": .number(marker.at.seconds)])
    }

    private func duck(_ duck: Duck) -> JSONValue {
        .object([
            "track": .string(session.name(of: duck.track) ?? ""),
            "under": .string(duck.keys.compactMap(session.name).joined(separator: ", ")),
            "to": .number(duck.to), "attack": .number(duck.attack.seconds),
            "release": .number(duck.release.seconds),
        ])
    }

    /// - Parameter ruler: nil leaves out what lies on the timeline.
    private func strip(_ place: StripPlace, _ ruler: ClipRuler?) -> JSONValue {
        let strip = session[place]
        var object: JSONObject = [
            "id": .number(strip.id.rawValue), "kind": .string(place.kind.rawValue),
            "address": .string(place.address),
            "name": .string(strip.name),
            "automated": .bool(
                Automation.Control.allCases.contains { !strip[automation: $0].events.isEmpty }),
        ]
        if ruler != nil {
            object["lanes"] = lanes(Automation.Control.allCases.map { ($0.rawValue, strip[automation: $0]) })
        }
        if case .track(let number) = place { add(session.tracks[number - 1], to: &object, ruler) }
        object["sends"] = .array(strip.sends.map { send($0, hasLanes: ruler != nil) })
        return .object(object)
    }

    /// What tracks alone have.
    private func add(_ track: Track, to object: inout JSONObject, _ ruler: ClipRuler?) {
        object["input"] = .bool(track.input != nil)
        guard let ruler else { return }
        object["clips"] = .array(track.clips.map { clip($0, ruler) })
        object["fadeIn"] = .number(track.fadeIn.seconds)
        object["fadeOut"] = .number(track.fadeOut.seconds)
    }

    private func send(_ send: Send, hasLanes: Bool) -> JSONValue {
        var object: JSONObject = ["to": .string(session.name(of: send.bus) ?? "")]
        if hasLanes {
            object["lanes"] = lanes([.volume, .pan, .mute].map { ($0.rawValue, send[automation: $0]) })
        }
        return .object(object)
    }

    private func clip(_ clip: Clip, _ ruler: ClipRuler) -> JSONValue {
        let range = ruler.range(of: clip)
        // The place in the file that is heard first, and how fast it goes on from there: back, where the clip
        // plays backwards.
        let last = clip.from + (clip.duration ?? range.map { clip.ofFile($0.duration) } ?? .zero)
        return .object([
            "file": .string(clip.file.text), "stream": .number(clip.stream),
            "state": .string(state(of: clip)),
            "start": seconds(clip.at), "end": range.map { seconds($0.end) } ?? .null,
            "from": seconds(clip.isReversed ? last : clip.from),
            "speed": .number(clip.isReversed ? -clip.speed : clip.speed), "gain": .number(clip.gain),
            "fadeIn": seconds(clip.fadeIn.duration), "fadeOut": seconds(clip.fadeOut.duration),
            "crossfade": seconds(clip.crossfade.duration),
        ])
    }

    private func seconds(_ time: MediaTime) -> JSONValue { .number(time.seconds) }

    /// Which samples its file holds, in a word that changes with them.
    private func state(of clip: Clip) -> String {
        let state = known[SoundPlace(of: clip, in: folder)]?.state ?? 0
        return String(UInt(bitPattern: state), radix: 36)
    }

    /// Those that say anything.
    private func lanes(_ lanes: [(String, Automation)]) -> JSONValue {
        var object = JSONObject()
        for (name, automation) in lanes where !automation.events.isEmpty {
            object[name] = .array(
                automation.events.map { event in
                    switch event.kind {
                    case .point(let value, let time):
                        .object([
                            "value": .number(value), "start": .number(time.seconds),
                            "end": .number(time.seconds),
                        ])
                    case .ramp(let first, let last, let range, let curve):
                        .object([
                            "from": .number(first), "to": .number(last),
                            "start": .number(range.start.seconds), "end": .number(range.end.seconds),
                            "curve": .string(curve.rawValue),
                        ])
                    }
                })
        }
        return .object(object)
    }

    // MARK: - The volume as it is played

    private func frames(from start: Double, to end: Double, _ count: Int) -> [Int64] {
        (0..<count).map { column in
            let seconds = start + (end - start) * Double(column) / Double(count - 1)
            return Int64((seconds * Double(session.sampleRate)).rounded())
        }
    }

    /// Of the strips of those rows that the timeline moves so many values, evenly from one time to another.
    func played(from start: Double, to end: Double, columns: Int, rows: Range<Int>) -> JSONValue {
        let arrangement = Arrangement(session, library: library, sampleRate: session.sampleRate)
        let frames = frames(from: start, to: end, columns)
        var object = JSONObject()
        for (index, place) in session.places.enumerated() where rows.contains(index + 1) {
            let values = frames.map(arrangement.curve(of: session[place].id))
            if let first = values.first, values.contains(where: { $0 != first }) || first != 1 {
                object[place.address] = .array(values.map { .number(($0 * 10_000).rounded() / 10_000) })
            }
        }
        return .object(object)
    }
}
