import AudioFile
import Speakers
import Timeline

/// A clip in frames: which stretch of the timeline comes from where in which file.
struct ClipSpan {
    var start: Int64
    var end: Int64
    /// nil: the file is missing, the stretch is silent.
    var place: SoundPlace?
    /// In place of the file.
    var callback: CallbackSource?
    /// The frame of the file, at the mixer's rate, that is heard at `start`.
    var sourceStart: Int64
    /// How long the file was when this was compiled, at its own rate: one that is shorter when it is read has
    /// been cut.
    var fileFrames: Int64
    /// Which file it was.
    var stamp: FileStamp?
    var channels: ChannelPair?
    /// The channels that it is heard on.
    var layout = SpeakerLayout.stereo
    /// nil: its samples are heard as they are.
    var shape: ClipShape?
    /// What is heard with it: the clip that rises while this one falls.
    var layers: [ClipSpan] = []
}

extension ClipSpan: Equatable {
    static func == (a: ClipSpan, b: ClipSpan) -> Bool {
        a.start == b.start && a.end == b.end && a.place == b.place && a.callback === b.callback
            && a.sourceStart == b.sourceStart
            && a.fileFrames == b.fileFrames && a.stamp == b.stamp && a.channels == b.channels
            && a.layout == b.layout && a.shape == b.shape && a.layers == b.layers
    }
}

extension ClipSpan {
    /// The position in its file that is heard at `frame`; nil where there is no file.
    func cacheKey(at frame: Int64) -> PositionCache.Key? {
        if callback != nil { return nil }
        return place.map {
            PositionCache.Key(
                place: $0, stamp: stamp, channels: channels, layout: layout, frame: sourceFrame(at: frame))
        }
    }

    /// The frame of its file that is heard at `frame`.
    func sourceFrame(at frame: Int64) -> Int64 { sourceStart + frame - start }

    /// What of it lies from `start` to `end`.
    func part(from start: Int64, to end: Int64) -> ClipSpan {
        var part = self
        (part.start, part.end, part.sourceStart) = (start, end, sourceFrame(at: start))
        return part
    }
}

extension MediaLibrary {
    /// What says where clips of these files lie in a session of this rate; nothing of a clip that lasts as
    /// long as a file whose length is not known yet.
    public func ruler(atRate rate: Int32) -> ClipRuler {
        ClipRuler(rate: rate) { (try? self.info(of: $0).get())?.duration }
    }

    /// The same by guesses where there is nothing better: for what is shown.
    public func presumingRuler(atRate rate: Int32) -> ClipRuler {
        ClipRuler(rate: rate) { (try? self.info(of: $0).get())?.presumedDuration }
    }

    func place(_ clip: Clip, on layout: SpeakerLayout) -> PlacedClip? {
        let finding = finding(of: clip)
        let info = try? finding.info.get()
        let isUsable = info.map { channelProblem(clip, $0, on: layout) == nil } ?? false
        return clip.range(ofSoundLasting: { _ in info?.presumedDuration }).map {
            PlacedClip(clip: clip, range: $0, info: info, stamp: finding.stamp, isUsable: isUsable)
        }
    }
}
