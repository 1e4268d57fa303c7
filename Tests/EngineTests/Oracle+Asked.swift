import Timeline

extension Oracle {
    // MARK: - What is asked; `at` is a frame of the clock, or 0 for at once

    func play(at: Int) {
        wantsRolling = true
        if wanted == nil { send(.play, at) } else { hold(.play, at) }
    }

    func stop(at: Int) {
        wantsRolling = false
        silentAt = nil
        // A stop for now ends whatever waits; one for later comes behind a play that waits.
        if at > 0, !held.isEmpty { return hold(.stop, at) }
        held = []
        send(.stop, at)
    }

    func hold(_ order: Order, _ at: Int) {
        if held.count == 16 { held.removeFirst(2) }
        held.append((order, at))
    }

    /// The sum of all falls silent; who asks again waits no longer. When it stands still, or when that is
    /// taken back, the master is as it is set.
    func fallSilent(frames: Int, holds: Bool, at: Int) {
        if isStill, !holds { return }
        if holds { holdsSilence = true }
        let end = max(clock, at) + max(frames, fade)
        if let silentAt, silentAt <= end { return }
        (isHushed, silentAt) = (true, end)
        for strip in [master, hush] { move(strip, .gate, 0, max(frames, fade), at) }
    }

    func soundAgain(at: Int) {
        silentAt = nil
        if !isHushed { return }
        (isHushed, holdsSilence) = (false, false)
        move(master, .gate, settings[.master]![.gate]!, glide, at)
        move(hush, .gate, 1, glide, at)
    }

    var hasFallenSilent: Bool { silentAt.map { clock >= $0 && hush.gains[.gate].value(clock) == 0 } ?? false }

    func locate(_ frame: Int, at: Int) {
        want(at) { take in
            take.position = frame
            take.isLocate = true
            take.loop = self.loop.flatMap { frame < $0.upperBound ? $0 : nil }
        }
    }

    func setLoop(_ range: Range<Int>?, at: Int) {
        // A loop of less than a millisecond is none.
        loop = range.flatMap { $0.count * 5 < fade ? nil : $0 }
        let range = loop
        want(at) { take in take.loop = range.flatMap { take.position < $0.upperBound ? $0 : nil } }
    }

    func edit(_ session: Session, at: Int) {
        for strip in session.strips {
            let (left, right) = SlowDesk.sides(strip.pan)
            set(
                strip.id,
                [
                    .fader: strip.fader, .gate: SlowDesk.isHeard(strip, session) ? 1 : 0, .left: left,
                    .right: right, .trim: strip.polarity ? -strip.trim : strip.trim,
                ], at: at)
            for send in strip.sends {
                let (left, right) = SlowDesk.sides(send.pan)
                let isClosed = send.mute || SlowDesk.closing(strip, session).contains(where: \.mute)
                set(
                    send.id,
                    [.fader: send.volume, .gate: isClosed ? 0 : 1, .left: left, .right: right, .trim: 1],
                    at: at)
            }
        }
        // Who is another than the one of that id before begins anew: a track, a sum, or a send of one strip.
        var next: [StripID: String] = [:]
        for strip in session.strips { next[strip.id] = session.index(of: strip.id) == nil ? "sum" : "track" }
        for strip in session.strips {
            let isNew = roles[strip.id] != next[strip.id] && strip.id != .master
            for send in strip.sends {
                next[send.id] =
                    isNew
                    ? "\(strip.id) \(asked)"
                    : (roles[send.id]?.hasPrefix("\(strip.id) ") == true ? roles[send.id]! : "\(strip.id) ")
            }
        }
        strips = strips.filter { next[$0.key] == roles[$0.key] || $0.key == .master }
        settings = settings.filter { next[$0.key] != nil }
        roles = next
        for id in next.keys where strips[id] == nil { strips[id] = Strip(settings[id]!) }
        let voices = voices(session)
        wantsInputs = voices.contains { $0.input != .never }
        want(at) { take in take.voices = voices }
    }

    func voices(_ session: Session) -> [Voice] {
        let rate = session.sampleRate
        func lane(_ automation: Automation) -> SlowDesk.Lane { SlowDesk.Lane(automation, rate: rate) }
        func level(_ strip: Timeline.Strip) -> Level {
            Level(
                live: strips[strip.id]!, volume: lane(strip.automation), mute: lane(strip[automation: .mute]),
                pan: lane(strip[automation: .pan]))
        }
        func voice(_ strip: Timeline.Strip, _ clips: [Piece] = [], _ input: Track.InputUse = .never) -> Voice
        {
            let output: StripID? =
                switch strip.output {
                case .master: .master
                case .bus(let id): id
                case .none, .ports: nil
                }
            return Voice(
                id: strip.id, level: level(strip), clips: clips, input: input,
                trim: lane(strip[automation: .trim]), output: output,
                sends: strip.sends.map { send in
                    (
                        send.bus, send.isPre,
                        Level(
                            live: strips[send.id]!, volume: lane(send.automation),
                            mute: lane(send[automation: .mute]), pan: lane(send[automation: .pan]),
                            closings: send.isPre
                                ? SlowDesk.closing(strip, session).map { lane($0[automation: .mute]) } : []),
                        send.matrix?.gains
                    )
                },
                dcas: session.dcas.filter { $0.members.contains(strip.id) }.map { level($0.strip) })
        }
        let tracks = session.tracks.map { track in
            voice(
                track.strip,
                track.clips.map { clip in
                    let (start, from) = (Int(clip.at.frame(atRate: rate)), Int(clip.from.frame(atRate: rate)))
                    func shape(_ fade: ClipFade) -> Shape {
                        Shape(frames: Int(fade.duration.frame(atRate: rate)), curve: fade.curve)
                    }
                    return Piece(
                        start: start, end: start + Int(clip.duration!.frame(atRate: rate)),
                        file: Int(clip.file.text.prefix(1))!, from: from, gain: clip.gain,
                        fadeIn: shape(clip.fadeIn), fadeOut: shape(clip.fadeOut),
                        crossfade: shape(clip.crossfade))
                }, track.inputUse())
        }
        return tracks + session.buses.map { voice($0) } + [voice(session.master)]
    }

