import Engine
import Timeline

/// Peaks since each kind of reader last looked: the engine keeps only one.
package struct MeterBook {
    package enum Reader: CaseIterable { case questions, subscribers, terminal, oscQuery }

    private var unread: [Reader: [StripID: MeterReading]] = [:]

    /// Forgets all strips but those.
    mutating func keep(_ ids: Set<StripID>) { unread = unread.mapValues { $0.filter { ids.contains($0.key) } } }

    /// The reading for one kind of reader; the peaks are kept for the others.
    mutating func read(_ id: StripID, from engine: PlaybackEngine, for reader: Reader) -> MeterReading {
        let fresh = engine.readMeter(id)
        for other in Reader.allCases where other != reader { unread[other, default: [:]][id] = fresh.merged(unread[other]?[id]) }
        return fresh.merged(unread[reader, default: [:]].removeValue(forKey: id))
    }
}

extension MeterReading {
    /// This reading with the peaks of an earlier one.
    fileprivate func merged(_ earlier: MeterReading?) -> MeterReading {
        var merged = self
        // A strip may have been given other channels since.
        for (channel, peak) in (earlier?.peaks ?? []).enumerated().prefix(peaks.count) { merged.peaks[channel] = max(peaks[channel], peak) }
        return merged
    }
}
