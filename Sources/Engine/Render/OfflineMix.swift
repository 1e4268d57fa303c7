import AudioFile
import CRealtime
import Realtime
import Speakers
import Timeline

/// A stretch of a session, mixed as it is asked for, through the same `Mixer` as live. For one thread at a
/// time.
public final class OfflineMix {
    /// The frames of the timeline that it mixes, at the session's rate.
    public let frames: Range<Int64>
    /// How many of them it has given.
    public private(set) var done = 0
    /// The channels that it gives: the mix's, or those of the strip that is given in its place.
    public let layout: SpeakerLayout
    private let engine: PlaybackEngine
    /// How many frames are still to be mixed and not given.
    private var lead: Int
    /// What strips play beside the mix, of the block that was mixed last.
    let stems: StemBuffers?
    /// What one strip plays, which is given in place of the mix.
    private let solo: StemBuffers?
    /// A place for the mix, where it is not what is given.
    private let mixes: ChannelMemory?
    /// Holds the mix back until stems that are later have come; nil: none is.
    private let mixWait: StemWait?
    /// What strips are to remember that are so far behind the playhead, and at which frame that is then: in
    /// order.
    private var recalls: ArraySlice<(place: Int64, lag: Int64, recall: ShowRecall)>
    /// The frame of the timeline that is mixed next.
    private var place: Int64

    /// How many frames are mixed before it looks whether a file has failed.
    static let block = 8192

    /// - Parameter taps: see the tracks' blocks on the way.
    public convenience init(
        _ session: Session, library: MediaLibrary, frames: Range<Int64>, taps: [StripID: TrackTap] = [:]
    ) {
        self.init(session, library: library, MixPart(frames: frames, taps: taps))
    }

    convenience init(_ session: Session, library: MediaLibrary, _ part: MixPart) {
        // Here nothing is silent because it has not been decoded yet.
        library.makeReady(session)
        let arrangement = Arrangement(
            session, library: library, sampleRate: session.sampleRate,
            part.recalls.isEmpty ? .offline : .aired)
        self.init(session, arrangement, part)
    }

    /// - Parameters:
    ///   - arrangement: the session's timeline, of files that are ready.
    ///   - diskThreads: how many read ahead.
    ///   - stock: what streams that have ended have left, and where they leave it.
    init(
        _ session: Session, _ arrangement: Arrangement, _ part: MixPart,
        diskThreads: Int = SlicedMix.cores, stock: StreamStock? = nil
    ) {
        let start = part.start
        (frames, lead, place) = (part.frames, Int(part.frames.lowerBound - start), start)
        recalls = Self.due(part.recalls, from: start, arrangement)
        engine = PlaybackEngine(
            sampleRate: session.sampleRate,
            readAhead: .offline(threads: diskThreads, sampleRate: session.sampleRate, stock: stock),
            isLive: false)
        Self.start(engine, session, arrangement, part)
        layout = session.layout(of: part.strip)
        // Stems add up to the mix, so they have its channels.
        stems = part.stems.isEmpty ? nil : StemBuffers(part.stems, of: engine, .stereo, block: Self.block)
        if part.strip == .master {
            (solo, mixes) = (nil, nil)
        } else {
            solo = StemBuffers([part.strip], of: engine, layout, block: Self.block)
            mixes = ChannelMemory(2, frames: Self.block)
        }
        // What is held back is late: it lies where the timeline has it.
        let lag = part.strip == .master ? arrangement.lag : arrangement.lag(of: part.strip)
        let latest = part.stems.map(arrangement.lag).reduce(lag, max)
        lead += Int(latest)
        mixWait = part.strip == .master ? StemWait(latest - arrangement.lag, channels: 2) : nil
        (solo ?? stems)?.wait(until: latest, arrangement)
    }

    private static func start(
        _ engine: PlaybackEngine, _ session: Session, _ arrangement: Arrangement, _ part: MixPart
    ) {
        for (id, tap) in part.taps { engine.setTap(tap, on: id) }
        engine.together {
            engine.apply(session, arrangement)
            engine.locate(part.start)
            engine.play()
        }
    }

    /// What is recalled from a frame on, with the frames of the mixer's clock where it is due: lines that
    /// are behind come to it later.
    private static func due(
        _ recalls: [ShowRecall], from start: Int64, _ arrangement: Arrangement
    ) -> ArraySlice<(place: Int64, lag: Int64, recall: ShowRecall)> {
        let behind = Set(arrangement.lines.map(\.content.lag))
        return recalls.filter { $0.frame >= start }.flatMap { recall in
            behind.map { (recall.frame + $0, $0, recall) }
        }.sorted { $0.0 < $1.0 }[...]
    }

    deinit { engine.close() }

    /// Mixes the next frames, as many as are left.
    /// - Parameter block: room for `count` frames of as many channels as `layout` has.
    /// - Returns: how many; 0 at the end.
    /// - Throws: `AudioFileError` if a file cannot be read to its end.
    public func read(into block: Channels, count: Int) throws(AudioFileError) -> Int {
        let mode = rt_float_mode()
        rt_flush_denormals()
        defer { rt_set_float_mode(mode) }
        engine.waitUntilFilled()
        try skipLead()
        let wanted = max(0, min(count, frames.count - done))
        var given = 0
        while given < wanted {
            let run = ready(min(Self.block, wanted - given))
            let (target, mix) = (block.from(given), mixes?.channels ?? block.from(given))
            try render(mix, run)
            if let solo { target.copy(solo[0], run) }
            given += run
            // What stems play is that of the block that was mixed last.
            if stems != nil { break }
        }
        done += given
        return given
    }

    private func skipLead() throws(AudioFileError) {
        if lead == 0 { return }
        let memory = ChannelMemory(2, frames: Self.block)
        while lead > 0 {
            let run = ready(min(Self.block, lead))
            try render(memory.channels, run)
            lead -= run
        }
    }

    /// Has strips remember what they are to from here on.
    /// - Returns: how many of `count` frames can be mixed then.
    private func ready(_ count: Int) -> Int {
        while let next = recalls.first, next.place == place {
            engine.recall(next.recall, lag: next.lag)
            recalls.removeFirst()
        }
        guard let next = recalls.first else { return count }
        return Int(min(Int64(count), next.place - place))
    }

    /// Mixes the next frames, and what strips play beside them.
    private func render(_ mix: Channels, _ count: Int) throws(AudioFileError) {
        let beside = solo ?? stems
        engine.mixer.audioSide.render(
            mix.channel(0), mix.channel(1), count, waits: true, outs: beside?.direct)
        place += Int64(count)
        mixWait?.pass(mix, count)
        beside?.pass(count)
        engine.poll()
        if let failure = engine.takeFailures().first { throw failure }
    }
}