    func set(_ id: StripID, _ values: [Part: Double], at: Int) {
        if let strip = strips[id] {
            for part in Part.allCases where values[part] != settings[id]![part] {
                // While the sum of all is silent, what the master is set to is not heard.
                if id != .master || part != .gate || !isHushed { move(strip, part, values[part]!, glide, at) }
            }
        }
        settings[id] = values
    }

    func fade(_ id: StripID, _ value: Double, frames: Int, _ curve: Curve, at: Int) {
        guard let strip = strips[id] else { return }
        settings[id]![.fader] = value
        move(strip, .fader, value, frames, at, curve)
    }

    /// Live changes glide over 5 ms; at a standstill they are made at once.
    var glide: Int { isStill ? 0 : fade }

    /// Nothing is heard, nor will be.
    var isStill: Bool { isStanding && !wantsRolling && !hearsInputs }

    /// Inputs are heard, are about to be, or were by what is still crossed over from.
    var hearsInputs: Bool {
        wantsInputs || present.hasInputs || before?.take.hasInputs == true
            || waiting.contains(where: \.hasInputs)
    }

    func move(
        _ strip: Strip, _ part: Part, _ value: Double, _ frames: Int, _ at: Int, _ curve: Curve = .linear
    ) {
        send(.gain(strip, part, value, frames, curve), at)
    }

    /// A change of what is played goes on from what was asked before it.
    func want(_ at: Int, _ change: (inout Take) -> Void) {
        var take = wanted?.take ?? lastTake
        if wanted == nil { take.isLocate = false }
        change(&take)
        wanted = (take, max(at, wanted?.at ?? 0))
    }

    /// What has been sent and is not heard yet, in the order in which it was asked.
    var waiting: [Take] {
        forPlaying.compactMap { if case .take(let take) = $0.order { take } else { nil } }
    }

    var lastTake: Take { waiting.last ?? present }

    /// The disk has what is wanted.
    func wantedIsThere() {
        guard let (take, at) = wanted else { return }
        wanted = nil
        // Where old edges and new ones together would make a loop, the old ones close first.
        let between = closed(take, after: lastTake)
        if let between { send(.take(between), at) }
        var next = take
        if between != nil { next.isLocate = false }
        send(.take(next), at)
        for item in held { send(item.order, max(item.at, at)) }
        held = []
    }

    /// A take with no edge that is new; nil where all edges may be there together.
    func closed(_ take: Take, after old: Take) -> Take? {
        func edges(_ take: Take) -> [(Strip, Strip)] {
            take.voices.flatMap { voice in
                ([voice.output].compactMap { $0 } + voice.sends.map(\.bus)).compactMap { id in
                    take.live(id).map { (voice.level.live, $0) }
                }
            }
        }
        let both = edges(take) + edges(old)
        func comesTo(_ strip: Strip, _ target: Strip, _ steps: Int) -> Bool {
            steps > 0
                && both.contains { $0.0 === strip && ($0.1 === target || comesTo($0.1, target, steps - 1)) }
        }
        if !take.voices.contains(where: { comesTo($0.level.live, $0.level.live, 12) }) { return nil }
        var closed = take
        closed.voices = take.voices.map { voice in
            let was = old.voice(voice.level.live)
            let staysOut = was != nil && take.live(voice.output) === old.live(was!.output)
            return Voice(
                id: voice.id, level: voice.level, clips: voice.clips, input: voice.input, trim: voice.trim,
                output: staysOut ? voice.output : nil,
                sends: voice.sends.filter { send in
                    was?.sends.contains {
                        $0.level.live === send.level.live && $0.isPre == send.isPre
                            && old.live($0.bus) === take.live(send.bus)
                    } ?? false
                }, dcas: voice.dcas)
        }
        return closed
    }

    func send(_ order: Order, _ at: Int) {
        asked += 1
        var frame = max(at, clock)
        // Changes of what is played keep their order.
        if case .take = order {
            for item in forPlaying { if case .take = item.order { frame = max(frame, item.frame) } }
        }
        let item = Waiting(order: order, number: asked, frame: frame, isTimed: at > 0)
        // A stop for now waits for nothing.
        if case .stop = order, at == 0 { return now.append(item) }
        func insert(_ list: inout [Waiting]) {
            list.insert(item, at: list.firstIndex { $0.frame > frame } ?? list.count)
        }
        if case .gain = order { insert(&forStrips) } else { insert(&forPlaying) }
    }

}
