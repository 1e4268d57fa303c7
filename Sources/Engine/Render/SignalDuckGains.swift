import AudioFile
import Realtime
import Timeline

/// What the ducks by signal of a session come to along its timeline.
///
/// The session is mixed offline with one more bus for each strip that such ducks lower: it gets a constant of
/// 1 and has that strip's ducks, so that what leaves it is their gain, by the same code as is heard.
public struct SignalDuckGains: Sendable {
    private let gains: [StripID: [Float]]

    /// Of a session without ducks by signal.
    public init() { gains = [:] }

    /// - Parameters:
    ///   - places: frames of the timeline at the session's rate, in ascending order, from 0 on.
    ///   - leadIn: so many frames before the first place are heard first.
    /// - Throws: `AudioFileError` if a file cannot be read to its end.
    public init(
        _ session: Session, library: MediaLibrary, at places: [Int64], leadIn: Int64
    ) throws(AudioFileError) {
        var probed = session
        // A track that nobody has on solo would be silent.
        for place in probed.places { probed[place].solo = false }
        Self.silenceAllButKeys(in: &probed)
        let probes = Self.add(to: &probed)
        guard let first = places.first, let last = places.last, !probes.isEmpty else {
            self.init()
            return
        }
        let taps = Dictionary(uniqueKeysWithValues: probes.map { ($0.source, Self.one) })
        library.makeReady(probed)
        let arrangement = Arrangement(probed, library: library, sampleRate: probed.sampleRate)
        let part = MixPart(
            frames: first..<last + 1, taps: taps, stems: probes.map(\.bus), leadIn: leadIn)
        let mix = OfflineMix(probed, arrangement, part)
        self = SignalDuckGains(gains: try Self.measure(mix, probes, places))
    }

    private init(gains: [StripID: [Float]]) { self.gains = gains }

    /// A gain for each place, linear; nil for a strip that no duck by signal lowers.
    public func gains(of id: StripID) -> [Float]? { gains[id] }

    /// Plays 1 on both sides.
    private static let one = TrackTap(.postFader) { _, left, right, count in
        for i in 0..<count { (left[i], right[i]) = (1, 1) }
    }

    /// What stands in for a strip that is lowered: the source of a constant, and the bus that has the strip's
    /// ducks.
    private struct Probe {
        let strip: StripID
        let source: StripID
        let bus: StripID
    }

    private static func add(to session: inout Session) -> [Probe] {
        let ducks = session.ducks.filter { $0.trigger == .signal }
        return Dictionary(grouping: ducks, by: \.track).map { id, ducks in
            let bus = session.addBus(named: session.freeName("gain"))
            var source = Track(name: session.freeName("one"))
            source.strip.output = .bus(bus)
            let one = session.append(source)
            for var duck in ducks {
                duck.track = bus
                session.ducks.append(duck)
            }
            return Probe(strip: id, source: one, bus: bus)
        }
    }

    /// Takes the clips from all tracks that no key goes by, and their processors: what nobody needs costs
    /// nothing.
    private static func silenceAllButKeys(in session: inout Session) {
        var needed = Set(session.ducks.filter { $0.trigger == .signal }.map(\.under))
        var before = -1
        while needed.count != before {
            before = needed.count
            for strip in session.strips where strip.feeds(needed) { needed.insert(strip.id) }
            for strip in session.strips where needed.contains(strip.id) {
                needed.formUnion([strip.gate?.key, strip.compressor?.key].compactMap { $0 })
            }
            needed.formUnion(session.ducks.filter { needed.contains($0.track) }.map(\.under))
        }
        for index in session.tracks.indices where !needed.contains(session.tracks[index].id) {
            session.tracks[index].clips = []
        }
        for place in session.places where !needed.contains(session[place].id) {
            session[place].clearProcessors()
        }
    }

    private static func measure(
        _ mix: OfflineMix, _ probes: [Probe], _ places: [Int64]
    ) throws(AudioFileError) -> [StripID: [Float]] {
        var gains = Dictionary(uniqueKeysWithValues: probes.map { ($0.strip, [Float]()) })
        let memory = ChannelMemory(mix.layout.channels, frames: OfflineMix.block)
        var next = 0
        while case let begin = mix.frames.lowerBound + Int64(mix.done), begin < mix.frames.upperBound {
            let count = try mix.read(into: memory.channels, count: OfflineMix.block)
            while next < places.count, places[next] < begin + Int64(count) {
                for (index, probe) in probes.enumerated() {
                    gains[probe.strip]!.append(mix.stems![index].channel(0)[Int(places[next] - begin)])
                }
                next += 1
            }
        }
        return gains
    }
}

extension Strip {
    /// Whether it goes to one of these, as its output or by a send.
    fileprivate func feeds(_ others: Set<StripID>) -> Bool {
        if case .bus(let id) = output, others.contains(id) { return true }
        return output == .master && id != .master && others.contains(.master)
            || sends.contains { others.contains($0.bus) }
    }

    fileprivate mutating func clearProcessors() {
        (gate, equaliser, compressor, limiter, delay) = (nil, nil, nil, nil, .zero)
    }
}
