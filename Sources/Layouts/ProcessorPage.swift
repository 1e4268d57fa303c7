import Remote
import Timeline

/// What a strip's own page shows: a row for each of its processors and for each band of its equaliser, and
/// what hands write.
struct ProcessorPage {
    let strip: Surface.Strip
    let rows: [Row]

    struct Row {
        let title: String
        let cells: [Cell]
    }

    /// A control with the last word of its address.
    struct Cell {
        let control: Control
        let label: String
        let shape: Shape
    }

    enum Shape {
        case toggle
        /// Two values of a number.
        case either(Double, Double)
        /// One of a few words, each a button.
        case words([String])
        case slider(Travel)
    }

    /// How a slider goes from end to end: by equal steps, or by equal ratios.
    struct Travel {
        let range: ClosedRange<Double>
        let isByRatio: Bool
        /// The end where it is off, which is said as 0.
        var off: End?

        enum End { case low, high }
    }

    init(_ strip: Surface.Strip) {
        self.strip = strip
        var rows: [(title: String, cells: [Cell])] = []
        for control in Control.ofProcessors where strip.has(control) {
            let parts = control.path.split(separator: "/").map(String.init)
            guard let label = parts.last, let shape = Self.shape(of: control, label) else { continue }
            let title = parts.dropLast().joined(separator: " ")
            if rows.last?.title != title { rows.append((title, [])) }
            rows[rows.count - 1].cells.append(Cell(control: control, label: label, shape: shape))
        }
        rows.append(("write", Self.modes(strip)))
        self.rows = rows.map(Row.init)
    }

    /// What hands do to the automation of what they move most: the modes that are chosen while one mixes.
    private static func modes(_ strip: Surface.Strip) -> [Cell] {
        let words = [WriteMode.read, .touch, .latch].map(\.rawValue)
        return [Control.volume, .pan, .mute].filter(strip.has).map {
            Cell(control: .writeMode($0), label: $0.path, shape: .words(words))
        }
    }

    /// nil for what a tablet does not move: keys, readings, and what hangs on another number.
    private static func shape(of control: Control, _ label: String) -> Shape? {
        switch control.entry.kind {
        case .flag: .toggle
        case .choice: types(of: control).map(Shape.words)
        case .number where label.hasSuffix("slope"): .either(12, 24)
        case .number where label == "close": nil
        case .number(let range): .slider(travel(label, range))
        default: nil
        }
    }

    private static func types(of control: Control) -> [String]? {
        guard case .eq(.type(let band)) = control else { return nil }
        let types = Equaliser.types(ofBand: band - 1)
        return types.count > 1 ? types.map(\.rawValue) : nil
    }

    /// Frequencies, times, qualities and ratios by equal ratios, over what is of use to a finger; decibels by
    /// equal steps.
    private static func travel(_ label: String, _ range: ClosedRange<Double>) -> Travel {
        switch label {
        case "hp": Travel(range: 10...2000, isByRatio: true, off: .low)
        case "lp": Travel(range: 200...20_000, isByRatio: true, off: .high)
        case "freq": Travel(range: 20...20_000, isByRatio: true)
        case "attack": Travel(range: 0.1...1000, isByRatio: true)
        case "hold", "release": Travel(range: 5...5000, isByRatio: true)
        case "q": Travel(range: range, isByRatio: true)
        case "ratio": Travel(range: 1...100, isByRatio: true)
        case "threshold": Travel(range: -80...0, isByRatio: false)
        default: Travel(range: range, isByRatio: false)
        }
    }
}
