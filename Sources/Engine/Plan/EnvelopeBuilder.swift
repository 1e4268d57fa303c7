import Timeline

/// Segments in the making, on the control side: events in order of time become stretches of frames.
struct EnvelopeBuilder: Equatable {
    private(set) var segments: [GainSegment]
    let sampleRate: Int32

    /// - Parameter value: what holds before the first event.
    init(sampleRate: Int32, startingAt value: Double = 1) {
        segments = [GainSegment(start: .min, value: value)]
        self.sampleRate = sampleRate
    }

    /// What the envelope will say at `frame`.
    func value(at frame: Int64) -> Double { segment(at: frame).segment.value(at: frame) }

    /// The segment that governs `frame`, and where it ends.
    func segment(at frame: Int64) -> (segment: GainSegment, end: Int64) {
        var last = 0
        return segments.withUnsafeBufferPointer { segments in
            withUnsafeMutablePointer(to: &last) { last in
                let envelope = Envelope(segments: segments.baseAddress!, count: segments.count, last: last)
                let index = envelope.index(at: frame)
                return (segments[index], envelope.end(of: index))
            }
        }
    }

    /// An event counts from the first frame at or after its time.
    private func firstFrame(_ time: MediaTime) -> Int64 {
        time.timelineFrame(atRate: sampleRate, rounding: .up)
    }

    mutating func hold(_ value: Double, from time: MediaTime) {
        add(GainSegment(start: firstFrame(time), value: value))
    }

    mutating func ramp(from first: Double, to last: Double, over range: TimeRange, curve: Curve = .linear) {
        let start = firstFrame(range.start)
        let lead = MediaTime(frame: start, rate: sampleRate).frames(since: range.start, atRate: sampleRate)
        let length = range.end.frames(since: range.start, atRate: sampleRate)
        add(
            GainSegment(
                start: start, lead: lead, length: length, from: first, to: last, curve: GainCurve(curve)))
        hold(last, from: range.end)
    }

    private mutating func add(_ segment: GainSegment) {
        // Two events between the same two frames: the later one has the say.
        if segments[segments.count - 1].start == segment.start, segments.count > 1 { segments.removeLast() }
        segments.append(segment)
    }

    /// - Parameter value: what holds before the first event.
    static func automation(
        _ automation: Automation, startingAt value: Double = 1, sampleRate: Int32
    ) -> EnvelopeBuilder {
        var builder = EnvelopeBuilder(sampleRate: sampleRate, startingAt: value)
        for event in automation.events {
            switch event.kind {
            case .point(let volume, let time): builder.hold(volume, from: time)
            case .ramp(let first, let last, let range, let curve):
                builder.ramp(from: first, to: last, over: range, curve: curve)
            }
        }
        return builder
    }

    /// A switch that silences: each point leads to silence, or back, in 5 ms; one at the beginning has led
    /// there already.
    static func mute(_ automation: Automation, sampleRate: Int32) -> EnvelopeBuilder {
        var builder = EnvelopeBuilder(sampleRate: sampleRate)
        let frames = Int64(sampleRate) * 5 / 1000
        for event in automation.events {
            guard case .point(let value, let time) = event.kind else { continue }
            let start = builder.firstFrame(time)
            if start <= 0 {
                builder.segments = [GainSegment(start: .min, value: 1 - value)]
                continue
            }
            let present = builder.value(at: start)
            while builder.segments[builder.segments.count - 1].start >= start {
                builder.segments.removeLast()
            }
            builder.add(
                GainSegment(
                    start: start, lead: 0, length: Double(frames), from: present, to: 1 - value,
                    curve: .linear))
            builder.add(GainSegment(start: start + frames, value: 1 - value))
        }
        return builder
    }

    /// Of a balance from -1 to 1 the gain of one side: a balance of p above 0 takes the left times 1 - p, one
    /// below 0 the right times 1 + p.
    func side(isLeft: Bool) -> EnvelopeBuilder {
        // How far it is from the side that is taken down, and which way that counts.
        let sign = isLeft ? -1.0 : 1.0
        var side = EnvelopeBuilder(sampleRate: sampleRate)
        side.segments = []
        for (index, segment) in segments.enumerated() {
            let end = index + 1 < segments.count ? segments[index + 1].start : .max
            // A ramp goes one way, so it passes the centre once at the most.
            let border =
                segment.shape == .hold
                ? end : segment.firstFrame(to: end) { ($0 * sign < 0) != (segment.base * sign < 0) }
            for (start, isOver) in [
                (segment.start, segment.base * sign >= 0), (border, segment.base * sign < 0),
            ] where start < end {
                side.segments.append(
                    isOver
                        ? GainSegment(start: start, value: 1)
                        : segment.part(from: start, base: 1 + sign * segment.base, span: sign * segment.span))
            }
        }
        return side
    }

    /// Silence to full over `duration` from `start` on.
    static func fadeIn(
        _ duration: MediaTime, from start: MediaTime, curve: Curve = .linear, sampleRate: Int32
    ) -> EnvelopeBuilder {
        // Silent before: a clip that begins between two frames has its first frame just before its fade.
        var builder = EnvelopeBuilder(sampleRate: sampleRate, startingAt: 0)
        builder.ramp(from: 0, to: 1, over: TimeRange(start: start, duration: duration), curve: curve)
        return builder
    }

    /// Full to silence over the last `duration` before `end`.
    static func fadeOut(
        _ duration: MediaTime, to end: MediaTime, curve: Curve = .linear, sampleRate: Int32
    ) -> EnvelopeBuilder {
        var builder = EnvelopeBuilder(sampleRate: sampleRate)
        builder.ramp(from: 1, to: 0, over: TimeRange(start: end - duration, end: end), curve: curve)
        return builder
    }

    /// From 1 down to the duck's volume where each clip begins, and back up from where it ends; clips closer
    /// than attack and release together count as one.
    static func duck(_ duck: Duck, under clips: [TimeRange], sampleRate: Int32) -> EnvelopeBuilder {
        var builder = EnvelopeBuilder(sampleRate: sampleRate)
        for range in Ducking.held(under: clips, attack: duck.attack, release: duck.release) {
            // What takes no time is a step: the volume that it leads to has the say.
            builder.ramp(
                from: 1, to: duck.to, over: TimeRange(start: range.start - duck.attack, end: range.start))
            builder.ramp(from: duck.to, to: 1, over: TimeRange(start: range.end, duration: duck.release))
        }
        return builder
    }
}
