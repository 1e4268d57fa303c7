import Speakers
import Timeline

/// A strip of an arrangement: what it plays and how late it is, before a plan makes a line of a graph of it.
struct ArrangedLine {
    let id: StripID
    var layout = SpeakerLayout.stereo
    var content = LineContent()
    var paths = LinePaths()
    var keys = LineKeys()
    let isTrack: Bool
    /// It is heard by ports of its own.
    var hasPorts = false
    /// It is as late as what comes in by ports: that is heard in it, or was where its clips were
    /// recorded.
    var isLive = false
    /// By so many frames what leaves it is later than what enters it.
    var latency: Int64 = 0
    /// By how many frames what comes in by ports is late when it leaves it.
    var delay: Int64 = 0
    /// How far behind the playhead what leaves it is.
    var outputLag: Int64 { content.lag + latency }
}
