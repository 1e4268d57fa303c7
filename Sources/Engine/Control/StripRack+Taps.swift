import Timeline

/// Taps.
extension StripRack {
    /// Puts a tap on a track, in place of the one it had; nil takes it off. A track that is yet to come gets
    /// it when it comes; a bus of that id does not.
    func setTap(_ tap: TrackTap?, on id: StripID) {
        taps[id] = tap
        if let strip = strips[id], strip.role == .track { giveTap(to: strip, id, tap) }
    }

    func giveTap(to strip: StripHandle, _ id: StripID, _ tap: TrackTap?) {
        let old = strip.tap
        strip.tap = tap
        if !outbox.send(.tap(strip.strip, tap?.cell)) { unsaidTaps.insert(id) }
        // Behind the order that puts it away.
        if let old, old !== tap { leaving.append((old, outbox.mark)) }
    }
}
