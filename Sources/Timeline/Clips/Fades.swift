/// Fades drawn on the timeline clip by clip. The fades of a whole track are its `fadeIn` and `fadeOut`.
public enum Fades {
    /// Draws on `automation` a ramp from silence at the start of each of `clips` and one to silence at its
    /// end.
    ///
    /// A clip shorter than both is faded in and out over its halves.
    /// - Throws: `AutomationError` where something else stands already; then nothing has changed.
    public static func draw(
        in fadeIn: MediaTime, out fadeOut: MediaTime, of clips: [TimeRange], to volume: Double = 1,
        curve: Curve = .linear,
        on automation: inout Automation
    ) throws(AutomationError) {
        var drawn = automation
        for clip in clips {
            let isLong = fadeIn + fadeOut <= clip.duration
            let most = isLong ? clip.duration : clip.duration.multiplied(by: 1, over: 2)
            let (rise, fall) = (min(fadeIn, most), min(fadeOut, most))
            if rise > .zero {
                try drawn.setRamp(
                    from: 0, to: volume, over: TimeRange(start: clip.start, duration: rise), curve: curve)
            }
            if fall > .zero {
                try drawn.setRamp(
                    from: volume, to: 0, over: TimeRange(start: clip.end - fall, end: clip.end), curve: curve)
            }
        }
        automation = drawn
    }

    /// Draws on `automation` a ramp over each of `clips`, by turns from `first` to `last` and back: a seesaw
    /// between two tracks, for programs that build compositions.
    /// - Throws: `AutomationError` where something else stands already; then nothing has changed.
    public static func alternate(
        from first: Double, to last: Double, over clips: [TimeRange], curve: Curve = .linear,
        on automation: inout Automation
    ) throws(AutomationError) {
        var drawn = automation
        for (index, clip) in clips.enumerated() {
            let (from, to) = index.isMultiple(of: 2) ? (first, last) : (last, first)
            try drawn.setRamp(from: from, to: to, over: clip, curve: curve)
        }
        automation = drawn
    }
}
