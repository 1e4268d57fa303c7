import AudioFile
import Speakers
import Timeline

/// What a line plays, in frames at the mixer's rate.
struct LineContent: Equatable {
    var spans: [ClipSpan] = []
    /// When its input is heard.
    var input = Track.InputUse.never
    /// Automation first, then mutes, fades, ducks: they multiply in this order.
    var envelopes: [EnvelopeBuilder] = []
    /// What the timeline says of its trim.
    var trims: [EnvelopeBuilder] = []
    /// What it says of its processors.
    var lanes = ProcessorLanes()
    /// What multiplies its fader.
    var dcas: [StripID] = []
    /// How many frames behind the playhead the timeline is read for it.
    var lag: Int64 = 0
    /// For so many frames what comes in for it is held back.
    var inputWait: Int64 = 0

    /// The span that is heard at `frame`, if any.
    func span(at frame: Int64) -> ClipSpan? {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].end > frame { high = middle } else { low = middle + 1 }
        }
        return low < spans.count && spans[low].start <= frame ? spans[low] : nil
    }
}

/// Whose levels a line goes by.
struct LineKeys: Equatable {
    var gate: Key?
    var compressor: Key?
    /// Each under another.
    var ducks: [SignalDuck] = []
    /// What it shares with others by whose levels it goes; nil: nothing.
    var share: Share?

    /// How a strip takes part in an automix.
    struct Share: Equatable {
        /// The bus that shares out.
        let bus: StripID
        let weight: Double
        let pace: SharePace
    }

    /// A strip by whose level another goes.
    struct Key: Equatable {
        let strip: StripID
        /// For so many frames its level is held back, so that it comes with what goes by it.
        var wait: Int64 = 0
    }

    /// Those strips, each with how many frames earlier it is heard.
    var all: [(strip: StripID, lookahead: Int64)] {
        [gate, compressor].compactMap { $0.map { ($0.strip, 0) } }
            + ducks.map { ($0.key.strip, $0.lookahead) }
    }
}

/// A duck by signal, in frames at the mixer's rate.
struct SignalDuck: Equatable {
    var key: LineKeys.Key
    /// The level from which on it is open, linear.
    let threshold: Double
    let to: Double
    /// How far the gain goes in a frame, down and back; without end where it takes no time.
    let down: Double
    let up: Double
    let hold: Int64
    /// By so many frames it hears the key earlier than that is heard.
    let lookahead: Int64

    init(_ duck: Duck, sampleRate: Int32) {
        (key, to, threshold) = (LineKeys.Key(strip: duck.under), duck.to, Decibels.gain(duck.threshold))
        let way = abs(1 - duck.to)
        func pace(_ time: MediaTime) -> Double {
            time > .zero ? way / (time.seconds * Double(sampleRate)) : .infinity
        }
        (down, up, hold) = (
            pace(duck.attack), pace(duck.release), duck.hold.timelineFrame(atRate: sampleRate)
        )
        lookahead = duck.lookahead.timelineFrame(atRate: sampleRate)
    }
}

/// Where a line's sound goes.
struct LinePaths: Equatable {
    /// The bus, or the master; nil for nowhere.
    var output: StripID?
    /// For so many frames what goes there is held back.
    var outputWait: Int64 = 0
    var sends: [SendPath] = []
    /// What the timeline says of its balance: the gains of left and right; nil: nothing.
    var pan: [EnvelopeBuilder]?

    struct SendPath: Equatable {
        let id: StripID
        let bus: StripID
        let isPre: Bool
        let envelopes: [EnvelopeBuilder]
        let pan: [EnvelopeBuilder]?
        /// nil: the one between the two layouts.
        var matrix: SendMatrix?
        /// For so many frames what goes there is held back; how far behind the playhead it is then.
        var wait: Int64 = 0
        var lag: Int64 = 0
    }
}

/// A session compiled for one sample rate: what the engine plays.
public struct Arrangement {
    struct Line {
        let id: StripID
        var layout = SpeakerLayout.stereo
        var content = LineContent()
        var paths = LinePaths()
        var keys = LineKeys()
        let isTrack: Bool
        /// By so many frames what leaves it is later than what enters it.
        var latency: Int64 = 0
        /// By how many frames what comes in by ports is late when it leaves it.
        var delay: Int64 = 0
        /// How far behind the playhead what leaves it is.
        var outputLag: Int64 { content.lag + latency }
    }

