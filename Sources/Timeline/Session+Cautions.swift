extension Session {
    /// What is allowed, and may not do what was meant, each with its place: a duck whose strip goes through a compressor behind it, which raises again what
    /// the duck lowers.
    public var cautions: [SessionProblem] {
        let routing = Routing(self)
        return ducks.enumerated().compactMap { index, duck in
            guard let place = place(of: duck.track) else { return nil }
            let behind = routing.heard(self[place], in: self).subtracting([duck.track])
            let undoing = strips.first { behind.contains($0.id) && $0.compressor?.isOn == true && $0.compressor?.key == nil }
            guard let undoing else { return nil }
            return SessionProblem(
                place: "duck \(index + 1)",
                message: "\(self[place].name) goes through the compressor of \(undoing.name), which brings up again what the duck lowers: compress \(self[place].name) itself, or before that")
        }
    }
}
