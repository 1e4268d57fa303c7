import AudioFile
import Speakers
import Timeline

/// Makes the lines of a session, one by one.
struct LineMaker {
    /// What each track plays of its clips, in their order.
    let spans: [[ClipSpan]]
    private let sampleRate: Int32
    private let use: Arrangement.Use
    private let ranges: [StripID: [TimeRange]]
    private let dcas: [StripID: [StripID]]
    private let closings: [StripID: [LinePaths.Closing]]
    private let ducksBySignal: [StripID: [Duck]]
    private let ducksByClips: [StripID: [Duck]]
    private let shares: [StripID: LineKeys.Share]
    /// All strips have ports of their own.
    private let allHavePorts: Bool

    init(_ session: Session, _ library: MediaLibrary, _ sampleRate: Int32, _ use: Arrangement.Use) {
        (self.sampleRate, self.use) = (sampleRate, use)
        // Each look-up asks the disk whether the file has changed: once for each clip is enough.
        let placed = session.tracks.map { track in
            track.clips.compactMap { library.place($0, on: track.layout) }
        }
        spans = zip(session.tracks, placed).map { Self.spans($1, on: $0.layout, library, sampleRate) }
        ranges = Dictionary(
            uniqueKeysWithValues: zip(session.tracks, placed).map { ($0.id, $1.map(\.range)) })
        dcas = session.dcas.reduce(into: [:]) { dcas, dca in
            for member in dca.members { dcas[member, default: []].append(dca.id) }
        }
        closings = Self.closings(session, sampleRate)
        ducksBySignal = Dictionary(grouping: session.ducks.filter { $0.trigger == .signal }, by: \.track)
        ducksByClips = Dictionary(grouping: session.ducks.filter { $0.trigger == .clips }, by: \.track)
        shares = Self.shares(session, sampleRate)
        allHavePorts = session.directOuts ?? .off != .off
    }

    /// The frame after the last clip.
    var end: Int64 { spans.lazy.compactMap(\.last?.end).max() ?? 0 }

    /// What every strip has.
    func line(_ strip: Strip, isTrack: Bool = false) -> ArrangedLine {
        var line = ArrangedLine(id: strip.id, layout: strip.layout, isTrack: isTrack)
        line.hasPorts = allHavePorts || strip.output == .ports
        line.keys = keys(strip)
        line.content.lanes = ProcessorLanes(strip, sampleRate)
        line.content.envelopes = Self.envelopes(strip, sampleRate)
        if !strip[automation: .trim].events.isEmpty {
            line.content.trims = [.automation(strip[automation: .trim], sampleRate: sampleRate)]
        }
        line.content.dcas = dcas[strip.id] ?? []
        if strip.limiter?.isOn == true { line.latency = Int64(LimiterLine.latency(sampleRate)) }
        line.paths = paths(strip)
        return line
    }

    /// By whose levels it goes.
    private func keys(_ strip: Strip) -> LineKeys {
        var keys = LineKeys()
        keys.gate = strip.gate?.key.map { LineKeys.Key(strip: $0) }
        keys.compressor = strip.compressor?.key.map { LineKeys.Key(strip: $0) }
        keys.ducks = (ducksBySignal[strip.id] ?? []).map { SignalDuck($0, sampleRate: sampleRate) }
        keys.share = shares[strip.id]
        return keys
    }

    func line(_ track: Track, _ spans: [ClipSpan]) -> ArrangedLine {
        var line = line(track.strip, isTrack: true)
        let input = track.inputUse(isSoundcheck: use == .soundcheck)
        line.content.input = use == .live || use == .soundcheck ? input : .never
        line.isLive = input != .never && use != .offline
        if line.content.input != .always { line.content.spans = spans }
        line.content.envelopes += Self.fades(track, ranges[track.id] ?? [], sampleRate)
        line.content.envelopes += ducks(track.id)
        return line
    }

    func line(ofBus bus: Strip) -> ArrangedLine {
        var line = line(bus)
        line.content.envelopes += ducks(bus.id)
        return line
    }

    private func ducks(_ id: StripID) -> [EnvelopeBuilder] {
        (ducksByClips[id] ?? []).compactMap { duck in
            let under = duck.keys.flatMap { ranges[$0] ?? [] }
            if under.isEmpty { return nil }
            return .duck(duck, under: under, sampleRate: sampleRate)
        }
    }

    /// How strips take part in automixes.
    private static func shares(_ session: Session, _ sampleRate: Int32) -> [StripID: LineKeys.Share] {
        let design = DynamicsDesign(sampleRate: sampleRate)
        var shares: [StripID: LineKeys.Share] = [:]
        for (bus, automix, members) in session.automixes {
            for member in members {
                let weight = (0..<Int(member.automixing.priority)).reduce(member.automixing.weight) {
                    weight, _ in weight * 10
                }
                // What is next to nothing is nothing.
                shares[member.id] = LineKeys.Share(
                    bus: bus, weight: weight < 1e-9 ? 0 : weight, pace: design.pace(automix))
            }
        }
        return shares
    }

