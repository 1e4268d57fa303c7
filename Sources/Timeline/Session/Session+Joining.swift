extension Session {
    /// Adds the tracks, buses, DCAs, ducks and markers of another session to this one, and its movie where
    /// this has none, under names that are free here, each going where it went there. What there is one of,
    /// as the master, stays as it is, and so do scenes and connections.
    public mutating func add(_ other: Session) {
        var ids: [StripID: StripID] = [.master: .master]
        for bus in other.buses { ids[bus.id] = addBus(named: freeName(bus.name)) }
        for track in other.tracks {
            var track = track
            track.strip.name = freeName(track.name)
            ids[track.id] = append(track)
        }
        for dca in other.dcas {
            ids[dca.id] = addDCA(named: freeName(dca.name), members: dca.members.compactMap { ids[$0] })
        }
        wire(like: other, ids)
        addDucks(of: other, ids)
        if video == nil { video = other.video }
        for marker in other.markers where markers.count < Marker.maximum { addMarker(marker) }
    }

    /// What its strips are set to, and where they go.
    private mutating func wire(like other: Session, _ ids: [StripID: StripID]) {
        for (from, strip) in zip(other.places, other.strips) where from != .master {
            guard let id = ids[strip.id], let place = place(of: id) else { continue }
            self[place] = moved(strip, like: self[place], ids)
        }
    }

    private mutating func addDucks(of other: Session, _ ids: [StripID: StripID]) {
        for duck in other.ducks {
            guard let track = ids[duck.track], let under = ids[duck.under] else { continue }
            var duck = duck
            (duck.track, duck.under) = (track, under)
            duck.others = duck.others.compactMap { ids[$0] }
            ducks.append(duck)
        }
    }

    /// What another session says of a strip, for one of this session.
    /// - Parameter ids: of this session, by those of the other.
    private mutating func moved(_ strip: Strip, like own: Strip, _ ids: [StripID: StripID]) -> Strip {
        var moved = strip
        (moved.id, moved.name) = (own.id, own.name)
        if case .bus(let bus) = strip.output { moved.output = ids[bus].map(Output.bus) ?? .master }
        moved.compressor?.key = strip.compressor?.key.flatMap { ids[$0] }
        moved.gate?.key = strip.gate?.key.flatMap { ids[$0] }
        moved.sends = strip.sends.compactMap { send in
            guard let bus = ids[send.bus] else { return nil }
            var send = send
            (send.id, send.bus) = (newID(), bus)
            return send
        }
        return moved
    }

    /// Adds a marker under a name that is free.
    private mutating func addMarker(_ marker: Marker) {
        var (marker, number) = (marker, 1)
        let name = marker.name
        while markers.contains(where: { $0.name == marker.name }) {
            number += 1
            marker.name = "\(name)-\(number)"
        }
        setMarker(marker)
    }

    /// Whether it has anything of what there is one of, which `add` leaves.
    public var hasWholeOfItsOwn: Bool {
        master != Session().master || !scenes.isEmpty || !connections.isEmpty || chosenSoloMode != nil
            || monitoring != Monitoring() || !muteGroups.isEmpty || midi != MIDIMap()
    }

    /// Takes clips that overlap others, and do not cross over with them, to tracks of their own behind the
    /// others, each as its track is.
    /// - Returns: the names of the tracks that had such clips, and of those on which a clip does not cross
    ///   over any more.
    public mutating func partOverlaps(_ ruler: ClipRuler) -> (parted: [String], uncrossed: [String]) {
        var (parted, uncrossed): ([String], [String]) = ([], [])
        var index = 0
        while index < tracks.count {
            let (kept, over, isUncrossed) = Self.parted(tracks[index].clips, ruler)
            if isUncrossed { uncrossed.append(tracks[index].name) }
            if !over.isEmpty, tracks.count < Session.maximumTracks {
                parted.append(tracks[index].name)
                tracks[index].clips = kept
                var other = tracks[index]
                (other.strip.name, other.clips) = (freeName(other.name), over)
                append(other)
            }
            index += 1
        }
        return (parted, uncrossed)
    }

    /// The clips that can stay on their track, those that lie over them, and whether one has lost its
    /// crossfade.
    private static func parted(
        _ clips: [Clip], _ ruler: ClipRuler
    ) -> (kept: [Clip], over: [Clip], isUncrossed: Bool) {
        var (kept, over, end, isUncrossed): ([Clip], [Clip], Int64, Bool) = ([], [], .min, false)
        for var clip in clips {
            if clip.crossfade.duration > .zero, ruler.crossfadeProblem(clip, behind: kept) != nil {
                // It goes with the one that it crosses over with.
                if ruler.crossfadeProblem(clip, behind: over) == nil {
                    over.append(clip)
                    continue
                }
                clip.crossfade.duration = .zero
                isUncrossed = true
            }
            let frames = ruler.frames(of: clip)
            if clip.crossfade.duration == .zero, let frames, frames.lowerBound < end {
                over.append(clip)
            } else {
                kept.append(clip)
                end = max(end, frames?.upperBound ?? end)
            }
        }
        return (kept, over, isUncrossed)
    }
}
