import Remote
import Timeline

extension Console {
    func runMarker(_ command: MarkerCommand) throws(CommandError) -> [Answer] {
        switch command {
        case .list: return [.markers(session.markers)]
        case .add(let name, let time):
            try addMarker(name, time)
        case .remove(let name):
            try removeMarker(name)
        }
        return []
    }

    private func addMarker(_ name: String, _ time: TimeSpec?) throws(CommandError) {
        if let problem = Marker.problem(name) { throw CommandError(problem) }
        guard
            session.markers.count < Marker.maximum || session.markers.contains(where: { $0.name == name })
        else {
            throw CommandError("a session has at most \(Marker.maximum) markers")
        }
        let at =
            time?.time(atRate: session.sampleRate) ?? playhead
        try edit(.document) { $0.setMarker(Marker(name: name, at: at)) }
    }

    private func removeMarker(_ name: String) throws(CommandError) {
        guard session.markers.contains(where: { $0.name == name }) else {
            let names = session.markers.prefix(8).map(\.name).joined(separator: ", ")
            let known = "the session has \(names)\(session.markers.count > 8 ? " ..." : "")"
            let hint = names.isEmpty ? "marker add NAME makes one" : known
            throw CommandError("there is no marker \"\(name)\": \(hint)")
        }
        try edit(.document) { session in session.markers.removeAll { $0.name == name } }
    }
}
