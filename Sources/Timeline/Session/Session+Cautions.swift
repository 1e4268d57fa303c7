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

    /// Strips of which ports would be called as those of others, so that these are not there.
    private var cautionsOfPorts: [SessionProblem] {
        var owners: [String: String] = [:]
        return portHolders(all: directOuts ?? .off != .off).compactMap { holder in
            let name = self[holder.place].name
            let ports = (1...holder.channels).map {
                StripName.port(name, isInput: holder.isInput, side: $0)
            }
            let taken = ports.first { owners[$0] != nil }
            for port in ports where owners[port] == nil { owners[port] = name }
            guard let taken, let owner = owners[taken] else { return nil }
            let message =
                "its port would be called \(taken), as that of \(owner) is: it has none of that name"
            return SessionProblem(place: "\(holder.place)", message: message).within(name)
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
