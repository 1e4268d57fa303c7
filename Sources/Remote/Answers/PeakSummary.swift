import JSON
import OSC
import Timeline

/// The highest sample of a strip since the reset.
public struct PeakSummary: Equatable, Sendable, JSONForm {
    /// Absolute, linear.
    public private(set) var peak: Float = 0
    /// How often it was above full scale.
    public private(set) var overs = 0

    public init() {}

    public init(_ peak: Float, overs: Int) { (self.peak, self.overs) = (peak, overs) }

    public static let fields: [JSONField<Self>] = [
        .level("peak", \.level).described("Linear."),
        JSONField("overs", \.overs).saying(.integer(from: 0)),
    ]

    private var level: Double {
        get { Double(peak) }
        set { peak = Float(newValue) }
    }

    /// In dBFS.
    var line: String {
        let times = overs > 0 ? "  above full scale \(overs) \(overs == 1 ? "time" : "times")" : ""
        return "\(Readable.level(gain: Double(peak)))FS\(times)"
    }
}

extension AnswerCoding<PeakSummary> {
    static let peak = AnswerCoding("fi", PeakSummary.schema) {
        [.float($0.peak), .int32(Int32(clamping: $0.overs))]
    } read: {
        $0.compactMap(\.double).exactly(2).flatMap { values in
            Int(exactly: values[1]).map { PeakSummary(Float(values[0]), overs: $0) }
        }
    }
}
