extension Session {
    /// What is allowed, and may not do what was meant, each with its place.
    public var cautions: [SessionProblem] {
        let routing = Routing(self)
        let ofDucks = ducks.enumerated().compactMap { index, duck in
            (caution(of: duck) ?? compressor(undoing: duck, routing)).map {
                SessionProblem(place: "duck \(index + 1)", message: $0)
            }
        }
        return ofDucks + cautionsOfPorts
    }

    /// Strips whose ports would be called as those of an earlier strip, so that they have none.
    private var cautionsOfPorts: [SessionProblem] {
        var owners: [String: String] = [:]
        return zip(places, strips).compactMap { place, strip in
            if place.kind == .dca { return nil }
            let hasInput =
                if case .track(let number) = place { tracks[number - 1].input != nil } else { false }
            let ports = StripName.ports(strip.name, hasInput: hasInput).sorted()
            guard let taken = ports.first(where: { owners[$0] != nil }), let owner = owners[taken] else {
                for port in ports { owners[port] = strip.name }
                return nil
            }
            let message = "ports called \(taken)_1 are those of \(owner): this one has none of its own"
            return SessionProblem(place: "\(place)", message: message).within(strip.name)
        }
    }

    /// Why a duck lowers nothing while its key is heard; nil where it does: by clips, of which its key, which
    /// is heard live, has none.
    public func caution(of duck: Duck) -> String? {
        guard duck.trigger == .clips,
            let key = tracks.first(where: { duck.keys.contains($0.id) && $0.input != nil && $0.clips.isEmpty }
            )
        else { return nil }
        return """
            \(key.name) is heard live and has no clips, so that nothing lowers \
            \(name(of: duck.track) ?? ""): a \
            duck with --by signal goes by how loud \(key.name) is
            """
    }

    /// What is said of a duck whose strip goes through a compressor behind it, which raises again what the
    /// duck lowers.
    private func compressor(undoing duck: Duck, _ routing: Routing) -> String? {
        guard let place = place(of: duck.track) else { return nil }
        let behind = routing.heard(self[place], in: self).subtracting([duck.track])
        let undoing = strips.first {
            behind.contains($0.id) && $0.compressor?.isOn == true && $0.compressor?.key == nil
        }
        guard let undoing else { return nil }
        return
            """
            \(self[place].name) goes through the compressor of \(undoing.name), which brings up again what \
            the duck lowers: compress \(self[place].name) itself, or before that
            """
    }
}
