import Timeline

/// What of an equaliser a hand moves.
public enum EqualiserControl: Hashable, Sendable {
    case on
    /// In Hz; 0 is off.
    case highPass, lowPass
    /// In dB for an octave.
    case highSlope, lowSlope
    /// Of a band, from 1.
    case frequency(Int)
    case gain(Int)
    case quality(Int)
    case type(Int)

    /// All of one band, by its number.
    static func band(_ number: Int) -> [EqualiserControl] {
        [.type(number), .frequency(number), .gain(number), .quality(number)]
    }

    /// It is one of two values, with nothing between.
    public var isSlope: Bool { self == .highSlope || self == .lowSlope }

    /// Those of the whole of it.
    static let ofNoBand: [EqualiserControl] = [.on, .highPass, .highSlope, .lowPass, .lowSlope]

    /// All that there are.
    public static let all: [EqualiserControl] =
        ofNoBand + (1...Equaliser.bandCount).flatMap(band)

    /// What follows `eq/` in its address.
    var path: String {
        switch self {
        case .on: "on"
        case .highPass: "hp"
        case .lowPass: "lp"
        case .highSlope: "hpslope"
        case .lowSlope: "lpslope"
        // No band has the number 0: it stands for any.
        case .frequency(let band): "\(band == 0 ? "BAND" : "\(band)")/freq"
        case .gain(let band): "\(band == 0 ? "BAND" : "\(band)")/gain"
        case .quality(let band): "\(band == 0 ? "BAND" : "\(band)")/q"
        case .type(let band): "\(band == 0 ? "BAND" : "\(band)")/type"
        }
    }

    /// The same of another band.
    func ofBand(_ number: Int) -> EqualiserControl {
        switch self {
        case .frequency: .frequency(number)
        case .gain: .gain(number)
        case .quality: .quality(number)
        case .type: .type(number)
        case .on, .highPass, .lowPass, .highSlope, .lowSlope: self
        }
    }

    var kind: Control.Kind {
        switch self {
        case .on: .flag
        case .highPass, .lowPass: .number(0...Equaliser.frequencyRange.upperBound)
        case .highSlope, .lowSlope: .number(12...24)
        case .frequency: .number(Equaliser.frequencyRange)
        case .gain: .number(Equaliser.gainRange)
        case .quality: .number(Equaliser.qualityRange)
        case .type: .choice(Equaliser.Band.Kind.allCases.map(\.rawValue))
        }
    }

    var summary: String {
        switch self {
        case .on: "the equaliser; off, it is kept and changes nothing"
        case .highPass: "the frequency of its high pass in Hz, at least 10; 0 is off"
        case .lowPass: "the frequency of its low pass in Hz, at least 10; 0 is off"
        case .highSlope: "the slope of its high pass: 12 or 24 dB per octave; refused without a high pass"
        case .lowSlope: "the slope of its low pass: 12 or 24 dB per octave; refused without a low pass"
        case .frequency: "the frequency of band BAND, in Hz"
        case .gain: "how many dB band BAND raises; 0 changes nothing"
        case .quality: "the quality (Q) of band BAND"
        case .type: "the shape of band BAND: bell; band 1 may be lowshelf, band 4 highshelf"
        }
    }
}

/// One setting of an equaliser.
public struct EqualiserSetting: Equatable, Sendable {
    public let control: EqualiserControl
    public let value: ControlValue

    public init(_ control: EqualiserControl, _ value: ControlValue) {
        (self.control, self.value) = (control, value)
    }
}

extension Equaliser {
    /// What it is set to.
    public func value(of control: EqualiserControl) -> ControlValue {
        switch control {
        case .on: .flag(isOn)
        case .highPass: .number(highPass?.frequency ?? 0)
        case .lowPass: .number(lowPass?.frequency ?? 0)
        case .highSlope: .number(Double((highPass?.slope ?? .soft).rawValue))
        case .lowSlope: .number(Double((lowPass?.slope ?? .soft).rawValue))
        case .frequency(let band): .number(bands[band - 1].frequency)
        case .gain(let band): .number(bands[band - 1].gain)
        case .quality(let band): .number(bands[band - 1].q)
        case .type(let band): .text(bands[band - 1].type.rawValue)
        }
    }

    /// - Throws: `CommandError` for what cannot be; what is out of range has been refused before.
    public mutating func set(_ setting: EqualiserSetting) throws(CommandError) {
        switch (setting.control, setting.value) {
        case (.on, .flag(let flag)): isOn = flag
        case (.highPass, .number(let frequency)): highPass = try Self.pass(frequency, highPass)
        case (.lowPass, .number(let frequency)): lowPass = try Self.pass(frequency, lowPass)
        case (.highSlope, .number(let number)): highPass = try Self.slope(number, highPass, "high pass")
        case (.lowSlope, .number(let number)): lowPass = try Self.slope(number, lowPass, "low pass")
        case (.frequency(let band), .number(let frequency)): bands[band - 1].frequency = frequency
        case (.gain(let band), .number(let gain)): bands[band - 1].gain = gain
        case (.quality(let band), .number(let quality)): bands[band - 1].quality = quality
        case (.type(let band), .text(let word)):
            let known = Self.types(ofBand: band - 1)
            guard let type = Band.Kind(rawValue: word), known.contains(type) else {
                throw CommandError(
                    "band \(band) is no \(word), but \(known.map(\.rawValue).joined(separator: " or "))")
            }
            bands[band - 1].type = type
        default: throw CommandError("eq/\(setting.control.path) cannot be set to that")
        }
    }

    private static func pass(_ frequency: Double, _ before: Pass?) throws(CommandError) -> Pass? {
        if frequency == 0 { return nil }
        guard frequencyRange.contains(frequency) else {
            throw CommandError(
                """
                \(frequency) is no frequency: it goes from \(frequencyRange.lowerBound) to \
                \(frequencyRange.upperBound) Hz, or is 0 for none
                """
            )
        }
        return Pass(frequency: frequency, slope: before?.slope ?? .soft)
    }

    private static func slope(_ number: Double, _ before: Pass?, _ name: String) throws(CommandError) -> Pass?
    {
        guard let slope = Int(exactly: number).flatMap(Pass.Slope.init) else {
            throw CommandError("\(number) is no slope: 12 or 24 dB for an octave")
        }
        guard let before else {
            throw CommandError("there is no \(name) whose slope could be set: give it a frequency first")
        }
        return Pass(frequency: before.frequency, slope: slope)
    }
}

/// What `eq` asks of equalisers.
public enum EqualiserChange: Equatable, Sendable {
    /// These settings, in this order, as one step.
    case set([EqualiserSetting])
    /// Takes it away.
    case clear
}
