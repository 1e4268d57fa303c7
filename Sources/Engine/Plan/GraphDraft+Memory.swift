import Timeline

// What GraphMemory lays down of a node and of a part.

extension GraphDraft.Node {
    /// What a block costs that is split at it: the line, its sends, whose levels it looks at.
    var work: Int { 1 + sends.count + keys.count + (share.isEmpty ? 0 : 2) }

    /// Those with a slot first, slot by slot.
    var orderedSends: [GraphDraft.Send] {
        sends.enumerated().sorted {
            ($0.element.slot ?? .max, $0.offset) < ($1.element.slot ?? .max, $1.offset)
        }.map(\.element)
    }

    /// What holds back what leaves it, in the new plan and in the one before.
    var waits: LineWaits? {
        let (now, past) = (part?.delays ?? LineDelays(), before?.delays ?? LineDelays())
        if now.isEmpty, past.isEmpty { return nil }
        return LineWaits(
            input: now.input?.pointer, pre: now.pre?.pointer, post: now.post?.pointer,
            inputBefore: past.input === now.input ? nil : past.input?.pointer,
            preBefore: past.pre === now.pre ? nil : past.pre?.pointer,
            postBefore: past.post === now.post ? nil : past.post?.pointer)
    }
}

extension PlanDraft.Part {
    /// It has more than envelopes.
    var hasControls: Bool {
        score.trims.count > 0 || score.lanes != nil || edges.pan != nil || !score.content.dcas.isEmpty
    }

    func controls(_ dcas: [StripID: Int]) -> LineControls {
        LineControls(
            trims: score.trims.pointer, trimCount: score.trims.count, pan: edges.pan?.pointer,
            lanes: score.lanes.map { UnsafePointer($0.lanes) },
            bank: score.lanes.map { _ in strip.processors },
            dcas: score.content.dcas.compactMap { dcas[$0] }.reduce(0) { $0 | 1 << UInt64($1) })
    }
}
