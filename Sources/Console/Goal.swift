import Engine
import Remote
import Timeline

/// Where somebody sends a control.
enum Goal {
    case value(Double)
    /// So far from where it stands; alone: no other is moved along, to which it has to keep its distance.
    case step(Step, isAlone: Bool)

    /// The number to which `control`, which stands at `present`, goes.
    func value(of control: Control, from present: Double) throws(CommandError) -> Double {
        switch self {
        case .value(let value): return value
        case .step(let step, let isAlone):
            let kind = control.entry.kind
            if case .eq(let part) = control, part.isSlope, case .number(let range) = kind {
                let change = step.applied(to: 0)
                return change == 0 ? present : change > 0 ? range.upperBound : range.lowerBound
            }
            if let moved = step.applied(to: present, of: kind, leavesSilence: isAlone) { return moved }
            throw CommandError("\(control.word) moves by nothing")
        }
    }
}
