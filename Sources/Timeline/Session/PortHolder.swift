/// A strip that has ports of its own on a JACK server, of one of two kinds.
package struct PortHolder: Sendable {
    /// Where it is in the session.
    package let place: StripPlace
    /// Ports by which it hears others, and not those by which it is heard.
    package let isInput: Bool
    /// How many they are.
    package let channels: Int
}

extension Session {
    /// Whose ports there are, in the order in which they get them: who is late gets none that is called as
    /// another's.
    /// - Parameter all: all tracks and buses are heard by ports of their own, not only those that go to
    ///   ports.
    package func portHolders(all: Bool) -> [PortHolder] {
        let inputs = tracks.indices.compactMap { index in
            tracks[index].input.map {
                PortHolder(place: .track(index + 1), isInput: true, channels: $0.channels)
            }
        }
        let heardTracks = tracks.indices.lazy.filter { all || tracks[$0].strip.output == .ports }.map {
            PortHolder(place: .track($0 + 1), isInput: false, channels: tracks[$0].strip.layout.channels)
        }
        let heardBuses = buses.indices.lazy.filter { all || buses[$0].output == .ports }.map {
            PortHolder(place: .bus($0 + 1), isInput: false, channels: buses[$0].layout.channels)
        }
        return inputs + heardTracks + heardBuses
    }
}