    /// In the order in which they are mixed: `Routing.order`, and the master.
    let lines: [Line]
    /// With what the timeline says of their faders.
    let dcas: [(id: StripID, envelopes: [EnvelopeBuilder])]
    /// Frames per second that it is compiled for.
    public let sampleRate: Int32
    /// The frame after the last clip.
    public let end: Int64
    /// How far behind the playhead the mix is when it leaves the mixer.
    public var lag: Int64 { lines.last?.outputLag ?? 0 }
    /// The same of what leaves a strip; 0 for one that is not there.
    func lag(of id: StripID) -> Int64 { lines.first { $0.id == id }?.outputLag ?? 0 }
    /// Something of it is heard at a standstill too.
    var hasInputs: Bool { lines.contains { $0.content.input != .never } }

    /// Compiles `session`, its files looked up in `library`. What cannot be used is silent; `SessionCheck`
    /// says what and why.
    public init(_ session: Session, library: MediaLibrary, sampleRate: Int32, _ use: Use = .offline) {
        let session = session.played
        let maker = LineMaker(session, library, sampleRate, use)
        let tracks = zip(session.tracks, maker.spans).map { maker.line($0, $1) }
        let known = Dictionary(
            uniqueKeysWithValues: (tracks + session.buses.map(maker.line(ofBus:))).map { ($0.id, $0) })
        var mixed = Routing(session).order.compactMap { known[$0] } + [maker.line(session.master)]
        if session.hasMonitor { Self.addMonitor(session, to: &mixed) }
        let aligned = Alignment.aligned(mixed)
        // Whatever is mixed behind it, the master ends the list.
        lines = aligned.filter { $0.id != .master } + aligned.filter { $0.id == .master }
        dcas = session.dcas.map { ($0.id, LineMaker.envelopes($0.strip, sampleRate)) }
        self.sampleRate = sampleRate
        end = maker.end
    }

    /// What the timeline is compiled for.
    public enum Use: Sendable {
        /// Inputs are heard.
        case live
        /// The clips of inputs are heard in their place, where they have any.
        case soundcheck
        /// All clips are heard, and no inputs.
        case offline
    }

    /// What is monitored goes to one more bus, which goes nowhere but to its ports: what is on solo beside
    /// the mix, else what is to be heard.
    private static func addMonitor(_ session: Session, to lines: inout [Line]) {
        let soloed = session.soloMode == .inPlace ? [] : session.soloed.map(\.id)
        let source: StripID? =
            switch session.monitoring.source {
            case .solo: nil
            case .master: .master
            case .strip(let id): id
            }
        let heard = soloed.isEmpty ? source.map { [$0] } ?? [] : soloed
        for index in lines.indices where heard.contains(lines[index].id) {
            lines[index].paths.sends.append(
                LinePaths.SendPath(
                    id: .toMonitor(from: lines[index].id), bus: .monitor,
                    isPre: !soloed.isEmpty && session.soloMode == .pfl, envelopes: [], pan: nil))
        }
        var monitor = Line(id: .monitor, isTrack: false)
        if session.monitoring.isMono { monitor.layout = .mono }
        lines.append(monitor)
    }
}

extension Arrangement {
    /// What automation, fades and ducks of a strip, or of a send, come to at `frame`: the very value that is
    /// played. 1 for one that is not there.
    public func volume(of id: StripID, at frame: Int64) -> Double { curve(of: id)(frame) }

    /// The same for many frames.
    public func curve(of id: StripID) -> (Int64) -> Double {
        let sends = lines.lazy.flatMap(\.paths.sends)
        let envelopes =
            lines.first { $0.id == id }?.content.envelopes ?? dcas.first { $0.id == id }?.envelopes
            ?? sends.first { $0.id == id }?.envelopes ?? []
        return { frame in
            let frame = frame.clamped(to: Route.positions)
            return envelopes.reduce(1) { $0 * $1.value(at: frame) }
        }
    }
}

extension Arrangement {
    /// The live sides that its strips, sends and DCAs are to have.
    var wanted: [StripRack.Wanted] {
        let widths = Dictionary(
            lines.map { ($0.id, $0.layout.channels) }, uniquingKeysWith: { first, _ in first })
        let strips = lines.map { line in
            StripRack.Wanted(id: line.id, role: line.isTrack ? .track : .sum, channels: line.layout.channels)
        }
        let sends = lines.flatMap { line in
            line.paths.sends.map {
                StripRack.Wanted(id: $0.id, role: .send, channels: widths[$0.bus] ?? 2, owner: line.id)
            }
        }
        return strips + dcas.map { StripRack.Wanted(id: $0.id, role: .sum, channels: 2) } + sends
    }
}
