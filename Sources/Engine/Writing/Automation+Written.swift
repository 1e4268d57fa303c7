import Timeline

extension Automation {
    /// The same with what a hand did on these stretches, of which the later count where they lie over each
    /// other. Where it comes from elsewhere, and where it goes back, it does so in 5 ms: a stretch begins
    /// with that, and that follows a stretch.
    ///
    /// What is written differs nowhere from what was heard by more than `Tolerance` allows, but within these
    /// 5 ms; what leaves the control's range is written as its end.
    package func written(
        _ stretches: [HandStretch], _ relation: HandRelation, sampleRate: Int32
    ) -> Automation {
        var regions: [HandStretch] = []
        // From the last on: what a later one covers of an earlier one is gone.
        for stretch in stretches.reversed() {
            var free = [stretch]
            for taken in regions {
                free = free.flatMap { part in
                    [(part.start, min(part.end, taken.start)), (max(part.start, taken.end), part.end)]
                        .filter { $0.0 < $0.1 }.map { part.part(from: $0.0, to: $0.1) }
                }
            }
            regions += free
        }
        regions = regions.compactMap { $0.moved(by: relation) }.sorted { $0.start < $1.start }
        if regions.isEmpty { return self }
        if control == .mute { return writtenSwitch(regions, relation, sampleRate) }
        return writtenNumber(regions, relation, sampleRate)
    }

    /// What it says at a frame, or `standard` before its first event.
    package func present(at frame: Int64, _ standard: Double, sampleRate: Int32) -> Double {
        let near = near(MediaTime(frame: frame, rate: sampleRate))
        return EnvelopeBuilder.automation(near, startingAt: standard, sampleRate: sampleRate).value(at: frame)
    }

    /// Where nothing is written.
    func around(_ relation: HandRelation) -> Automation {
        guard case .ratio(let base, let back) = relation, base != back else { return self }
        return control == .mute ? silenced : scaled(by: base / back)
    }

    /// A switch that silences all along.
    private var silenced: Automation {
        var silenced = Automation(control)
        try? silenced.setValue(1, at: .zero)
        return silenced
    }

    /// All that it says times a factor up to 1, also before its first event.
    private func scaled(by factor: Double) -> Automation {
        var scaled = Automation(control)
        if factor == 0 || events.first.map({ $0.start > .zero }) ?? true {
            try? scaled.setValue(factor, at: .zero)
        }
        if factor == 0 { return scaled }
        for event in events {
            switch event.kind {
            case .point(let value, let time): try? scaled.setValue(value * factor, at: time, replace: true)
            case .ramp(let first, let last, let range, let curve):
                try? scaled.setRamp(
                    from: first * factor, to: last * factor, over: range, curve: curve, replace: true)
            }
        }
        return scaled
    }

    private func writtenNumber(
        _ regions: [HandStretch], _ relation: HandRelation, _ sampleRate: Int32
    ) -> Automation {
        var result = around(relation)
        let fade = Int64(MixerState.fadeFrames(sampleRate))
        for (index, region) in regions.enumerated() {
            let before = index > 0 && regions[index - 1].end == region.start ? regions[index - 1] : nil
            let room = index + 1 < regions.count ? regions[index + 1].start - region.end : .max
            let line = WrittenLine(
                self, region, relation, cameFrom: before,
                fades: (entry: region.start > 0 ? fade : 0, exit: min(fade, room)), sampleRate)
            result.replace(with: line.vertices, sampleRate)
        }
        return result
    }

    /// A switch: silent where the timeline said so, or the hand, which then is 0.
    private func writtenSwitch(
        _ regions: [HandStretch], _ relation: HandRelation, _ sampleRate: Int32
    ) -> Automation {
        let old = EnvelopeBuilder.automation(self, startingAt: 0, sampleRate: sampleRate)
        var result = around(relation)
        let around = EnvelopeBuilder.automation(result, startingAt: 0, sampleRate: sampleRate)
        for region in regions {
            var isLast = around.value(at: region.start - 1) == 1
            result.write(region, over: old, wasSilent: &isLast, sampleRate)
            if (around.value(at: region.end) == 1) != isLast {
                result.set(isLast ? 0 : 1, at: region.end, sampleRate)
            }
        }
        return result
    }

    /// What a switch says in one region.
    /// - Parameters:
    ///   - old: what the timeline said.
    ///   - isSilent: what it says right before it, and then at its end.
    private mutating func write(
        _ region: HandStretch, over old: EnvelopeBuilder, wasSilent isSilent: inout Bool, _ sampleRate: Int32
    ) {
        clear(
            from: MediaTime(frame: region.start, rate: sampleRate),
            to: MediaTime(frame: region.end - 1, rate: sampleRate))
        let frames =
            [region.start] + old.starts(from: region.start, to: region.end)
            + region.points.map(\.frame).filter { $0 > region.start && $0 < region.end }
        for frame in Set(frames).sorted() {
            let silences = old.value(at: frame) == 1 || region.target(at: frame) < 1
            if silences == isSilent { continue }
            isSilent = silences
            set(isSilent ? 1 : 0, at: frame, sampleRate)
        }
    }

