import Realtime
import Timeline

/// Owns the same in the memory of the audio thread. Control thread.
final class LaneMemory {
    let lanes: UnsafeMutablePointer<LineLanes>
    private let sections: UnsafeMutablePointer<SectionLane>
    private let numbers: UnsafeMutablePointer<DynamicsLanes.Entry>
    private let envelopes: Envelopes
    private let counts: (sections: Int, numbers: Int)
    /// What its envelopes take of memory.
    var bytes: Int { envelopes.bytes }

    init(_ content: ProcessorLanes, sampleRate: Int32) {
        let dynamics = [content.compressor, content.gate]
        envelopes = Envelopes(
            content.sections.flatMap { [$0.frequency, $0.gain, $0.quality].compactMap { $0 } }
                + dynamics.joined().map(\.envelope))
        counts = (content.sections.count, dynamics.joined().count)
        sections = LockedMemory.allocate(SectionLane.self, counts.sections)
        numbers = LockedMemory.allocate(DynamicsLanes.Entry.self, counts.numbers)
        var taken = TakenEnvelopes(next: envelopes.pointer)
        for (place, section) in content.sections.enumerated() {
            (sections + place).initialize(to: taken.lane(section, sampleRate))
        }
        let compressor = taken.lanes(content.compressor, at: numbers)
        let gate = taken.lanes(content.gate, at: numbers + content.compressor.count)
        lanes = LockedMemory.allocate(LineLanes.self)
        lanes.initialize(
            to: LineLanes(
                sections: sections, sectionCount: counts.sections, compressor: compressor, gate: gate))
    }

    deinit {
        LockedMemory.free(lanes)
        LockedMemory.free(sections, counts.sections)
        LockedMemory.free(numbers, counts.numbers)
    }
}

/// Hands out envelopes in the order in which they lie.
private struct TakenEnvelopes {
    var next: UnsafeMutablePointer<Envelope>

    private mutating func value(_ base: Double, _ builder: EnvelopeBuilder?) -> LaneValue {
        if builder == nil { return LaneValue(base: base, envelope: nil) }
        defer { next += 1 }
        return LaneValue(base: base, envelope: UnsafePointer(next))
    }

    mutating func lane(_ section: ProcessorLanes.Section, _ sampleRate: Int32) -> SectionLane {
        SectionLane(
            index: section.index, design: section.base.design, sampleRate: Double(sampleRate),
            frequency: value(section.base.frequency, section.frequency),
            gain: value(section.base.gain, section.gain),
            quality: value(section.base.quality, section.quality))
    }

    mutating func lanes(
        _ entries: [ProcessorLanes.Number], at memory: UnsafeMutablePointer<DynamicsLanes.Entry>
    ) -> DynamicsLanes {
        for (place, entry) in entries.enumerated() {
            (memory + place).initialize(
                to: DynamicsLanes.Entry(number: entry.number, value: value(0, entry.envelope)))
        }
        return DynamicsLanes(entries: memory, count: entries.count)
    }
}
