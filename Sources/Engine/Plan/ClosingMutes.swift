import Timeline

/// The mutes that close sends in one plan, each once however many lines hang on it: a DCA may have thousands
/// of members, and a lane thousands of points. Control thread.
final class ClosingMutes {
    private var known: [StripID: Envelopes] = [:]
    /// What they take of memory.
    var bytes: Int { known.values.reduce(0) { $0 + $1.bytes } }

    func envelopes(_ closing: LinePaths.Closing) -> Envelopes {
        if let known = known[closing.owner] { return known }
        let envelopes = Envelopes([closing.mute])
        known[closing.owner] = envelopes
        return envelopes
    }
}