    private static func spans(
        _ clips: [PlacedClip], on layout: SpeakerLayout, _ library: MediaLibrary, _ sampleRate: Int32
    ) -> [ClipSpan] {
        var spans: [ClipSpan] = []
        for (index, placed) in clips.enumerated() {
            let next = index + 1 < clips.count ? clips[index + 1].clip : nil
            var span = span(placed, next: next, on: layout, library, sampleRate)
            if let last = spans.last, last.end > span.start {
                // Clips that touch between two frames: the later one has the frame.
                spans[spans.count - 1].end = span.start
                if placed.clip.crossfade.duration > .zero, last.layers.isEmpty, last.end <= span.end {
                    var both = last.part(from: span.start, to: last.end)
                    both.layers = [span.part(from: span.start, to: last.end)]
                    spans.append(both)
                    span = span.part(from: last.end, to: span.end)
                }
            }
            if span.end > span.start { spans.append(span) }
        }
        return spans
    }

    /// What a clip plays by itself. Where its file ends early, what is played backwards begins with silence.
    private static func span(
        _ placed: PlacedClip, next: Clip?, on layout: SpeakerLayout, _ library: MediaLibrary,
        _ sampleRate: Int32
    ) -> ClipSpan {
        let (clip, range) = (placed.clip, placed.range)
        let span = ClipSpan(
            start: range.start.timelineFrame(atRate: sampleRate),
            end: range.end.timelineFrame(atRate: sampleRate),
            place: placed.isUsable ? library.place(of: clip) : nil,
            callback: library.source(of: clip.file),
            sourceStart: (clip.soundStart(ofSoundLasting: placed.info?.presumedDuration) ?? .zero)
                .timelineFrame(atRate: sampleRate), fileFrames: placed.info?.length.presumed ?? 0,
            stamp: placed.stamp, channels: clip.channels, layout: layout,
            shape: ClipShape(clip, range, next: next, sampleRate: sampleRate))
        return span.sourceStart < 0
            ? span.part(from: min(span.end, span.start - span.sourceStart), to: span.end) : span
    }

    /// What the timeline says of a strip's volume and mute.
    static func envelopes(_ strip: Strip, _ sampleRate: Int32) -> [EnvelopeBuilder] {
        volume(strip.automation, strip[automation: .mute], sampleRate)
    }

    private static func volume(
        _ volume: Automation, _ mute: Automation, _ sampleRate: Int32
    ) -> [EnvelopeBuilder] {
        (volume.events.isEmpty ? [] : [.automation(volume, sampleRate: sampleRate)])
            + (mute.events.isEmpty ? [] : [.mute(mute, sampleRate: sampleRate)])
    }

    /// The mutes of the timeline by which sends before the gains of strips close, as they do by those of
    /// hands (`Session.closed`).
    private static func closings(_ session: Session, _ sampleRate: Int32) -> [StripID: [LinePaths.Closing]] {
        func closings(_ strip: Strip) -> [LinePaths.Closing] {
            let mute = strip[automation: .mute]
            if strip.muteMode == .main || mute.events.isEmpty { return [] }
            return [LinePaths.Closing(owner: strip.id, mute: .mute(mute, sampleRate: sampleRate))]
        }
        let own = (session.tracks.map(\.strip) + session.buses).map { ($0.id, closings($0)) }
        return session.dcas.reduce(into: Dictionary(uniqueKeysWithValues: own)) { all, dca in
            let closings = closings(dca.strip)
            for member in dca.members { all[member, default: []] += closings }
        }
    }

    /// The gains of both sides, where the timeline says anything of a balance; before its first event it says
    /// nothing.
    private static func pan(_ automation: Automation, _ sampleRate: Int32) -> [EnvelopeBuilder]? {
        if automation.events.isEmpty { return nil }
        let pan = EnvelopeBuilder.automation(automation, startingAt: 0, sampleRate: sampleRate)
        return [pan.side(isLeft: true), pan.side(isLeft: false)]
    }

    private func paths(_ strip: Strip) -> LinePaths {
        let output: StripID? =
            switch strip.output {
            case .master: .master
            case .bus(let id): id
            case .none, .ports: nil
            }
        return LinePaths(
            output: output,
            sends: strip.sends.map { send in
                LinePaths.SendPath(
                    id: send.id, bus: send.bus, isPre: send.isPre,
                    envelopes: Self.volume(send.automation, send[automation: .mute], sampleRate),
                    closings: send.isPre ? closings[strip.id] ?? [] : [],
                    pan: Self.pan(send[automation: .pan], sampleRate), matrix: send.matrix)
            },
            pan: Self.pan(strip[automation: .pan], sampleRate))
    }

    /// - Parameter own: where its clips lie.
    private static func fades(_ track: Track, _ own: [TimeRange], _ sampleRate: Int32) -> [EnvelopeBuilder] {
        var envelopes: [EnvelopeBuilder] = []
        if let first = own.first, track.fadeIn > .zero {
            envelopes.append(.fadeIn(track.fadeIn, from: first.start, sampleRate: sampleRate))
        }
        if let end = own.map(\.end).max(), track.fadeOut > .zero {
            envelopes.append(.fadeOut(track.fadeOut, to: end, sampleRate: sampleRate))
        }
        return envelopes
    }
}
