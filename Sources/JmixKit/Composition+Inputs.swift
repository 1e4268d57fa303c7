import Engine
import Files
import Speakers
import Timeline

/// Inputs and takes.
extension Composition {
    /// Gives a track an input, which a mixer on a JACK server hears live, or takes it away. What was recorded
    /// of it are clips as others are, in `Track.clips`.
    /// - Throws: `.refused` for a number of channels that no layout has, or a name whose ports would be
    ///   called as another strip's.
    public mutating func setInput(_ input: Input?, of id: StripID) throws(CompositionError) {
        let index = try index(id)
        guard let input else { return session.removeInput(ofTrack: index) }
        guard SpeakerLayout(rawValue: input.channels) != nil else {
            throw .refused("an input has \(SpeakerLayout.choices) channels, not \(input.channels)")
        }
        let ports = StripName.ports(session.tracks[index].name, hasInput: true)
        if let other = session.strips.first(where: {
            $0.id != id && !session.ports(of: $0.id).isDisjoint(with: ports)
        }) {
            throw .refused("its ports would be called as those of \"\(other.name)\"")
        }
        session.setInput(input, ofTrack: index)
    }

    /// Whether a track is recorded while a player records.
    /// - Throws: `.refused` for one without an input.
    public mutating func setArmed(_ isArmed: Bool, of id: StripID) throws(CompositionError) {
        let index = try index(id)
        if isArmed, session.tracks[index].input == nil {
            throw .refused("\"\(session.tracks[index].name)\" has no input, so there is nothing to record")
        }
        let armed = session.tracks.count { $0.isArmed && $0.id != id }
        if isArmed, armed >= Session.maximumArmed {
            throw .refused("at most \(Session.maximumArmed) tracks are armed at once")
        }
        session.tracks[index].isArmed = isArmed
    }

    /// Lays a take where it was played to; what lies under it is cut away.
    /// - Throws: `.noTrack`; `.refused`: the track has no input any more; `.edit`: a fade or a crossfade is
    ///   in the way.
    package mutating func lay(_ take: Take, atRate rate: Int32) throws(CompositionError) {
        if session.tracks[try index(take.track)].input == nil { throw .refused("its track has no input") }
        if let finding = take.finding { files[finding.place] = finding }
        let clip = Clip(
            ofTake: Path.name(of: take.path, from: folder), start: take.start,
            duration: MediaTime(frame: take.frames, rate: rate), aired: take.aired, rate: rate)
        try edit(take.track) { track, ruler throws(EditError) in
            try track.overwrite(with: clip, ruler: ruler)
        }
    }

    /// Which of its input and its clips a track plays.
    public mutating func setMonitor(_ monitor: Monitor, of id: StripID) throws(CompositionError) {
        session.tracks[try index(id)].monitor = monitor
    }
}
