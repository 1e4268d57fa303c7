import Realtime
import Timeline

/// What the timeline says of a strip's processors, in frames at the mixer's rate.
struct ProcessorLanes: Equatable {
    /// Sections of the equaliser that it moves, each as the hand has set it.
    var sections: [Section] = []
    /// The numbers of the compressor and the gate that it moves.
    var compressor: [Number] = []
    var gate: [Number] = []

    struct Section: Equatable {
        let index: Int
        let base: EqualiserDesign.Section
        var frequency: EnvelopeBuilder?
        var gain: EnvelopeBuilder?
        var quality: EnvelopeBuilder?
    }

    struct Number: Equatable {
        let number: DynamicsLanes.Number
        let envelope: EnvelopeBuilder
    }

    var isEmpty: Bool { sections.isEmpty && compressor.isEmpty && gate.isEmpty }

    /// Of what a strip has: what it has not the timeline does not move.
    init(_ strip: Strip, _ sampleRate: Int32) {
        if !strip.hasProcessorLanes { return }
        func envelope(_ control: Automation.Control) -> EnvelopeBuilder? {
            let automation = strip[automation: control]
            return automation.events.isEmpty ? nil : .automation(automation, sampleRate: sampleRate)
        }
        sections = EqualiserDesign.sections(of: strip.equaliser).enumerated().compactMap { index, base in
            base.flatMap { Self.section(index, $0, envelope) }
        }
        func numbers(_ unit: Automation.Control.Unit) -> [Number] {
            Automation.Control.ofProcessors.filter { $0.unit == unit }.compactMap { control in
                guard let number = DynamicsLanes.Number(control.word) else { return nil }
                return envelope(control).map { Number(number: number, envelope: $0) }
            }
        }
        if strip.compressor?.isOn == true { compressor = numbers(.compressor) }
        if strip.gate?.isOn == true { gate = numbers(.gate) }
    }

    /// A section of the equaliser; nil: the timeline moves nothing of it.
    private static func section(
        _ index: Int, _ base: EqualiserDesign.Section, _ envelope: (Automation.Control) -> EnvelopeBuilder?
    ) -> Section? {
        let controls = Automation.Control.ofProcessors.filter { $0.unit == unit(index) }
        func said(_ words: Set<String>) -> EnvelopeBuilder? {
            controls.first { words.contains($0.word) }.flatMap(envelope)
        }
        let section = Section(
            index: index, base: base, frequency: said(["freq", "hp", "lp"]), gain: said(["gain"]),
            quality: said(["q"]))
        return section.frequency == nil && section.gain == nil && section.quality == nil ? nil : section
    }

    /// Nothing.
    init() {}

    /// What a section of the equaliser is of.
    private static func unit(_ section: Int) -> Automation.Control.Unit {
        switch section {
        case 0, 1: .highPass
        case 2, 3: .lowPass
        default: .band(section - 3)
        }
    }
}
