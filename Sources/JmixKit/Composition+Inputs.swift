import Engine
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

    /// Which of its input and its clips a track plays.
    public mutating func setMonitor(_ monitor: Monitor, of id: StripID) throws(CompositionError) {
        session.tracks[try index(id)].monitor = monitor
    }
}
