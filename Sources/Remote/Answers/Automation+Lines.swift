import Timeline

extension Automation {
    /// Its events as a person reads them.
    /// - Parameter control: what it moves.
    func lines(of control: Remote.Control) -> [String] {
        if events.isEmpty { return ["there is no automation of \(control.word)"] }
        return table(
            ["#", "event", control.word, "from", "to", "curve"],
            events.enumerated().map { ["\($0 + 1)"] + $1.columns(of: control) })
    }
}

extension Automation.Event {
    fileprivate func columns(of control: Control) -> [String] {
        switch kind {
        case .point(let value, let time):
            ["point", control.level(value), Readable.clock(time.seconds), "", ""]
        case .ramp(let first, let last, let range, let curve):
            [
                "ramp", "\(control.level(first)) to \(control.level(last))",
                Readable.clock(range.start.seconds), Readable.clock(range.end.seconds), curve.rawValue,
            ]
        }
    }
}

extension Control {
    /// A value of the timeline; of a volume with its level.
    fileprivate func level(_ value: Double) -> String {
        switch entry.kind {
        case .volume: "\(value.short) (\(Readable.level(gain: value)))"
        case .flag: (value == 1).word
        default: value.short
        }
    }
}
