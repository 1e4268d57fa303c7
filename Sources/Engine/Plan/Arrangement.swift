import AudioFile
import Speakers
import Timeline

/// A session compiled for one sample rate: what the engine plays.
public struct Arrangement {
    /// In the order in which they are mixed: `Routing.order`, and the master.
    let lines: [ArrangedLine]
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
        /// The same, and all is as late on its way through the mixer as it is live.
        case aired
    }

    /// What is monitored goes to one more bus, which goes nowhere but to its ports: what is on solo beside
    /// the mix, else what is to be heard.
    private static func addMonitor(_ session: Session, to lines: inout [ArrangedLine]) {
        let soloed = session.soloMode == .inPlace ? [] : session.soloed.map(\.id)
        let heard = soloed.isEmpty ? source(of: session.monitoring) : soloed
        for index in lines.indices where heard.contains(lines[index].id) {
            lines[index].paths.sends.append(
                LinePaths.SendPath(
                    id: .toMonitor(from: lines[index].id), bus: .monitor,
                    isPre: !soloed.isEmpty && session.soloMode == .pfl, envelopes: [], closings: [],
                    pan: nil))
        }
        var monitor = ArrangedLine(id: .monitor, isTrack: false, hasPorts: true)
        if session.monitoring.isMono { monitor.layout = .mono }
        lines.append(monitor)
    }

    private static func source(of monitoring: Monitoring) -> [StripID] {
        switch monitoring.source {
        case .solo: []
        case .master: [.master]
        case .strip(let id): [id]
        }
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
