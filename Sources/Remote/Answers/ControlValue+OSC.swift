import OSC
import Speakers
import Timeline

extension ControlValue {
    /// What the mixer says of something of that kind.
    init?(_ arguments: [OSCArgument], of kind: Control.Kind) {
        let (number, text) = (arguments.first?.double, arguments.first?.text)
        let value: ControlValue? =
            switch kind {
            case .volume, .scale, .number, .reading: number.map { .number($0) }
            case .flag: number.map { .flag($0 != 0) }
            case .text, .place, .choice, .matrix: text.map { .text($0) }
            case .channels: number.flatMap(Self.layout).map { .channels($0) }
            case .names: .names(arguments.compactMap(\.text))
            case .duration, .delay: text.flatMap { try? TimeSpec(parsing: $0) }.map { .time($0) }
            case .levels: Self.levels(arguments.compactMap(\.double).map { Float($0) })
            }
        guard let value else { return nil }
        self = value
    }

    private static func layout(_ channels: Double) -> SpeakerLayout? {
        Int(exactly: channels).flatMap(SpeakerLayout.init(rawValue:))
    }

    /// Peaks of the first two channels, then their RMS, then both of each further one.
    private static func levels(_ values: [Float]) -> ControlValue? {
        guard values.count >= 4, values.count % 2 == 0 else { return nil }
        let further = values[4...]
        let (evens, odds) = (
            stride(from: further.startIndex, to: further.endIndex, by: 2).map { further[$0] },
            stride(from: further.startIndex + 1, to: further.endIndex, by: 2).map { further[$0] }
        )
        return .levels(peaks: values[0..<2] + evens, rms: values[2..<4] + odds)
    }
}

extension OSCArgument {
    var text: String? { if case .string(let text) = self { text } else { nil } }

    /// A number, as the shortest decimal that names it; of a switch 1 or 0.
    var double: Double? {
        switch self {
        case .int32(let value): Double(value)
        case .int64(let value): Double(value)
        case .float(let value): Double("\(value)")
        case .double(let value): value
        case .bool(let flag): flag ? 1 : 0
        case .string, .blob, .other: nil
        }
    }
}

extension ControlValue {
    /// As it is told.
    var arguments: [OSCArgument] {
        switch self {
        case .number(let value): [.float(Float(value))]
        case .flag(let flag): [.int32(flag ? 1 : 0)]
        case .text(let text): [.string(text)]
        case .channels(let layout): [.int32(Int32(layout.channels))]
        case .names(let names): names.map { .string($0) }
        case .time(.time(let time)): [.string("\(time)")]
        case .time(.frames(let frames)): [.int64(frames)]
        case .time(.seconds(let seconds)): [.double(seconds)]
        case .levels(let peaks, let rms):
            // What has one channel is heard on both sides.
            [peaks[0], peaks[peaks.count > 1 ? 1 : 0], rms[0], rms[rms.count > 1 ? 1 : 0]].map { .float($0) }
                + zip(peaks, rms).dropFirst(2).flatMap { [.float($0), .float($1)] }
        }
    }

    /// As it is asked to be set: no digit is lost.
    var exactArguments: [OSCArgument] {
        switch self {
        // A float where that says the number as well as a double does: 0.8 but not 1/3.
        case .number(let value): [Double("\(Float(value))") == value ? .float(Float(value)) : .double(value)]
        case .flag(let flag): [.bool(flag)]
        default: arguments
        }
    }
}
