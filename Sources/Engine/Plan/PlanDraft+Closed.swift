import Timeline

extension PlanDraft {
    /// The live sides of its strips.
    var strips: [StripID: StripHandle] {
        Dictionary(parts.map { ($0.id, $0.strip) }, uniquingKeysWith: { first, _ in first })
    }

    /// The same as what tells them apart.
    var handles: [StripID: ObjectIdentifier] {
        Dictionary(parts.map { ($0.id, ObjectIdentifier($0.strip)) }, uniquingKeysWith: { first, _ in first })
    }

    /// The same with no edge that `previous` does not have: what closes has closed, and what is to open has
    /// not begun.
    func closed(after previous: PlanDraft) -> PlanDraft {
        let before = Dictionary(uniqueKeysWithValues: previous.parts.map { (ObjectIdentifier($0.strip), $0) })
        let (handles, handlesBefore) = (handles, previous.handles)
        var closed = self
        closed.parts = parts.map { part in
            part.closed(after: before[ObjectIdentifier(part.strip)], handles, handlesBefore)
        }
        return closed
    }
}

extension PlanDraft.Part {
    /// The same with no edge that `old` does not have.
    /// - Parameters:
    ///   - handles: the live sides of strips.
    ///   - before: those of the plan of `old`.
    fileprivate func closed(
        after old: Self?, _ handles: [StripID: ObjectIdentifier], _ before: [StripID: ObjectIdentifier]
    ) -> Self {
        var paths = edges.paths
        let target = paths.output.flatMap { handles[$0] }
        if old == nil || target != old!.edges.paths.output.flatMap({ before[$0] }) { paths.output = nil }
        let kept = paths.sends.indices.filter { index in
            let path = paths.sends[index]
            guard let old, let place = old.sends.firstIndex(where: { $0 === sends[index] }) else {
                return false
            }
            let earlier = old.edges.paths.sends[place]
            return earlier.isPre == path.isPre && before[earlier.bus] == handles[path.bus]
        }
        paths.sends = kept.map { edges.paths.sends[$0] }
        return Self(
            id: id, player: player, score: score, edges: EdgeScore(paths, closedBy: edges.closings),
            keys: keys.common(old?.keys, handles, before), strip: strip, sends: kept.map { sends[$0] },
            outputLag: outputLag,
            delays: delays)
    }
}

extension LineKeys {
    /// Those of them that `other` has too.
    fileprivate func common(
        _ other: LineKeys?, _ handles: [StripID: ObjectIdentifier],
        _ handlesBefore: [StripID: ObjectIdentifier]
    ) -> LineKeys {
        guard let other else { return LineKeys() }
        func isSame(_ own: Key?, _ others: Key?) -> Bool {
            guard let own, let others else { return false }
            return handles[own.strip] == handlesBefore[others.strip]
        }
        return LineKeys(
            gate: isSame(gate, other.gate) ? gate : nil,
            compressor: isSame(compressor, other.compressor) ? compressor : nil,
            ducks: ducks.filter { duck in other.ducks.contains { isSame(duck.key, $0.key) } },
            share: share.flatMap { share in
                other.share.flatMap { handles[share.bus] == handlesBefore[$0.bus] ? share : nil }
            })
    }
}