    private mutating func set(_ value: Double, at frame: Int64, _ sampleRate: Int32) {
        try? setValue(value, at: MediaTime(frame: frame, rate: sampleRate), replace: true)
    }

    // MARK: - In place of what was there

    /// Puts lines in place of what lies between the first and the last of these.
    private mutating func replace(with vertices: [HandStretch.Point], _ sampleRate: Int32) {
        guard let first = vertices.first, let last = vertices.last else { return }
        let range = TimeRange(
            start: MediaTime(frame: first.frame, rate: sampleRate),
            end: MediaTime(frame: last.frame, rate: sampleRate))
        let crossing = events.filter { $0.start < range.end && range.start < $0.end }
        clear(from: range.start, to: range.end)
        for event in crossing { addRest(of: event, around: range, sampleRate) }
        add(vertices, sampleRate)
    }

    /// What a ramp has before and behind a range.
    private mutating func addRest(of event: Event, around range: TimeRange, _ sampleRate: Int32) {
        guard case .ramp(let from, let to, let whole, let curve) = event.kind else { return }
        var ramp = EnvelopeBuilder(sampleRate: sampleRate)
        ramp.ramp(from: from, to: to, over: whole, curve: curve)
        func end(_ time: MediaTime) -> RampEnd {
            RampEnd(time: time, value: ramp.value(at: time.timelineFrame(atRate: sampleRate)))
        }
        if whole.start < range.start {
            add(
                ramp, curve, from: RampEnd(time: whole.start, value: from), to: end(range.start), sampleRate)
        }
        if whole.end > range.end {
            add(ramp, curve, from: end(range.end), to: RampEnd(time: whole.end, value: to), sampleRate)
        }
    }

    /// A part of a ramp: as it is where the part of its curve is such a curve too, else along lines.
    private mutating func add(
        _ ramp: EnvelopeBuilder, _ curve: Curve, from start: RampEnd, to end: RampEnd, _ sampleRate: Int32
    ) {
        if curve == .linear || curve == .exponential {
            let range = TimeRange(start: start.time, end: end.time)
            try? setRamp(from: start.value, to: end.value, over: range, curve: curve, replace: true)
            return
        }
        let frames = (
            start.time.timelineFrame(atRate: sampleRate, rounding: .up),
            end.time.timelineFrame(atRate: sampleRate, rounding: .up)
        )
        if frames.0 >= frames.1 { return }
        let tolerance = Tolerance(of: control)
        let points = Straightening(tolerance).points(from: frames.0, to: frames.1) { ramp.value(at: $0) }
        add(tolerance.thinned(points), sampleRate)
    }

    /// Lines from one to the next.
    private mutating func add(_ vertices: [HandStretch.Point], _ sampleRate: Int32) {
        for (index, (a, b)) in zip(vertices, vertices.dropFirst()).enumerated() {
            let range = TimeRange(
                start: MediaTime(frame: a.frame, rate: sampleRate),
                end: MediaTime(frame: b.frame, rate: sampleRate))
            if a.value != b.value {
                try? setRamp(from: a.value, to: b.value, over: range, replace: true)
            } else if index == 0 {
                set(a.value, at: a.frame, sampleRate)
            }
        }
    }
}

/// Where a ramp begins or ends.
private struct RampEnd {
    let time: MediaTime
    let value: Double
}

extension HandStretch {
    /// Without what changes nothing at either end; nil where nothing is left.
    fileprivate func moved(by relation: HandRelation) -> HandStretch? {
        guard case .ratio(let base, _) = relation else { return self }
        guard let first = points.firstIndex(where: { $0.value != base }),
            let last = points.lastIndex(where: { $0.value != base })
        else { return nil }
        let own = Array(points[max(0, first - 1)...min(points.count - 1, last + 1)])
        return own[0].frame < own[own.count - 1].frame ? HandStretch(own) : nil
    }

    /// Of a switch: where it is on its way to.
    fileprivate func target(at frame: Int64) -> Double {
        points[min(points.count - 1, points.firstPlace { $0.frame > frame })].value
    }
}

extension EnvelopeBuilder {
    /// Where segments begin between two frames.
    func starts(from start: Int64, to end: Int64) -> [Int64] {
        segments.map(\.start).filter { $0 > start && $0 < end }
    }
}
