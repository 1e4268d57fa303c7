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
        var (next, number) = (envelopes.pointer, numbers)
        func take(_ builder: EnvelopeBuilder?) -> UnsafePointer<Envelope>? {
            if builder == nil { return nil }
            defer { next += 1 }
            return UnsafePointer(next)
        }
        for (place, section) in content.sections.enumerated() {
            (sections + place).initialize(
                to: SectionLane(
                    index: section.index, design: section.base.design, sampleRate: Double(sampleRate),
                    frequency: LaneValue(base: section.base.frequency, envelope: take(section.frequency)),
                    gain: LaneValue(base: section.base.gain, envelope: take(section.gain)),
                    quality: LaneValue(base: section.base.quality, envelope: take(section.quality))))
        }
        var own: [DynamicsLanes] = []
        for list in dynamics {
            let first = number
            for entry in list {
                number.initialize(
                    to: DynamicsLanes.Entry(
                        number: entry.number, value: LaneValue(base: 0, envelope: take(entry.envelope))))
                number += 1
            }
            own.append(DynamicsLanes(entries: first, count: list.count))
        }
        lanes = LockedMemory.allocate(LineLanes.self)
        lanes.initialize(
            to: LineLanes(sections: sections, sectionCount: counts.sections, compressor: own[0], gate: own[1])
        )
    }

    deinit {
        LockedMemory.free(lanes)
        LockedMemory.free(sections, counts.sections)
        LockedMemory.free(numbers, counts.numbers)
    }
}
