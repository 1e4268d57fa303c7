import Timeline

/// Volumes as AVMutableAudioMixInputParameters sets them; of other controls `setValue` and `setRamp` alone.
extension Automation {
    /// Sets the volume from `time` on, until the next event. A point at the time of a point replaces it.
    /// - Parameters:
    ///   - volume: linear, 0 to 4.
    ///   - time: from when on.
    ///   - replace: remove the ramp that `time` lies strictly inside, instead of refusing.
    /// - Throws: `AutomationError` if the volume is not from 0 to 4, the time not a time from 0, or strictly
    ///   inside a ramp, or if this moves something else than a volume.
    public mutating func setVolume(
        _ volume: Double, at time: MediaTime, replace: Bool = false
    ) throws(AutomationError) {
        try checkVolume()
        try setValue(volume, at: time, replace: replace)
    }

    /// Adds a ramp of the volume over `range`.
    /// - Parameters:
    ///   - first: the volume at the start of the range, linear, 0 to 4.
    ///   - last: the volume at its end.
    ///   - range: from when to when.
    ///   - curve: its shape between them.
    ///   - replace: remove the ramps it overlaps and the points strictly inside it, instead of refusing.
    /// - Throws: `AutomationError` if a volume is out of range or unfit for the curve, the range empty or
    ///   before 0, or not free, or if this moves something else than a volume.
    public mutating func setVolumeRamp(
        from first: Double, to last: Double, over range: TimeRange, curve: Curve = .linear,
        replace: Bool = false
    ) throws(AutomationError) {
        try checkVolume()
        try setRamp(from: first, to: last, over: range, curve: curve, replace: replace)
    }

    private func checkVolume() throws(AutomationError) {
        if control != .volume { throw .noVolume(control) }
    }
}
