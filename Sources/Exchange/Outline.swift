import AudioFile
import Engine
import Files
import Timeline

/// A session as other programs are told of it: where each clip lies on its frames, what it plays there, and
/// how loud.
struct Outline {
    /// A clip, and where it is.
    struct Piece {
        let clip: Clip
        /// Counted on its track from 1.
        let number: Int
        /// Of the timeline.
        let frames: Range<Int64>
        /// The frame of its sound, as long as that is heard and in its direction, that it begins with.
        let start: Int64
        /// What it plays.
        let place: SoundPlace
        /// What is known of that.
        let info: MediaInfo
        /// How long all of it lasts.
        let soundLength: MediaTime
        /// How it rises, beside its own fade over the clip before it.
        let rising: [ClipFade]
        /// How it falls, beside its own fade under the clip behind it.
        let falling: [ClipFade]
        /// How many frames of it are heard together with the clip before it.
        let crossed: Int64

        var count: Int64 { Int64(frames.count) }
        /// It plays its file as it is.
        var isPlain: Bool { clip.speed == 1 && clip.pitch == 0 && !clip.isReversed }
    }

    /// As it is played.
    let session: Session
    /// As its file has it: with the automation that is off.
    let document: Session
    let library: MediaLibrary
    private let arrangement: Arrangement
    private let volumes: Arrangement.Volumes
    /// By their ids.
    let buses: [StripID: Strip]
    /// The buses that are sent to.
    let sentTo: Set<StripID>
    /// Frames per second.
    let rate: Int32
    /// The clips of each track that can be played.
    let pieces: [[Piece]]
    /// The frame behind the last of them.
    var end: Int64 { arrangement.end }

    /// - Parameter losses: told of clips that cannot be played.
    init(_ session: Session, _ library: MediaLibrary, _ losses: Losses) {
        document = session
        let session = session.played
        (self.session, self.library, rate) = (session, library, session.sampleRate)
        arrangement = Arrangement(session, library: library, sampleRate: session.sampleRate)
        let ruler = library.ruler(atRate: session.sampleRate)
        volumes = arrangement.volumes
        buses = Dictionary(uniqueKeysWithValues: session.buses.map { ($0.id, $0) })
        sentTo = Set(session.strips.flatMap(\.sends).map(\.bus))
        pieces = session.tracks.enumerated().map { index, track in
            track.clips.indices.compactMap { place in
                let piece = Self.piece(track.clips, place, library, ruler)
                if piece == nil {
                    losses.say(
                        """
                        track \(index + 1), clip \(place + 1): \(track.clips[place].file) cannot be played, \
                        and is left out
                        """
                    )
                }
                return piece
            }
        }
    }

    /// The clip at a place of a track; nil for one that cannot be played.
    private static func piece(
        _ clips: [Clip], _ place: Int, _ library: MediaLibrary, _ ruler: ClipRuler
    ) -> Piece? {
        let clip = clips[place]
        guard let info = try? library.info(of: clip).get(), let length = info.duration,
            let frames = ruler.frames(of: clip), let start = ruler.soundFrame(of: clip), !frames.isEmpty
        else { return nil }
        let behind = place + 1 < clips.count ? clips[place + 1].crossfade : ClipFade()
        return Piece(
            clip: clip, number: place + 1, frames: frames, start: start, place: library.place(of: clip),
            info: info, soundLength: length, rising: [clip.fadeIn, clip.crossfade],
            falling: [clip.fadeOut, behind], crossed: crossed(clip, ruler))
    }

    /// As the ruler counts: up to the frame that ends the clip before it.
    private static func crossed(_ clip: Clip, _ ruler: ClipRuler) -> Int64 {
        let duration = clip.crossfade.duration
        return duration > .zero
            ? Int64(ruler.frames(TimeRange(start: clip.at, duration: duration)).count) : 0
    }

    /// How many frames the longest of fades takes.
    func longest(of fades: [ClipFade]) -> Int64 { fades.map { frame($0.duration) }.max()! }

    /// Where a time lies.
    func frame(_ time: MediaTime) -> Int64 { time.frame(atRate: rate) }

    /// The DCAs that a strip hangs on.
    func dcas(of id: StripID) -> [DCA] { session.dcas.filter { $0.members.contains(id) } }

    /// It is silent as its hand, or a DCA's, has it.
    func isMuted(_ strip: Strip) -> Bool { strip.mute || dcas(of: strip.id).contains { $0.mute } }

    /// What a strip's fader and timeline and those of its DCAs come to; mutes of hands are not in it.
    func volume(of strip: Strip) -> Polyline { volume(of: [strip]) }

    /// The same of a strip and all that its sound goes through up to the master, with what they are trimmed
    /// by.
    func volumeToMaster(of strip: Strip) -> Polyline { volume(of: way(of: strip), withTrims: true) }

    /// A strip and the buses by which it comes to the master, and that; only the strip where it does not come
    /// there.
    func way(of strip: Strip) -> [Strip] {
        var way = [strip]
        while true {
            switch way[way.count - 1].output {
            case .bus(let id): if let bus = buses[id] { way.append(bus) } else { return way }
            case .master where way[way.count - 1].id != .master: way.append(session.master)
            case .master, .none, .ports: return way
            }
        }
    }

    /// What a send's level and timeline come to; silence where it is muted.
    func volume(of send: Send) -> Polyline {
        send.isClosed
            ? volumes.polyline(of: [], times: 0) : volumes.polyline(of: [send.id], times: send.volume)
    }

    private func volume(of strips: [Strip], withTrims: Bool = false) -> Polyline {
        let dcas = strips.flatMap { self.dcas(of: $0.id) }
        let faders = strips.map { $0.fader * (withTrims ? $0.trim : 1) } + dcas.map(\.fader)
        return volumes.polyline(of: strips.map(\.id) + dcas.map(\.id), times: faders.reduce(1, *))
    }
}
