import Remote
import Timeline

extension Console: StepNames {
    /// Three at the most by their names.
    package func name(_ reference: StripReference) -> String {
        guard let places = try? places(reference) else { return reference.text }
        return places.count > 3
            ? "\(places.count) strips" : places.map { session[$0].name }.joined(separator: ", ")
    }

    package func text(_ time: TimeSpec) -> String { time.time(atRate: session.sampleRate).readable }

    package func text(_ place: Place) -> String {
        switch place {
        case .time(let time): text(time)
        case .here: "the playhead"
        case .later(let time): "the playhead + \(text(time))"
        case .earlier(let time): "the playhead - \(text(time))"
        case .end: "the end"
        case .marker(let name): "marker \(name)"
        }
    }

    /// A send's control by the name of its bus, however that was said.
    package func named(_ control: Control) -> Control {
        guard case .send(.number(let number), let part) = control, session.has(.bus(number)) else {
            return control
        }
        return .send(.name(session.buses[number - 1].name), part)
    }
}
