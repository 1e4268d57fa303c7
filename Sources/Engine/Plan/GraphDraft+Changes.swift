import Timeline

extension GraphDraft.Node {
    /// Whether it stays, and makes another sound of itself than in the plan before.
    func changes(in draft: GraphDraft, _ comparison: GraphMemory.Comparison) -> Bool {
        draft.fades && stays
            && (ducksChange || share.changes || before!.sounds(otherwiseThan: part!, comparison))
    }
}

extension PlanDraft.Part {
    /// Whether it makes another sound of itself than `other`, beside what hands do.
    fileprivate func sounds(otherwiseThan other: Self, _ comparison: GraphMemory.Comparison) -> Bool {
        let (own, others) = (score.content, other.score.content)
        if own.input != others.input || own.inputWait != others.inputWait { return true }
        if own.lag != others.lag, isTimed || other.isTimed { return true }
        if own.dcas != others.dcas || !comparison.changedDCAs.isDisjoint(with: own.dcas) { return true }
        // Levels of others may begin anew, whoever plays those.
        if comparison.goesElsewhere.contains(true), !keys.ducks.isEmpty || keys.share != nil { return true }
        if comparison.goesElsewhere[player] { return isTimed || other.isTimed }
        return score !== other.score || edges !== other.edges && edges.paths.pan != other.edges.paths.pan
    }

    /// It sounds otherwise elsewhere on the timeline.
    private var isTimed: Bool {
        score.stream != nil || score.envelopes.count > 0 || score.trims.count > 0 || score.lanes != nil
            || edges.pan != nil
    }
}
