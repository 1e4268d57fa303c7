/// Positions that are likely to be gone to.
extension PlaybackEngine {
    /// Has the beginnings read of what is likely to be gone to: the loop, and where clips begin, on every
    /// track.
    func rememberPositions() {
        guard readAhead.expectsLocates, let lines = arrangement?.lines, !lines.isEmpty else { return }
        let limit = PositionCache.maximumBlocks / 2
        var positions = orders.compactMap { $0.loop?.lowerBound }
        positions += Set(lines.flatMap { $0.content.spans.prefix(limit).map(\.start) }).sorted().prefix(
            limit / lines.count)
        pool.cache.want(Array(positions.flatMap(keys).prefix(limit)))
        pool.wakeUp.signal()
    }

    /// What every track plays at a frame of the timeline.
    private func keys(at frame: Int64) -> [PositionCache.Key] {
        (arrangement?.lines ?? []).flatMap { line in
            line.content.span(at: frame).map { [$0] + $0.layers } ?? []
        }.compactMap { $0.cacheKey(at: frame) }
    }

    /// Has read what is to be played from `frame` on: a locate there is about to come, and what it needs
    /// shall be there by then.
    public func expectLocate(to frame: Int64) {
        pool.cache.wantSoon(keys(at: frame))
        pool.wakeUp.signal()
    }
}
