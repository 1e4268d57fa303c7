/// A block: what is mixed at once.
enum Block {
    /// Longer periods are mixed in pieces of this many frames; the samples do not depend on it.
    @_noLocks
    static func frames() -> Int { 512 }

    /// As many channels as a strip has at the most: `SpeakerLayout.maximumChannels`.
    @_noLocks
    static func channels() -> Int { 12 }

    /// How far apart channels lie that are used together, in floats. Not a multiple of 4 KiB: such blocks
    /// share the few places that the processor's first cache has for one address modulo that, and push each
    /// other out of it.
    @_noLocks
    static func stride() -> Int { frames() + 80 }
}
