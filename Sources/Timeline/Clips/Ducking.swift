/// Where a duck holds a track down: computed from where the clips of the other track lie, so it follows them.
public enum Ducking {
    /// The stretches that are held at the duck's volume; clips closer to each other than attack and release
    /// together count as one.
    public static func held(under clips: [TimeRange], attack: MediaTime, release: MediaTime) -> [TimeRange] {
        let reach = attack + release
        var held: [TimeRange] = []
        for clip in clips.sorted(by: { $0.start < $1.start }) {
            if let last = held.last, clip.start - last.end < reach {
                held[held.count - 1] = TimeRange(start: last.start, end: max(last.end, clip.end))
            } else {
                held.append(clip)
            }
        }
        return held
    }
}
