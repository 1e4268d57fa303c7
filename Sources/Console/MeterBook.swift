import Engine
import Timeline

/// What meters have measured, for each that reads them: the engine starts its peaks anew with each reading.
package struct MeterBook {
    package enum Reader: CaseIterable {
        case questions, subscribers, terminal, oscQuery, surface, x32, xair

        /// Peaks are kept for it from the start; for others from when they read first.
        static let present: Set<Reader> = [.questions, .subscribers, .terminal, .oscQuery]
    }

    /// The highest absolute sample of a strip since the reset, and how often it was above full scale.
    struct PeakHold: Equatable {
        var peak: Float = 0
        var overs = 0
    }

    private var readers = Reader.present
    private var unread: [Reader: [StripID: MeterReading]] = [:]
    private var holds: [StripID: PeakHold] = [:]
    /// Which of the engine's beginnings that is of.
    private var begun = 0

    /// Forgets all strips but those.
    mutating func keep(_ ids: Set<StripID>) {
        unread = unread.mapValues { $0.filter { ids.contains($0.key) } }
        holds = holds.filter { ids.contains($0.key) }
    }

    /// The reading for one kind of reader; the peaks are kept for the others.
    mutating func read(_ id: StripID, from engine: PlaybackEngine, for reader: Reader) -> MeterReading {
        readers.insert(reader)
        collect(id, from: engine)
        return unread[reader, default: [:]].removeValue(forKey: id) ?? MeterReading(channels: 2)
    }

    /// The peak that is held, up to the last reading.
    func held(_ id: StripID) -> PeakHold { holds[id] ?? PeakHold() }

    /// Holds peaks and counts overs from now on.
    mutating func reset(_ id: StripID, from engine: PlaybackEngine) {
        collect(id, from: engine)
        holds[id] = nil
    }

    /// Hands what the engine has measured to everyone; what it measured of another session is nobody's.
    mutating func collect(_ id: StripID, from engine: PlaybackEngine) {
        if begun != engine.metersBegun { (begun, unread, holds) = (engine.metersBegun, [:], [:]) }
        let fresh = engine.readMeter(id)
        for reader in readers { unread[reader, default: [:]][id] = fresh.merged(unread[reader]?[id]) }
        holds[id, default: PeakHold()].peak = max(holds[id]?.peak ?? 0, fresh.peaks.max() ?? 0)
        holds[id]?.overs += fresh.overs
    }
}

extension MeterReading {
    /// This reading with the peaks of an earlier one.
    fileprivate func merged(_ earlier: MeterReading?) -> MeterReading {
        var merged = self
        // A strip may have been given other channels since.
        for (channel, peak) in (earlier?.peaks ?? []).enumerated().prefix(peaks.count) {
            merged.peaks[channel] = max(peaks[channel], peak)
        }
        return merged
    }
}
