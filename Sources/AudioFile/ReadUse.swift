/// When samples that are read from a file are used.
public enum ReadUse: Sendable {
    /// At once.
    case now
    /// When the processor's caches have let go of them, as what is read a second ahead of what is heard: they
    /// may be written past the caches.
    case later
}
