import JackDriver

/// What is connected to a pair of MIDI ports, as it was looked at last.
struct MIDIListeners {
    private var connects = MIDIConnects()
    private var names: [String] = []

    /// Nobody hears the pair.
    var isEmpty: Bool { names.isEmpty }

    /// What a look has shown.
    struct News {
        /// Something hears the pair that knows nothing, perhaps again.
        let hasListener: Bool
        /// What played into the pair is gone, or is another: no hands of it are on anything.
        let hasLostHands: Bool
    }

    /// What has changed since the last time.
    mutating func update(_ link: ServerLink, pair: Int) -> News {
        let (before, now) = (self, link.midiConnects(pair: pair))
        (names, connects) = (link.midiListeners(pair: pair), now)
        return News(
            hasListener: now.output != before.connects.output
                || names.contains { !before.names.contains($0) },
            hasLostHands: now.input != before.connects.input || names.isEmpty && !before.names.isEmpty)
    }
}
