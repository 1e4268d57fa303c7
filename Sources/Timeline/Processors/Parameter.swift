import JSON

/// A number of a processor: what it is called in files, addresses and the shell, and where it lies.
public struct Parameter<Processor: LevelProcessor>: Sendable {
    /// In the file, in its address, and behind `--` in the shell.
    public let name: String
    /// In dB, of a ratio, or in milliseconds; the end of a range that is marked so stands for what has no
    /// end.
    public let range: ClosedRange<Double>
    /// What is said of it in help.
    public let summary: String
    let place: Place

    /// Where it lies in its processor.
    enum Place: Sendable {
        case number(WritableKeyPath<Processor, Double> & Sendable)
        case time(WritableKeyPath<Processor, MediaTime> & Sendable)
    }

    init(
        _ name: String, _ path: WritableKeyPath<Processor, Double> & Sendable, in range: ClosedRange<Double>,
        _ summary: String
    ) {
        (self.name, place, self.range, self.summary) = (name, .number(path), range, summary)
    }

    /// - Parameter range: in milliseconds.
    init(
        _ name: String, _ path: WritableKeyPath<Processor, MediaTime> & Sendable,
        in range: ClosedRange<Double>, _ summary: String
    ) {
        (self.name, place, self.range, self.summary) = (name, .time(path), range, summary)
    }

    /// Whether it is a time: in milliseconds.
    public var isTime: Bool { if case .time = place { true } else { false } }

    /// Whether it stands where it would without being told, beside the first of its processor's numbers.
    func isStandard(_ processor: Processor) -> Bool {
        var plain = Processor()
        guard let first = Processor.parameters.first else { return false }
        first.set(first.value(of: processor), of: &plain)
        return value(of: processor) == value(of: plain)
    }

    /// What it stands at.
    public func value(of processor: Processor) -> Double {
        switch place {
        case .number(let path): processor[keyPath: path]
        case .time(let path): processor[keyPath: path].seconds * 1000
        }
    }

    /// A value in its range; a time is kept to the microsecond.
    public func set(_ value: Double, of processor: inout Processor) {
        switch place {
        case .number(let path): processor[keyPath: path] = value
        case .time(let path): processor[keyPath: path] = MediaTime(milliseconds: value)
        }
    }
}
